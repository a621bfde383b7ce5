package dev.parlance.control.certify.api;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.Schedule;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.service.config.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks a plan through; all that is wrong with it is said at once. */
final class PlanCheck {
  static final int MAX_AGENTS = 64;
  static final int MAX_EVENTS = 1_000_000;
  static final int MAX_EVENT_BYTES = 8_192;
  static final int MAX_GLOSS_BYTES = 4_096;
  static final int LEAST_INTERVAL_MS = 1_000;
  static final int MAX_PAUSE_MS = 3_600_000;
  static final double MAX_JITTER = 0.9;

  private static final int SHOWN_PROBLEMS = 50;

  private final Plan plan;
  private final AuditPlan values;
  private final List<String> problems = new ArrayList<>();
  private int unsaid;

  private PlanCheck(Plan plan) {
    this.plan = plan;
    this.values = new AuditPlan(plan);
  }

  /** What is wrong with the plan; empty if nothing is. */
  static List<String> problems(Plan plan) {
    PlanCheck check = new PlanCheck(plan);
    check.all();
    if (check.unsaid > 0) {
      check.problems.add("and " + check.unsaid + " more");
    }
    return check.problems;
  }

  private void problem(String text) {
    if (problems.size() < SHOWN_PROBLEMS) {
      problems.add(text);
    } else {
      unsaid++;
    }
  }

  private void all() {
    if (!Names.isName(plan.getName())) {
      problem("name: " + noName(plan.getName()));
    }
    core();
    terms();
    Set<String> events = events();
    Optional<CertificationParams> params = params();
    Optional<Multiplicity> multiplicity = values.multiplicity();
    if (multiplicity.isEmpty()) {
      problem(
          "multiplicity: got \""
              + Quoted.line(plan.getMultiplicity())
              + "\", expected per_term or family");
    }
    if (plan.getEventsPerTerm() < 0) {
      problem("events_per_term: got more than 2147483647");
    } else if (params.isPresent()
        && multiplicity.isPresent()
        && plan.getTermsCount() > 0
        && !events.isEmpty()) {
      int needed = values.eventsPerTerm();
      if (needed > events.size()) {
        problem(
            "events: got "
                + events.size()
                + ", expected at least the "
                + needed
                + " that each audit draws per term"
                + (plan.getEventsPerTerm() == 0
                    ? " (with tau, delta and bound as they are; set events_per_term for fewer)"
                    : ""));
      }
    }
    schedule();
    if (plan.getPauseMs() < 0 || plan.getPauseMs() > MAX_PAUSE_MS) {
      problem("pause_ms: got more than " + MAX_PAUSE_MS);
    }
  }

  private void core() {
    List<String> agents = plan.getCore().getAgentsList();
    for (String agent : agents) {
      if (!Names.isName(agent)) {
        problem("core.agents: " + noName(agent));
      }
    }
    if (agents.size() < 2 || agents.size() > MAX_AGENTS) {
      problem("core.agents: got " + agents.size() + ", expected 2 to " + MAX_AGENTS);
    }
    if (!List.copyOf(new TreeSet<>(agents)).equals(agents)) {
      problem(
          "core.agents: got "
              + Quoted.line(agents.toString())
              + ", expected them sorted, each once");
    }
    if (!Names.isName(plan.getCore().getDomain())) {
      problem("core.domain: " + noName(plan.getCore().getDomain()));
    }
  }

