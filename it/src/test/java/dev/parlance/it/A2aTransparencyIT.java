package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Sidecars that have nothing to object to are invisible to clients and agents on the public
 * JavaScript SDK: every result through two of them is the result without any.
 */
@ExtendWith(LeakCheck.class)
class A2aTransparencyIT {
  /** Everything passes, whatever is thought of it. */
  private static final String OBSERVING =
      """
      routes:
        - name: all
          mode: observe
          onUnjudged: allow
          onError: allow
      """;

  /** Judges and would refuse; what nobody can read passes. */
  private static final String LENIENT =
      """
      routes:
        - name: all
          grounding: optional
          onUnjudged: allow
          onError: allow
          regenerate: false
      """;

  @TempDir static Path folder = Path.of("");

  private static Map<String, JsonNode> direct = Map.of();
  private static Optional<A2aSdk> sdk = Optional.empty();

  @BeforeAll
  static void withoutSidecars() throws IOException, InterruptedException {
    A2aSdk ready = new A2aSdk(JsSide.ready(), folder);
    direct = ready.direct("plain");
    sdk = Optional.of(ready);
    assertThat(direct).hasSizeGreaterThan(90);
  }

  @TestFactory
  Stream<DynamicTest> everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare(sdk.orElseThrow().throughSidecars("plain", OBSERVING));
  }

  @TestFactory
  Stream<DynamicTest> everyResult_throughTwoEnforcingSidecarsThatExecute_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare(sdk.orElseThrow().throughSidecars("plain", LENIENT));
  }

  private static Stream<DynamicTest> compare(Map<String, JsonNode> through) {
    assertThat(through.keySet()).containsExactlyElementsOf(direct.keySet());
    return direct.entrySet().stream()
        .map(one ->
            DynamicTest.dynamicTest(
                one.getKey(),
                () -> assertThat(through.get(one.getKey())).isEqualTo(one.getValue())));
  }
}
