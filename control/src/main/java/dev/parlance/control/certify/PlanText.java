package dev.parlance.control.certify;

import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a plan's members mean, defaults filled in. Beyond {@link #bound} only for checked plans. */
final class PlanText {
  static final double DEFAULT_JITTER = 0.5;
  static final long MAX_INTERVAL_MS = 366L * 24 * 3_600_000;

  private PlanText() {}

  static double tau(Plan plan) {
    return plan.getParams().hasTau()
        ? plan.getParams().getTau()
        : CertificationParams.DEFAULT.tau();
  }

  static double delta(Plan plan) {
    return plan.getParams().hasDelta()
        ? plan.getParams().getDelta()
        : CertificationParams.DEFAULT.delta();
  }

  static double rhoMin(Plan plan) {
    return plan.getParams().hasRhoMin()
        ? plan.getParams().getRhoMin()
        : CertificationParams.DEFAULT.rhoMin();
  }

  static double jitter(Plan plan) {
    return plan.getSchedule().hasJitter() ? plan.getSchedule().getJitter() : DEFAULT_JITTER;
  }

  static Optional<Bound> bound(Plan plan) {
    String code = plan.getParams().getBound();
    return code.isEmpty() ? Optional.of(CertificationParams.DEFAULT.bound()) : Bound.ofCode(code);
  }

  static Optional<Multiplicity> multiplicity(Plan plan) {
    String code = plan.getMultiplicity();
    return code.isEmpty() ? Optional.of(Multiplicity.PER_TERM) : Multiplicity.ofCode(code);
  }

  /** The plan's constants. */
  static CertificationParams params(Plan plan) {
    return new CertificationParams(tau(plan), delta(plan), rhoMin(plan), bound(plan).orElseThrow());
  }

  /** The constants that each term is tested with. */
  static CertificationParams perTerm(Plan plan) {
    return multiplicity(plan).orElseThrow().perTerm(params(plan), plan.getTermsCount());
  }

  /** Events drawn per term and audit: half as many again as a clean term needs, if not said. */
  static int eventsPerTerm(Plan plan) {
    if (plan.getEventsPerTerm() > 0) {
      return plan.getEventsPerTerm();
    }
    int clean = SampleSize.cleanNeeded(perTerm(plan));
    return clean + clean / 2 + clean % 2;
  }

  /** The plan as it stands on the ledger. */
  static Entry.Plan entry(Plan plan, long revision, long atMs) {
    SortedMap<String, String> alternatives = new TreeMap<>();
    List<String> keys = new ArrayList<>();
    for (VocabularyTerm term : plan.getTermsList()) {
      String key = TermKey.of(term.getText()).orElseThrow();
      keys.add(key);
      if (!term.getAlternative().isEmpty()) {
        alternatives.put(key, TermKey.of(term.getAlternative()).orElseThrow());
      }
    }
    keys.sort(Comparator.naturalOrder());
    List<Entry.PlanEvent> events = new ArrayList<>(plan.getEventsCount());
    for (AuditEvent event : plan.getEventsList()) {
      events.add(new Entry.PlanEvent(event.getPei(), Digest.of(event.getText())));
    }
    events.sort(Comparator.comparing(Entry.PlanEvent::pei));
    return new Entry.Plan(
        plan.getName(),
        revision,
        PlanCheck.coreId(plan),
        keys,
        alternatives,
        events,
        params(plan),
        multiplicity(plan).orElseThrow(),
        eventsPerTerm(plan),
        0,
        atMs);
  }
}
