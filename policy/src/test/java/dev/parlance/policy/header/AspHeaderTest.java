package dev.parlance.policy.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.message.Assumption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AspHeaderTest {
  @Test
  void everyDigit_survivesValueAndText() {
    for (int digit = 0; digit <= HexDigit.MAX; digit++) {
      assertThat(HexDigit.digit(HexDigit.value(digit))).isEqualTo(digit);
      assertThat(HexDigit.parse(HexDigit.character(digit))).isEqualTo(digit);
      assertThat(HexDigit.parse(Character.toLowerCase(HexDigit.character(digit)))).isEqualTo(digit);
    }
  }

  @Test
  void digits_areMonotone_andOffByHalfAStepAtMost() {
    int last = 0;
    for (int i = 0; i <= 100_000; i++) {
      double value = i / 100_000.0;
      int digit = HexDigit.digit(value);
      assertThat(digit).isGreaterThanOrEqualTo(last);
      assertThat(HexDigit.value(digit)).isCloseTo(value, within(0.5 / 15 + 1e-12));
      last = digit;
    }
    assertThat(HexDigit.digit(Double.NEGATIVE_INFINITY)).isZero();
    assertThat(HexDigit.digit(Double.POSITIVE_INFINITY)).isEqualTo(15);
    assertThatThrownBy(() -> HexDigit.digit(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void canonicalText_isReadBackAsTheSameHeader() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 2_000; i++) {
      AspHeader header = random(random);
      assertThat(AspHeader.parse(header.text())).contains(header);
    }
  }

  @Test
  void oneChangedCharacter_isRefusedOrReadAsAHeaderThatWritesItself() {
    SplittableRandom random = new SplittableRandom(6);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(random(random).text());
      text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(0x180));
      var read = AspHeader.parse(text);
      read.ifPresent(header -> assertThat(AspHeader.parse(header.text())).contains(header));
      refused += read.isEmpty() ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(10_000);
  }

  @Test
  void everyPrefix_isRefused() {
    String text = "[@C:D; @G:F; @S:2; A:[K:42, L:09]]";
    for (int length = 0; length < text.length(); length++) {
      assertThat(AspHeader.parse(text.substring(0, length))).isEmpty();
    }
    assertThat(AspHeader.parse(text + "x")).isEmpty();
    assertThat(AspHeader.parse("\t " + text + " \t")).isPresent();
  }

  @Test
  void digitsOutsideTheScale_areRefused() {
    assertThatThrownBy(() -> new AspHeader(16, 0, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16");
    assertThatThrownBy(() -> new AspHeader(0, -1, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static AspHeader random(SplittableRandom random) {
    List<Assumption> assumptions = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      Assumption.Basis[] bases = Assumption.Basis.values();
      String id = Integer.toString(random.nextInt(100_000), 36) + (i == 2 ? ".a-b_c" : "");
      assumptions.add(new Assumption(bases[random.nextInt(bases.length)], id));
    }
    return AspHeader.of(random.nextDouble(), random.nextDouble(), random.nextDouble(), assumptions);
  }
}
