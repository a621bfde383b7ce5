package dev.parlance.ledger.record;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermDecision;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.TermWatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The decisions that follow from a well-formed ledger, the slow and obvious way: for each audit and
 * term it reads the whole ledger again, and it keeps no state but the watches' and outcomes' list.
 */
final class NaiveReference {
  private static final Set<Entry.Outcome> HELD =
      Set.of(Entry.Outcome.CERTIFIED, Entry.Outcome.KEPT, Entry.Outcome.RESTORED);

  private final List<Entry> entries;
  private final Map<String, Entry.Plan> plans = new HashMap<>();
  private final Map<String, Entry.Outcome> outcomes = new HashMap<>();
  private final Map<String, TermWatch> watches = new HashMap<>();
  private final Map<String, CertificationParams> fedUnder = new HashMap<>();

  NaiveReference(List<Entry> entries) {
    this.entries = entries;
  }

  /** One line for each decision: audit, pair, term, counts, outcome, upper. */
  List<String> decisions() {
    List<String> lines = new ArrayList<>();
    List<Entry.PlanEvent> events = new ArrayList<>();
    for (Entry entry : entries) {
      switch (entry) {
        case Entry.PlanPart part -> {
          if (part.part() == 0) {
            events.clear();
          }
          events.addAll(part.events());
        }
        case Entry.Plan plan -> {
          List<Entry.PlanEvent> all = new ArrayList<>(plan.parts() > 0 ? events : List.of());
          all.addAll(plan.events());
          plans.put(plan.plan() + plan.revision(), withEvents(plan, all));
        }
        case Entry.Closed closed -> lines.addAll(audit(closed));
        case Entry.AuditPart _, Entry.Opened _, Entry.TakenOver _, Entry.Test _ -> {}
        case Entry.Unanswered _, Entry.Renegotiated _, Entry.Decided _, Entry.CoreIssued _ -> {}
        case RoundEntry _ -> {}
        case PactEntry _, LexiconEntry _, Entry.ReviewDecided _ -> {}
      }
    }
    return lines;
  }

  /** Only plans whose events are in parts: the test ledgers have few terms. */
  private static Entry.Plan withEvents(Entry.Plan plan, List<Entry.PlanEvent> events) {
    return plan.terms().isEmpty()
        ? new Entry.Plan(
            plan.plan(),
            plan.revision(),
            plan.core(),
            SampleLedger.TERMS,
            events,
            plan.params(),
            plan.multiplicity(),
            plan.eventsPerTerm(),
            0)
        : new Entry.Plan(
            plan.plan(),
            plan.revision(),
            plan.core(),
            plan.terms(),
            events,
            plan.params(),
            plan.multiplicity(),
            plan.eventsPerTerm(),
            0);
  }

  private Entry.Opened opened(String audit) {
    return entries.stream()
        .filter(entry -> entry instanceof Entry.Opened opened && opened.audit().equals(audit))
        .map(entry -> (Entry.Opened) entry)
        .findFirst()
        .orElseThrow();
  }

