package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Sidecars that have nothing to object to are invisible to clients and agents on the public
 * JavaScript SDK: every result through two of them is the result without any.
 */
@Tag("client")
@Tag("differential")
@ExtendWith(LeakCheck.class)
class A2aTransparencyIT {
  @TempDir static Path folder = Path.of("");

  private static Map<String, JsonNode> direct = Map.of();
  private static Optional<A2aSdk> sdk = Optional.empty();

  @BeforeAll
  static void withoutSidecars() throws IOException, InterruptedException {
    A2aSdk ready = new A2aSdk(JsSide.ready(), folder);
    direct = ready.direct(ready.jsClients("plain"));
    sdk = Optional.of(ready);
    assertThat(direct).hasSizeGreaterThan(130);
  }

  @TestFactory
  Stream<DynamicTest> everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return same(Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> everyResult_throughTwoEnforcingSidecarsThatExecute_isTheDirectOne()
      throws IOException, InterruptedException {
    return same(Transcripts.ENFORCING);
  }

  private static Stream<DynamicTest> same(String routes) throws IOException, InterruptedException {
    A2aSdk ready = sdk.orElseThrow();
    return Transcripts.same(
        "A2A, JavaScript SDK",
        routes,
        direct,
        ready.throughSidecars(ready.jsClients("plain"), routes));
  }
}
