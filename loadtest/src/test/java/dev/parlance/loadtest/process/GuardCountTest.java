package dev.parlance.loadtest.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuardCountTest {
  @Test
  void sum_addsAllLabels_ofExactlyThatName() {
    String text =
        """
        # HELP a_total Words
        # TYPE a_total counter
        a_total{route="execute",reason="none"} 5
        a_total{route="warn",reason="x y"} 2.0
        a_total_more 100
        b_total 7
        """;
    assertThat(GuardCount.sum(text, "a_total")).isEqualTo(7);
    assertThat(GuardCount.sum(text, "b_total")).isEqualTo(7);
    assertThat(GuardCount.sum(text, "c_total")).isZero();
  }

  @Test
  void since_takesAwayWhatWasBefore() {
    assertThat(new GuardCount(10, 30).since(new GuardCount(4, 5))).isEqualTo(new GuardCount(6, 25));
  }
}
