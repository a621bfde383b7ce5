package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lint that finds nothing proves nothing, so it is shown pages that are wrong. */
class MetricsLintTest {
  private static final String HEAD =
      "# HELP parlance_a_total A.\n# TYPE parlance_a_total counter\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parlance_a_total 1\n",
        HEAD + "parlance_a_total 1\nparlance_a_total 2\n",
        HEAD + "parlance_a_total{x=\"1\"} 1\nparlance_a_total{x=\"1\"} 2\n",
        HEAD + HEAD + "parlance_a_total 1\n",
        HEAD + "parlance_a_total -1\n",
        HEAD + "parlance_a_total NaN\n",
        HEAD + "parlance_a_total{x=1} 1\n",
        HEAD + "parlance_a_total{le=\"1\"} 1\n",
        HEAD + "parlance_a_total 1",
        "# HELP parlance_a A.\n# TYPE parlance_a counter\nparlance_a 1\n",
        "# HELP parlance_a_total A.\n# TYPE parlance_a_total gauge\nparlance_a_total 1\n",
        "# TYPE parlance_a gauge\nparlance_a 1\n",
        "# HELP parlance_a A.\n# TYPE parlance_a untyped\nparlance_a 1\n",
        "# HELP parlance_a_ms A.\n# TYPE parlance_a_ms gauge\nparlance_a_ms 1\n",
        "# HELP parlance_A A.\n# TYPE parlance_A gauge\nparlance_A 1\n",
        "# HELP other A.\n# TYPE other gauge\nother 1\n",
        "# HELP parlance_a A.\n# TYPE parlance_a histogram\nparlance_a_count{} 1\n"
      })
  void wrongPage_isFound(String page) {
    assertThat(MetricsLint.problems(page)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HEAD + "parlance_a_total 1\n",
        HEAD + "parlance_a_total{x=\"1\",y=\"a\\\"b\"} 1\nparlance_a_total{x=\"2\"} 2.0E7\n"
      })
  void rightPage_passes(String page) {
    assertThat(MetricsLint.problems(page)).isEmpty();
  }
}
