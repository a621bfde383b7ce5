package dev.parlance.cli.core;

import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.api.ReceivedCore;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cores as JSON. */
final class CoreJson {
  private CoreJson() {}

  /** Without its terms. */
  static Map<String, Object> summary(ReceivedCore look) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("core", look.name());
    view.put("version", look.version());
    switch (look) {
      case ReceivedCore.Bad bad -> {
        view.put("signature", "refused");
        view.put("error", bad.why());
      }
      case ReceivedCore.Read read -> {
        CertifiedCore core = read.core();
        view.put("agents", core.agents());
        view.put("domain", core.domain());
        view.put("issuedAtMs", core.issuedAtMs());
        view.put("tau", core.params().tau());
        view.put("delta", core.params().delta());
        view.put("rhoMin", core.params().rhoMin());
        view.put("bound", core.params().bound().code());
        view.put("ledgerSize", core.ledgerSize());
        view.put(
            "signature",
            switch (read.trust()) {
              case VERIFIED -> "good";
              case UNCHECKED -> "unchecked";
            });
        for (TermStatus status : TermStatus.values()) {
          view.put(status.code(), read.count(status));
        }
      }
    }
    return view;
  }

  /** With its terms and the decisions that they rest on. */
  static Map<String, Object> whole(
      ReceivedCore.Read read, Map<String, List<AuditInfo.Result>> latest) {
    Map<String, Object> view = summary(read);
    List<Map<String, Object>> terms = new ArrayList<>();
    for (GovernedTerm term : read.core().terms()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("term", term.key());
      one.put("status", term.status().code());
      term.alternative().ifPresent(alternative -> one.put("alternative", alternative));
      List<AuditInfo.Result> results = latest.getOrDefault(term.key(), List.of());
      if (!results.isEmpty()) {
        one.put("decisions", results);
      }
      terms.add(one);
    }
    view.put("terms", terms);
    return view;
  }
}
