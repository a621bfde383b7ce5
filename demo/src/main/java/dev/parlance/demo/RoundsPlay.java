package dev.parlance.demo;

import dev.parlance.client.CheckedRound;
import dev.parlance.client.ControlClient;
import dev.parlance.demo.DemoStage.Station;
import dev.parlance.demo.RoundMinds.Item;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.agent.Extensions;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.demo.agent.Moderator;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Talk;
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
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The demonstration of rounds: a panel of seven agents, two of which lie, decides claims about the
 * licence; then one more turns. Whatever it says is read from the control plane, from the answers
 * that the agents got, and from the ledger.
 */
final class RoundsPlay implements Demo.Play {
  private static final int WORDS_CHARS = 66;
  private static final int DIGEST_CHARS = 16;
  private static final int SHORT_MS = 2_500;
  private static final int LONG_MS = 60_000;
  private static final String FORGED =
      "00000000000000000000000000000000000000000000000000000000deadbeef";

  private final DemoStage stage;
  private final Player player;
  private final RoundMinds minds = new RoundMinds(new Moderator());
  private final Map<String, Station> stations;
  private final Map<String, Juror> jurors = new LinkedHashMap<>();
  private final Map<String, AgentCaller> asked = new LinkedHashMap<>();
  private final List<Map<String, Object>> orders = new ArrayList<>();

  /** Starts the panel, a sidecar beside each member, and their moderator. */
  RoundsPlay(DemoStage stage, Player player) throws IOException, InterruptedException {
    this.stage = stage;
    this.player = player;
    player.say("liars");
    RunningAgent moderator = stage.agent("license-moderator", Talk.PLAIN);
    moderator.start(moderator.ownUrl(), minds.moderator());
    List<RunningAgent> agents = new ArrayList<>();
    for (String name : RoundMinds.PANEL) {
      agents.add(stage.agent(name, Talk.PLAIN));
    }
    this.stations = stage.start("panel", "", DemoProcess.SMALLER, agents, name -> Map.of());
    for (Station one : stations.values()) {
      AgentCaller toModerator = stage.caller(Way.to(moderator.ownUrl()).through(one.outbound()));
      Juror juror = new Juror(one.name(), toModerator, minds.of(one.name()));
      one.agent().start(one.url(), juror);
      jurors.put(one.name(), juror);
      asked.put(one.name(), stage.caller(Way.to(one.url())));
    }
  }

  @Override
  public Map<String, Object> play() throws IOException, InterruptedException {
    Encoder encoder = rounds().ask(stub -> stub.getEncoder(GetEncoderRequest.getDefaultInstance()));
    player.expect(encoder.getState().equals("ready"), "unready", encoder.getState());
    player.say(
        "encoder",
        encoder.getId().isEmpty() ? "no encoder" : encoder.getId(),
        encoder.getDim(),
        encoder.getCosMin(),
        Math.toDegrees(Math.acos(encoder.getCosMin())));
    List<RoundResult> rounds = new ArrayList<>();
    for (Item item : RoundMinds.ITEMS) {
      rounds.add(round(item));
      tell(rounds.getLast());
    }
    orders(rounds);
    Map<String, Object> ledger = summary(rounds);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("encoder", encoder.getId());
    report.put("rounds", rounds.stream().map(RoundResult::toMap).toList());
    report.put("orders", orders);
    report.put("ledger", ledger);
    return report;
  }

  private ControlClient.Service<RoundServiceBlockingStub> rounds() {
    return stage.control().client().rounds();
  }

