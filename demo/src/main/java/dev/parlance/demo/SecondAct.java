package dev.parlance.demo;

import dev.parlance.demo.DemoStage.Station;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.license.DemoJson;
import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.TermResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The second act: an audit of the agents' words, orders held against the certified core, drift,
 * revocation and renegotiation, as the steps of {@code second-act.json} have it. Whatever it says
 * is read from answers, decisions and the ledger.
 */
final class SecondAct {
  private static final int STEPS = 10;
  private static final int BAR_CHARS = 24;
  private static final double PERCENT = 100.0;

  private final DemoStage stage;
  private final Station officer;
  private final Station scholar;
  private final Player player;
  private final Map<String, AgentCaller> callers;

  private final List<Map<String, Object>> audits = new ArrayList<>();
  private final List<Audit> decided = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();
  private final List<Map<String, Object>> phases = new ArrayList<>();
  private int stepsShown;

  /** The terms in the core as the audits have decided. */
  private final Set<String> core = new TreeSet<>();

  /**
   * A step; all that is not there is left out.
   *
   * @param say a sentence that goes before
   * @param drift a term that B reads otherwise from now on
   * @param audit the kind of an audit
   * @param terms only these are audited
   * @param outcomes what is to be decided, by term; {@code *} stands for all others
   * @param order A or B, who is ordered
   * @param text the order
   * @param conversation in which; empty: one of its own
   * @param outcome what is to become of the order
   * @param names what the answer has to say
   * @param survey how things are now, when the agents are compared on events that no audit has seen
   */
  private record Step(
      Optional<String> say,
      Optional<String> drift,
      Optional<String> audit,
      Optional<List<String>> terms,
      Optional<Map<String, String>> outcomes,
      Optional<String> order,
      Optional<String> text,
      Optional<String> conversation,
      Optional<String> outcome,
      Optional<String> names,
      Optional<String> survey) {}

  SecondAct(DemoStage stage, Station officer, Station scholar, Player player)
      throws IOException, InterruptedException {
    this.stage = stage;
    this.officer = officer;
    this.scholar = scholar;
    this.player = player;
    this.callers =
        Map.of(
            "A", stage.caller(Way.to(scholar.url()).below("orders")),
            "B", stage.caller(Way.to(officer.url()).below("orders")));
  }

  /** Plays it to the end, whatever is not as expected on the way; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    long beganNs = System.nanoTime();
    int before = player.problems().size();
    stage
        .control()
        .putPlan(LicenseTerms.words(), LicenseEvents.pool(), LicenseTerms.EVENTS_PER_TERM);
    player.say("act2");
    player.say(
        "plan",
        stage.control().grpc(),
        LicenseTerms.PLAN,
        LicenseTerms.words().size(),
        LicenseEvents.pool().size(),
        LicenseTerms.EVENTS_PER_TERM,
        PERCENT * LicenseTerms.TAU,
        PERCENT * (1 - LicenseTerms.DELTA));
    for (Step step : DemoJson.script(SecondAct.class, "second-act.json", Step[].class)) {
      step.say().ifPresent(player::say);
      step.drift().ifPresent(this::drift);
      if (step.audit().isPresent()) {
        audit(step.audit().get(), step);
      }
      step.order().ifPresent(to -> order(to, step));
      step.survey().ifPresent(this::survey);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("audits", audits);
    report.put("orders", orders);
    report.put("disagreement", phases);
    report.put("ledger", summary());
    report.put("tookMs", sinceMs(beganNs));
    report.put("differences", player.problems().stream().skip(before).toList());
    return report;
  }

  private void drift(String term) {
    var _ = officer.agent().usage().drift(term).orElseThrow();
  }

  // ---- the audits ----

  private void audit(String kind, Step step) throws IOException, InterruptedException {
    player.piece("  asking ");
    stepsShown = 0;
    long beganNs = System.nanoTime();
    Audit audit =
        stage
            .control()
            .audit(
                AuditKind.valueOf("AUDIT_KIND_" + kind.toUpperCase(Locale.ROOT)),
                step.terms().orElse(List.of()),
                this::progress);
    long tookMs = sinceMs(beganNs);
    decided.add(audit);
    Map<String, Long> enforcedMs = new LinkedHashMap<>();
    for (Station one : List.of(officer, scholar)) {
      enforcedMs.put(one.name(), one.admin().awaitCore(audit.getCoreVersion()));
    }
    player.say("audited", audit.getAnswered(), tookMs / 1000.0);
    Map<String, String> expected = step.outcomes().orElse(Map.of());
    for (TermResult term : audit.getResultsList()) {
      boolean inCore = ControlPlane.inCore(term.getOutcome());
      var _ = inCore ? core.add(term.getTerm()) : core.remove(term.getTerm());
      tell(term, inCore ? "good" : "bad");
      String wanted = expected.getOrDefault(term.getTerm(), expected.getOrDefault("*", ""));
      player.expect(
          term.getOutcome().equals(wanted), "decided", term.getTerm(), wanted, term.getOutcome());
    }
    player.say(
        "in-force",
        audit.getCoreVersion(),
        enforcedMs.entrySet().stream()
            .map(one -> player.words("in-force-at", one.getValue(), one.getKey()))
            .collect(Collectors.joining(" and")));
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("id", audit.getId());
    members.put("kind", audit.getKind().name());
    members.put("questions", audit.getQuestions());
    members.put("answered", audit.getAnswered());
    members.put("tookMs", tookMs);
    members.put("coreVersion", audit.getCoreVersion());
    members.put("terms", audit.getResultsList());
    members.put("enforcedAfterMs", enforcedMs);
    audits.add(members);
  }

  /** One dot for each tenth of the questions. */
  private void progress(Audit audit) {
    int done = audit.getAnswered() + audit.getUnanswered();
    int steps = audit.getQuestions() == 0 ? 0 : STEPS * done / audit.getQuestions();
    for (; stepsShown < steps; stepsShown++) {
      player.piece(".");
    }
  }

