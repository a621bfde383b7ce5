package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class NormalizedTextTest {
  private static final Pattern FORMAT = Pattern.compile("\\p{Cf}");

  private final NormalizedText text = new NormalizedText();

  @Test
  void ascii_isUsedWhereItLies() {
    byte[] bytes = "xxplain text".getBytes(StandardCharsets.US_ASCII);
    text.set(Utf8Span.of(bytes, 2, 10));
    assertThat(text.bytes()).isSameAs(bytes);
    assertThat(text).hasToString("plain text");
  }

  @Test
  void everyCodePoint_isNormalisedAsTheWholeTextWouldBe() {
    String gap = " plain words that are longer than the gap between two pieces ";
    for (int codePoint = 1; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      int type = Character.getType(codePoint);
      if (type != Character.SURROGATE && type != Character.UNASSIGNED) {
        String one = Character.toString(codePoint);
        String sample = codePoint % 7 == 0 ? "e" + one + gap + "e" + one + "\u0301" : "e" + one;
        text.set(Utf8Span.of(sample));
        assertThat(text.toString()).isEqualTo(expected(sample));
      }
    }
  }

  @Test
  void everyCodePointThatDecomposesToALeadingNonStarter_countsAsMark() {
    int nonStarters = 0;
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      String parts = Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFKD);
      String first = Character.toString(parts.codePointAt(0));
      // U+0345 has the highest combining class, so every other non-starter moves before it.
      String ordered = Normalizer.normalize("a\u0345" + first, Normalizer.Form.NFD);
      if (first.equals("\u0345") || ordered.startsWith("a" + first)) {
        assertThat(NormalizedText.isMark(codePoint)).as("U+%04X", codePoint).isTrue();
        nonStarters++;
      }
    }
    assertThat(nonStarters).isGreaterThan(800);
  }

  @Test
  void malformedBytes_readAsReplacementCharacters() {
    byte[] bytes = {'a', (byte) 0xC3, 'b', (byte) 0xED, (byte) 0xA0, (byte) 0x80, 'c', (byte) 0xF5};
    text.set(Utf8Span.of(bytes));
    assertThat(text.toString()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
  }

  @Test
  void textUpToTheLongestMarkRun_isExactlyNormal_andLongerRunsKeepEveryMark() {
    SplittableRandom random = new SplittableRandom(4);
    for (int length : new int[] {1, 30, NormalizedText.MAX_MARK_RUN}) {
      StringBuilder marks = new StringBuilder("e");
      for (int i = 0; i < length; i++) {
        marks.append((char) (0x0300 + random.nextInt(0x30)));
      }
      text.set(Utf8Span.of(marks.toString()));
      assertThat(text.toString()).isEqualTo(expected(marks.toString()));
    }
    text.set(Utf8Span.of("\u0489".repeat(1_000)));
    assertThat(text.toString()).isEqualTo("\u0489".repeat(1_000));
  }

  @Test
  void growingText_keepsEveryByte() {
    String ligatures = "\ufdfa x ".repeat(2_000);
    text.set(Utf8Span.of(ligatures));
    assertThat(text.toString()).isEqualTo(expected(ligatures));
  }

  private static String expected(String sample) {
    String normal = Normalizer.normalize(sample, Normalizer.Form.NFKC);
    return FORMAT.matcher(normal).replaceAll("");
  }
}
