package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.RoundScript.Rush;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.demo.api.EndedRound;
import dev.parlance.demo.api.OperatorClient.EncoderInfo;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.record.RecomputationReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The demonstration of rounds: a panel of seven agents, two of which lie, decides claims about the
 * licence; then one more turns. Whatever it says is read from the control plane, from the answers
 * that the agents got, and from the ledger.
 */
final class RoundsPlay {
  private final DemoStage stage;
  private final Panel panel;
  private final RoundNarrator narrator;
  private final List<String> problems = new ArrayList<>();

  RoundsPlay(DemoStage stage, Panel panel, RoundNarrator narrator) {
    this.stage = stage;
    this.panel = panel;
    this.narrator = narrator;
  }

  /**
   * What the recomputation of the ledger says.
   *
   * @param sound tree, signatures and all outcomes are right
   * @param entries entries on it
   * @param semanticCommits semantic commits recomputed
   * @param verdictCommits verdict commits recomputed
   * @param aborts aborts recomputed
   * @param equivocations members found to have proposed two different things
   */
  record Recomputed(
      boolean sound,
      long entries,
      long semanticCommits,
      long verdictCommits,
      long aborts,
      long equivocations) {}

  List<String> problems() {
    return problems;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    EncoderInfo encoder = stage.client().encoder();
    expect(encoder.state().equals("ready"), "the encoder is " + encoder.state());
    narrator.cast(encoder);
    List<RoundResult> rounds = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Item item : RoundScript.ITEMS) {
        RoundResult result = round(item, threads);
        rounds.add(result);
        result.differences().forEach(text -> problems.add(item.name() + ": " + text));
        narrator.ended(result);
      }
    }
    List<FinalOrder.Outcome> orders = orders(rounds);
    Recomputed ledger = ledger(rounds);
    narrator.summary(rounds, orders, ledger);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("encoder", encoder.id());
    report.put("rounds", rounds.stream().map(RoundResult::toMap).toList());
    report.put("orders", orders.stream().map(FinalOrder.Outcome::toMap).toList());
    report.put("ledger", ledger);
    return report;
  }

  private RoundResult round(Item item, ExecutorService threads)
      throws IOException, InterruptedException {
    narrator.opened(item);
    long epoch =
        stage
            .client()
            .openRound(
                item.name(),
                RoundScript.panel(),
                RoundScript.FAULTS,
                item.deadlineMs(),
                item.claim());
    Mind.Asked asked = new Mind.Asked(item.name(), epoch, item.claim());
    long beganNs = System.nanoTime();
    Map<String, Future<AgentReply>> answers = new LinkedHashMap<>();
    for (Panel.Member member : panel.members().values()) {
      answers.put(
          member.juror().name(),
          threads.submit(() ->
              member
                  .asked()
                  .send(Juror.question(asked), "ask-" + asked.round() + "-" + asked.epoch())));
    }
    for (Map.Entry<String, Future<AgentReply>> answer : answers.entrySet()) {
      answered(item, answer.getKey(), await(answer.getValue()));
    }
    EndedRound ended = stage.client().awaitEnd(item.name(), epoch);
    long tookMs = Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
    if (item.rush() == Rush.LATE) {
      Ballot late = panel.minds().rushed(asked, item).getLast();
      Juror rushing = panel.member(RoundScript.RUSHING).juror();
      rushing.send(late.inEpoch(asked.epoch() + 1));
      rushing.send(late);
    }
    List<Cast> casts = new ArrayList<>();
    panel.members().values().forEach(member -> casts.addAll(member.juror().casts(item.name())));
    return new RoundResult(item, ended, casts, tookMs, ended.recompute());
  }

  private void answered(Item item, String agent, AgentReply reply) {
    switch (reply) {
      case AgentReply.Answered _ -> {}
      case AgentReply.Withheld withheld ->
          expect(false, item.name() + ": the answer of " + agent + " was held: " + withheld.why());
      case AgentReply.Failed failed ->
          expect(false, item.name() + ": " + agent + " did not answer: " + failed.why());
    }
  }

  private static AgentReply await(Future<AgentReply> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking an agent failed", e.getCause());
    }
  }

  /** What an outcome is good for: orders on a route that asks for a semantic commit. */
  private List<FinalOrder.Outcome> orders(List<RoundResult> rounds)
      throws IOException, InterruptedException {
    List<FinalOrder.Outcome> outcomes = new ArrayList<>();
    List<RoundResult> semantic =
        rounds.stream().filter(one -> one.kind().equals("semantic_commit")).toList();
    if (semantic.size() < 2) {
      return outcomes; // said already: the rounds did not end as they had to
    }
    RoundResult first = semantic.getFirst();
    List<FinalOrder> orders =
        new ArrayList<>(
            List.of(
                FinalOrder.justified(first),
                FinalOrder.bare(first),
                FinalOrder.forged(first),
                FinalOrder.ofAnother(first, semantic.get(1))));
    Optional<RoundResult> verdictOnly =
        rounds.stream().filter(one -> one.kind().equals("verdict_commit")).findFirst();
    verdictOnly.map(FinalOrder::tooWeak).ifPresent(orders::add);
    String agent = RoundScript.HONEST.getFirst();
    narrator.ordersBegin(agent);
    AgentCaller caller =
        stage.caller(
            panel.member(agent).sidecar().inboundUrl(),
            DemoSidecar.DemoSidecarConfig.ACT_PATH,
            agent);
    for (FinalOrder order : orders) {
      FinalOrder.Outcome outcome = order.give(caller);
      outcomes.add(outcome);
      narrator.order(outcome);
      if (!outcome.isAsExpected()) {
        problems.add("order " + order.what() + ": " + outcome.said());
      }
    }
    return outcomes;
  }

  private Recomputed ledger(List<RoundResult> rounds) throws IOException {
    LedgerAudit.Report report = stage.control().verifyLedger();
    expect(report.sound(), "the ledger is not sound: " + report.format());
    if (report.recomputation().isEmpty()) {
      return new Recomputed(false, 0, 0, 0, 0, 0);
    }
    RecomputationReport recomputed = report.recomputation().get();
    RecomputationReport.Rounds counts = recomputed.rounds();
    long outcomes = counts.semanticCommits() + counts.verdictCommits() + counts.aborts();
    expect(
        outcomes == rounds.size(),
        rounds.size() + " rounds have ended, recomputed were " + outcomes);
    return new Recomputed(
        report.sound(),
        recomputed.entries(),
        counts.semanticCommits(),
        counts.verdictCommits(),
        counts.aborts(),
        counts.equivocations());
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(otherwise);
      narrator.warn(otherwise);
    }
  }
}
