package dev.parlance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalEscaperTest {
  @Test
  void Q5_escapesAndBidiOverrides_areShown_notObeyed() {
    assertThat(TerminalEscaper.line("a\u001b[2Jb\u202ec\u200bd\u0007\r\n\u009b\u2028e\ue000"))
        .isEqualTo(
            "a\\u{1B}[2Jb\\u{202E}c\\u{200B}d\\u{07}\\u{0D}\\u{0A}\\u{9B}\\u{2028}e\\u{E000}");
  }

  @Test
  void Q5_everyCodePoint_isHarmlessAfterwards() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      String inert = TerminalEscaper.line(Character.toString(codePoint));
      assertThat(inert).isNotEmpty();
      for (int i = 0; i < inert.length(); i += Character.charCount(inert.codePointAt(i))) {
        int type = Character.getType(inert.codePointAt(i));
        if (type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE) {
          throw new AssertionError("U+" + Integer.toHexString(codePoint) + " stays active");
        }
      }
    }
  }

  @Test
  void block_keepsLineFeedsOnly() {
    assertThat(TerminalEscaper.block("a\tb\nc\rd")).isEqualTo("a b\nc\\u{0D}d");
  }

  @Test
  void shortened_countsCodePoints_andMarksTheCut() {
    assertThat(TerminalEscaper.shortened("ab\ncd", 10)).isEqualTo("ab cd");
    assertThat(TerminalEscaper.shortened("\ud83d\ude00\ud83d\ude00\ud83d\ude00", 2))
        .isEqualTo("\ud83d\ude00\u2026");
  }
}
