package dev.parlance.policy.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.BoardHistory.Line;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The order of turns, however they are told. */
class BoardHistoryTest {
  private static final BoardRules RULES =
      BoardRules.DEFAULT.with(Map.of("left", Set.of("ann", "bob")));
  private static final Channel LEFT = Channel.of("faction:left").orElseThrow();
  private static final List<String> WORDS = List.of("gap", "lock", "core", "duty", "scope", "loop");
  private static final List<String> SPEAKERS = List.of("ann", "bob", "cid", "dee");

  private final BoardHistory history = new BoardHistory(RULES);

  private static TurnFacts facts(String speaker, Channel channel, TurnFacts.Use... uses) {
    return new TurnFacts(speaker, channel, 7, false, List.of(uses), List.of(), List.of());
  }

  private static TurnFacts.Use use(Channel visibility, String key) {
    return new TurnFacts.Use(new TurnFacts.TermRef(visibility, key), 1);
  }

  private static TurnFacts.Coined coined(int line, String term) {
    return new TurnFacts.Coined(line, term, BoardRules.key(term), "as meant", Optional.empty());
  }

  private static TurnFacts.Directed challenge(int line, Channel visibility, String key) {
    return new TurnFacts.Directed(
        line,
        TurnText.Request.CHALLENGE,
        key,
        Optional.of(new TurnFacts.TermRef(visibility, key)),
        Optional.of("why"));
  }

  private void coins(String speaker, Channel channel, String term) {
    assertThat(history.add(facts(speaker, channel), 0, 0)).isTrue();
    assertThat(history.coin(coined(0, term))).isEqualTo(Line.COUNTED);
  }

