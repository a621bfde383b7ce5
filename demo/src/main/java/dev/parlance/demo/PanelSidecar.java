package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** The sidecars of the panel: in front of an agent, and on the way of what it sends. */
final class PanelSidecar {
  /** Messages under this path have consequences: they need a round that has decided them. */
  static final String ACT_PATH = "act";

  private PanelSidecar() {}

  /**
   * Writes a configuration and starts a sidecar in front of an agent.
   *
   * @param agent id of the agent
   * @param agentPort where the agent listens
   * @param attachment to which control plane
   */
  static SidecarProcess.Starting start(
      String agent, int agentPort, Attachment attachment, List<String> sidecarCommand, Path workDir)
      throws IOException {
    String name = agent + "-sidecar";
    Path dataDir = Files.createDirectories(workDir.resolve(name));
    Path portsFile = workDir.resolve(name + ".ports.json");
    Path config = workDir.resolve(name + ".yaml");
    Files.writeString(config, yaml(name, agentPort, attachment, dataDir, portsFile));
    List<String> command = new ArrayList<>(sidecarCommand);
    command.addAll(List.of("--config", config.toString(), SidecarProcess.STOP_FLAG));
    return new SidecarProcess.Starting(
        DemoProcess.startOfMany(name, command, workDir), dataDir, portsFile);
  }

  /**
   * The configuration. The rationales of the panel are judged like any message before they are
   * proposed; evidence is optional there, since opinions bring none.
   */
  static String yaml(
      String name, int agentPort, Attachment attachment, Path dataDir, Path portsFile) {
    return """
    version: 1
    node: %s
    mode: enforce
    dataDir: %s
    portsFile: %s
    inbound:
      listen: 127.0.0.1:0
      agent: 127.0.0.1:%d
    outbound:
      listen: 127.0.0.1:0
      allowLoopback: true
    admin:
      listen: 127.0.0.1:0
    %s  rounds: { timeoutMs: 5000 }
    routes:
      - name: consequential
        match: { direction: inbound, pathPrefix: /%s }
        codec: a2a
        profile: parlance
        grounding: optional
        onUnjudged: block
        finality: semantic
      - name: own-agent
        match: { direction: inbound }
        codec: a2a
        profile: parlance
        grounding: optional
        onUnjudged: block
      - name: other-agents
        match: { direction: outbound }
        codec: a2a
        profile: parlance
        grounding: optional
        onUnjudged: block
    timeouts:
      connectMs: 10000
      drainMs: 1000
    """
        .formatted(
            name,
            quoted(dataDir),
            quoted(portsFile),
            agentPort,
            attachment.controlYaml(),
            ACT_PATH);
  }

  /** A YAML double-quoted scalar has JSON's escapes. */
  private static String quoted(Path path) {
    return JsonMapper.shared().writeValueAsString(path.toAbsolutePath().toString());
  }
}
