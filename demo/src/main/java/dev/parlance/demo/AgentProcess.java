package dev.parlance.demo;

import dev.parlance.demo.agent.AgentMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * One of the agents in a JVM of its own.
 *
 * @param child the process
 * @param port where the agent itself listens
 * @param grpcPort where it listens for gRPC; empty if it does not speak that
 */
record AgentProcess(DemoProcess child, int port, OptionalInt grpcPort) implements AutoCloseable {
  /** Starts an agent that takes a port and then waits for {@link #begin}. */
  static DemoProcess.Starting<AgentProcess> start(
      String name, List<String> agentArguments, Path workDir) throws IOException {
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
    command.addAll(List.of("--ports-file", portsFile.toString()));
    DemoProcess child = DemoProcess.start(name, command, workDir, DemoProcess.Memory.SMALL);
    return new DemoProcess.Starting<>(
        child,
        portsFile,
        ports -> {
          JsonNode grpc = ports.path("grpcPort");
          return new AgentProcess(
              child,
              ports.path("port").asInt(),
              grpc.isInt() ? OptionalInt.of(grpc.asInt()) : OptionalInt.empty());
        });
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
