package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

  /**
   * One test for each scenario of {@code direct}, and one for what the page on compatibility says.
   *
   * @param suite the page's row
   * @param routes {@link #OBSERVING} or {@link #ENFORCING}
   */
  static <T> Stream<DynamicTest> same(
      String suite, String routes, Map<String, T> direct, Map<String, T> through) {
    return Stream.concat(
        same(direct, through),
        Stream.of(
            DynamicTest.dynamicTest(
                "row '%s', %s".formatted(suite, mode(routes)),
                () -> counted(suite, routes, direct, through))));
  }

  /** Holds the page's row to how many scenarios ended alike, in observe all. */
  static <T> void counted(
      String suite, String routes, Map<String, T> direct, Map<String, T> through)
      throws IOException {
    assertThat(through.keySet()).containsExactlyElementsOf(direct.keySet());
    if (routes.equals(OBSERVING)) {
      assertThat(through).isEqualTo(direct);
    }
    Compatibility.row(suite, mode(routes), direct.size(), equal(direct, through));
  }

  private static String mode(String routes) {
    return routes.equals(OBSERVING) ? Compatibility.OBSERVE : Compatibility.ENFORCE;
  }

  private static <T> long equal(Map<String, T> direct, Map<String, T> through) {
    return direct.entrySet().stream()
        .filter(one -> one.getValue().equals(through.get(one.getKey())))
        .count();
  }

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