  private void tell(TermResult term, String key) {
    double rate =
        term.getEligible() == 0 ? 0 : (double) term.getContradictions() / term.getEligible();
    player.say(
        key,
        term.getTerm(),
        term.getContradictions(),
        term.getEligible(),
        bar(rate, term.getUpper()),
        PERCENT * term.getUpper(),
        term.getOutcome() + (term.getReason().isEmpty() ? "" : ": " + term.getReason()));
  }

  /**
   * A bar of which each character stands for one percent: {@code #} contradictions observed, {@code
   * -} up to where the true rate may lie at the confidence asked for, {@code |} the largest rate
   * that is tolerated. What does not fit is cut off.
   */
  private static String bar(double rate, double upper) {
    StringBuilder bar = new StringBuilder();
    int mark = (int) Math.round(PERCENT * LicenseTerms.TAU);
    for (int i = 0; i < BAR_CHARS; i++) {
      double percent = i + 0.5;
      bar.append(
          i == mark ? '|' : percent < PERCENT * rate ? '#' : percent < PERCENT * upper ? '-' : ' ');
    }
    return bar.toString();
  }

  // ---- the orders ----

  private void order(String to, Step step) {
    Order order =
        Order.give(
            DemoStage.of(callers, to),
            to,
            step.text().orElse(""),
            step.conversation().orElseGet(Order::conversation));
    orders.add(order);
    player.say(order.passed() ? "passed" : "held", to, order.text(), order.outcome());
    String wanted = step.outcome().orElse("passed");
    player.expect(
        order.outcome().equals(wanted), "other-order", to, order.text(), wanted, order.outcome());
    step.names()
        .ifPresent(what -> {
          player.expect(order.answer().contains(what), "not-named", what, order.answer());
          int from = order.answer().indexOf("The term");
          player.say("words", order.answer().substring(Math.max(0, from)));
        });
    if (order.route().equals("yield")) {
      player.expect(order.reviewId().isPresent(), "not-queued");
      order.reviewId().ifPresent(id -> player.say("review", id));
    }
  }

  // ---- what it comes to ----

  /** Compares what both agents say of every term on the held-out events at one moment. */
  private void survey(String name) {
    List<String> all = LicenseTerms.words().stream().map(LicenseTerms.Word::text).toList();
    Map<String, Object> phase = new LinkedHashMap<>();
    phase.put("phase", name);
    phase.put("coreTerms", core.size());
    compare("all", all, phase);
    compare("core", core, phase);
    phases.add(phase);
  }

  private void compare(String which, Iterable<String> terms, Map<String, Object> phase) {
    int comparisons = 0;
    int contradictions = 0;
    for (LicenseEvents.Event event : LicenseEvents.heldOut()) {
      for (String term : terms) {
        Answer a = scholar.agent().usage().answer(term, event.text());
        Answer b = officer.agent().usage().answer(term, event.text());
        if (a != Answer.NEUTRAL && b != Answer.NEUTRAL) {
          comparisons++;
          contradictions += a == b ? 0 : 1;
        }
      }
    }
    phase.put(which + "Comparisons", comparisons);
    phase.put(which + "Contradictions", contradictions);
  }

  private static double share(Map<String, Object> phase, String which) {
    return phase.get(which + "Comparisons") instanceof Integer comparisons
            && phase.get(which + "Contradictions") instanceof Integer contradictions
            && comparisons > 0
        ? PERCENT * contradictions / comparisons
        : 0;
  }

  /** The terms of which this was decided. */
  private static String named(Audit audit, String outcome) {
    return audit.getResultsList().stream()
        .filter(term -> term.getOutcome().equals(outcome))
        .map(TermResult::getTerm)
        .collect(Collectors.joining(", "));
  }

  private static long certified(Audit audit) {
    return audit.getResultsList().stream()
        .filter(term -> ControlPlane.inCore(term.getOutcome()))
        .count();
  }

  private Map<String, Object> summary() throws IOException, InterruptedException {
    player.say("often");
    for (Map<String, Object> phase : phases) {
      player.say(
          "phase",
          phase.getOrDefault("phase", ""),
          share(phase, "all"),
          share(phase, "core"),
          phase.getOrDefault("coreTerms", 0));
    }
    Audit first = decided.getFirst();
    Audit again = decided.get(1);
    player.say(
        "asked",
        first.getAnswered(),
        first.getResultsCount(),
        certified(first),
        named(first, "refused"));
    orders.stream()
        .filter(order -> order.reviewId().isPresent())
        .findFirst()
        .ifPresent(order -> player.say("sent-back", order.text(), order.reviewId().orElse("")));
    player.say(
        "drifted", certified(again), named(again, "revoked"), named(decided.getLast(), "restored"));
    long passed = orders.stream().filter(Order::passed).count();
    player.say("orders", passed, orders.size() - passed);
    player.say("space");
    Map<String, Object> ledger =
        player.ledger(
            stage.control(),
            (all, counts) -> {
              counts.put("decisions", all.decisions());
              counts.put("cores", all.cores());
            });
    long results = decided.stream().mapToLong(Audit::getResultsCount).sum();
    player.expect(
        Long.valueOf(results).equals(ledger.get("decisions")), "recomputed", results, ledger);
    return ledger;
  }

  private static long sinceMs(long beganNs) {
    return Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
  }
}
