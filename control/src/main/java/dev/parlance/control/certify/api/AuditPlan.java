package dev.parlance.control.certify.api;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CoreId;
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

/**
 * A plan of audits with its defaults filled in. Beyond {@link #bound} only for plans that {@link
 * PlanCheck} finds nothing wrong with.
 */
public record AuditPlan(Plan message) {
  static final double DEFAULT_JITTER = 0.5;
  static final long MAX_INTERVAL_MS = 366L * 24 * 3_600_000;

  /** A plan from its row. */
  public static AuditPlan read(PlanRow row) {
    try {
      Plan plan = Plan.parseFrom(row.document());
      return new AuditPlan(plan.toBuilder().setRevision(row.revision()).build());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the store holds no plan under " + row.name(), e);
    }
  }

  /** Its name. */
  public String name() {
    return message.getName();
  }

  /** Its revision. */
  public long revision() {
    return message.getRevision();
  }

  /** The core that its audits lead to. */
  public CoreId core() {
    return new CoreId(message.getCore().getAgentsList(), message.getCore().getDomain());
  }

  /** Keys of its terms. */
  public List<String> terms() {
    return message.getTermsList().stream()
        .map(term -> TermKey.of(term.getText()).orElseThrow())
        .toList();
  }

  double tau() {
    return message.getParams().hasTau()
        ? message.getParams().getTau()
        : CertificationParams.DEFAULT.tau();
  }

  double delta() {
    return message.getParams().hasDelta()
        ? message.getParams().getDelta()
        : CertificationParams.DEFAULT.delta();
  }

  double rhoMin() {
    return message.getParams().hasRhoMin()
        ? message.getParams().getRhoMin()
        : CertificationParams.DEFAULT.rhoMin();
  }

  /** How much scheduled times vary, relative to the interval. */
  public double jitter() {
    return message.getSchedule().hasJitter() ? message.getSchedule().getJitter() : DEFAULT_JITTER;
  }

  /** How certain a certification is made; empty if it is no known bound. */
  public Optional<Bound> bound() {
    String code = message.getParams().getBound();
    return code.isEmpty() ? Optional.of(CertificationParams.DEFAULT.bound()) : Bound.ofCode(code);
  }

  Optional<Multiplicity> multiplicity() {
    String code = message.getMultiplicity();
    return code.isEmpty() ? Optional.of(Multiplicity.PER_TERM) : Multiplicity.ofCode(code);
  }

  /** The plan's constants. */
  CertificationParams params() {
    return new CertificationParams(tau(), delta(), rhoMin(), bound().orElseThrow());
  }

  /** The constants that each term is tested with. */
  CertificationParams perTerm() {
    return multiplicity().orElseThrow().perTerm(params(), message.getTermsCount());
  }

  /** Events drawn per term and audit: half as many again as a clean term needs, if not said. */
  public int eventsPerTerm() {
    if (message.getEventsPerTerm() > 0) {
      return message.getEventsPerTerm();
    }
    int clean = SampleSize.cleanNeeded(perTerm());
    return clean + clean / 2 + clean % 2;
  }

  /** The plan as it stands on the ledger. */
  public Entry.Plan entry(long revision, long atMs) {
    SortedMap<String, String> alternatives = new TreeMap<>();
    for (VocabularyTerm term : message.getTermsList()) {
      String key = TermKey.of(term.getText()).orElseThrow();
      if (!term.getAlternative().isEmpty()) {
        alternatives.put(key, TermKey.of(term.getAlternative()).orElseThrow());
      }
    }
    List<Entry.PlanEvent> events = new ArrayList<>(message.getEventsCount());
    for (AuditEvent event : message.getEventsList()) {
      events.add(new Entry.PlanEvent(event.getPei(), Digest.of(event.getText())));
    }
    events.sort(Comparator.comparing(Entry.PlanEvent::pei));
    return new Entry.Plan(
        message.getName(),
        revision,
        core(),
        terms().stream().sorted().toList(),
        alternatives,
        events,
        params(),
        multiplicity().orElseThrow(),
        eventsPerTerm(),
        0,
        atMs);
  }
}