  private RoundResult round(Item item) throws IOException, InterruptedException {
    player.say("opened", item.name(), item.claim(), player.words(item.rush()));
    if (!item.turned().isEmpty()) {
      player.say("turns", item.turned());
    }
    OpenRoundRequest opening =
        OpenRoundRequest.newBuilder()
            .setRound(item.name())
            .addAllMembers(RoundMinds.PANEL)
            .setFaults(RoundMinds.FAULTS)
            .setDeadlineMs(item.silent() ? SHORT_MS : LONG_MS)
            .setSubject(item.claim())
            .build();
    long epoch = rounds().ask(stub -> stub.openRound(opening)).getEpoch();
    Mind.Asked question = new Mind.Asked(item.name(), epoch, item.claim());
    long beganNs = System.nanoTime();
    ask(question);
    GetRoundRequest.Builder which =
        GetRoundRequest.newBuilder().setRound(item.name()).setEpoch(epoch);
    Round ended =
        rounds()
            .ask(stub -> {
              stub.watchRound(which.build()).forEachRemaining(_ -> {});
              return stub.getRound(which.setTexts(true).build());
            });
    long tookMs = Duration.ofNanos(System.nanoTime() - beganNs).toMillis();
    if (item.rush().equals("late")) {
      Ballot late = minds.rushed(question, item).getLast();
      Juror rushing = DemoStage.of(jurors, RoundMinds.RUSHING);
      rushing.send(late.inEpoch(epoch + 1));
      rushing.send(late);
    }
    List<Cast> casts =
        jurors.values().stream().flatMap(one -> one.casts(item.name()).stream()).toList();
    return new RoundResult(item, CheckedRound.of(ended, List.of()), casts, tookMs);
  }

  /** Puts a claim to all at once, and waits until each has answered. */
  private void ask(Mind.Asked question) throws InterruptedException {
    Map<String, Future<AgentReply>> answers = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String conversation = "ask-" + question.round() + "-" + question.epoch();
      asked.forEach((agent, caller) ->
          answers.put(agent, threads.submit(() -> caller.send(question.question(), conversation))));
      for (Map.Entry<String, Future<AgentReply>> one : answers.entrySet()) {
        AgentReply reply = one.getValue().get();
        player.expect(reply.answered(), "unanswered", question.round(), one.getKey(), reply.text());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking an agent failed", e.getCause());
    }
  }

  // ---- what an outcome is good for ----

  /**
   * Orders on a route that asks for a semantic commit: they have to name a round that decided it.
   */
  private void orders(List<RoundResult> rounds) throws IOException, InterruptedException {
    List<RoundResult> semantic = rounds.stream().filter(one -> one.is("semantic_commit")).toList();
    if (semantic.size() < 2) {
      return; // said already: the rounds did not end as they had to
    }
    String agent = RoundMinds.HONEST.getFirst();
    player.say("orders", agent);
    AgentCaller caller = stage.caller(Way.to(DemoStage.of(stations, agent).url()).below("act"));
    RoundResult result = semantic.getFirst();
    RoundResult other = semantic.get(1);
    String text = result.item().claim();
    order(caller, "with the outcome of its round", text, result.outcome(result.digest()), "");
    order(caller, "without any outcome", text, Map.of(), "finality_required");
    order(
        caller, "with a digest that was made up", text, result.outcome(FORGED), "outcome_mismatch");
    order(
        caller,
        "with the outcome of another round",
        text,
        other.outcome(other.digest()),
        "outcome_other_subject");
    for (RoundResult weak : rounds.stream().filter(one -> one.is("verdict_commit")).toList()) {
      order(
          caller,
          "with a commit to the verdict only",
          weak.item().claim(),
          weak.outcome(weak.digest()),
          "finality_insufficient");
    }
  }

  /**
   * Gives an order and waits for what comes back.
   *
   * @param what what is tried, for people
   * @param claim what the order says of a round; empty if nothing
   * @param refusal the code that is expected; empty if the order is to pass
   */
  private void order(
      AgentCaller caller, String what, String text, Map<String, Object> claim, String refusal) {
    String conversation = "final-" + UUID.randomUUID();
    AgentReply reply =
        claim.isEmpty()
            ? caller.send(text, conversation)
            : caller.send(text, conversation, Map.of(Extensions.ROUND, claim));
    String said = reply.said();
    player.say(reply.answered() ? "passed" : "refused", what, Player.cut(said, WORDS_CHARS));
    player.expect(
        reply.answered() == refusal.isEmpty() && (reply.answered() || said.contains(refusal)),
        "other-order",
        what,
        refusal.isEmpty() ? "it to pass" : refusal,
        said);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("what", what);
    members.put("text", text);
    members.put("expected", refusal);
    members.values().removeIf(""::equals);
    members.put("passed", reply.answered());
    members.put("said", said);
    orders.add(members);
  }

  // ---- what is said of it ----

