package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.SecondActReport.Audited;
import dev.parlance.demo.SecondActReport.Phase;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.TermResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The second act: an audit of the agents' words, orders held against the certified core, drift,
 * revocation and renegotiation. Whatever it says is read from answers, decisions and the ledger.
 */
final class SecondAct {
  /** Which term drifts. */
  static final String DRIFTING = "notice";

  private static final int STEPS = 10;
  private static final int BAR_CHARS = 24;
  private static final double PERCENT = 100.0;
  private static final int INSIST = 3;
  private static final String OF_TERM = "term_uncertified";
  private static final String OF_REVOKED = "term_revoked";

  private final DemoStage stage;
  private final AgentPairs.Gated gated;
  private final Orders callers;
  private final Player player;

  private final List<Audited> audits = new ArrayList<>();
  private final List<Order.Outcome> orders = new ArrayList<>();
  private final List<Phase> phases = new ArrayList<>();
  private int stepsShown;

  /** The terms in the core as the audits have decided. */
  private final Set<String> core = new TreeSet<>();

  /**
   * Ways to give orders, through the receiver's sidecar.
   *
   * @param toScholar to A
   * @param toOfficer to B
   */
  private record Orders(AgentCaller toScholar, AgentCaller toOfficer) {}

  SecondAct(DemoStage stage, AgentPairs.Gated gated, Player player)
      throws IOException, InterruptedException {
    this.stage = stage;
    this.gated = gated;
    this.player = player;
    this.callers =
        new Orders(
            stage.caller(gated.scholarSidecar().inboundUrl(), Attachment.ORDERS_PATH, "scholar"),
            stage.caller(gated.officerSidecar().inboundUrl(), Attachment.ORDERS_PATH, "officer"));
  }

  /** Plays it to the end, whatever is not as expected on the way; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    long beganNs = System.nanoTime();
    int before = player.problems().size();
    stage.awaitAttached(LicensePlan.AGENTS);
    stage
        .operator()
        .putPlan(LicenseTerms.words(), LicenseEvents.pool(), LicensePlan.EVENTS_PER_TERM);
    player.say("act2");
    player.say(
        "plan",
        stage.control().grpc(),
        LicensePlan.NAME,
        LicenseTerms.words().size(),
        LicenseEvents.pool().size(),
        LicensePlan.EVENTS_PER_TERM,
        PERCENT * LicensePlan.TAU,
        PERCENT * (1 - LicensePlan.DELTA));
    certify();
    ordersUnderTheCore();
    survey("all is as it was certified");
    drift();
    recertify();
    renegotiate();
    Player.Recomputed ledger = summary();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("audits", audits.stream().map(Audited::toMap).toList());
    report.put("orders", orders);
    report.put("disagreement", phases);
    report.put("ledger", ledger.toMap());
    report.put("tookMs", sinceMs(beganNs));
    report.put("differences", player.problems().stream().skip(before).toList());
    return report;
  }

  // ---- the audits ----

  private void certify() throws IOException, InterruptedException {
    Audited audited = audit(AuditKind.AUDIT_KIND_CERTIFY, List.of(), "certify");
    Set<String> refused = new TreeSet<>(terms());
    refused.removeAll(audited.certified());
    player.expect(refused.equals(Set.of("contribution", "trademark use")), "not-refused", refused);
  }

  private void drift() throws IOException, InterruptedException {
    gated.agents().officer().child().tell(List.of("drift=" + DRIFTING));
    player.say("drift");
    survey("B has drifted, the core is the old one");
    player.expect(order(Order.To.A, Order.CERTIFIED).passed(), "failed");
  }

  private void recertify() throws IOException, InterruptedException {
    Audited audited = audit(AuditKind.AUDIT_KIND_RECERTIFY, List.of(), "recertify");
    String outcome = audited.outcome(DRIFTING);
    player.expect(outcome.equals("revoked"), "not-revoked", outcome);
    player.expect(
        audited.certified().size() == audited.terms().size() - 1, "not-kept", audited.certified());
    player.say("revoked");
    for (Order.To to : Order.To.values()) {
      player.expect(
          order(to, Order.CERTIFIED).isHeldBack("regenerate", OF_REVOKED), "not-back", to);
    }
    words(orders.getLast());
    survey("after recertification");
  }

  private void renegotiate() throws IOException, InterruptedException {
    Audited audited = audit(AuditKind.AUDIT_KIND_RENEGOTIATE, List.of(DRIFTING), "renegotiate");
    String outcome = audited.outcome(DRIFTING);
    player.expect(outcome.equals("restored"), "not-restored", outcome);
    player.say("restored");
    for (Order.To to : Order.To.values()) {
      player.expect(order(to, Order.CERTIFIED).passed(), "still-back", to);
    }
    survey("after renegotiation");
  }

  private Audited audit(AuditKind kind, List<String> terms, String what)
      throws IOException, InterruptedException {
    player.say(what);
    player.piece("  asking ");
    stepsShown = 0;
    long beganNs = System.nanoTime();
    Audit audit = stage.operator().audit(kind, terms, this::progress);
    long tookMs = sinceMs(beganNs);
    Map<String, Long> enforcedMs = new LinkedHashMap<>();
    enforcedMs.put(
        LicensePlan.SCHOLAR, gated.admin().awaitCore(audit.getCoreVersion()).enforcedMs());
    enforcedMs.put(
        LicensePlan.OFFICER, gated.officerAdmin().awaitCore(audit.getCoreVersion()).enforcedMs());
    Audited audited = new Audited(audit, tookMs, enforcedMs);
    audits.add(audited);
    for (TermResult result : audit.getResultsList()) {
      if (Operator.inCore(result.getOutcome())) {
        core.add(result.getTerm());
      } else {
        core.remove(result.getTerm());
      }
    }
    tell(audited);
    return audited;
  }

  /** One dot for each tenth of the questions. */
  private void progress(Audit audit) {
    int done = audit.getAnswered() + audit.getUnanswered();
    int steps = audit.getQuestions() == 0 ? 0 : STEPS * done / audit.getQuestions();
    for (; stepsShown < steps; stepsShown++) {
      player.piece(".");
    }
  }

