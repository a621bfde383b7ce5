package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Both generations of the public A2A Java SDK, over every transport they have, with an agent on the
 * JavaScript SDK: what they show their user through two sidecars is what they show without.
 */
@ExtendWith(LeakCheck.class)
class A2aJavaSdkIT {
  private static final long RUN_S = 90;

  /** Where the build puts the libraries of the newer SDK. */
  private static final Path NEWER = Path.of("target", "sdk", "a2a-v1.0").toAbsolutePath();

  @TempDir Path folder = Path.of("");

  @TestFactory
  Stream<DynamicTest> sdkOfVersion03_everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV03Client", System.getProperty("java.class.path"), Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> sdkOfVersion03_everyResult_throughTwoEnforcingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV03Client", System.getProperty("java.class.path"), Transcripts.LENIENT);
  }

  @TestFactory
  Stream<DynamicTest> sdkOfVersion10_everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV10Client", NEWER + "/*", Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> sdkOfVersion10_everyResult_throughTwoEnforcingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return compare("A2aV10Client", NEWER + "/*", Transcripts.LENIENT);
  }

  private Stream<DynamicTest> compare(String program, String classPath, String routes)
      throws IOException, InterruptedException {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    A2aSdk.Client client =
        (base, proxy, control, key) -> run(program, classPath, base, proxy, control);
    Map<String, JsonNode> direct = sdk.direct(client);
    assertThat(direct).hasSizeGreaterThan(20);
    return Transcripts.same(direct, sdk.throughSidecars(client, routes));
  }

  /** The JVM compiles the program by itself, against the SDK that it is for. */
  private Map<String, JsonNode> run(
      String program, String classPath, String base, int proxy, int control)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, program, ".out");
    Path errors = Files.createTempFile(folder, program, ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                classPath,
                Path.of("src", "test", "sdk", program + ".java").toAbsolutePath().toString(),
                base,
                Integer.toString(proxy),
                Integer.toString(control))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    if (!process.waitFor(RUN_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(program + " failed: " + Files.readString(errors));
    }
    Map<String, JsonNode> results = new LinkedHashMap<>();
    for (String line : Files.readAllLines(output)) {
      List<String> fields = List.of(line.split("\t", 3));
      results.put(
          fields.get(0) + ": " + fields.get(1), Normal.of(A2a.JSON.readTree(fields.get(2))));
    }
    return results;
  }
}
