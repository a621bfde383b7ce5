package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.SecondActReport.Audited;
import dev.parlance.demo.SecondActReport.Phase;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.api.AuditResult;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.record.LedgerAudit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The second act: an audit of the agents' words, orders held against the certified core, drift,
 * revocation and renegotiation. Whatever it says is read from answers, decisions and the ledger.
 */
final class SecondAct {
  /** Which term drifts. */
  static final String DRIFTING = "notice";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long POLL_MS = 10;
  private static final int INSIST = 3;
  private static final String OF_TERM = "term_uncertified";
  private static final String OF_REVOKED = "term_revoked";

  private final DemoStage stage;
  private final AgentPairs.Gated gated;
  private final Orders callers;
  private final SecondActNarrator narrator;

  private final List<Audited> audits = new ArrayList<>();
  private final List<Order.Outcome> orders = new ArrayList<>();
  private final List<Phase> phases = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /** The terms in the core as the audits have decided. */
  private final Set<String> core = new TreeSet<>();

  /**
   * Ways to give orders, through the receiver's sidecar.
   *
   * @param toScholar to A
   * @param toOfficer to B
   */
  private record Orders(AgentCaller toScholar, AgentCaller toOfficer) {}

  SecondAct(DemoStage stage, AgentPairs.Gated gated, SecondActNarrator narrator)
      throws IOException, InterruptedException {
    this.stage = stage;
    this.gated = gated;
    this.narrator = narrator;
    this.callers =
        new Orders(
            stage.caller(gated.scholarSidecar().inboundUrl(), Attachment.ORDERS_PATH, "scholar"),
            stage.caller(gated.officerSidecar().inboundUrl(), Attachment.ORDERS_PATH, "officer"));
  }

  /** Plays it to the end, whatever is not as expected on the way. */
  SecondActReport play() throws IOException, InterruptedException {
    long beganNs = System.nanoTime();
    stage.awaitAttached(LicensePlan.AGENTS);
    stage.client().putPlan();
    narrator.begin(stage.control());
    certify();
    ordersUnderTheCore();
    survey("all is as it was certified");
    drift();
    recertify();
    renegotiate();
    narrator.disagreement(phases);
    SecondActReport.Recomputed ledger = ledger();
    narrator.summary(audits, orders, ledger);
    return new SecondActReport(audits, orders, phases, ledger, sinceMs(beganNs), problems);
  }

  // ---- the audits ----

  private void certify() throws IOException, InterruptedException {
    Audited audited =
        audit(
            AuditResult.Kind.CERTIFY,
            List.of(),
            "Both agents are asked about every term, A in the audit extension, B in plain words.");
    Set<String> refused = new TreeSet<>(terms());
    refused.removeAll(audited.certified());
    expect(
        refused.equals(Set.of("contribution", "trademark use")),
        "expected contribution and trademark use to be refused, were " + refused);
  }

  private void drift() throws IOException, InterruptedException {
    gated.agents().officer().child().tell(List.of("drift=" + DRIFTING));
    narrator.said("B now reads \"" + DRIFTING + "\" otherwise, and nobody is told.");
    survey("B has drifted, the core is the old one");
    expect(order(Order.To.A, Order.CERTIFIED).passed(), "an order failed before recertification");
  }

  private void recertify() throws IOException, InterruptedException {
    Audited audited =
        audit(
            AuditResult.Kind.RECERTIFY,
            List.of(),
            "Recertification: the certified terms on fresh events.");
    expect(
        audited.outcome(DRIFTING).equals("revoked"),
        "expected " + DRIFTING + " to be revoked, was " + audited.outcome(DRIFTING));
    expect(
        audited.certified().size() == audited.audit().terms().size() - 1,
        "expected every other term to be kept, were " + audited.certified());
    narrator.said("The order that passed before is held back at both sidecars:");
    for (Order.To to : Order.To.values()) {
      expect(
          order(to, Order.CERTIFIED).isHeldBack("regenerate", OF_REVOKED),
          "an order with a revoked term was not sent back by the sidecar of " + to);
    }
    narrator.words(orders.getLast());
    survey("after recertification");
  }

