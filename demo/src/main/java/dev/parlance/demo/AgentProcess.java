package dev.parlance.demo;

import dev.parlance.demo.agent.AgentMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of the agents in a JVM of its own.
 *
 * @param child the process
 * @param port where the agent itself listens
 * @param grpcPort where it listens for gRPC; empty if it does not speak that
 */
record AgentProcess(DemoProcess child, int port, OptionalInt grpcPort) implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);

  /** A process that has been started and may not have its port yet. */
  record Starting(DemoProcess child, Path portsFile) {
    AgentProcess ready() throws IOException, InterruptedException {
      JsonNode ports = JsonMapper.shared().readTree(child.await(portsFile, READY));
      JsonNode grpc = ports.path("grpcPort");
      return new AgentProcess(
          child,
          ports.path("port").asInt(),
          grpc.isInt() ? OptionalInt.of(grpc.asInt()) : OptionalInt.empty());
    }
  }

  /** Starts an agent that takes a port and then waits for {@link #begin}. */
  static Starting start(String name, List<String> agentArguments, Path workDir) throws IOException {
    Path portsFile = workDir.resolve(name + ".ports.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Small and quick to start: an agent lives for a minute.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                AgentMain.class.getName()));
    command.addAll(agentArguments);
    command.addAll(
        List.of("--port", "0", "--ports-file", portsFile.toString(), "--settings", "stdin"));
    return new Starting(DemoProcess.start(name, command, workDir), portsFile);
  }

  String url() {
    return "http://127.0.0.1:" + port + "/";
  }

  /** Tells the agent the rest of its settings, {@code name=value} each, and lets it begin. */
  void begin(String... settings) throws IOException {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("");
    child.tell(lines);
  }

  @Override
  public void close() {
    child.close();
  }
}
