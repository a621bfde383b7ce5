package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Both generations of the public A2A Java SDK, over every transport they have, with an agent on the
 * JavaScript SDK: what they show their user through two sidecars is what they show without.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
class A2aJavaSdkIT {
  /** What each program sees without sidecars; it is the same for every test. */
  private static final Map<String, Map<String, JsonNode>> DIRECT = new HashMap<>();

  @TempDir Path folder = Path.of("");

  @TestFactory
  Stream<DynamicTest> sdkOfVersion03_everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV03Client", A2aSdk.OLDER, Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> sdkOfVersion03_everyResult_throughTwoEnforcingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV03Client", A2aSdk.OLDER, Transcripts.ENFORCING);
  }

  @TestFactory
  Stream<DynamicTest> sdkOfVersion10_everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV10Client", A2aSdk.NEWER, Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> sdkOfVersion10_everyResult_throughTwoEnforcingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV10Client", A2aSdk.NEWER, Transcripts.ENFORCING);
  }

  private Stream<DynamicTest> compare(String program, String classPath, String routes)
      throws IOException, InterruptedException {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    A2aSdk.Client client = sdk.javaClients(program, classPath);
    Map<String, JsonNode> direct = DIRECT.getOrDefault(program, Map.of());
    if (direct.isEmpty()) {
      direct = sdk.direct(client);
      DIRECT.put(program, direct);
    }
    assertThat(direct).hasSizeGreaterThan(20);
    String suite = program.equals("A2aV03Client") ? "A2A, Java SDK 0.3" : "A2A, Java SDK 1.0";
    return Transcripts.same(suite, routes, direct, sdk.throughSidecars(client, routes));
  }
}
