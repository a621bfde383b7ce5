package dev.parlance.proxy.admin;

import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What probes of this sidecar get. */
final class HealthAnswer {
  private HealthAnswer() {}

  /** 200 without reasons against it, else 503. */
  static AdminResponse of(String what, List<String> reasonsAgainst) {
    ObjectNode body = AdminResponse.object().put(what, reasonsAgainst.isEmpty());
    ArrayNode list = body.putArray("reasons");
    reasonsAgainst.forEach(list::add);
    return AdminResponse.json(reasonsAgainst.isEmpty() ? 200 : 503, body);
  }
}
