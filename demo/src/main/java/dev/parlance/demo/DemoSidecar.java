package dev.parlance.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A sidecar process and where it listens.
 *
 * @param child the process
 * @param dataDir its review queue, decision log and admin token
 * @param inbound port in front of the agent
 * @param outbound port for the agent's own requests; 0 if it has none
 * @param admin port for the operator
 */
record DemoSidecar(DemoProcess child, Path dataDir, int inbound, int outbound, int admin) {
  static final String STOP_FLAG = "--stop-on-stdin-close";
  private static final Duration READY = Duration.ofSeconds(60);

  /** A process that has been started and may not have its ports yet. */
  record Starting(DemoProcess child, Path dataDir, Path portsFile) {
    DemoSidecar ready() throws IOException, InterruptedException {
      JsonNode ports = JsonMapper.shared().readTree(child.await(portsFile, READY));
      return new DemoSidecar(
          child,
          dataDir,
          ports.path("inbound").asInt(0),
          ports.path("outbound").asInt(0),
          ports.path("admin").asInt(0));
    }
  }

  /** Writes the configuration and starts the sidecar. */
  static Starting start(DemoSidecarConfig config, List<String> sidecarCommand, Path workDir)
      throws IOException {
    Path dataDir = Files.createDirectories(workDir.resolve(config.name()));
    Path portsFile = workDir.resolve(config.name() + ".ports.json");
    Path file = workDir.resolve(config.name() + ".yaml");
    Files.writeString(file, config.yaml(dataDir, portsFile));
    List<String> command = new ArrayList<>(sidecarCommand);
    command.addAll(List.of("--config", file.toString(), STOP_FLAG));
    return new Starting(
        DemoProcess.start(config.name(), command, workDir, config.memory()), dataDir, portsFile);
  }

  /** What the agent behind it advertises. */
  String inboundUrl() {
    return "http://127.0.0.1:" + inbound + "/";
  }
}
