package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Compares what was seen without sidecars with what was seen through them. */
final class Transcripts {
  /** Everything passes, whatever is thought of it. */
  static final String OBSERVING =
      """
      routes:
        - name: all
          mode: observe
          onUnjudged: allow
          onError: allow
      """;

  /** Judges and refuses, as a route does of which nothing is said. */
  static final String ENFORCING = "routes:\n  - name: all\n";

  private Transcripts() {}

  /** One test for each scenario of {@code direct}. */
  static <T> Stream<DynamicTest> same(Map<String, T> direct, Map<String, T> through) {
    assertThat(through.keySet()).containsExactlyElementsOf(direct.keySet());
    return direct.entrySet().stream()
        .map(one ->
            DynamicTest.dynamicTest(
                one.getKey(),
                () -> assertThat(through.get(one.getKey())).isEqualTo(one.getValue())));
  }
}
