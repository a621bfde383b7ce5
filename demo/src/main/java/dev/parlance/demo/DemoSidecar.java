package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.DemoOptions.Streaming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** Writes the configuration and starts the sidecar. */
  static DemoProcess.Starting<DemoSidecar> start(
      DemoSidecarConfig config, List<String> sidecarCommand, Path workDir) throws IOException {
    Path dataDir = Files.createDirectories(workDir.resolve(config.name()));
    Path portsFile = workDir.resolve(config.name() + ".ports.json");
    Path file = workDir.resolve(config.name() + ".yaml");
    Files.writeString(file, config.yaml(dataDir, portsFile));
    List<String> command = new ArrayList<>(sidecarCommand);
    command.addAll(List.of("--config", file.toString(), STOP_FLAG));
    DemoProcess child = DemoProcess.start(config.name(), command, workDir, config.memory());
    return new DemoProcess.Starting<>(
        child,
        portsFile,
        ports ->
            new DemoSidecar(
                child,
                dataDir,
                ports.path("inbound").asInt(0),
                ports.path("outbound").asInt(0),
                ports.path("admin").asInt(0)));
  }

  /** What the agent behind it advertises. */
  String inboundUrl() {
    return "http://127.0.0.1:" + inbound + "/";
  }

  /**
   * What a sidecar of the demonstration is configured to do.
   *
   * @param name of the sidecar
   * @param agentPort where its agent listens
   * @param memory how much of it the process may have
   * @param sections further ones of the configuration
   */
  record DemoSidecarConfig(String name, int agentPort, DemoProcess.Memory memory, String sections) {
    /** Messages to a panel under this path have consequences: a round must have decided them. */
    static final String ACT_PATH = "act";

    private static final String OUTBOUND =
        "outbound:\n  listen: 127.0.0.1:0\n  allowLoopback: true\n";
    private static final String JUDGED =
        """
            codec: a2a
            profile: parlance
            grounding: optional
            onUnjudged: block
        """;

    /** A sidecar of the two agents; {@code streaming} says how it treats what its agent streams. */
    static DemoSidecarConfig ofPair(
        String name,
        AgentProcess agent,
        boolean outbound,
        Streaming streaming,
        Optional<Attachment> attachment) {
      String stream = streaming == Streaming.OFF ? "" : "    stream: " + streaming.code() + "\n";
      String orders = attachment.map(Attachment::routeYaml).orElse("");
      String grpc =
          agent.grpcPort().isPresent()
              ? "  grpcAgent: 127.0.0.1:" + agent.grpcPort().getAsInt() + "\n"
              : "";
      return new DemoSidecarConfig(
          name,
          agent.port(),
          DemoProcess.Memory.SMALL,
          grpc
              + (outbound ? OUTBOUND : "")
              + attachment.map(Attachment::controlYaml).orElse("")
              + filled("sidecar-pair.yaml", Map.of("orders", orders, "stream", stream)));
    }

    /**
     * A sidecar in front of an agent and on the way of what it sends, with the routes of the
     * resource {@code sidecar-<kind>.yaml}.
     *
     * @param words what stands in the resource in braces, by its name
     */
    static DemoSidecarConfig of(
        String kind,
        String agent,
        int agentPort,
        Attachment attachment,
        DemoProcess.Memory memory,
        Map<String, String> words) {
      Map<String, String> all = new HashMap<>(words);
      all.put("orders", attachment.routeYaml());
      all.put("judged", JUDGED);
      return new DemoSidecarConfig(
          agent + "-sidecar",
          agentPort,
          memory,
          OUTBOUND + attachment.controlYaml() + filled("sidecar-" + kind + ".yaml", all));
    }

    private static String filled(String resource, Map<String, String> words) {
      String text = Player.text(resource);
      for (Map.Entry<String, String> word : words.entrySet()) {
        text = text.replace("{" + word.getKey() + "}", word.getValue());
      }
      return text;
    }

    /** As the sidecar reads it. */
    String yaml(Path dataDir, Path portsFile) {
      return filled(
              "sidecar.yaml",
              Map.of(
                  "name", name,
                  "dataDir", quoted(dataDir),
                  "portsFile", quoted(portsFile),
                  "agentPort", String.valueOf(agentPort)))
          .replace("{more}", sections);
    }

    /** A YAML double-quoted scalar has JSON's escapes. */
    private static String quoted(Path path) {
      return JsonMapper.shared().writeValueAsString(path.toAbsolutePath().toString());
    }
  }
}
