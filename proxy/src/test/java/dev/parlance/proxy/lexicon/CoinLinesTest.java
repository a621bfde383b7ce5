package dev.parlance.proxy.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoinLinesTest {
  private static final List<String> PIECES =
      List.of(
          "[PART 2]",
          "[part 1]",
          "[Part 2] ",
          "CHALLENGE x: y",
          "repair x = y",
          "\n",
          " ",
          "\t",
          "\r",
          "a = b",
          "text",
          "Challenge",
          "[PART",
          "ſ",
          "ı",
          "");

  /** True if the reader finds anything in it but text. */
  private static boolean holdsMore(String text) {
    return TurnText.of(text).lines().stream()
        .anyMatch(line -> line instanceof TurnText.Coinage || line instanceof TurnText.Directive);
  }

  @Test
  void noLineThatTheReaderFinds_isOverlooked() {
    Random random = new Random(5);
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int pieces = random.nextInt(8); pieces > 0; pieces--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      if (holdsMore(text.toString())) {
        found++;
        assertThat(CoinLines.mayStandIn(Utf8Span.of(text.toString()))).as("%s", text).isTrue();
      }
    }
    assertThat(found).isGreaterThan(1_000);
  }

  @Test
  void ordinaryTextHasNone() {
    assertThat(
            CoinLines.mayStandIn(
                Utf8Span.of("We repair what we challenge.\nA [PART 2] within is text.\n")))
        .isFalse();
    assertThat(CoinLines.mayStandIn(Utf8Span.EMPTY)).isFalse();
  }
}