  private void tell(Audited audited) {
    player.say("audited", audited.audit().getAnswered(), audited.tookMs() / 1000.0);
    for (TermResult term : audited.terms()) {
      double rate =
          term.getEligible() == 0 ? 0 : (double) term.getContradictions() / term.getEligible();
      player.say(
          Operator.inCore(term.getOutcome()) ? "good" : "bad",
          term.getTerm(),
          term.getContradictions(),
          term.getEligible(),
          bar(rate, term.getUpper()),
          PERCENT * term.getUpper(),
          term.getOutcome() + (term.getReason().isEmpty() ? "" : ": " + term.getReason()));
    }
    String inForce =
        new TreeMap<>(audited.enforcedAfterMs())
            .entrySet().stream()
                .map(one ->
                    " "
                        + one.getValue()
                        + " ms after it was issued at the sidecar of "
                        + one.getKey())
                .collect(Collectors.joining(" and"));
    player.say("in-force", audited.audit().getCoreVersion(), inForce);
  }

  /**
   * A bar of which each character stands for one percent: {@code #} contradictions observed, {@code
   * -} up to where the true rate may lie at the confidence asked for, {@code |} the largest rate
   * that is tolerated. What does not fit is cut off.
   */
  private static String bar(double rate, double upper) {
    StringBuilder bar = new StringBuilder();
    int mark = (int) Math.round(PERCENT * LicensePlan.TAU);
    for (int i = 0; i < BAR_CHARS; i++) {
      double percent = i + 0.5;
      bar.append(
          i == mark ? '|' : percent < PERCENT * rate ? '#' : percent < PERCENT * upper ? '-' : ' ');
    }
    return bar.toString();
  }

  // ---- the orders ----

