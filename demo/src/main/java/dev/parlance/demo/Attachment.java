package dev.parlance.demo;

import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a sidecar needs to attach to the control plane.
 *
 * @param target the control plane, {@code host:port}
 * @param agent id of the agent beside the sidecar
 * @param peer id of the agent that sends it orders
 * @param agentUrl where questions are put to the agent
 * @param token file with the attach token
 * @param keys file with the key that signs cores
 */
record Attachment(
    String target, String agent, String peer, String agentUrl, Path token, Path keys) {
  /** Under this path an agent takes orders, which have consequences. */
  static final String ORDERS_PATH = "orders";

  /** The section {@code control} of a sidecar's configuration. */
  String controlYaml() {
    return """
    control:
      target: %s
      agent: %s
      keysFile: %s
      tokenFile: %s
      localAgent: { url: "%s", protocol: "0.3" }
    """
        .formatted(target, agent, quoted(keys), quoted(token), agentUrl);
  }

  /** The route for orders, to stand before all others. */
  String routeYaml() {
    return """
      - name: orders
        match: { direction: inbound, pathPrefix: /%s }
        codec: a2a
        profile: parlance
        grounding: optional
        onUnjudged: block
        consequential: true
        core: { domain: %s, peer: %s }
    """
        .formatted(ORDERS_PATH, dev.parlance.demo.usage.Vocabulary.DOMAIN, peer);
  }

  private static String quoted(Path path) {
    return JsonMapper.shared().writeValueAsString(path.toString());
  }
}
