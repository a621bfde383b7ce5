package dev.parlance.demo;

import dev.parlance.client.CheckedRound;
import dev.parlance.client.ControlClient;
import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.RoundScript.Rush;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.GetEncoderRequest;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
  private static final int WORDS_CHARS = 66;
  private static final int DIGEST_CHARS = 16;

  private final DemoStage stage;
  private final Panel panel;
  private final Player player;

  RoundsPlay(DemoStage stage, Panel panel, Player player) {
    this.stage = stage;
    this.panel = panel;
    this.player = player;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    Encoder encoder = rounds().ask(stub -> stub.getEncoder(GetEncoderRequest.getDefaultInstance()));
    player.expect(encoder.getState().equals("ready"), "unready", encoder.getState());
    player.say(
        "encoder",
        encoder.getId().isEmpty() ? "no encoder" : encoder.getId(),
        encoder.getDim(),
        encoder.getCosMin(),
        Math.toDegrees(Math.acos(encoder.getCosMin())));
    List<RoundResult> rounds = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Item item : RoundScript.ITEMS) {
        RoundResult result = round(item, threads);
        rounds.add(result);
        tell(result);
      }
    }
    List<FinalOrder.Outcome> orders = orders(rounds);
    Player.Recomputed ledger = summary(rounds, orders);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("encoder", encoder.getId());
    report.put("rounds", rounds.stream().map(RoundResult::toMap).toList());
    report.put("orders", orders.stream().map(FinalOrder.Outcome::toMap).toList());
    report.put("ledger", ledger.toMap());
    return report;
  }

  private RoundResult round(Item item, ExecutorService threads)
      throws IOException, InterruptedException {
    player.say("opened", item.name(), item.claim(), item.rush().words());
    if (!item.turned().isEmpty()) {
      player.say("turns", item.turned());
    }
    OpenRoundRequest opening =
        OpenRoundRequest.newBuilder()
            .setRound(item.name())
            .addAllMembers(RoundScript.panel())
            .setFaults(RoundScript.FAULTS)
            .setDeadlineMs(item.deadlineMs())
            .setSubject(item.claim())
            .build();
    long epoch = rounds().ask(stub -> stub.openRound(opening)).getEpoch();
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
    Round ended = awaitEnd(item.name(), epoch);
    long tookMs = Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
    if (item.rush() == Rush.LATE) {
      Ballot late = panel.minds().rushed(asked, item).getLast();
      Juror rushing = panel.member(RoundScript.RUSHING).juror();
      rushing.send(late.inEpoch(asked.epoch() + 1));
      rushing.send(late);
    }
    List<Cast> casts = new ArrayList<>();
    panel.members().values().forEach(member -> casts.addAll(member.juror().casts(item.name())));
    return new RoundResult(item, CheckedRound.of(ended, List.of()), casts, tookMs);
  }

  private ControlClient.Service<RoundServiceBlockingStub> rounds() {
    return stage.operator().client().rounds();
  }

  /** Follows a round to its end; the last change has the outcome. */
  private Round awaitEnd(String round, long epoch) throws IOException {
    GetRoundRequest.Builder which = GetRoundRequest.newBuilder().setRound(round).setEpoch(epoch);
    return rounds()
        .ask(stub -> {
          stub.watchRound(which.build()).forEachRemaining(_ -> {});
          return stub.getRound(which.setTexts(true).build());
        });
  }

  private void answered(Item item, String agent, AgentReply reply) {
    switch (reply) {
      case AgentReply.Answered _ -> {}
      case AgentReply.Withheld withheld ->
          player.expect(false, "held", item.name(), agent, withheld.why());
      case AgentReply.Failed failed ->
          player.expect(false, "unanswered", item.name(), agent, failed.why());
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
    List<FinalOrder> orders =
        FinalOrder.of(
            semantic.getFirst(),
            semantic.get(1),
            rounds.stream().filter(one -> one.kind().equals("verdict_commit")).findFirst());
    String agent = RoundScript.HONEST.getFirst();
    player.say("orders", agent);
    AgentCaller caller =
        stage.caller(
            panel.member(agent).sidecar().inboundUrl(),
            DemoSidecar.DemoSidecarConfig.ACT_PATH,
            agent);
    for (FinalOrder order : orders) {
      FinalOrder.Outcome outcome = order.give(caller);
      outcomes.add(outcome);
      player.say(
          outcome.passed() ? "passed" : "refused",
          order.what(),
          Player.cut(outcome.said(), WORDS_CHARS));
      if (!outcome.isAsExpected()) {
        player.say("otherwise", "expected " + order.expected().orElse("it to pass"));
        player.problem("order " + order.what() + ": " + outcome.said());
      }
    }
    return outcomes;
  }

  private Player.Recomputed summary(List<RoundResult> rounds, List<FinalOrder.Outcome> orders)
      throws IOException {
    player.say("space");
    player.say(
        "rounds",
        rounds.size(),
        number(count(rounds, "semantic_commit"), "semantic commit"),
        number(count(rounds, "verdict_commit"), "verdict commit"),
        number(count(rounds, "abort"), "abort"),
        number(rounds.stream().filter(RoundResult::isWhatTheLiarsWanted).count(), "commit"));
    long passed = orders.stream().filter(FinalOrder.Outcome::passed).count();
    player.say("ordered", passed, orders.size() - passed);
    Player.Recomputed ledger =
        player.ledger(
            stage.control(),
            (all, counts) -> {
              counts.put("semanticCommits", all.rounds().semanticCommits());
              counts.put("verdictCommits", all.rounds().verdictCommits());
              counts.put("aborts", all.rounds().aborts());
              counts.put("equivocations", all.rounds().equivocations());
            });
    long outcomes =
        ledger.of("semanticCommits") + ledger.of("verdictCommits") + ledger.of("aborts");
    player.expect(outcomes == rounds.size(), "counted", rounds.size(), outcomes);
    player.say(
        "ledger",
        ledger.of("entries"),
        ledger.sound() ? "sound, every outcome follows" : "NOT SOUND",
        outcomes,
        number(ledger.of("equivocations"), "equivocation"));
    return ledger;
  }

  private static String number(long count, String what) {
    return (count == 0 ? "no" : count) + " " + what + (count == 1 ? "" : "s");
  }

  private static long count(List<RoundResult> rounds, String kind) {
    return rounds.stream().filter(one -> one.kind().equals(kind)).count();
  }

  private void tell(RoundResult result) {
    for (String agent : result.round().getMembersList()) {
      List<RoundProposal> proposals = result.proposalsOf(agent);
      proposals.forEach(proposal -> tell(result, agent, proposal));
      List<Cast> refused =
          result.casts().stream()
              .filter(cast -> cast.agent().equals(agent) && cast.refused().isPresent())
              .toList();
      for (Cast cast : refused) {
        String why = Player.cut(cast.refused().orElse(""), WORDS_CHARS);
        player.say("late", agent, cast.ballot().verdict(), "", cast.ballot().epoch(), why);
      }
      if (proposals.isEmpty() && refused.isEmpty()) {
        player.say("silent", agent);
      }
    }
    player.say("ended", outcome(result));
    player.say("short", result.item().name(), outcome(result));
    result
        .heard()
        .ifPresent(
            heard -> player.say("heard", (heard.kind() + " " + digest(heard.digest())).strip()));
    for (String difference : result.differences()) {
      player.say("otherwise", difference);
      player.problem(result.item().name() + ": " + difference);
    }
  }

  private void tell(RoundResult result, String agent, RoundProposal proposal) {
    String degrees =
        result.checked().degrees(proposal).isPresent()
            ? String.format(
                Locale.ROOT, "%5.1f\u00b0", result.checked().degrees(proposal).getAsDouble())
            : "";
    boolean inCore = result.kind().equals("semantic_commit") && result.isInCore(agent);
    String mark = !proposal.getStanding().equals("counted") ? "<r>x</>" : inCore ? "<g>*</>" : " ";
    player.say(
        "proposal",
        agent,
        proposal.getVerdict(),
        degrees,
        player.coloured(mark),
        Player.cut(proposal.getText(), WORDS_CHARS));
  }

  private String outcome(RoundResult result) {
    var end = result.result();
    String count = end.getSupport() + " to " + end.getRunnerUp();
    boolean commits = !result.kind().equals("abort");
    String words =
        player.words(
            result.kind(), commits ? end.getVerdict() : end.getReason(), count, end.getCoreCount());
    if (!player.detailed()) {
      return words;
    }
    return words
        + (result.kind().equals("semantic_commit")
            ? String.format(Locale.ROOT, " (*), least cosine %.3f", end.getMinCos())
            : "")
        + (commits ? ", digest " + digest(result.digest()) : "")
        + ", after "
        + result.tookMs()
        + " ms";
  }

  private static String digest(String hex) {
    return hex.substring(0, Math.min(DIGEST_CHARS, hex.length()));
  }
}