  /** Verdicts and absences of an audit by agent, event and term: the first of the ruling epoch. */
  private Map<String, Integer> answers(String audit) {
    Map<String, Integer> answers = new LinkedHashMap<>();
    long epoch = opened(audit).epoch();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry instanceof Entry.TakenOver taken && taken.audit().equals(audit)) {
        epoch = taken.epoch();
      }
      if (entry instanceof Entry.Test test && test.audit().equals(audit) && test.epoch() == epoch) {
        answers.putIfAbsent(test.agent() + "|" + test.event() + "|" + test.term(), i);
      }
      if (entry instanceof Entry.Unanswered none
          && none.audit().equals(audit)
          && none.epoch() == epoch) {
        answers.putIfAbsent(none.agent() + "|" + none.event() + "|" + none.term(), i);
      }
    }
    return answers;
  }

  private Set<String> usedBefore(String plan, String audit, String term) {
    Set<String> used = new HashSet<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Opened earlier && earlier.plan().equals(plan)) {
        if (earlier.audit().equals(audit)) {
          return used;
        }
        for (String key : answers(earlier.audit()).keySet()) {
          String[] parts = key.split("\\|", -1);
          if (parts[2].equals(term)) {
            used.add(parts[1]);
          }
        }
      }
    }
    throw new IllegalStateException(audit + " was not opened");
  }

  private boolean isAdopted(Entry.Opened opened, String term, List<String> others) {
    return entries.stream()
        .anyMatch(entry ->
            entry instanceof Entry.Renegotiated offer
                && offer.audit().equals(opened.audit())
                && offer.term().equals(term)
                && offer.reply().equals("adopt")
                && others.contains(offer.other()));
  }

  private List<String> audit(Entry.Closed closed) {
    Entry.Opened opened = opened(closed.audit());
    Entry.Plan plan =
        Optional.ofNullable(plans.get(opened.plan() + opened.revision())).orElseThrow();
    CertificationParams params = plan.multiplicity().perTerm(plan.params(), plan.terms().size());
    Map<String, Integer> answers = answers(opened.audit());
    List<String> agents = plan.core().agents();
    List<String> lines = new ArrayList<>();
    for (String term : opened.terms().isEmpty() ? plan.terms() : opened.terms()) {
      if (opened.kind() == Entry.Kind.RENEGOTIATE && !isAdopted(opened, term, agents)) {
        continue;
      }
      List<String> drawn =
          Draw.of(
              HexFormat.of().parseHex(closed.seed()),
              term,
              plan.events().stream().map(Entry.PlanEvent::pei).toList(),
              usedBefore(opened.plan(), opened.audit(), term),
              plan.eventsPerTerm());
      for (String first : agents) {
        for (String second : agents) {
          if (first.compareTo(second) < 0) {
            lines.addAll(
                pair(closed, opened, plan, params, term, List.of(first, second), drawn, answers));
          }
        }
      }
    }
    return lines;
  }

  private List<String> pair(
      Entry.Closed closed,
      Entry.Opened opened,
      Entry.Plan plan,
      CertificationParams params,
      String term,
      List<String> pair,
      List<String> drawn,
      Map<String, Integer> answers) {
    Map<Integer, List<TermVerdict>> comparisons = new TreeMap<>();
    for (String event : drawn) {
      int one = answers.getOrDefault(pair.get(0) + "|" + event + "|" + term, -1);
      int two = answers.getOrDefault(pair.get(1) + "|" + event + "|" + term, -1);
      if (one >= 0
          && two >= 0
          && entries.get(one) instanceof Entry.Test a
          && entries.get(two) instanceof Entry.Test b) {
        comparisons.put(Math.max(one, two), List.of(a.verdict(), b.verdict()));
      }
    }
    int unanswered = drawn.size() - comparisons.size();
    String key = plan.core() + "|" + pair + "|" + term;
    TermDecision decision;
    if (params.bound() == Bound.ANYTIME) {
      TermWatch watch = watches.getOrDefault(key, TermWatch.NEW);
      if (!plan.params().equals(fedUnder.get(key)) || isAdopted(opened, term, pair)) {
        watch = TermWatch.NEW;
      }
      fedUnder.put(key, plan.params());
      for (List<TermVerdict> both : comparisons.values()) {
        watch = watch.step(new TermWatch.Event.Compared(both.get(0), both.get(1)), params);
      }
      decision = watch.decide(unanswered, drawn.size(), params);
      if (closed.failure().isEmpty()) {
        watch = watch.step(new TermWatch.Event.AuditEnded(unanswered, drawn.size()), params);
      }
      watches.put(key, watch);
    } else {
      List<List<TermVerdict>> all = List.copyOf(comparisons.values());
      Tally tally =
          Tally.of(
              all.stream().map(List::getFirst).toList(), all.stream().map(List::getLast).toList());
      decision = Certifier.decide(tally, unanswered, drawn.size(), params);
    }
    if (closed.failure().isPresent()) {
      return List.of();
    }
    Optional<Entry.Outcome> before = Optional.ofNullable(outcomes.get(key));
    boolean held = before.stream().anyMatch(HELD::contains);
    boolean passes = decision.isCertified();
    Entry.Outcome outcome =
        switch (opened.kind()) {
          case CERTIFY ->
              passes
                  ? Entry.Outcome.CERTIFIED
                  : held ? Entry.Outcome.REVOKED : Entry.Outcome.REFUSED;
          case RECERTIFY -> passes ? Entry.Outcome.KEPT : Entry.Outcome.REVOKED;
          case RENEGOTIATE -> passes ? Entry.Outcome.RESTORED : Entry.Outcome.REFUSED;
        };
    outcomes.put(key, outcome);
    return List.of(
        line(opened.audit(), pair, term, decision.tally(), unanswered, outcome, decision.upper()));
  }

  static String line(Entry.Decided decided) {
    return line(
        decided.audit(),
        decided.agents(),
        decided.term(),
        decided.tally(),
        decided.unanswered(),
        decided.outcome(),
        decided.upper());
  }

  private static String line(
      String audit,
      List<String> pair,
      String term,
      Tally tally,
      int unanswered,
      Entry.Outcome outcome,
      double upper) {
    return audit + pair + term + tally + unanswered + outcome.code() + upper;
  }
}
