package dev.parlance.control.certify.api;

import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The texts of a plan, which the ledger has no more than digests of. */
public final class PlanTexts {
  private final String domain;
  private final int pauseMs;
  private final Map<String, String> glosses = new HashMap<>();
  private final Map<String, String> events;

  /** The texts of a plan. */
  public PlanTexts(AuditPlan of) {
    Plan plan = of.message();
    domain = plan.getCore().getDomain();
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

  /** The domain of the core. */
  public String domain() {
    return domain;
  }

  /** Mean pause between two questions to one agent. */
  public int pauseMs() {
    return pauseMs;
  }

  /** What a term is about; empty if the plan does not say. */
  public String gloss(String term) {
    return glosses.getOrDefault(term, "");
  }

  /** Text of an event that the plan has. */
  public String event(String pei) {
    return knownEvent(pei)
        .orElseThrow(() -> new IllegalStateException("the plan has no event " + pei));
  }

  /** Text of an event, if the plan has it. */
  public Optional<String> knownEvent(String pei) {
    return Optional.ofNullable(events.get(pei));
  }
}
