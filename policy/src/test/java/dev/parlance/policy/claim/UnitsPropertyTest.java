package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of the units of any text. */
class UnitsPropertyTest {
  private static final int ROUNDS = 400 * Integer.getInteger("soak", 5);
  private static final List<String> PIECES =
      List.of(
          "Pump",
          "valve",
          "c1",
          "2000",
          "3.5",
          "don't",
          "l'eau",
          "the",
          "Dr",
          "e.g",
          "No",
          " ",
          "  ",
          "\n",
          "\n\n",
          "\t",
          ".",
          ". ",
          "! ",
          "? ",
          ", ",
          ": ",
          "-",
          "-\n",
          "--",
          "'s ",
          "* ",
          "**",
          "# ",
          "|",
          " | ",
          "<td>",
          "</p>",
          "<a ",
          "<!--",
          ">",
          "&amp;",
          "&#x3b1;",
          "&",
          "\\u00e9",
          "\\n",
          "\\",
          "{\"",
          "\"}",
          "[",
          "]",
          "%",
          "€",
          "≥",
          "😀",
          "²",
          "⁶",
          "Straße",
          "O\u0308l",
          "\u0308",
          "ﬁ",
          "Ａ",
          "漢字",
          "かな",
          "が",
          "ｶﾞ",
          "。",
          "ต้อง",
          "เปลี่ยน",
          "ໄປ",
          "ការ",
          "မြန်",
          "한국어",
          "\u1112\u1161\u11ab",
          "हिन्दी",
          "عقد",
          "۲",
          "й",
          "и\u0306",
          "\u200d",
          "\u00ad",
          "\u2028",
          "…",
          "’",
          "ﷺ",
          "\u0344",
          "℃");

  private final Units units = new Units(1);

  @Test
  void eachByte_belongsToOneUnitAtMost_andEachUnitToOneSentence() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Utf8Span text = text(new SplittableRandom(seed), 60);
      units.read(text);
      int end = 0;
      for (int i = 0; i < units.count(); i++) {
        assertThat(units.start(i)).as("seed %d unit %d", seed, i).isGreaterThanOrEqualTo(end);
        assertThat(units.end(i)).isGreaterThanOrEqualTo(units.start(i));
        end = units.end(i);
      }
      assertThat(end).isLessThanOrEqualTo(text.length());
      int unit = 0;
      for (int i = 0; i < units.sentences(); i++) {
        assertThat(units.first(i)).as("seed %d sentence %d", seed, i).isEqualTo(unit);
        assertThat(units.after(i)).isGreaterThan(unit);
        unit = units.after(i);
      }
      assertThat(unit).isEqualTo(units.count());
    }
  }

  @Test
  void theSeed_changesKeysAndNothingElse() {
    Units other = new Units(2);
    for (int seed = 0; seed < ROUNDS; seed++) {
      Utf8Span text = text(new SplittableRandom(seed), 60);
      units.read(text);
      other.read(text);
      assertThat(other.count()).isEqualTo(units.count());
      assertThat(other.sentences()).isEqualTo(units.sentences());
      Map<Long, Long> keys = new HashMap<>();
      for (int i = 0; i < units.count(); i++) {
        assertThat(other.start(i)).isEqualTo(units.start(i));
        assertThat(other.end(i)).isEqualTo(units.end(i));
        assertThat(other.flags(i)).isEqualTo(units.flags(i));
        Long before = keys.put(units.key(i), other.key(i));
        assertThat(before == null || before == other.key(i))
            .as("seed %d unit %d", seed, i)
            .isTrue();
      }
      assertThat(keys.values()).doesNotHaveDuplicates();
    }
  }

  @Test
  void whatStandsRoundAText_changesNothing() {
    Units other = new Units(1);
    for (int seed = 0; seed < ROUNDS; seed++) {
      Utf8Span text = text(new SplittableRandom(seed), 30);
      units.read(text);
      byte[] within = ("x1" + "-".repeat(seed % 9)).repeat(2).getBytes(StandardCharsets.UTF_8);
      byte[] all = java.util.Arrays.copyOf(within, within.length * 2 + text.length());
      System.arraycopy(text.toByteArray(), 0, all, within.length, text.length());
      System.arraycopy(within, 0, all, within.length + text.length(), within.length);
      other.read(Utf8Span.of(all, within.length, text.length()));
      assertThat(other.count()).as("seed %d", seed).isEqualTo(units.count());
      assertThat(other.sentences()).isEqualTo(units.sentences());
      for (int i = 0; i < units.count(); i++) {
        assertThat(other.start(i)).isEqualTo(units.start(i));
        assertThat(other.key(i)).isEqualTo(units.key(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a ",
        "a\n",
        "\u0308",
        "o\u0308",
        "[",
        "<",
        "<a ",
        "&",
        "&amp",
        "-",
        "a-\n",
        "a-   ",
        ". ",
        "a. ",
        "1. ",
        "'",
        "l'",
        "*",
        "a*",
        "\\",
        "\\u",
        "漢",
        "漢\u3099",
        "か。",
        "ต้",
        "เ",
        "가",
        "\u1112\u1161\u11ab",
        "ﷺ",
        "\u200d",
        "{\"a\":1,",
        "|",
        "a|",
        "a;",
        "€",
        "€$",
        "\uD83D\uDE00",
        "The pump is on\n",
        "²",
        "x²",
        "\u00e9",
        "A\n"
      })
  void hostileText_takesLinearTime(String piece) {
    byte[] bytes = piece.repeat((4 << 20) / piece.length() + 1).getBytes(StandardCharsets.UTF_8);
    Utf8Span text = Utf8Span.of(bytes, 0, 4 << 20);
    // Far above what it takes (about 0.1 s), far below what a square of the length would.
    Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> units.read(text));
    units.release();
  }

  /** Pieces glued together, now and then with bytes that are no UTF-8. */
  static Utf8Span text(RandomGenerator random, int maxPieces) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = random.nextInt(maxPieces + 1); i > 0; i--) {
      bytes.writeBytes(PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8));
      if (random.nextInt(3) == 0) {
        bytes.write(' ');
      }
      if (random.nextInt(40) == 0) {
        bytes.write(0x80 + random.nextInt(0x80));
      }
    }
    return Utf8Span.of(bytes.toByteArray());
  }
}
