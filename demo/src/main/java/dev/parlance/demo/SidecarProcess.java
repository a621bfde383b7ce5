package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.DemoOptions.Streaming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
record SidecarProcess(DemoProcess child, Path dataDir, int inbound, int outbound, int admin)
    implements AutoCloseable {
  static final String STOP_FLAG = "--stop-on-stdin-close";
  private static final Duration READY = Duration.ofSeconds(60);

  /** Whether the sidecar also carries what its agent sends. */
  enum Sides {
    INBOUND,
    INBOUND_AND_OUTBOUND
  }

  /** A process that has been started and may not have its ports yet. */
  record Starting(DemoProcess child, Path dataDir, Path portsFile) {
    SidecarProcess ready() throws IOException, InterruptedException {
      JsonNode ports = JsonMapper.shared().readTree(child.await(portsFile, READY));
      return new SidecarProcess(
          child,
          dataDir,
          ports.path("inbound").asInt(0),
          ports.path("outbound").asInt(0),
          ports.path("admin").asInt(0));
    }
  }

  /**
   * Writes a configuration and starts a sidecar in front of {@code agent}.
   *
   * @param streaming how it treats what the agent streams
   * @param attachment to which control plane; empty: to none
   */
  static Starting start(
      String name,
      AgentProcess agent,
      Sides sides,
      Streaming streaming,
      Optional<Attachment> attachment,
      List<String> sidecarCommand,
      Path workDir)
      throws IOException {
    Path dataDir = Files.createDirectories(workDir.resolve(name));
    Path portsFile = workDir.resolve(name + ".ports.json");
    Path config = workDir.resolve(name + ".yaml");
    Files.writeString(config, yaml(name, agent, sides, streaming, attachment, dataDir, portsFile));
    List<String> command = new ArrayList<>(sidecarCommand);
    command.add("--config");
    command.add(config.toString());
    if (!command.contains(STOP_FLAG)) {
      command.add(STOP_FLAG);
    }
    return new Starting(DemoProcess.start(name, command, workDir), dataDir, portsFile);
  }

  /**
   * The configuration. What the officer receives is judged by the scholar's sidecar and only scored
   * again by its own: a person's release of an answer there would be unknown here, since verdicts
   * carry no signature yet that one sidecar could believe another.
   */
  static String yaml(
      String name,
      AgentProcess agent,
      Sides sides,
      Streaming streaming,
      Optional<Attachment> attachment,
      Path dataDir,
      Path portsFile) {
    String outbound =
        switch (sides) {
          case INBOUND -> "";
          case INBOUND_AND_OUTBOUND ->
              """
              outbound:
                listen: 127.0.0.1:0
                allowLoopback: true
              """;
        };
    String grpcAgent =
        agent.grpcPort().isPresent()
            ? "  grpcAgent: 127.0.0.1:" + agent.grpcPort().getAsInt() + "\n"
            : "";
    String stream = streaming == Streaming.OFF ? "" : "    stream: " + streaming.code() + "\n";
    return """
    version: 1
    node: %s
    mode: enforce
    dataDir: %s
    portsFile: %s
    inbound:
      listen: 127.0.0.1:0
      agent: 127.0.0.1:%d
    %s%sadmin:
      listen: 127.0.0.1:0
    %sroutes:
    %s  - name: own-agent
        match: { direction: inbound }
        codec: a2a
        profile: parlance
        grounding: optional
        onUnjudged: block
    %s  - name: other-agents
        match: { direction: outbound }
        codec: a2a
        profile: parlance
        mode: observe
    timeouts:
      drainMs: 1000
    """
        .formatted(
            name,
            quoted(dataDir),
            quoted(portsFile),
            agent.port(),
            grpcAgent,
            outbound,
            attachment.map(Attachment::controlYaml).orElse(""),
            attachment.map(Attachment::routeYaml).orElse(""),
            stream);
  }

  /** A YAML double-quoted scalar has JSON's escapes. */
  private static String quoted(Path path) {
    return JsonMapper.shared().writeValueAsString(path.toAbsolutePath().toString());
  }

  /** What the agent behind it advertises. */
  String inboundUrl() {
    return "http://127.0.0.1:" + inbound + "/";
  }

  @Override
  public void close() {
    child.close();
  }
}
