package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.JudgingCost.Terms;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JudgingCostTest {
  private static final int MIB = 1 << 20;

  /** The default of {@code limits.judgingMs}. */
  private static final long LIMIT_NS = 300_000_000;

  @Test
  void everyTextIsPricedOnceForEachTimeItIsRead() {
    AgentMessage message = message("x".repeat(1000), "q".repeat(100), 3, "c".repeat(200), 2);
    assertThat(cost(message, "", Terms.NOT_GUARDED).ns())
        .isEqualTo(1000 * 10 + 100 * 4 + 3 * (500 + 200 * 4) + 2 * 500);
    assertThat(cost(message, "b".repeat(50), Terms.GUARDED).ns())
        .isEqualTo(1000 * 20 + 50 * 10 + 100 * 4 + 3 * (500 + 200 * 4) + 2 * 500);
  }

  @ParameterizedTest
  @CsvSource({"ж, 60", "字, 90", "\uD83D\uDE00, 120", "\u0301, 220", "\u00A8, 220", "\uFDFA, 330"})
  void charactersBeyondAsciiCostMoreWithEveryByte(String character, int ns) {
    AgentMessage message = message(character.repeat(100), "", 1, "", 0);
    assertThat(cost(message, "", Terms.NOT_GUARDED).ns()).isEqualTo(100L * ns + 500);
  }

  @Test
  void onlySquaredAndEnclosedLettersOfTheirBlockCountAsFolded() {
    long kana = cost(message("\u30A2", "", 1, "", 0), "", Terms.NOT_GUARDED).ns();
    long squared = cost(message("\u3300", "", 1, "", 0), "", Terms.NOT_GUARDED).ns();
    assertThat(squared - kana).isEqualTo(3 * 80);
  }

  @Test
  void malformedBytesAreNeverDearerThanFoldedOnes() {
    byte[] bytes = new byte[1000];
    java.util.Arrays.fill(bytes, (byte) 0xEF);
    AgentMessage message = new AgentMessage(Utf8Span.of(bytes), Utf8Span.EMPTY, evidence(1, "", 0));
    assertThat(cost(message, "", Terms.NOT_GUARDED).ns()).isEqualTo(1000 * (10 + 100) + 500);
  }

  @Test
  void withoutEvidenceOnlyTheGuardReads_unlessTheFirstWordIsHidden() {
    AgentMessage plain = new AgentMessage(text("word " + "ж".repeat(50)), text("q"), Evidence.NONE);
    assertThat(cost(plain, "", Terms.NOT_GUARDED).ns()).isZero();
    assertThat(cost(plain, "", Terms.GUARDED).ns()).isEqualTo(105 * 10 + 100 * 20);
    AgentMessage hidden = new AgentMessage(text("ж".repeat(50)), text("q"), Evidence.NONE);
    assertThat(cost(hidden, "", Terms.NOT_GUARDED).ns()).isEqualTo(100 * 10 + 100 * 20);
    assertThat(cost(hidden, "", Terms.GUARDED).ns()).isEqualTo(2 * (100 * 10 + 100 * 20));
  }

  @Test
  void theCostIsASumOfLengths_soTwiceTheMessageCostsTwice() {
    for (String unit :
        List.of("word ", "[Chunk c1] ", "[", "жук ", "字", "\uFDFA", "a\u0301\u0316")) {
      long one =
          cost(message(unit.repeat(500), unit.repeat(300), 40, unit, 70), unit, Terms.GUARDED).ns();
      long two =
          cost(
                  message(unit.repeat(1000), unit.repeat(600), 80, unit, 140),
                  unit.repeat(2),
                  Terms.GUARDED)
              .ns();
      assertThat(two).as(unit).isEqualTo(2 * one);
    }
  }

  @Test
  void theQuickLookNeverDecidesOtherwiseThanTheLongOne() {
    Random random = new Random(7);
    List<String> units = List.of("word ", "жук ", "字", "\uFDFA", "a\u0301", "[c1] ");
    for (int i = 0; i < 500; i++) {
      AgentMessage message =
          message(
              units.get(random.nextInt(units.size())).repeat(random.nextInt(200)),
              units.get(random.nextInt(units.size())).repeat(random.nextInt(200)),
              random.nextInt(1, 20),
              units.get(random.nextInt(units.size())).repeat(random.nextInt(20)),
              random.nextInt(20));
      JudgingCost cost =
          cost(message, "beside", random.nextBoolean() ? Terms.GUARDED : Terms.NOT_GUARDED);
      for (long limit :
          new long[] {cost.ns() - 1, cost.ns(), cost.ns() + 1, random.nextInt(90_000)}) {
        assertThat(cost.exceeds(limit)).isEqualTo(cost.ns() > limit);
      }
    }
  }

  @Test
  void whatTheDefaultSizesLetInIsJudged_inAnyScriptOnceAndInAsciiWithEverything() {
    String latin = "words and more words ".repeat(4 * MIB / 21);
    assertThat(
            cost(message(latin, latin, 256, latin.substring(0, 16384), 1000), latin, Terms.GUARDED)
                .exceeds(LIMIT_NS))
        .isFalse();
    for (String word : List.of("жук ", "字", "각나다 ", "größe ")) {
      String text =
          word.repeat(4 * MIB / word.getBytes(java.nio.charset.StandardCharsets.UTF_8).length);
      assertThat(cost(message(text, "why?", 1, "c", 1), "", Terms.GUARDED).exceeds(LIMIT_NS))
          .as(word)
          .isFalse();
    }
  }

  @Test
  void claimsAreDearer_andDigitsAndSignsMost() {
    AgentMessage message = message("ab 1.", "q?", 2, "c 7", 1);
    assertThat(cost(message, "b", Terms.GUARDED).ofClaims().ns())
        .isEqualTo(5 * 410 + 2 * 600 + 2 * 150 + 450 + 2 * (2000 + 3 * 150 + 450) + 2000 + 10);
    assertThat(cost(message("字", "", 1, "", 0), "", Terms.GUARDED).ofClaims().ns())
        .isEqualTo(3 * 700 + 3 * 30 + 2000);
  }

  @Test
  void claimsAreJudgedInAnswersOfHalfAMiB_andEvidenceOfOneAndAHalf() {
    String prose = "Each pump is looked at after 400 hours, and replaced if it leaks. ";
    String answer = prose.repeat((1 << 19) / prose.length());
    String evidence = prose.repeat(3 * (1 << 19) / prose.length());
    assertThat(cost(message(answer, "", 1, "", 0), "", Terms.GUARDED).ofClaims().ns())
        .isLessThan(LIMIT_NS);
    assertThat(cost(message("yes", "", 1, evidence, 0), "", Terms.GUARDED).ofClaims().ns())
        .isLessThan(LIMIT_NS);
  }

  @Test
  void aBodyFullOfLigaturesIsNotJudged() {
    String text = "\uFDFA".repeat(4 * MIB / 3);
    assertThat(cost(message(text, "why?", 1, "c", 1), "", Terms.NOT_GUARDED).exceeds(LIMIT_NS))
        .isTrue();
  }

  private static JudgingCost cost(AgentMessage message, String beside, Terms terms) {
    return new JudgingCost(message, text(beside), terms);
  }

  private static Utf8Span text(String text) {
    return Utf8Span.of(text);
  }

  private static AgentMessage message(
      String answer, String question, int chunks, String chunk, int citations) {
    return new AgentMessage(text(answer), text(question), evidence(chunks, chunk, citations));
  }

  private static Evidence evidence(int chunks, String chunk, int citations) {
    List<Chunk> all = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      all.add(new Chunk("c" + i, text(chunk)));
    }
    return new Evidence(
        EvidenceSource.DECLARED,
        all,
        Collections.nCopies(citations, "c1"),
        OptionalDouble.empty(),
        List.of());
  }
}
