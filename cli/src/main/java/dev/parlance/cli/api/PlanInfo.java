package dev.parlance.cli.api;

import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import java.util.List;

/**
 * A plan as JSON, without its events.
 *
 * @param terms the vocabulary as it was written
 * @param intervalMs mean time between scheduled audits, 0: only on request
 */
public record PlanInfo(
    String name,
    long revision,
    List<String> agents,
    String domain,
    List<String> terms,
    double tau,
    double delta,
    double rhoMin,
    String bound,
    String multiplicity,
    int eventsPerTerm,
    long intervalMs,
    double jitter,
    int pauseMs) {
  static PlanInfo of(Plan plan) {
    return new PlanInfo(
        plan.getName(),
        plan.getRevision(),
        List.copyOf(plan.getCore().getAgentsList()),
        plan.getCore().getDomain(),
        plan.getTermsList().stream().map(VocabularyTerm::getText).toList(),
        plan.getParams().getTau(),
        plan.getParams().getDelta(),
        plan.getParams().getRhoMin(),
        plan.getParams().getBound().isEmpty() ? "exact" : plan.getParams().getBound(),
        plan.getMultiplicity().isEmpty() ? "per_term" : plan.getMultiplicity(),
        plan.getEventsPerTerm(),
        plan.getSchedule().getIntervalMs(),
        plan.getSchedule().getJitter(),
        plan.getPauseMs());
  }
}
