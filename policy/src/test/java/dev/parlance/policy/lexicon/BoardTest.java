package dev.parlance.policy.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no conversation does to a board, and what the vectors leave open. */
class BoardTest {
  private static final Map<String, Set<String>> FACTIONS =
      Map.of("red", Set.of("a", "b"), "blue", Set.of("b", "c"));
  private static final List<String> SPEAKERS = List.of("a", "b", "c", "d");
  private static final List<String> CHANNELS = List.of("public", "faction:red", "faction:blue");
  private static final List<String> PIECES =
      List.of(
          "gap",
          "open gap",
          "Open-Gap",
          "core lock",
          "core",
          "the answer is",
          "\n",
          "\n[PART 1]\n",
          "\n[PART 2]\n",
          "\ngap = hole",
          "\nopen gap = undecided",
          "\n- core lock = pair",
          "\ncore=x=y",
          "\nCHALLENGE gap: wide",
          "\nrepair open gap = closed",
          "\nREPAIR core =",
          "\nCHALLENGE nothing: no",
          "Final answer: 3",
          "ＧＡＰ",
          "\u200b",
          "=",
          ":",
          "...");

  private static Board play(Board board, String... turns) {
    Board next = board;
    for (String turn : turns) {
      String[] parts = turn.split("\\|", 3);
      Turn one = new Turn(parts[0], Channel.of(parts[1]).orElseThrow(), parts[2], false);
      next = next.step(one).next();
    }
    return next;
  }

  private static Board board() {
    return Board.empty(BoardRules.DEFAULT.with(FACTIONS));
  }

  private static CoinRefusal.Reason refusal(Board board, String speaker, String text) {
    return board
        .step(new Turn(speaker, Channel.PUBLIC, text, false))
        .refusals()
        .getFirst()
        .reason();
  }

  static IntStream seeds() {
    return IntStream.range(0, Integer.getInteger("soak", 50));
  }

  /** Conversations of pieces, most of them nonsense. */
  @ParameterizedTest
  @MethodSource("seeds")
  void anyConversation_keepsEveryCountEqualToItsEvents_andLosesNoTerm(int seed) {
    Random random = new Random(seed);
    Board board = board();
    Board older = board;
    List<BoardEvent> events = new ArrayList<>();
    for (int turn = 0; turn < 60; turn++) {
      StringBuilder text = new StringBuilder();
      int pieces = random.nextInt(9);
      for (int i = 0; i < pieces; i++) {
        text.append(PIECES.get(random.nextInt(PIECES.size())))
            .append(random.nextBoolean() ? " " : "");
      }
      Turn said =
          new Turn(
              SPEAKERS.get(random.nextInt(SPEAKERS.size())),
              Channel.of(CHANNELS.get(random.nextInt(CHANNELS.size()))).orElseThrow(),
              text.toString(),
              random.nextInt(5) == 0);
      Board before = board;
      Board.Step step = before.step(said);
      assertThat(step).as("a step depends on nothing else").isEqualTo(before.step(said));
      assertThat(older.apply(before.read(said)).next().turns()).isEqualTo(older.turns() + 1);
      older = random.nextInt(4) == 0 ? before : older;
      board = step.next();
      assertThat(board.turns()).isEqualTo(turn + 1);
      assertThat(board.entries().stream().map(BoardEntry::turn)).isSorted();
      assertThat(board.entries().subList(0, before.entries().size()).stream().map(BoardEntry::key))
          .containsExactlyElementsOf(before.entries().stream().map(BoardEntry::key).toList());
      TurnText lines = TurnText.of(said.text());
      long coinages = lines.lines().stream().filter(TurnText.Coinage.class::isInstance).count();
      if (step.events().stream().noneMatch(one -> one.type() == BoardEvent.Type.DENIED)) {
        assertThat(board.entries().size() - before.entries().size() + step.refusals().size())
            .isEqualTo((int) coinages);
      } else {
        assertThat(board.entries()).isEqualTo(before.entries());
        assertThat(step.accepted()).isEmpty();
      }
      for (int line : step.accepted()) {
        assertThat(lines.lines().get(line))
            .isInstanceOfAny(TurnText.Coinage.class, TurnText.Directive.class);
      }
      assertThat(lines.judged(step.accepted()::contains).length())
          .isLessThanOrEqualTo(said.text().length());
      events.addAll(step.events());
    }
    assertThat(board.entries().stream().mapToInt(BoardEntry::reuse).sum())
        .isEqualTo(
            count(events, BoardEvent.Type.REUSE, BoardEvent.Type.LEAK, BoardEvent.Type.ECHO));
    assertThat(board.entries()).hasSize(count(events, BoardEvent.Type.COIN));
    assertThat(board.entries().stream().mapToInt(one -> one.version() - 1).sum())
        .isEqualTo(count(events, BoardEvent.Type.REPAIR));
    assertThat(board.entries().stream().filter(BoardEntry::leaked).count())
        .isEqualTo(count(events, BoardEvent.Type.LEAK));
    assertThat(board.metrics().persistence().orElse(0)).isBetween(0.0, 1.0);
  }

  private static int count(
      List<BoardEvent> events, BoardEvent.Type first, BoardEvent.Type... more) {
    Set<BoardEvent.Type> types = EnumSet.of(first, more);
    return (int) events.stream().filter(one -> types.contains(one.type())).count();
  }

