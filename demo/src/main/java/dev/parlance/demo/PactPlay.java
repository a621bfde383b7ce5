package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parlance.client.ControlClient;
import dev.parlance.demo.PactParties.Party;
import dev.parlance.demo.PactWire.Carried;
import dev.parlance.demo.SidecarAdmin.DraftVerdict;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Role;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PactServiceGrpc.PactServiceBlockingStub;
import dev.parlance.proto.v1.PartyScore;
import dev.parlance.proto.v1.ScorePartiesRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The demonstration of pacts: one is made, kept, broken and ended in every way that there is.
 * Whatever it says is read from the wire between the sidecars, from the answers that the agents
 * got, from the sidecars' logs and from the ledger.
 */
final class PactPlay implements Demo.Play {
  private static final String QUESTION = "What does \"Contributor\" mean?";
  private static final String ORDER = "order: Enter this contributor in the register.";

  /** The person at the sidecars. */
  private static final String PERSON = "ada";

  private final DemoStage stage;
  private final Party officer;
  private final Party scholar;
  private final Player player;
  private final Map<String, Object> report = new LinkedHashMap<>();
  private int conversations;
  private String last = "";

  /**
   * How a pact was made, and the first message under it.
   *
   * @param pact its id
   * @param turns what was said on the wire
   * @param roundTrips between the sidecars before the first message
   * @param talkMs from the first of their messages to the last one
   * @param firstMs until the agent had the answer to its first message
   * @param request the first message as it crossed the wire
   */
  private record Made(
      String pact,
      List<PactTalk.Turn> turns,
      int roundTrips,
      double talkMs,
      double firstMs,
      @JsonIgnore Carried request) {}

  PactPlay(DemoStage stage, Player player) throws IOException, InterruptedException {
    this.stage = stage;
    this.player = player;
    PactParties parties = PactParties.start(stage);
    this.officer = parties.officer();
    this.scholar = parties.scholar();
  }

  private ControlClient.Service<PactServiceBlockingStub> pacts() {
    return stage.control().client().pacts();
  }

  private Pact pact(String id) throws IOException {
    GetPactRequest request = GetPactRequest.newBuilder().setPact(id).build();
    return pacts().ask(stub -> stub.getPact(request));
  }

  @Override
  public Map<String, Object> play() throws IOException, InterruptedException {
    Made first = template();
    Made second = negotiated();
    Optional<Carried> carried = oversized();
    forbidden(first, carried);
    withdrawal(second);
    disputed();
    completed();
    ended();
    return report;
  }

  private Made template() throws IOException {
    Made made = made(officer, scholar, () -> ask(QUESTION));
    long beganNs = System.nanoTime();
    player.expect(ask(QUESTION).answered(), "second");
    double nextMs = sinceMs(beganNs);
    player.expect(scholar.wire().taken().stream().noneMatch(Carried::isTalk), "again");
    player.expect(made.roundTrips() == 1, "trips", made.roundTrips());
    expectState(made.pact(), "active");
    player.say("template");
    player.say(
        "clauses",
        String.join(", ", PactParties.TEMPLATE.predicates().stream().map(p -> p.body()).toList()));
    player.say("pact", made.pact());
    player.say("agreed", made.talkMs(), made.firstMs(), nextMs);
    report.put("template", made);
    return made;
  }

  private Made negotiated() throws IOException {
    Made made = made(scholar, officer, this::order);
    int counters = made.turns().stream().mapToInt(PactTalk.Turn::counters).sum();
    int conceded = made.turns().stream().mapToInt(PactTalk.Turn::conceded).sum();
    player.expect(counters > 1 && conceded > 1, "countered", counters, conceded);
    expectState(made.pact(), "active");
    player.say("counters");
    for (Iterator<PactTalk.Turn> all = made.turns().iterator(); all.hasNext(); ) {
      PactTalk.Turn turn = all.next();
      String key = all.hasNext() ? "turn" : "last";
      String said = String.join("; ", turn.said());
      player.say(key, turn.from(), said, made.roundTrips(), made.talkMs());
    }
    player.say("pact", made.pact());
    report.put("negotiated", made);
    return made;
  }

  /** Sends a message that needs a pact, and reads from the wire how that came about. */
  private Made made(Party from, Party to, Supplier<AgentReply> sending) throws IOException {
    to.wire().taken();
    long beganNs = System.nanoTime();
    AgentReply reply = sending.get();
    double firstMs = sinceMs(beganNs);
    player.expect(reply.answered(), "unanswered", from.name(), reply.said());
    return madeOf(to.wire().taken(), firstMs);
  }

