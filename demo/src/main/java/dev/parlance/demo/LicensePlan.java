package dev.parlance.demo;

import dev.parlance.demo.usage.LicenseEvents;
import dev.parlance.demo.usage.LicenseTerms;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.CertificationParams;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;

/** What is certified in the demonstration: the words of the license domain, between A and B. */
final class LicensePlan {
  /** Name of the plan. */
  static final String NAME = "license-words";

  /** Id of agent A. */
  static final String SCHOLAR = "license-scholar";

  /** Id of agent B. */
  static final String OFFICER = "license-officer";

  /** Largest tolerable contradiction rate. */
  static final double TAU = 0.05;

  /** Probability at most which a term worse than that is certified. */
  static final double DELTA = 0.05;

  private static final double RHO_MIN = 0.5;

  /** 59 comparisons without contradiction would do; the 124 and more that stay of 150 bear two. */
  static final int EVENTS_PER_TERM = 150;

  private LicensePlan() {}

  /** The pair and its domain; agents in order. */
  static CoreId core() {
    return CoreId.newBuilder()
        .addAgents(OFFICER)
        .addAgents(SCHOLAR)
        .setDomain(LicenseTerms.DOMAIN)
        .build();
  }

  /** The plan as it is put. */
  static Plan plan() {
    Plan.Builder plan =
        Plan.newBuilder()
            .setName(NAME)
            .setCore(core())
            .setParams(
                CertificationParams.newBuilder()
                    .setTau(TAU)
                    .setDelta(DELTA)
                    .setRhoMin(RHO_MIN)
                    .setBound("exact"))
            .setEventsPerTerm(EVENTS_PER_TERM);
    for (LicenseTerms.Word word : LicenseTerms.words()) {
      plan.addTerms(
          VocabularyTerm.newBuilder()
              .setText(word.text())
              .setGloss(word.gloss())
              .setAlternative(word.alternative().orElse("")));
    }
    LicenseEvents.pool()
        .forEach(event ->
            plan.addEvents(AuditEvent.newBuilder().setPei(event.pei()).setText(event.text())));
    return plan.build();
  }
}