  private BoardEntry term(String key) {
    return history.board().entries().stream()
        .filter(entry -> entry.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aUseToldLate_standsBehindTheChangesThatItsReaderKnew() {
    coins("ann", Channel.PUBLIC, "gap");
    coins("ann", Channel.PUBLIC, "lock");
    history.add(facts("bob", Channel.PUBLIC, use(Channel.PUBLIC, "gap")), 2, 9);
    assertThat(term("gap").lastUse()).isEqualTo(2);

    history.add(facts("cid", Channel.PUBLIC, use(Channel.PUBLIC, "gap")), 1, 5);
    assertThat(term("lock").turn()).isEqualTo(2);
    assertThat(term("gap").speakers()).containsExactly("ann", "cid", "bob");

    history.add(facts("dee", Channel.PUBLIC, use(Channel.PUBLIC, "lock")), 0, 9);
    assertThat(term("lock").reuse()).as("there was no lock yet").isZero();
  }

  @Test
  void amongTurnsBetweenTwoChanges_theSmallerNumberComesFirst_thenWhoWasToldFirst() {
    coins("ann", LEFT, "gap");
    history.add(facts("bob", Channel.PUBLIC, use(LEFT, "gap")), 1, 4);
    history.add(facts("cid", Channel.PUBLIC, use(LEFT, "gap")), 1, 4);
    history.add(facts("dee", Channel.PUBLIC, use(LEFT, "gap")), 1, 3);
    assertThat(term("gap").speakers()).as("dee had not heard of it").containsExactly("bob", "cid");
    assertThat(history.number()).isEqualTo(4);
  }

  @Test
  void nobodyStandsBehindChangesThatThereAreNot() {
    coins("ann", Channel.PUBLIC, "gap");
    history.add(facts("bob", Channel.PUBLIC, use(Channel.PUBLIC, "gap")), Long.MAX_VALUE, 0);
    coins("ann", Channel.PUBLIC, "lock");
    assertThat(term("lock").turn()).isEqualTo(2);
    assertThat(term("gap").lastUse()).isEqualTo(1);
  }

  @Test
  void aTurnWhoseLinesAreAllRefused_isOneThatOnlyUses() {
    coins("ann", Channel.PUBLIC, "gap");
    coins("ann", Channel.PUBLIC, "lock");
    history.add(facts("bob", Channel.PUBLIC, use(Channel.PUBLIC, "gap")), 1, 0);
    assertThat(history.coin(coined(0, "Gap"))).isEqualTo(Line.NOT_NOVEL);
    assertThat(history.direct(challenge(1, LEFT, "gap"))).isEqualTo(Line.TERM_UNKNOWN);
    assertThat(history.changes()).isEqualTo(2);
    assertThat(term("gap").lastUse()).isEqualTo(1);

    assertThat(history.coin(coined(2, "core"))).isEqualTo(Line.COUNTED);
    assertThat(history.coin(coined(2, "duty"))).isEqualTo(Line.DUPLICATE_IN_TURN);
    assertThat(history.coin(coined(3, "CORE"))).isEqualTo(Line.DUPLICATE_IN_TURN);
    assertThat(term("gap").lastUse()).isEqualTo(2);
    assertThat(history.changes()).isEqualTo(3);
  }

  private static TurnFacts says(String speaker, int tokens, TurnFacts.Coined... coined) {
    return new TurnFacts(
        speaker, Channel.PUBLIC, tokens, false, List.of(), List.of(), List.of(coined));
  }

  @Test
  void compression_isTheLastTurnBehindTheLastCoinage_toTheFirst_ofThoseWhoHaveBoth() {
    List<TurnFacts> turns =
        List.of(
            says("ann", 40),
            says("bob", 60, coined(0, "gap")),
            says("ann", 30, coined(0, "lock")),
            says("bob", 20),
            says("cid", 99),
            says("ann", 12),
            says("bob", 18));
    assertThat(BoardMetrics.compression(turns)).hasValue(0.3);
    assertThat(BoardMetrics.compression(turns.subList(0, 3))).isEmpty();
    assertThat(BoardMetrics.compression(List.of(says("ann", 40), says("ann", 30)))).isEmpty();
    assertThat(BoardMetrics.compression(turns.subList(0, 4))).hasValue(20.0 / 60);
  }

  @Test
  void aBoardTakesTenThousandTurns() {
    for (int i = 0; i < BoardHistory.TURNS_MAX; i++) {
      assertThat(history.add(facts("ann", Channel.PUBLIC), 0, i)).isTrue();
    }
    assertThat(history.add(facts("ann", Channel.PUBLIC), 0, 0)).isFalse();
    assertThat(history.board().turns()).isEqualTo(BoardHistory.TURNS_MAX);
  }

  /** A turn of the naive reference, which folds all of them each time. */
  private record Told(long after, boolean isChange, long number, int told, TurnFacts facts) {}

  private static Board folded(List<Told> turns) {
    Board board = Board.empty(RULES);
    List<Told> sorted =
        turns.stream()
            .sorted(
                Comparator.comparingLong(Told::after)
                    .thenComparing(Told::isChange)
                    .thenComparingLong(Told::number)
                    .thenComparingInt(Told::told))
            .toList();
    for (Told turn : sorted) {
      board = board.apply(turn.facts()).next();
    }
    return board;
  }

  @Test
  void whatIsKeptOfEarlierBoards_leadsToTheSameAsAllTurnsAnew() {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      BoardHistory kept = new BoardHistory(RULES);
      List<Told> all = new ArrayList<>();
      long changes = 0;
      for (int i = 0; i < 300; i++) {
        Channel channel = random.nextInt(4) == 0 ? LEFT : Channel.PUBLIC;
        TurnFacts facts =
            facts(
                SPEAKERS.get(random.nextInt(SPEAKERS.size())),
                channel,
                use(
                    random.nextBoolean() ? LEFT : Channel.PUBLIC,
                    WORDS.get(random.nextInt(WORDS.size())) + random.nextInt(6)));
        long after = changes - random.nextInt((int) Math.min(changes, 9) + 1);
        long number = random.nextInt(9);
        kept.add(facts, after, number);
        Told told = new Told(after, false, number, i, facts);
        if (random.nextInt(3) == 0) {
          TurnFacts.Coined line = coined(0, WORDS.get(random.nextInt(WORDS.size())) + i / 50);
          TurnFacts more =
              new TurnFacts(
                  facts.speaker(), channel, 7, false, facts.uses(), List.of(), List.of(line));
          boolean counts = folded(all).apply(more).accepted().contains(0);
          assertThat(kept.coin(line) == Line.COUNTED).isEqualTo(counts);
          told = counts ? new Told(changes++, true, number, i, more) : told;
        }
        all.add(told);
        if (random.nextInt(5) == 0) {
          assertThat(kept.board()).as("seed %d, turn %d", seed, i).isEqualTo(folded(all));
        }
      }
      assertThat(kept.changes()).isEqualTo(changes).isGreaterThan(20);
      assertThat(kept.facts()).hasSize(300);
    }
  }
}