  private Made madeOf(List<Carried> carried, double firstMs) throws IOException {
    List<Carried> talks = carried.stream().filter(Carried::isTalk).toList();
    Optional<Carried> request = carried.stream().filter(one -> one.pact().isPresent()).findFirst();
    List<PactEvent.Message> said =
        talks.stream().flatMap(one -> one.said().stream()).map(one -> one.message()).toList();
    double talkMs =
        talks.isEmpty()
            ? 0
            : (talks.getLast().endedNs() - talks.getFirst().beganNs())
                / (double) Duration.ofMillis(1).toNanos();
    if (request.isEmpty()) {
      // Nothing that follows could be shown.
      throw new IOException("no message went under a pact");
    }
    last = request.get().pact().orElse("");
    return new Made(last, PactTalk.turns(said), talks.size(), talkMs, firstMs, request.get());
  }

  private AgentReply ask(String question) {
    return ask(question, Map.of("topic", "the license"));
  }

  private AgentReply ask(String question, Map<String, Object> data) {
    return officer.toPeer().send(question, data, conversation());
  }

  private AgentReply order() {
    return scholar.toPeer().send(ORDER, conversation());
  }

  private String conversation() {
    return "pact-" + ++conversations;
  }

  /** The message under the pact as it crossed the wire. */
  private Optional<Carried> oversized() throws IOException, InterruptedException {
    scholar.admin().forgetPast();
    scholar.wire().taken();
    AgentReply reply = ask(Role.RAMBLED);
    List<DraftVerdict> drafts = scholar.admin().newDrafts(Integer.MAX_VALUE);
    Optional<Carried> carried =
        scholar.wire().taken().stream().filter(one -> one.pact().isPresent()).findFirst();
    player.expect(reply.answered(), "unrepaired", reply.said());
    player.expect(
        drafts.size() == 2 && drafts.getFirst().reasons().contains("pact_output"),
        "sent-back",
        drafts);
    int bytes =
        carried.map(one -> one.answered().getBytes(StandardCharsets.UTF_8).length).orElse(0);
    player.expect(bytes > 0 && bytes <= PactParties.MAX_KB << 10, "arrived", bytes);
    player.say("too-long");
    player.say("drafts", String.join(", ", drafts.stream().map(DraftVerdict::route).toList()));
    player.say("repaired", bytes / 1024.0);
    report.put("oversized", Map.of("drafts", drafts, "arrivedBytes", bytes));
    return carried;
  }

  private void forbidden(Made made, Optional<Carried> allowed)
      throws IOException, InterruptedException {
    AgentReply own = ask(QUESTION, Map.of("topic", "the license", "reader", "Ann"));
    player.expect(isStopped(own, "pact_scope"), "field", own);
    player.expect(scholar.wire().taken().isEmpty(), "crossed");
    expectState(made.pact(), "active");
    if (allowed.isEmpty()) {
      return; // said already
    }
    String body = allowed.get().sentWith("reader", "Ann");
    String strangers = scholar.wire().forge(allowed.get(), body);
    player.expect(strangers.contains("pact_unproven"), "stranger", strangers);
    expectState(made.pact(), "active");
    Carried proven = allowed.get().rewritten(body, officer.key(), scholar.key().verifier());
    String forged = scholar.wire().forge(proven, body);
    player.expect(forged.contains("pact_scope"), "forged", forged);
    Pact end = await(made.pact(), "dissolved");
    expectEnd(end, "violated", officer.name());
    awaitAt(officer, made.pact(), "ended");
    player.say("forbidden", words(end));
    report.put("forbidden", end);
  }

  private static boolean isStopped(AgentReply reply, String reason) {
    return !reply.answered() && reply.toString().contains(reason);
  }

  private void withdrawal(Made made) throws IOException, InterruptedException {
    officer.wire().taken();
    Optional<String> refused = dissolve(scholar, made.pact(), "party_withdrew");
    player.expect(refused.isEmpty(), "withdraw", refused.orElse(""));
    Pact end = await(made.pact(), "dissolved");
    expectEnd(end, "party_withdrew", scholar.name());
    awaitAt(officer, made.pact(), "ended");
    List<Carried> carried = new ArrayList<>();
    OptionalLong notice =
        DemoStage.until(
            () -> {
              carried.addAll(officer.wire().taken());
              return PactWire.notice(carried);
            },
            OptionalLong::isPresent);
    player.expect(notice.isPresent() && notice.getAsLong() >= PactParties.NOTICE_MS, "notice");
    String late = officer.wire().forge(made.request(), made.request().sent());
    player.expect(late.contains("pact_ended"), "late", late);
    player.say("withdrawal", notice.orElse(0), words(end));
    report.put("withdrawn", Map.of("end", end, "noticeMs", notice.orElse(0)));
  }

