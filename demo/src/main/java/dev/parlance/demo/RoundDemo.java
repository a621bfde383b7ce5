package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Mode;
import dev.parlance.demo.DemoOptions.Output;
import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.RoundScript.Rush;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.Round;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
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
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The demonstration of rounds: a panel of seven agents, two of which lie, decides claims about the
 * licence; then one more turns. Whatever it says is read from the control plane, from the answers
 * that the agents got, and from the ledger.
 */
public final class RoundDemo {
  private final DemoOptions options;
  private final PrintStream out;
  private final PrintStream err;
  private final InputStream in;
  private final RoundNarrator narrator;
  private final List<String> problems = new ArrayList<>();

  /**
   * A demonstration that writes to {@code out} and {@code err} and, if it stays up, ends with
   * {@code in}.
   */
  public RoundDemo(DemoOptions options, PrintStream out, PrintStream err, InputStream in) {
    this.options = options;
    this.out = out;
    this.err = err;
    this.in = in;
    this.narrator = new RoundNarrator(options, text());
    if (options.controlCommand().isEmpty()) {
      throw new IllegalArgumentException("the command that starts a control plane is missing");
    }
  }

  private PrintStream text() {
    return switch (options.output()) {
      case TEXT -> out;
      case JSON -> new PrintStream(OutputStream.nullOutputStream(), false);
    };
  }

  /** Runs it; 0 if every round ended as it had to, 1 if not or if something did not start. */
  public int run() {
    Optional<RoundStage> opened = Optional.empty();
    narrator.starting();
    try {
      RoundStage stage = RoundStage.open(options);
      opened = Optional.of(stage);
      // Ctrl-C and SIGTERM end here; kill -9 ends the children through their standard input.
      Thread hook = new Thread(stage::close, "demo-cleanup");
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        return play(stage);
      } finally {
        stage.close();
        removeHook(hook);
      }
    } catch (IOException e) {
      err.println("demo: " + e.getMessage());
      err.println("demo: logs and configurations are in " + options.workDir());
      opened.ifPresent(stage -> stage.children().forEach(child -> err.println("  " + child.log())));
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("demo: interrupted");
      return 1;
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down already and the hook is doing its work.
      hook.setDaemon(false);
    }
  }

  private int play(RoundStage stage) throws IOException, InterruptedException {
    Encoder encoder = stage.calls().encoder();
    expect(encoder.getState().equals("ready"), "the encoder is " + encoder.getState());
    narrator.cast(stage, encoder);
    List<RoundResult> rounds = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Item item : RoundScript.ITEMS) {
        RoundResult result = round(stage, item, threads);
        rounds.add(result);
        result.differences().forEach(text -> problems.add(item.name() + ": " + text));
        narrator.ended(result);
      }
    }
    List<FinalOrder.Outcome> orders = orders(stage, rounds);
    RoundReport report =
        new RoundReport(encoder.getId(), rounds, orders, ledger(stage, rounds), problems);
    narrator.summary(report);
    if (options.output() == Output.JSON) {
      out.println(json(report));
    }
    narrator.end(problems);
    if (options.mode() == Mode.STAY) {
      narrator.invite(stage);
      awaitEnd();
    }
    return problems.isEmpty() ? 0 : 1;
  }

  private RoundResult round(RoundStage stage, Item item, ExecutorService threads)
      throws IOException, InterruptedException {
    narrator.opened(item);
    Round opened = stage.calls().open(item);
    Mind.Asked asked = new Mind.Asked(opened.getRound(), opened.getEpoch(), item.claim());
    long beganNs = System.nanoTime();
    Map<String, Future<AgentReply>> answers = new LinkedHashMap<>();
    for (RoundStage.Member member : stage.panel()) {
      answers.put(
          member.juror().name(),
          threads.submit(() ->
              member
                  .asked()
                  .send(Juror.question(asked), "ask-" + asked.round() + "-" + asked.epoch())));
    }
    for (Map.Entry<String, Future<AgentReply>> answer : answers.entrySet()) {
      heard(item, answer.getKey(), await(answer.getValue()));
    }
    Round ended = stage.calls().awaitEnd(opened);
    long tookMs = Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
    if (item.rush() == Rush.LATE) {
      Ballot late = stage.minds().rushed(asked, item).getLast();
      Juror rushing = stage.member(RoundScript.RUSHING).juror();
      rushing.send(late.inEpoch(asked.epoch() + 1));
      rushing.send(late);
    }
    List<Cast> casts = new ArrayList<>();
    stage.panel().forEach(member -> casts.addAll(member.juror().casts(item.name())));
    return RoundResult.of(item, ended, casts, tookMs);
  }

  private void heard(Item item, String agent, AgentReply reply) {
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
  private List<FinalOrder.Outcome> orders(RoundStage stage, List<RoundResult> rounds)
      throws IOException, InterruptedException {
    List<FinalOrder.Outcome> outcomes = new ArrayList<>();
    List<RoundResult> semantic =
        rounds.stream().filter(one -> one.kind().equals("semantic_commit")).toList();
    Optional<RoundResult> verdictOnly =
        rounds.stream().filter(one -> one.kind().equals("verdict_commit")).findFirst();
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
    verdictOnly.map(FinalOrder::tooWeak).ifPresent(orders::add);
    String agent = RoundScript.HONEST.getFirst();
    narrator.said(
        "What an outcome is good for: the sidecar of "
            + agent
            + " passes a sentence to be acted on\nonly if a round has decided just that sentence.");
    try (AgentCaller caller = stage.orders(agent)) {
      for (FinalOrder order : orders) {
        FinalOrder.Outcome outcome = order.give(caller);
        outcomes.add(outcome);
        narrator.order(outcome);
        if (!outcome.isAsExpected()) {
          problems.add("order " + order.what() + ": " + outcome.said());
        }
      }
    }
    return outcomes;
  }

  private RoundReport.Ledger ledger(RoundStage stage, List<RoundResult> rounds) throws IOException {
    ControlProcess control = stage.control();
    if (!(VerifierKey.parse(control.ledgerKey()) instanceof Parsed.Ok<VerifierKey>(var key))) {
      throw new IOException("the ledger's key cannot be read: " + control.ledgerKey());
    }
    LedgerAudit.Report report =
        LedgerAudit.check(control.ledger(), key, List.of(), Optional.empty());
    expect(report.sound(), "the ledger is not sound: " + report.format());
    if (report.recomputation().isEmpty()) {
      return new RoundReport.Ledger(false, 0, 0, 0, 0, 0);
    }
    RecomputationReport recomputed = report.recomputation().get();
    RecomputationReport.Rounds counts = recomputed.rounds();
    long outcomes = counts.semanticCommits() + counts.verdictCommits() + counts.aborts();
    expect(
        outcomes == rounds.size(),
        rounds.size() + " rounds have ended, recomputed were " + outcomes);
    return new RoundReport.Ledger(
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
      narrator.said("!! " + otherwise);
    }
  }

  private static String json(RoundReport report) {
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValueAsString(report.toMap());
  }

  private void awaitEnd() throws IOException {
    byte[] ignored = new byte[256];
    while (in.read(ignored) >= 0) {
      // What is typed does not matter; the end of input is the signal.
    }
  }
}
