package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The Java examples as they stand: the agent, and who asks it with the A2A SDK for Java. */
@Tag("client")
class JavaExampleIT {
  private static final Path EXAMPLES = Path.of("..", "examples", "java");
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path folder = Path.of("");
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void stop() {
    started.forEach(Process::destroyForcibly);
  }

  private Process java(String port, Path output, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("PORT", port);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private Process asks(int port, String question, Path output) throws IOException {
    return java(
        "",
        output,
        "-cp",
        A2aSdk.NEWER,
        EXAMPLES.resolve("Ask.java").toString(),
        "http://127.0.0.1:" + port,
        question);
  }

  private static void says(Path output, String words) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(Files.readString(output)).contains(words));
  }

  @Test
  void whoAsksTheExample_getsWhatItKnows_andWhatAPersonReleases() throws Exception {
    if (!Files.isDirectory(Path.of(A2aSdk.NEWER).getParent())) {
      String message = "SKIPPED: the Java example was not run: no A2A SDK for Java is there";
      System.out.println(message);
      Assumptions.abort(message);
    }
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path agent = folder.resolve("agent.out");
    java(Integer.toString(port), agent, EXAMPLES.resolve("Agent.java").toString());
    says(agent, "listening on " + port);
    try (LocalSidecar sidecar =
        LocalSidecar.start(
            folder,
            "sidecar",
            LocalSidecar.inboundTo(port),
            """
            review: { undoMs: 0 }
            profiles:
              none-left: { errorMax: 0 }
            routes:
              - { name: all, profile: none-left, grounding: required, agentCard: rewrite }
            """)) {
      Path known = folder.resolve("known.out");
      Process first = asks(sidecar.inbound(), "When must the impeller be replaced?", known);
      assertThat(first.waitFor(PATIENCE)).isTrue();
      assertThat(Files.readString(known)).contains("every 2000 operating hours");

      Path invented = folder.resolve("invented.out");
      Process second = asks(sidecar.inbound(), "What does the warranty cover?", invented);
      says(invented, "held for a person");
      JsonNode item = sidecar.admin().json("/review?state=pending").path("items").get(0);
      String release = "/review/" + item.path("id").asString() + "/release";
      assertThat(sidecar.admin().post(release, "{\"who\":\"ada\"}").statusCode()).isEqualTo(200);
      assertThat(second.waitFor(PATIENCE)).isTrue();
      assertThat(Files.readString(invented)).contains("friendly specialists");
      assertThat(second.exitValue()).isZero();
    }
  }
}