  private void disputed() throws IOException, InterruptedException {
    scholar.admin().forgetPast();
    scholar.wire().taken();
    long beganNs = System.nanoTime();
    AgentReply reply = ask(Role.LECTURED);
    Made made = madeOf(scholar.wire().taken(), sinceMs(beganNs));
    List<DraftVerdict> drafts = scholar.admin().newDrafts(Integer.MAX_VALUE);
    player.expect(!reply.answered(), "lecture");
    player.expect(
        drafts.size() > 1 && drafts.stream().allMatch(one -> one.reasons().contains("pact_output")),
        "stopped",
        drafts);
    await(made.pact(), "in_dispute");
    AgentReply next = ask(QUESTION);
    player.expect(isStopped(next, "pact_disputed"), "disputed", next);
    player.say("dispute");
    player.say("pact", made.pact());
    player.say("used-up", made.talkMs(), drafts.size());
    SignerKey arbiter = SignerKey.generate("board", KeyType.ED25519);
    PactStatement.Decision said =
        new PactStatement.Decision(
            made.pact(),
            arbiter.name(),
            Ending.VIOLATED,
            Optional.of(scholar.name()),
            System.currentTimeMillis());
    DecideRequest request =
        DecideRequest.newBuilder().setNote(stage.control().signed(said, arbiter)).build();
    Pact end = pacts().ask(stub -> stub.decide(request));
    expectEnd(end, "violated", scholar.name());
    awaitAt(officer, made.pact(), "ended");
    player.say("decided", words(end));
    report.put("disputed", Map.of("made", made, "drafts", drafts, "end", end));
  }

  private void completed() throws IOException, InterruptedException {
    Made made = made(officer, scholar, () -> ask(QUESTION));
    Optional<String> refused = dissolve(officer, made.pact(), "work_completed");
    player.expect(refused.isEmpty(), "complete", refused.orElse(""));
    Pact end = await(made.pact(), "dissolved");
    player.expect(end.getReason().equals("work_completed"), "work", end);
    player.say("completion");
    player.say("pact", made.pact());
    player.say("completed", made.talkMs());
    report.put("completed", Map.of("made", made, "end", end));
  }

  private void ended() throws IOException, InterruptedException {
    ScorePartiesRequest request =
        ScorePartiesRequest.newBuilder().addAllParties(LicenseTerms.AGENTS).build();
    List<PartyScore> kept = pacts().ask(stub -> stub.scoreParties(request)).getScoresList();
    player.expect(
        kept.size() == 2
            && kept.stream().allMatch(one -> one.hasScopeHonesty() && one.hasReliability()),
        "scored",
        kept);
    for (PartyScore one : kept) {
      player.expect(
          !one.getParty().equals(officer.name())
              || (one.hasScopeHonesty() && one.getScopeHonesty() < 1),
          "honesty",
          one);
    }
    player.say("scores", 4);
    kept.forEach(one ->
        player.say(
            "score",
            one.getParty(),
            one.hasScopeHonesty() ? share(one.getScopeHonesty()) : "unknown",
            one.hasReliability() ? share(one.getReliability()) : "unknown"));
    Map<String, Object> ledger =
        player.ledger(
            stage.control(),
            (all, counts) -> {
              counts.put("pacts", all.pacts().attested());
              counts.put("open", all.pacts().open());
              player.expect(
                  all.pacts().attested() == 4 && all.pacts().open() == 0, "counted", counts);
            });
    report.put("scores", kept);
    report.put("ledger", ledger);
  }

  private static String share(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String words(Pact end) {
    return "dissolved: "
        + (end.hasReason() ? end.getReason() : end.getState())
        + (end.hasResponsible() ? " by " + end.getResponsible() : "");
  }

  /** Waits until the ledger says so; else it is what the ledger says then. */
  private Pact await(String pact, String state) throws IOException, InterruptedException {
    Pact end = DemoStage.until(() -> pact(pact), now -> now.getState().equals(state));
    player.expect(end.getState().equals(state), "unheard", end);
    return end;
  }

  /** Waits until a sidecar has heard of it. */
  private void awaitAt(Party party, String pact, String state)
      throws IOException, InterruptedException {
    boolean heard =
        DemoStage.until(() -> party.admin().pactState(pact), state::equals).equals(state);
    player.expect(heard, "unaware", party.name(), state);
  }

  private void expectState(String pact, String state) throws IOException {
    String is = pact(pact).getState();
    player.expect(is.equals(state), "state", pact, state, is);
  }

  private void expectEnd(Pact end, String reason, String responsible) {
    player.expect(
        end.getReason().equals(reason) && end.getResponsible().equals(responsible),
        "end",
        reason,
        responsible,
        end);
  }

  private static Optional<String> dissolve(Party party, String pact, String reason)
      throws IOException {
    return party.admin().post("/pacts/" + pact + "/dissolve?reason=" + reason, PERSON);
  }

  @Override
  public void invite() {
    player.invite(stage.control(), last);
  }

  private static double sinceMs(long beganNs) {
    return (System.nanoTime() - beganNs) / (double) Duration.ofMillis(1).toNanos();
  }
}