  private static long count(List<RoundResult> rounds, String kind) {
    return rounds.stream().filter(one -> one.is(kind)).count();
  }

  private Map<String, Object> summary(List<RoundResult> rounds)
      throws IOException, InterruptedException {
    player.say("space");
    long wanted =
        rounds.stream()
            .filter(one -> !one.is("abort"))
            .filter(one -> !one.result().getVerdict().equals(one.item().verdict()))
            .count();
    player.say(
        "rounds",
        rounds.size(),
        count(rounds, "semantic_commit"),
        count(rounds, "verdict_commit"),
        count(rounds, "abort"),
        wanted);
    long passed = orders.stream().filter(one -> Boolean.TRUE.equals(one.get("passed"))).count();
    player.say("ordered", passed, orders.size() - passed);
    return player.ledger(
        stage.control(),
        (all, counts) -> {
          counts.put("semanticCommits", all.rounds().semanticCommits());
          counts.put("verdictCommits", all.rounds().verdictCommits());
          counts.put("aborts", all.rounds().aborts());
          counts.put("equivocations", all.rounds().equivocations());
          long outcomes =
              all.rounds().semanticCommits()
                  + all.rounds().verdictCommits()
                  + all.rounds().aborts();
          player.expect(outcomes == rounds.size(), "counted", rounds.size(), outcomes);
        });
  }

  private void tell(RoundResult result) {
    for (String agent : result.round().getMembersList()) {
      List<RoundProposal> proposals =
          result.round().getProposalsList().stream()
              .filter(one -> one.getAgent().equals(agent))
              .toList();
      proposals.forEach(proposal -> tell(result, proposal));
      List<Cast> refused =
          result.casts().stream()
              .filter(cast -> cast.agent().equals(agent) && cast.refused().isPresent())
              .toList();
      for (Cast cast : refused) {
        String why = Player.cut(cast.refused().orElse(""), WORDS_CHARS);
        player.say("refused-late", agent, cast.ballot().verdict(), "", cast.ballot().epoch(), why);
      }
      if (proposals.isEmpty() && refused.isEmpty()) {
        player.say("silent", agent);
      }
    }
    var end = result.result();
    String outcome =
        player.words(
            end.getOutcome(),
            end.getVerdict(),
            end.getReason(),
            end.getSupport(),
            end.getRunnerUp(),
            end.getCoreCount());
    player.say("short", result.item().name(), outcome);
    player.say(
        "ended",
        outcome
            + (result.is("semantic_commit") ? player.words("agreed", end.getMinCos()) : "")
            + (result.is("abort") ? "" : player.words("committed", digest(result.digest())))
            + player.words("took", result.tookMs()));
    result.common().forEach(claim -> player.say("common", claim));
    result
        .apart()
        .forEach(one ->
            player.say(
                "apart",
                one.getOrDefault("agent", ""),
                one.getOrDefault("from", ""),
                one.getOrDefault("kind", "")));
    if (!result.heard().isEmpty()) {
      String[] heard = result.heard().split(" ", -1);
      player.say("heard", heard.length < 3 ? result.heard() : heard[0] + " " + digest(heard[2]));
    }
    for (String difference : result.differences()) {
      player.say("otherwise", difference);
      player.problem(result.item().name() + ": " + difference);
    }
  }

  private void tell(RoundResult result, RoundProposal proposal) {
    String degrees =
        result.checked().degrees(proposal).isPresent()
            ? String.format(
                Locale.ROOT, "%5.1f\u00b0", result.checked().degrees(proposal).getAsDouble())
            : "";
    boolean inCore =
        result.is("semantic_commit") && result.result().getCoreList().contains(proposal.getAgent());
    String mark = !proposal.getStanding().equals("counted") ? "<r>x</>" : inCore ? "<g>*</>" : " ";
    player.say(
        "proposal",
        proposal.getAgent(),
        proposal.getVerdict(),
        degrees,
        player.coloured(mark),
        Player.cut(proposal.getText(), WORDS_CHARS));
  }

  private static String digest(String hex) {
    return hex.substring(0, Math.min(DIGEST_CHARS, hex.length()));
  }

  @Override
  public void invite() {
    player.invite(stage.control(), RoundMinds.ITEMS.getFirst().name());
  }
}
