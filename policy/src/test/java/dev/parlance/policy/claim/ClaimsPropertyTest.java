package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of the claims of any answer. */
class ClaimsPropertyTest {
  private static final int ROUNDS = 400 * Integer.getInteger("soak", 5);
  private static final String[] PIECES = {
    "I do not know",
    "the documents do not say",
    "but",
    "it is red",
    "Hello",
    "!",
    ", ",
    ". ",
    "? ",
    "\n",
    "\n\n",
    "1. ",
    "- ",
    "# ",
    "**",
    "| a | b |\n",
    "|---|\n",
    "Step 2: ",
    "According to the manual",
    "Yes",
    "Let me know if",
    "900 dollars",
    "Bremen",
    "我不知道",
    "。",
    "叶轮",
    "わかりません",
    "ไม่ทราบ",
    "Je ne sais pas",
    "steht nicht in den Unterlagen",
    "[Chunk c1]",
    "¹",
    "```bash\n",
    "manual.pdf\n",
    "Who",
    "pump",
    " ",
    " "
  };

  private final Units answer = new Units(5);
  private final Units question = new Units(5);
  private final Claims claims = new Claims(5);

  @Test
  void eachUnit_isInOnePiece_orIsNoPart() {
    question.read(Utf8Span.of("Is the pump red?"));
    for (int seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(30); i > 0; i--) {
        text.append(PIECES[random.nextInt(PIECES.length)])
            .append(random.nextInt(2) == 0 ? " " : "");
      }
      Utf8Span span =
          random.nextInt(4) == 0
              ? UnitsPropertyTest.text(random, 60)
              : Utf8Span.of(text.toString());
      answer.read(span);
      int[] markers = {random.nextInt(9), 9 + random.nextInt(9)};
      claims.read(span, answer, question, markers, 1);
      int unit = 0;
      for (int i = 0; i < claims.count(); i++) {
        for (; unit < claims.first(i); unit++) {
          assertThat(claims.isPart(unit)).as("seed %d unit %d of %s", seed, unit, text).isFalse();
        }
        assertThat(claims.first(i)).as("seed %d piece %d of %s", seed, i, text).isEqualTo(unit);
        assertThat(claims.after(i)).isGreaterThan(unit);
        assertThat(claims.isPart(unit)).isTrue();
        unit = claims.after(i);
      }
      for (; unit < answer.count(); unit++) {
        assertThat(claims.isPart(unit)).as("seed %d unit %d of %s", seed, unit, text).isFalse();
      }
    }
  }

  @Test
  void aNumberOrNameTheQuestionHasNot_isNeverPassedOver() {
    question.read(Utf8Span.of("Is the pump red?"));
    for (int seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder("So it goes: ");
      for (int i = 2 + random.nextInt(12); i > 0; i--) {
        String piece = PIECES[random.nextInt(PIECES.length)];
        text.append(piece.equals("1. ") ? "" : piece).append(' ');
      }
      Utf8Span span = Utf8Span.of(text.toString());
      answer.read(span);
      claims.read(span, answer, question, new int[0], 0);
      long digits = answer.keyOf("900");
      for (int i = 0; i < claims.count(); i++) {
        for (int unit = claims.first(i); unit < claims.after(i); unit++) {
          boolean bare = claims.kind(i) == Claims.Kind.CLAIM || answer.key(unit) != digits;
          assertThat(bare).as("seed %d: %s", seed, text).isTrue();
        }
      }
    }
  }

  @Test
  void whatPassesForNoClaim_isBounded() {
    Utf8Span span = Utf8Span.of("I do not know. ".repeat(500));
    answer.read(span);
    question.read(Utf8Span.EMPTY);
    claims.read(span, answer, question, new int[0], 0);
    int passed = 0;
    for (int i = 0; i < claims.count(); i++) {
      passed += claims.kind(i) == Claims.Kind.CLAIM ? 0 : claims.after(i) - claims.first(i);
    }
    assertThat(passed).isBetween(1, 200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a ",
        "a. ",
        "# ",
        "|",
        "| a ",
        "the ",
        "the material does not ",
        "I do not know, ",
        "I do not know ",
        "I do not know. ",
        "Hello, ",
        "Yes, ",
        "1. ",
        "?",
        "? ",
        "```",
        "``` ",
        "no ",
        "but ",
        "我不知道",
        "我不知道。",
        "わ",
        "ไม่",
        "**a**\n",
        "a:\n",
        "a\n---\n",
        "[",
        "¹",
        "Based on the "
      })
  void hostileText_takesLinearTime(String piece) {
    byte[] bytes = piece.repeat((4 << 20) / piece.length() + 1).getBytes(StandardCharsets.UTF_8);
    Utf8Span text = Utf8Span.of(bytes, 0, 4 << 20);
    question.read(Utf8Span.of("Is the pump red?"));
    // Far above what it takes (well under a second), far below what a square of the length would.
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          answer.read(text);
          claims.read(text, answer, question, new int[0], 0);
        });
    answer.release();
    claims.release();
  }
}