  @Test
  void escapedTerm_isHeardAndContestedByOutsiders_butIsStillNewToThem() {
    Board leaked =
        play(
            board(),
            "a|faction:red|dark nudge\n[PART 2]\ndark nudge = pressure",
            "b|public|a dark nudge");
    assertThat(leaked.entries().getFirst().leaked()).isTrue();
    Board recoined = play(leaked, "d|public|dark nudge\n[PART 2]\ndark nudge = a joke");
    assertThat(recoined.entries())
        .extracting(BoardEntry::visibility, BoardEntry::reuse)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(Channel.of("faction:red").orElseThrow(), 2),
            org.assertj.core.groups.Tuple.tuple(Channel.PUBLIC, 0));
    Board used = play(recoined, "a|public|dark nudge", "a|faction:red|dark nudge");
    assertThat(used.entries()).extracting(BoardEntry::reuse).containsExactly(3, 1);
  }

  @Test
  void factsThatWereReadWithAnOlderBoard_coinNothingTwice_andKeepWhatTheyUse() {
    Board old = play(board(), "a|public|gap\n[PART 2]\ngap = hole");
    String text = "gap or open gap\nCHALLENGE gap: why\n[PART 2]\nopen gap = a wide one";
    TurnFacts facts = old.read(new Turn("b", Channel.PUBLIC, text, false));
    Board newer = play(old, "c|public|open gap\n[PART 2]\nopen gap = another one");
    Board.Step late = newer.apply(facts);
    assertThat(late.refusals())
        .containsExactly(new CoinRefusal(2, "open gap", CoinRefusal.Reason.NOT_NOVEL));
    assertThat(late.accepted()).containsExactly(1);
    assertThat(late.next().entries())
        .extracting(BoardEntry::key, BoardEntry::definition, BoardEntry::occurrences)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("gap", "hole", 3L),
            org.assertj.core.groups.Tuple.tuple("open gap", "another one", 0L));
    Board.Step inTime = old.apply(facts);
    assertThat(inTime.accepted()).containsExactlyInAnyOrder(1, 3);
    assertThat(old.apply(newer.read(new Turn("d", Channel.PUBLIC, "open gap", false))).events())
        .as("a term that is not there yet is not used")
        .isEmpty();
  }

  @Test
  void lineThatIsThereTwice_coinsOnce_andItsSecondStaysJudged() {
    Turn turn = new Turn("a", Channel.PUBLIC, "gap\n[PART 2]\ngap = hole\ngap = hole", false);
    Board.Step step = board().step(turn);
    assertThat(step.accepted()).containsExactly(2);
    assertThat(TurnText.of(turn.text()).judged(step.accepted()::contains))
        .isEqualTo("gap\ngap = hole");
  }

  @ParameterizedTest
  @ValueSource(strings = {"#### 40", "FINAL Answer 40", "\\BOXED{40}", "Answer: 40", "[Part 3]"})
  void finalAnswer_voidsEveryDefinition_inUpperAndLowerCase(String marker) {
    assertThat(refusal(board(), "a", "gap is 1. " + marker + "\n[PART 2]\ngap = hole"))
        .isEqualTo(CoinRefusal.Reason.FINAL_MARKER);
  }

  /** As the vectors' conventions have it: lower-cased, and nothing else. */
  @ParameterizedTest
  @ValueSource(strings = {"＃＃＃＃ 40", "FINAL\u00a0ANSWER 40", "Ａnswer: 40", "Answer： 40"})
  void whatIsAFinalMarkerOnlyOnceItIsNormalised_isText(String marker) {
    String text = "gap is 1. " + marker + "\n[PART 2]\ngap = hole";
    Board.Step step = board().step(new Turn("a", Channel.PUBLIC, text, false));
    assertThat(step.refusals()).isEmpty();
    assertThat(step.next().entries()).extracting(BoardEntry::key).containsExactly("gap");
  }

  @ParameterizedTest
  @CsvSource({"48,280,NOT_USED", "49,280,TOO_LONG", "48,281,TOO_LONG"})
  void lengths_areCodePoints(int term, int definition, CoinRefusal.Reason reason) {
    String text = "[PART 2]\n" + "𝒶".repeat(term) + " = " + "𝒶".repeat(definition);
    assertThat(refusal(board(), "a", text)).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "faction:", "Public", "faction", "public "})
  void nameThatIsNoChannel_isNone(String name) {
    assertThat(Channel.of(name)).isEmpty();
  }

  @FuzzTest(maxDuration = "30s")
  void anyText_isReadLineByLine_andWhatIsShownHoldsItsLine(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    TurnText lines = TurnText.of(text);
    assertThat(String.join("\n", lines.lines().stream().map(TurnText.Line::text).toList()))
        .isEqualTo(text);
    assertThat(lines.judged(_ -> false).length()).isLessThanOrEqualTo(text.length());
    KnownTerms block =
        KnownTerms.of(List.of(new KnownTerms.Term(text, text, text, 1, 1, text, false)));
    if (!block.text().isEmpty()) {
      assertThat(block.text().lines()).hasSize(3);
      assertThat(block.text().indexOf('[', 1)).isEqualTo(block.text().indexOf(KnownTerms.END));
      assertThat(block.text().getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(KnownTerms.BYTES_MAX);
    }
    Board board = board().step(new Turn("a", Channel.PUBLIC, text, true)).next();
    assertThat(board.entries()).allMatch(one -> one.key().equals(BoardRules.key(one.term())));
  }
}