  private void ordersUnderTheCore() {
    player.say("insists");
    String conversation = Order.conversation();
    for (int i = 1; i <= INSIST; i++) {
      Order.Outcome outcome = order(Order.To.A, Order.UNCERTIFIED, conversation);
      String route = i == INSIST ? "yield" : "regenerate";
      player.expect(outcome.isHeldBack(route, OF_TERM), "not-held", i, route);
      if (i == 1) {
        player.expect(outcome.answer().contains("contributor"), "not-named");
        words(outcome);
      }
      if (i == INSIST) {
        player.expect(outcome.reviewId().isPresent(), "not-queued");
        words(outcome);
      }
    }
    player.say("certified");
    player.expect(order(Order.To.A, Order.ALTERNATIVE).passed(), "alternative");
    for (Order.To to : Order.To.values()) {
      player.expect(order(to, Order.CERTIFIED).passed(), "certain", to);
    }
  }

  private void words(Order.Outcome outcome) {
    int from = outcome.answer().indexOf("The term");
    player.say("words", from < 0 ? outcome.answer() : outcome.answer().substring(from));
    outcome.reviewId().ifPresent(id -> player.say("review", id));
  }

  private Order.Outcome order(Order.To to, String text) {
    return order(to, text, Order.conversation());
  }

  private Order.Outcome order(Order.To to, String text, String conversation) {
    Order.Outcome outcome =
        switch (to) {
          case A -> Order.give(callers.toScholar(), to, text, conversation);
          case B -> Order.give(callers.toOfficer(), to, text, conversation);
        };
    orders.add(outcome);
    player.say(
        outcome.passed() ? "passed" : "held",
        to,
        text,
        outcome.route().isEmpty() ? "failed" : outcome.route(),
        String.join(", ", outcome.reasons()));
    return outcome;
  }

  // ---- what it comes to ----

  private void survey(String name) throws IOException, InterruptedException {
    SecondActReport.Survey survey =
        SecondActReport.Survey.of(
            gated.agents(), String.valueOf(phases.size() + 1), stage.options().workDir());
    phases.add(new Phase(name, core.size(), survey.over(terms()), survey.over(core)));
  }

  private static List<String> terms() {
    return LicenseTerms.words().stream().map(LicenseTerms.Word::text).toList();
  }

  private static double share(SecondActReport.Survey.Disagreement of) {
    return of.comparisons() == 0 ? 0 : PERCENT * of.contradictions() / of.comparisons();
  }

  private Player.Recomputed summary() throws IOException {
    player.say("often");
    for (Phase phase : phases) {
      player.say(
          "phase", phase.phase(), share(phase.all()), share(phase.core()), phase.coreTerms());
    }
    Audited first = audits.getFirst();
    player.say(
        "asked",
        first.audit().getAnswered(),
        first.terms().size(),
        first.certified().size(),
        first.named("refused"));
    orders.stream()
        .filter(order -> order.reviewId().isPresent())
        .findFirst()
        .ifPresent(order -> player.say("sent-back", order.text(), order.reviewId().orElse("")));
    player.say(
        "drifted",
        audits.get(1).certified().size(),
        audits.get(1).named("revoked"),
        audits.getLast().named("restored"));
    long passed = orders.stream().filter(Order.Outcome::passed).count();
    player.say("orders", passed, orders.size() - passed);
    player.say("space");
    Player.Recomputed ledger =
        player.ledger(
            stage.control(),
            (all, counts) -> {
              counts.put("decisions", all.decisions());
              counts.put("cores", all.cores());
            });
    long decided = audits.stream().mapToLong(one -> one.terms().size()).sum();
    player.expect(ledger.of("decisions") == decided, "recomputed", decided, ledger.of("decisions"));
    player.say(
        "ledger",
        ledger.of("entries"),
        ledger.sound() ? "sound, every decision follows" : "NOT SOUND",
        ledger.of("decisions"),
        ledger.of("cores"));
    return ledger;
  }

  /** Says what the reader can try while everything stays up. */
  void invite() {
    player.invite(
        stage.control(), String.join("+", LicensePlan.AGENTS) + "/" + LicenseTerms.DOMAIN);
    player.say(
        "curl",
        "an order to A with a term that is not certified",
        "-s",
        gated.scholarSidecar().inboundUrl() + Attachment.ORDERS_PATH,
        FirstAct.request("order: " + Order.UNCERTIFIED));
  }

  private static long sinceMs(long beganNs) {
    return Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
  }
}
