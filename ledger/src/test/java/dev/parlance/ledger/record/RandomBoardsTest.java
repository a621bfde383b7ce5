package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.LexiconWriter.Told;
import dev.parlance.policy.lexicon.Board;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However the turns of a conversation reach the ledger, its board is that of the conversation. */
@Tag("long")
class RandomBoardsTest {
  private static final int CONVERSATIONS = 1_000;
  private static final int TURNS = 40;

  @Test
  void turnsToldLate_twice_andOutOfOrder_leadToTheBoardOfTheConversation() {
    long changes = 0;
    long late = 0;
    for (int seed = 0; seed < CONVERSATIONS; seed++) {
      LexiconWriter.Conversation one =
          LexiconWriter.conversation(seed, seed, TURNS, LexiconEntry.Share.AUTO);
      changes += one.told().stream().filter(Told::changes).count();
      List<Told> mixed = LexiconWriter.mixed(new Random(seed), one.told());
      late += mixed.size() - one.told().size();
      assertThat(replayed(one.opened(), mixed)).as("conversation %d", seed).isEqualTo(one.board());
    }
    assertThat(changes).isGreaterThan(5L * CONVERSATIONS);
    assertThat(late).isGreaterThan(5L * CONVERSATIONS);
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
