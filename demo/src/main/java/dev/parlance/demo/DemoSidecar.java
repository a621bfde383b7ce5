package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.DemoOptions.Streaming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
   * @param grpcPort where its agent listens for gRPC
   * @param outbound true if it also carries what its agent sends
   * @param attachment to which control plane; empty: to none
   * @param sections {@code rounds} and the like; may be empty
   * @param routes the routes
   * @param memory how much of it the process may have
   */
  record DemoSidecarConfig(
      String name,
      int agentPort,
      OptionalInt grpcPort,
      boolean outbound,
      Optional<Attachment> attachment,
      String sections,
      String routes,
      DemoProcess.Memory memory) {
    /** Messages to a panel under this path have consequences: a round must have decided them. */
    static final String ACT_PATH = "act";

    /**
     * A sidecar of the two agents. What the officer receives is judged by the scholar's sidecar and
     * only scored again by its own: a person's release of an answer there would be unknown here,
     * since verdicts carry no signature yet that one sidecar could believe another.
     *
     * @param streaming how it treats what the agent streams
     */
    static DemoSidecarConfig ofPair(
        String name,
        AgentProcess agent,
        boolean outbound,
        Streaming streaming,
        Optional<Attachment> attachment) {
      String stream = streaming == Streaming.OFF ? "" : "    stream: " + streaming.code() + "\n";
      String routes =
          attachment.map(Attachment::routeYaml).orElse("")
              + """
                - name: own-agent
                  match: { direction: inbound }
                  codec: a2a
                  profile: parlance
                  grounding: optional
                  onUnjudged: block
                  idempotent: true # answers from documents: asking again does nothing twice
              """
              + stream
              + """
                - name: other-agents
                  match: { direction: outbound }
                  codec: a2a
                  profile: parlance
                  mode: observe
              """;
      return new DemoSidecarConfig(
          name,
          agent.port(),
          agent.grpcPort(),
          outbound,
          attachment,
          "",
          routes,
          DemoProcess.Memory.SMALL);
    }

    /**
     * A sidecar of the panel: in front of an agent, and on the way of what it sends. The rationales
     * are judged like any message before they are proposed; evidence is optional there, since
     * opinions bring none.
     */
    static DemoSidecarConfig ofPanel(String agent, int agentPort, Attachment attachment) {
      String judged =
          """
              codec: a2a
              profile: parlance
              grounding: optional
              onUnjudged: block
          """;
      String routes =
          "  - name: consequential\n    match: { direction: inbound, pathPrefix: /%s }\n"
                  .formatted(ACT_PATH)
              + judged
              + "    finality: semantic\n"
              + "  - name: own-agent\n    match: { direction: inbound }\n"
              + judged
              + "  - name: other-agents\n    match: { direction: outbound }\n"
              + judged;
      return new DemoSidecarConfig(
          agent + "-sidecar",
          agentPort,
          OptionalInt.empty(),
          true,
          Optional.of(attachment),
          "  rounds: { timeoutMs: 5000 }\n",
          routes,
          DemoProcess.Memory.SMALLER);
    }

    /**
     * A sidecar of a party to pacts: what its agent sends to the peer, and what the peer sends to
     * it, goes under a pact. Agent cards do not.
     *
     * @param policy the rules of the section {@code pacts}, indented by four
     */
    static DemoSidecarConfig ofParty(
        String agent, String peer, int agentPort, Attachment attachment, String policy) {
      String under =
          """
              codec: a2a
              profile: parlance
              grounding: optional
              onUnjudged: block
              pact: required
          """;
      String routes =
          "  - name: cards\n    match: { pathPrefix: /.well-known }\n"
              + "  - name: asked\n    match: { direction: inbound }\n"
              + under
              + "  - name: asks\n    match: { direction: outbound }\n"
              + under
              + "    peer: "
              + peer
              + "\n";
      return new DemoSidecarConfig(
          agent + "-sidecar",
          agentPort,
          OptionalInt.empty(),
          true,
          Optional.of(attachment),
          "pacts:\n"
              + "  timeoutMs: 30000\n"
              + "  completeAfterIdleMs: 600000\n"
              + "  policy:\n"
              + policy,
          routes,
          DemoProcess.Memory.SMALL);
    }

    /**
     * A sidecar of an agent that decides claims with others: below {@link LexiconPanel#COINED}
     * terms are coined, counted and shown to the agent, elsewhere nothing is done with them.
     * Opinions bring no evidence.
     */
    static DemoSidecarConfig ofDebater(String agent, int agentPort, Attachment attachment) {
      String judged =
          """
              codec: a2a
              profile: parlance
              grounding: optional
              onUnjudged: block
          """;
      String routes =
          attachment.routeYaml()
              + "  - name: cards\n    match: { pathPrefix: /.well-known }\n"
              + "  - name: coined-in\n    match: { direction: inbound, pathPrefix: /%1$s }\n"
                  .formatted(LexiconPanel.COINED)
              + judged
              + "    lexicon: { coin: on, inject: part }\n"
              + "  - name: coined-out\n    match: { direction: outbound, pathPrefix: /%1$s }\n"
                  .formatted(LexiconPanel.COINED)
              + judged
              + "    lexicon: { coin: on }\n"
              + "  - name: all\n"
              + judged;
      return new DemoSidecarConfig(
          agent + "-sidecar",
          agentPort,
          OptionalInt.empty(),
          true,
          Optional.of(attachment),
          "lexicon: { timeoutMs: 30000 }\n",
          routes,
          DemoProcess.Memory.SMALL);
    }

    /** As the sidecar reads it. */
    String yaml(Path dataDir, Path portsFile) {
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
      %s%sroutes:
      %stimeouts:
        connectMs: 10000
        drainMs: 1000
      """
          .formatted(
              name,
              quoted(dataDir),
              quoted(portsFile),
              agentPort,
              grpcPort.isPresent() ? "  grpcAgent: 127.0.0.1:" + grpcPort.getAsInt() + "\n" : "",
              outbound ? "outbound:\n  listen: 127.0.0.1:0\n  allowLoopback: true\n" : "",
              attachment.map(Attachment::controlYaml).orElse(""),
              sections,
              routes);
    }

    /** A YAML double-quoted scalar has JSON's escapes. */
    private static String quoted(Path path) {
      return JsonMapper.shared().writeValueAsString(path.toAbsolutePath().toString());
    }
  }
}