  private void terms() {
    if (plan.getTermsCount() < 1 || plan.getTermsCount() > CertifiedCore.MAX_TERMS) {
      problem("terms: got " + plan.getTermsCount() + ", expected 1 to " + CertifiedCore.MAX_TERMS);
      return;
    }
    Map<String, String> textByKey = new HashMap<>();
    for (VocabularyTerm term : plan.getTermsList()) {
      Optional<String> key = TermKey.of(term.getText());
      if (key.isEmpty()) {
        problem(
            "terms: \""
                + Quoted.line(term.getText())
                + "\" is no term: expected 1 to "
                + TermKey.MAX_TOKENS
                + " words of at most "
                + TermKey.MAX_BYTES
                + " bytes together");
        continue;
      }
      String before = textByKey.putIfAbsent(key.get(), term.getText());
      if (before != null) {
        problem(
            "terms: \""
                + Quoted.line(term.getText())
                + "\" is the same term as \""
                + Quoted.line(before)
                + "\"");
      }
      if (bytes(term.getGloss()) > MAX_GLOSS_BYTES) {
        problem(
            "terms: the gloss of \""
                + Quoted.line(term.getText())
                + "\" has more than "
                + MAX_GLOSS_BYTES
                + " bytes");
      }
    }
    for (VocabularyTerm term : plan.getTermsList()) {
      if (term.getAlternative().isEmpty()) {
        continue;
      }
      Optional<String> other = TermKey.of(term.getAlternative());
      if (other.isEmpty() || !textByKey.containsKey(other.get())) {
        problem(
            "terms: the alternative \""
                + Quoted.line(term.getAlternative())
                + "\" of \""
                + Quoted.line(term.getText())
                + "\" is not in the vocabulary");
      } else if (other.equals(TermKey.of(term.getText()))) {
        problem("terms: \"" + Quoted.line(term.getText()) + "\" is its own alternative");
      }
    }
  }

  private Set<String> events() {
    Set<String> peis = HashSet.newHashSet(plan.getEventsCount());
    if (plan.getEventsCount() < 1 || plan.getEventsCount() > MAX_EVENTS) {
      problem("events: got " + plan.getEventsCount() + ", expected 1 to " + MAX_EVENTS);
      return peis;
    }
    for (AuditEvent event : plan.getEventsList()) {
      if (!Names.isName(event.getPei())) {
        problem("events: pei " + noName(event.getPei()));
      } else if (!peis.add(event.getPei())) {
        problem("events: pei \"" + event.getPei() + "\" comes twice");
      }
      if (event.getText().isBlank()) {
        problem("events: \"" + Quoted.line(event.getPei()) + "\" has no text");
      } else if (bytes(event.getText()) > MAX_EVENT_BYTES) {
        problem(
            "events: the text of \""
                + Quoted.line(event.getPei())
                + "\" has "
                + bytes(event.getText())
                + " bytes, expected at most "
                + MAX_EVENT_BYTES);
      }
    }
    return peis;
  }

  private Optional<CertificationParams> params() {
    int before = problems.size();
    double tau = values.tau();
    double delta = values.delta();
    double rhoMin = values.rhoMin();
    if (!(tau > 0.0 && tau < 1.0)) {
      problem("params.tau: got " + tau + ", expected a number in (0,1)");
    }
    if (!(delta > 0.0 && delta <= 0.5)) {
      problem("params.delta: got " + delta + ", expected a number in (0,0.5]");
    }
    if (!(rhoMin >= 0.0 && rhoMin <= 1.0)) {
      problem("params.rho_min: got " + rhoMin + ", expected a number in [0,1]");
    }
    Optional<Bound> bound = values.bound();
    if (bound.isEmpty()) {
      problem(
          "params.bound: got \""
              + Quoted.line(plan.getParams().getBound())
              + "\", expected exact, wilson or anytime");
    }
    return problems.size() > before || bound.isEmpty()
        ? Optional.empty()
        : Optional.of(new CertificationParams(tau, delta, rhoMin, bound.get()));
  }

  private void schedule() {
    Schedule schedule = plan.getSchedule();
    long intervalMs = schedule.getIntervalMs();
    if (intervalMs != 0
        && (intervalMs < LEAST_INTERVAL_MS || intervalMs > AuditPlan.MAX_INTERVAL_MS)) {
      problem(
          "schedule.interval_ms: got "
              + Long.toUnsignedString(intervalMs)
              + ", expected 0 or "
              + LEAST_INTERVAL_MS
              + " to "
              + AuditPlan.MAX_INTERVAL_MS);
    }
    double jitter = values.jitter();
    if (!(jitter >= 0.0 && jitter <= MAX_JITTER)) {
      problem("schedule.jitter: got " + jitter + ", expected a number in [0," + MAX_JITTER + "]");
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String noName(String text) {
    return "got \""
        + Quoted.line(text)
        + "\", expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}";
  }
}
