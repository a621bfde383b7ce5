package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenOverlapEstimatorTest {
  private static final int MEGABYTE = 1 << 20;

  private final Estimator estimator = new TokenOverlapEstimator(7);

  @Test
  void randomTextOfManyScripts_isMeasuredAsTheReferenceDoes() {
    Estimator reference = new ReferenceEstimator();
    HostileText hostile = new HostileText(new SplittableRandom(42));
    int cited = 0;
    int novelNumbers = 0;
    for (int i = 0; i < 5_000; i++) {
      AgentMessage message = hostile.message();
      Measurement measured = estimator.measure(message);
      assertThat(measured).as("message %d: %s", i, message).isEqualTo(reference.measure(message));
      cited += measured.counts().cited();
      novelNumbers += measured.counts().novelNumbers();
    }
    assertThat(cited).isGreaterThan(2_500);
    assertThat(novelNumbers).isGreaterThan(250);
  }

  @Test
  void hasToken_saysWhatCountingAllTokensSays() {
    HostileText hostile = new HostileText(new SplittableRandom(17));
    int without = 0;
    for (int i = 0; i < 20_000; i++) {
      AgentMessage message = message(hostile.text(4), Utf8Span.EMPTY, Utf8Span.EMPTY);
      boolean any = estimator.measure(message).counts().tokens() > 0;
      assertThat(estimator.hasToken(message)).as("message %d: %s", i, message).isEqualTo(any);
      without += any ? 0 : 1;
    }
    assertThat(without).isBetween(2_000, 18_000);
  }

  @Test
  void hasToken_everyCodePoint_afterNothingALetterOrABracket() {
    // Behind these planes there are tags and selectors, which are like those of the first.
    for (int codePoint = 0; codePoint < 0x33480; codePoint++) {
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        continue;
      }
      String one = Character.toString(codePoint);
      for (String answer : List.of(one, "a" + one, "7" + one, "[1]" + one)) {
        if (codePoint % 5 != 0 && !answer.equals(one)) {
          continue;
        }
        AgentMessage message = message(answer, "", "");
        assertThat(estimator.hasToken(message))
            .as("U+%04X", codePoint)
            .isEqualTo(estimator.measure(message).counts().tokens() > 0);
      }
    }
  }

  @Test
  void anyBytes_areMeasuredWithoutFailing() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      Utf8Span text = Utf8Span.of(noise);
      Measurement measured = estimator.measure(message(text, text, text));
      assertThat(measured.counts().novel()).isZero();
      assertThat(measured.features().isFinite()).isTrue();
    }
  }

  @Test
  void resultsDoNotDependOnTheSeed() {
    HostileText hostile = new HostileText(new SplittableRandom(3));
    Estimator other = new TokenOverlapEstimator(-8);
    for (int i = 0; i < 1_000; i++) {
      AgentMessage message = hostile.message();
      assertThat(estimator.measure(message)).isEqualTo(other.measure(message));
    }
  }

  @Test
  void novelNumbers_areTokensWithADigitThatNothingSupports() {
    Counts counts =
        estimator
            .measure(message("Pay 30 or 45 or \u0663 or B2 or 17.", "When 17?", "Pay 30."))
            .counts();
    assertThat(counts.novelNumbers()).isEqualTo(3);
    assertThat(counts.novel()).isEqualTo(4);
  }

  static Stream<AgentMessage> costlyTexts() {
    String words = manyWords();
    String marks = "\u0316\u0300".repeat(MEGABYTE / 4);
    return Stream.of(
        message(words, words, words),
        message("[".repeat(MEGABYTE), "", "a"),
        message("[chunk ".repeat(MEGABYTE / 7), "", "a"),
        message("(c(c".repeat(MEGABYTE / 4), "", "a"),
        message(("[" + "x".repeat(255)).repeat(MEGABYTE / 256), "", "a"),
        message("[1]".repeat(MEGABYTE / 3), "", "a"),
        message(manyRanges(), "", "a"),
        message("x" + marks, marks, marks),
        message("\uff9e\u0300".repeat(MEGABYTE / 5), "", "\u09c7\u09be".repeat(MEGABYTE / 6)),
        message("\u1161".repeat(MEGABYTE / 3), "", "\ufdfa".repeat(MEGABYTE / 3)),
        message("x".repeat(MEGABYTE), "x".repeat(MEGABYTE - 1), "\u5951".repeat(MEGABYTE / 3)));
  }

  @ParameterizedTest
  @MethodSource("costlyTexts")
  void S7_aMegabyteOfAnything_isMeasuredInLinearTime(AgentMessage message) {
    Counts counts =
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> estimator.measure(message))
            .counts();
    assertThat(counts.citedIds()).hasSizeLessThanOrEqualTo(4096);
  }

  @Test
  void moreIdsThanAreKept_countAsCitingSomethingUnknown() {
    Counts counts = estimator.measure(message(manyRanges(), "", "a")).counts();
    assertThat(counts.citedIds()).hasSize(4096);
    assertThat(counts.cited()).isEqualTo(4097);
    assertThat(counts.citedUnknown()).isPositive();
  }

  @Test
  void asciiText_isMeasuredWithoutAllocatingPerToken() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    String text = manyWords().substring(0, 50_000);
    AgentMessage message = message(text + "(see) [x]", text, text);
    for (int i = 0; i < 50; i++) {
      estimator.measure(message);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    Counts counts = estimator.measure(message).counts();
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(counts.tokens()).isGreaterThan(5_000);
    assertThat(allocated).isLessThan(4_096);
  }

  private static String manyWords() {
    StringBuilder words = new StringBuilder(MEGABYTE);
    for (int i = 0; words.length() < MEGABYTE; i++) {
      words.append(Integer.toString(i * 7919, 36)).append(' ');
    }
    return words.substring(0, MEGABYTE);
  }

  private static String manyRanges() {
    StringBuilder ranges = new StringBuilder(MEGABYTE);
    for (int i = 0; ranges.length() < MEGABYTE; i += 64) {
      ranges.append("[chunk ").append(i).append('-').append(i + 63).append(']');
    }
    return ranges.toString();
  }

  private static AgentMessage message(String answer, String question, String context) {
    return message(
        Utf8Span.of(answer.getBytes(StandardCharsets.UTF_8)),
        Utf8Span.of(question),
        Utf8Span.of(context));
  }

  private static AgentMessage message(Utf8Span answer, Utf8Span question, Utf8Span context) {
    Evidence evidence =
        new Evidence(
            EvidenceSource.DECLARED,
            List.of(new Chunk("c1", context)),
            List.of(),
            OptionalDouble.empty(),
            List.of());
    return new AgentMessage(answer, question, evidence);
  }
}
