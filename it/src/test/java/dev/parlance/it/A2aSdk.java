package dev.parlance.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agent on {@code @a2a-js/sdk} and clients, face to face or with a sidecar beside each: what
 * the client sends goes through its own sidecar to the one in front of the agent, and what the
 * agent sends to webhooks goes through the agent's.
 */
final class A2aSdk {
  /** A binding of A2A in one version, as the SDK and the agent card name it. */
  record Binding(String name, String version) {}

  /** Every binding in both versions. */
  static final List<Binding> BINDINGS =
      List.of(
          new Binding("JSONRPC", "1.0"),
          new Binding("JSONRPC", "0.3"),
          new Binding("HTTP+JSON", "1.0"),
          new Binding("HTTP+JSON", "0.3"),
          new Binding("GRPC", "1.0"),
          new Binding("GRPC", "0.3"));

  private final JsSide js;
  private final Path folder;

  A2aSdk(JsSide js, Path folder) {
    this.js = js;
    this.folder = folder;
  }

  /** Runs scenarios against an agent. */
  @FunctionalInterface
  interface Client {
    /**
     * Gives the results by binding, version and scenario, in the order in which they were run.
     *
     * @param base the agent's address
     * @param proxy port of an outbound sidecar, 0 for none
     * @param control the agent's own port
     * @param publicKey verifies the agent's signed card
     */
    Map<String, JsonNode> run(String base, int proxy, int control, JsonNode publicKey)
        throws IOException, InterruptedException;
  }

  /** What the client sees of the agent itself. */
  Map<String, JsonNode> direct(Client client) throws IOException, InterruptedException {
    try (JsSide.Program agent = js.start("a2a-agent.mjs")) {
      int port = agent.next().path("port").asInt(0);
      agent.tell(A2a.JSON.createObjectNode());
      JsonNode key = agent.next().path("publicKey");
      return client.run("http://127.0.0.1:" + port, 0, port, key);
    }
  }

  /** The same through two sidecars that are configured with {@code sections}. */
  Map<String, JsonNode> throughSidecars(Client client, String... sections)
      throws IOException, InterruptedException {
    try (JsSide.Program agent = js.start("a2a-agent.mjs")) {
      JsonNode ports = agent.next();
      int port = ports.path("port").asInt(0);
      String inbound =
          LocalSidecar.inboundTo(port)
              + "  grpcAgent: 127.0.0.1:%d\n".formatted(ports.path("grpcPort").asInt(0));
      try (LocalSidecar besideAgent =
              LocalSidecar.start(
                  folder, "agent", with(sections, inbound, LocalSidecar.outbound()));
          LocalSidecar besideClient =
              LocalSidecar.start(folder, "client", with(sections, LocalSidecar.outbound()))) {
        String base = "http://127.0.0.1:" + besideAgent.inbound();
        ObjectNode settings = A2a.JSON.createObjectNode();
        settings.put("advertise", base);
        settings.put("proxy", besideAgent.outboundPort());
        agent.tell(settings);
        JsonNode key = agent.next().path("publicKey");
        return client.run(base, besideClient.outboundPort(), port, key);
      }
    }
  }

  private static String[] with(String[] sections, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(List.of(sections));
    return all.toArray(String[]::new);
  }

  /** The clients of {@code @a2a-js/sdk} with one of their lists of scenarios. */
  Client jsClients(String list) {
    return (base, proxy, control, publicKey) -> client(base, proxy, control, publicKey, list);
  }

  private Map<String, JsonNode> client(
      String base, int proxy, int control, JsonNode publicKey, String list)
      throws IOException, InterruptedException {
    ObjectNode settings = A2a.JSON.createObjectNode();
    settings.put("base", base);
    settings.put("proxy", proxy);
    settings.put("control", control);
    settings.set("publicKey", publicKey);
    settings.put("list", list);
    for (Binding binding : BINDINGS) {
      settings.withArray("bindings").addArray().add(binding.name()).add(binding.version());
    }
    Map<String, JsonNode> results = new LinkedHashMap<>();
    for (JsonNode line : js.run("a2a-client.mjs", settings.toString())) {
      results.put(
          "%s %s: %s"
              .formatted(
                  line.path("binding").asString(""),
                  line.path("version").asString(""),
                  line.path("scenario").asString("")),
          line.path("result"));
    }
    return results;
  }
}
