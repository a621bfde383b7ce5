package dev.parlance.proxy.control;

import java.net.URI;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Which version of A2A an agent's card offers over JSON-RPC. Only the version is read: the
 * addresses in a card are those that others use, which lead to the sidecar itself.
 */
final class AgentCard {
  private static final String JSONRPC = "JSONRPC";

  private AgentCard() {}

  /** Where the card of an agent is: at the origin of its endpoint. */
  static URI at(URI endpoint) {
    return endpoint.resolve("/.well-known/agent-card.json");
  }

  /** The newest version that the card offers and we speak. */
  static Optional<A2aDialect> dialect(byte[] body) {
    Optional<JsonNode> json = StrictJson.read(body);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    JsonNode card = json.get();
    Set<String> versions = new HashSet<>();
    for (JsonNode offered : card.path("supportedInterfaces")) {
      if (offered.path("protocolBinding").asString("").equals(JSONRPC)) {
        versions.add(major(offered.path("protocolVersion").asString("")));
      }
    }
    if (card.path("preferredTransport").asString(JSONRPC).equals(JSONRPC)) {
      versions.add(major(card.path("protocolVersion").asString("")));
    }
    for (JsonNode offered : card.path("additionalInterfaces")) {
      if (offered.path("transport").asString("").equals(JSONRPC)) {
        versions.add(major(card.path("protocolVersion").asString("")));
      }
    }
    for (A2aDialect dialect : A2aDialect.newestFirst()) {
      if (versions.contains(
          switch (dialect) {
            case V0_3 -> "0.3";
            case V1_0 -> "1.0";
          })) {
        return Optional.of(dialect);
      }
    }
    return Optional.empty();
  }

  /** The first two numbers: 0.3.0 is spoken as 0.3. */
  private static String major(String version) {
    String[] numbers = version.split("\\.", -1);
    return numbers.length < 2 ? version : numbers[0] + "." + numbers[1];
  }
}