  private void renegotiate() throws IOException, InterruptedException {
    Audited audited =
        audit(
            AuditResult.Kind.RENEGOTIATE,
            List.of(DRIFTING),
            "Renegotiation: the use of the agent that has decided more often is offered to the"
                + " other one, then both are tested again.");
    expect(
        audited.outcome(DRIFTING).equals("restored"),
        "expected " + DRIFTING + " to be restored, was " + audited.outcome(DRIFTING));
    narrator.said("The order passes again:");
    for (Order.To to : Order.To.values()) {
      expect(order(to, Order.CERTIFIED).passed(), "a restored term was held back by " + to);
    }
    survey("after renegotiation");
  }

  private Audited audit(AuditResult.Kind kind, List<String> terms, String what)
      throws IOException, InterruptedException {
    narrator.auditBegins(what);
    long beganNs = System.nanoTime();
    AuditResult audit = stage.client().audit(kind, terms, narrator::progress);
    Audited audited = new Audited(audit, sinceMs(beganNs), enforcedAfterMs(audit.coreVersion()));
    audits.add(audited);
    for (AuditResult.Term result : audit.terms()) {
      if (result.inCore()) {
        core.add(result.term());
      } else {
        core.remove(result.term());
      }
    }
    narrator.auditEnds(audited);
    return audited;
  }

  /** Waits until both sidecars hold messages against this version. */
  private Map<String, Long> enforcedAfterMs(long version) throws IOException, InterruptedException {
    Map<String, Long> enforcedMs = new LinkedHashMap<>();
    enforcedMs.put(LicensePlan.SCHOLAR, enforcedMs(gated.admin(), version));
    enforcedMs.put(LicensePlan.OFFICER, enforcedMs(gated.officerAdmin(), version));
    return enforcedMs;
  }

  private static long enforcedMs(SidecarAdmin admin, long version)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<SidecarAdmin.CoreInForce> core = admin.coreInForce();
      if (core.isPresent() && core.get().version() >= version) {
        return core.get().enforcedMs();
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IOException(
            "core version " + version + " did not come into force at " + admin.url("/"));
      }
      Thread.sleep(POLL_MS);
    }
  }

  // ---- the orders ----

  private void ordersUnderTheCore() {
    narrator.said("B orders A with a term that is not certified, and insists:");
    String conversation = Order.conversation();
    for (int i = 1; i <= INSIST; i++) {
      Order.Outcome outcome = order(Order.To.A, Order.UNCERTIFIED, conversation);
      String route = i == INSIST ? "yield" : "regenerate";
      expect(
          outcome.isHeldBack(route, OF_TERM),
          "expected order " + i + " with an uncertified term to get " + route);
      if (i == 1) {
        expect(outcome.answer().contains("contributor"), "the certified alternative was not named");
        narrator.words(outcome);
      }
      if (i == INSIST) {
        expect(outcome.reviewId().isPresent(), "the order is not in the review queue");
        narrator.words(outcome);
      }
    }
    narrator.said("With the certified alternative, and with certified terms, orders pass:");
    expect(order(Order.To.A, Order.ALTERNATIVE).passed(), "the alternative was held back");
    for (Order.To to : Order.To.values()) {
      expect(order(to, Order.CERTIFIED).passed(), "certified terms were held back by " + to);
    }
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
    narrator.order(outcome);
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

  private SecondActReport.Recomputed ledger() throws IOException {
    LedgerAudit.Report report = stage.control().verifyLedger();
    expect(report.sound(), "the ledger is not sound: " + report.format());
    long decided = audits.stream().mapToLong(one -> one.audit().terms().size()).sum();
    long recomputed = report.recomputation().map(one -> one.decisions()).orElse(0L);
    expect(
        recomputed == decided,
        "the audits decided " + decided + " times, recomputed were " + recomputed);
    return new SecondActReport.Recomputed(
        report.sound(),
        report.recomputation().map(one -> one.entries()).orElse(0L),
        recomputed,
        report.recomputation().map(one -> one.cores()).orElse(0L));
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      problems.add("act 2: " + otherwise);
      narrator.warn(otherwise);
    }
  }

  private static long sinceMs(long beganNs) {
    return Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
  }
}
