package dev.parlance.proxy.control.api;

import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.control.CoreKeeper;
import dev.parlance.proxy.control.PushOutcome;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What {@code GET /cores} of the admin API shows. */
final class ControlStatus {
  private ControlStatus() {}

  static ObjectNode of(
      ControlSettings settings,
      ControlLink.State link,
      List<CoreKeeper.Status> cores,
      Map<PushOutcome.PushFault, Long> refused) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("configured", true)
        .put("agent", settings.agent())
        .put("target", settings.target().host() + ":" + settings.target().port())
        .put("connected", link.connected())
        .put("reconnects", link.reconnects());
    link.replica().ifPresent(replica -> root.put("replica", replica));
    link.lastEnd().ifPresent(reason -> root.put("lastEnd", reason));
    ObjectNode counts = root.putObject("refusedPushes");
    refused.forEach((fault, count) -> counts.put(fault.code(), count));
    ArrayNode list = root.putArray("cores");
    cores.forEach(one -> list.add(core(one)));
    return root;
  }

  private static ObjectNode core(CoreKeeper.Status status) {
    CertifiedCore core = status.held().core();
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.put("id", core.id().toString());
    ArrayNode agents = one.putArray("agents");
    core.agents().forEach(agents::add);
    one.put("domain", core.domain())
        .put("version", core.version())
        .put("state", status.state().code())
        .put("ageMs", status.ageMs())
        .put("disputed", status.held().isDisputed())
        .put("issuedAt", Instant.ofEpochMilli(core.issuedAtMs()).toString())
        .put("inForceSince", Instant.ofEpochMilli(status.held().sinceEpochMs()).toString())
        .put("ledgerSize", core.ledgerSize())
        .put("documentSha256", status.held().documentSha256());
    Map<TermStatus, Integer> terms = new EnumMap<>(TermStatus.class);
    for (GovernedTerm term : core.terms()) {
      terms.merge(term.status(), 1, Integer::sum);
    }
    ObjectNode counted = one.putObject("terms");
    for (TermStatus standing : TermStatus.values()) {
      counted.put(standing.code(), terms.getOrDefault(standing, 0));
    }
    return one;
  }
}
