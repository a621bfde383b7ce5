package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.LexiconWriter.Told;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.TurnFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** However the turns of a conversation reach the ledger, its board is that of the conversation. */
class RandomBoardsTest {
  private static final int CONVERSATIONS = 1_000;
  private static final int TURNS = 40;

  @Test
  void turnsToldLate_twice_andOutOfOrder_leadToTheBoardOfTheConversation() {
    long changes = 0;
    long late = 0;
    for (int seed = 0; seed < CONVERSATIONS; seed++) {
      Random random = new Random(seed);
      List<String> speakers = LexiconWriter.speakers(random);
      BoardRules rules = LexiconWriter.rules(random, speakers);
      LexiconEntry.BoardOpened opened =
          LexiconWriter.opened(LexiconWriter.board(seed), rules, LexiconEntry.Share.AUTO);
      Board board = Board.empty(rules);
      List<Told> told = new ArrayList<>();
      long after = 0;
      for (int number = 1; number <= TURNS; number++) {
        TurnFacts facts = board.read(LexiconWriter.turn(random, speakers, board));
        Board.Step step = board.apply(facts);
        Told one = LexiconWriter.told(opened, facts, step.accepted(), number, after);
        told.add(one);
        after += one.changes() ? 1 : 0;
        board = step.next();
      }
      changes += after;
      List<Told> mixed = mixed(random, told);
      late += mixed.size() - told.size();
      assertThat(replayed(opened, mixed)).as("conversation %d", seed).isEqualTo(board);
    }
    assertThat(changes).isGreaterThan(5L * CONVERSATIONS);
    assertThat(late).isGreaterThan(5L * CONVERSATIONS);
  }

  /**
   * Changes keep their order; what only uses comes some time behind; some comes twice. Who contests
   * a leaked term has heard of the leak from the ledger.
   */
  private static List<Told> mixed(Random random, List<Told> told) {
    List<Told> mixed = new ArrayList<>();
    List<Told> waiting = new ArrayList<>();
    for (Told one : told) {
      if (one.restsOnLeak()) {
        mixed.addAll(waiting);
        waiting.clear();
      }
      if (one.changes() || random.nextInt(3) == 0) {
        mixed.add(one);
      } else {
        waiting.add(random.nextInt(waiting.size() + 1), one);
      }
      while (!waiting.isEmpty() && random.nextInt(3) == 0) {
        mixed.add(waiting.remove(random.nextInt(waiting.size())));
      }
      if (random.nextInt(3) == 0 && !mixed.isEmpty()) {
        mixed.add(mixed.get(random.nextInt(mixed.size())));
      }
    }
    mixed.addAll(waiting);
    return mixed;
  }

  private static Board replayed(LexiconEntry.BoardOpened opened, List<Told> told) {
    LedgerState state = new LedgerState();
    long index = 0;
    state.apply(index++, written(opened));
    for (Told turn : told) {
      for (LexiconEntry entry : turn.entries()) {
        state.apply(index++, written(entry));
      }
    }
    return state.board(opened.board()).orElseThrow().board();
  }

  /** As it comes back from the ledger. */
  private static Entry written(Entry entry) {
    return EntryCodec.decode(EntryCodec.encode(entry))
            instanceof EntryCodec.Decoded.Read(Entry back)
        ? back
        : entry;
  }
}
