package dev.parlance.control.certify;

import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The texts of a plan, which the ledger has no more than digests of. */
final class PlanTexts {
  private final String domain;
  private final long revision;
  private final int pauseMs;
  private final Map<String, String> glosses = new HashMap<>();
  private final Map<String, String> events;

  PlanTexts(Plan plan) {
    domain = plan.getCore().getDomain();
    revision = plan.getRevision();
    pauseMs = plan.getPauseMs();
    events = HashMap.newHashMap(plan.getEventsCount());
    for (AuditEvent event : plan.getEventsList()) {
      events.put(event.getPei(), event.getText());
    }
    for (VocabularyTerm term : plan.getTermsList()) {
      if (!term.getGloss().isEmpty()) {
        glosses.put(TermKey.of(term.getText()).orElseThrow(), term.getGloss());
      }
    }
  }

  String domain() {
    return domain;
  }

  long revision() {
    return revision;
  }

  /** Mean pause between two questions to one agent. */
  int pauseMs() {
    return pauseMs;
  }

  String gloss(String term) {
    return glosses.getOrDefault(term, "");
  }

  /** Text of an event that the plan has. */
  String event(String pei) {
    return knownEvent(pei)
        .orElseThrow(() -> new IllegalStateException("the plan has no event " + pei));
  }

  Optional<String> knownEvent(String pei) {
    return Optional.ofNullable(events.get(pei));
  }
}
