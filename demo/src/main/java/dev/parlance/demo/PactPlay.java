package dev.parlance.demo;

import dev.parlance.demo.PactPair.Party;
import dev.parlance.demo.PactWire.Carried;
import dev.parlance.demo.SidecarAdmin.DraftVerdict;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Repertoire;
import dev.parlance.demo.api.PactDesk;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.policy.pact.PactEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The demonstration of pacts: one is made, kept, broken and ended in every way that there is.
 * Whatever it says is read from the wire between the sidecars, from the answers that the agents
 * got, from the sidecars' logs and from the ledger.
 */
final class PactPlay {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long POLL_MS = 20;
  private static final String QUESTION = "What does \"Contributor\" mean?";
  private static final String ORDER = "order: Enter this contributor in the register.";
  private static final int PACTS = 4;

  private final DemoStage stage;
  private final Party officer;
  private final Party scholar;
  private final PactNarrator narrator;
  private final Map<String, Object> report = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private int conversations;
  private String last = "";

  PactPlay(DemoStage stage, PactPair pair, PactNarrator narrator) {
    this.stage = stage;
    this.officer = pair.officer();
    this.scholar = pair.scholar();
    this.narrator = narrator;
  }

  /**
   * How a pact was made, and the first message under it.
   *
   * @param pact its id; empty if there is none
   * @param turns what was said on the wire
   * @param roundTrips between the sidecars before the first message
   * @param talkMs from the first of their messages to the last one
   * @param firstMs until the agent had the answer to its first message
   * @param request the first message as it crossed the wire
   */
  record Made(
      String pact,
      List<PactTalk.Turn> turns,
      int roundTrips,
      double talkMs,
      double firstMs,
      Optional<Carried> request) {
    Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("pact", pact);
      members.put("turns", turns);
      members.put("roundTrips", roundTrips);
      members.put("talkMs", talkMs);
      members.put("firstMs", firstMs);
      return members;
    }
  }

  /**
   * What the recomputation of the ledger says.
   *
   * @param sound tree, signatures and all that follows are right
   * @param entries entries on it
   * @param pacts pacts that both parties have signed
   * @param open those of them that have not ended
   */
  record Recomputed(boolean sound, long entries, long pacts, long open) {}

  List<String> problems() {
    return problems;
  }

  /** The pact that was made last. */
  String last() {
    return last;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    try {
      return acts();
    } catch (IOException e) {
      // What went wrong before tells more.
      problems.add(String.valueOf(e.getMessage()));
      throw new IOException(String.join("; ", problems), e);
    }
  }

  private Map<String, Object> acts() throws IOException, InterruptedException {
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

  // ---- how a pact comes about ----

  private Made template() throws IOException {
    Made made = made(officer, scholar, () -> ask(QUESTION));
    long beganNs = System.nanoTime();
    expect(ask(QUESTION) instanceof AgentReply.Answered, "the second question was not answered");
    double nextMs = sinceMs(beganNs);
    expect(
        scholar.wire().taken().stream().noneMatch(Carried::isTalk),
        "the sidecars negotiated again for the second question");
    expect(made.roundTrips() == 1, "a template took " + made.roundTrips() + " round trips");
    expectState(made.pact(), "active");
    narrator.template(made, nextMs);
    report.put("template", made.toMap());
    return made;
  }

  private Made negotiated() throws IOException {
    Made made = made(scholar, officer, this::order);
    int counters = made.turns().stream().mapToInt(PactTalk.Turn::counters).sum();
    int conceded = made.turns().stream().mapToInt(PactTalk.Turn::conceded).sum();
    expect(counters > 1 && conceded > 1, counters + " counters and " + conceded + " concessions");
    expectState(made.pact(), "active");
    narrator.negotiated(made);
    report.put("negotiated", made.toMap());
    return made;
  }

  /** Sends a message that needs a pact, and reads from the wire how that came about. */
  private Made made(Party from, Party to, Sending sending) throws IOException {
    to.wire().taken();
    long beganNs = System.nanoTime();
    AgentReply reply = sending.send();
    double firstMs = sinceMs(beganNs);
    expect(
        reply instanceof AgentReply.Answered,
        "the first message of " + from.name() + " was not answered: " + reply.said());
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
    String pact = request.flatMap(Carried::pact).orElse("");
    if (pact.isEmpty()) {
      // Nothing that follows could be shown.
      throw new IOException("no message went under a pact");
    }
    last = pact;
    return new Made(pact, PactTalk.turns(said), talks.size(), talkMs, firstMs, request);
  }

  /** Sends something to the other agent. */
  @FunctionalInterface
  private interface Sending {
    AgentReply send();
  }

  private AgentReply ask(String question) {
    return ask(question, Map.of(PactScript.FIELD, "the license"));
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

  // ---- how it is kept ----

  /** The message under the pact as it crossed the wire. */
  private Optional<Carried> oversized() throws IOException, InterruptedException {
    scholar.admin().forgetPast();
    scholar.wire().taken();
    AgentReply reply = ask(Repertoire.RAMBLED);
    List<DraftVerdict> drafts = scholar.admin().newDrafts(Integer.MAX_VALUE);
    Optional<Carried> carried =
        scholar.wire().taken().stream().filter(one -> one.pact().isPresent()).findFirst();
    expect(reply instanceof AgentReply.Answered, "the answer was not repaired: " + reply.said());
    expect(
        drafts.size() == 2 && drafts.getFirst().reasons().contains("pact_output"),
        "expected one draft to be sent back for its size, got " + drafts);
    int bytes =
        carried.map(one -> one.answered().getBytes(StandardCharsets.UTF_8).length).orElse(0);
    expect(bytes > 0 && bytes <= PactScript.MAX_KB << 10, bytes + " bytes have arrived");
    narrator.oversized(bytes, drafts.stream().map(DraftVerdict::route).toList());
    report.put("oversized", Map.of("drafts", drafts, "arrivedBytes", bytes));
    return carried;
  }

  private void forbidden(Made made, Optional<Carried> allowed)
      throws IOException, InterruptedException {
    AgentReply own =
        ask(QUESTION, Map.of(PactScript.FIELD, "the license", PactScript.FORBIDDEN, "Ann"));
    expect(
        !(own instanceof AgentReply.Answered) && own.toString().contains("pact_scope"),
        "a field that is not agreed was not stopped: " + own);
    expect(scholar.wire().taken().isEmpty(), "a field that is not agreed has crossed the wire");
    expectState(made.pact(), "active");
    if (allowed.isEmpty()) {
      return; // said already
    }
    String body = withForbidden(allowed.get().sent());
    String strangers = scholar.wire().forge(allowed.get(), body);
    expect(
        strangers.contains("pact_unproven"), "a stranger's message was not stopped: " + strangers);
    expectState(made.pact(), "active");
    Carried proven = allowed.get().rewritten(body, officer.key(), scholar.key().verifier());
    String forged = scholar.wire().forge(proven, body);
    expect(forged.contains("pact_scope"), "the forged message was not stopped: " + forged);
    PactDesk.Standing end = await(made.pact(), PactPlay::isDissolved);
    expectEnd(end, "violated", officer.name());
    awaitAt(officer, made.pact(), "ended");
    narrator.forbidden(end);
    report.put("forbidden", end);
  }

  private static String withForbidden(String body) {
    JsonNode message = JsonMapper.shared().readTree(body);
    for (JsonNode part : message.at("/params/message/parts")) {
      if (part.path("data") instanceof ObjectNode data) {
        data.put(PactScript.FORBIDDEN, "Ann");
      }
    }
    return message.toString();
  }

  // ---- how it ends ----

  private void withdrawal(Made made) throws IOException, InterruptedException {
    officer.wire().taken();
    Optional<String> refused =
        scholar.admin().dissolve(made.pact(), "party_withdrew", PactScript.PERSON);
    expect(refused.isEmpty(), "the withdrawal was refused: " + refused.orElse(""));
    PactDesk.Standing end = await(made.pact(), PactPlay::isDissolved);
    expectEnd(end, "party_withdrew", scholar.name());
    awaitAt(officer, made.pact(), "ended");
    OptionalLong notice = notice(officer.wire().taken());
    expect(
        notice.isPresent() && notice.getAsLong() >= PactScript.NOTICE_MS,
        "the withdrawal gave no notice");
    String late = "";
    if (made.request().isPresent()) {
      late = officer.wire().forge(made.request().get(), made.request().get().sent());
      expect(late.contains("pact_ended"), "a message under an ended pact was not refused: " + late);
    }
    narrator.withdrawn(end, notice.orElse(0));
    report.put("withdrawn", Map.of("end", end, "noticeMs", notice.orElse(0)));
  }

  /** How long before its effect the withdrawal was said, as the wire has it. */
  private static OptionalLong notice(List<Carried> carried) {
    for (Carried one : carried) {
      for (var said : one.said()) {
        if (said.message().body() instanceof PactEvent.Dissolution dissolution
            && dissolution.effectiveMs().isPresent()) {
          return OptionalLong.of(dissolution.effectiveMs().getAsLong() - said.message().atMs());
        }
      }
    }
    return OptionalLong.empty();
  }

  private void disputed() throws IOException, InterruptedException {
    scholar.admin().forgetPast();
    scholar.wire().taken();
    long beganNs = System.nanoTime();
    AgentReply reply = ask(Repertoire.LECTURED);
    Made made = madeOf(scholar.wire().taken(), sinceMs(beganNs));
    List<DraftVerdict> drafts = scholar.admin().newDrafts(Integer.MAX_VALUE);
    expect(!(reply instanceof AgentReply.Answered), "an answer that is too long has arrived");
    expect(
        drafts.size() > 1 && drafts.stream().allMatch(one -> one.reasons().contains("pact_output")),
        "expected every draft to be stopped for its size, got " + drafts);
    await(made.pact(), one -> one.state().equals("in_dispute"));
    AgentReply next = ask(QUESTION);
    expect(
        !(next instanceof AgentReply.Answered) && next.toString().contains("pact_disputed"),
        "a message under a disputed pact was not held: " + next);
    narrator.disputed(made, drafts.size());
    PactDesk.Standing end =
        stage
            .client()
            .pacts()
            .decide(
                made.pact(),
                SignerKey.generate(PactScript.ARBITER, KeyType.ED25519),
                stage.control().attachToken(PactScript.ARBITER),
                scholar.name());
    expectEnd(end, "violated", scholar.name());
    awaitAt(officer, made.pact(), "ended");
    narrator.decided(end);
    report.put("disputed", Map.of("made", made.toMap(), "drafts", drafts, "end", end));
  }

  private void completed() throws IOException, InterruptedException {
    Made made = made(officer, scholar, () -> ask(QUESTION));
    Optional<String> refused =
        officer.admin().dissolve(made.pact(), "work_completed", PactScript.PERSON);
    expect(refused.isEmpty(), "the completion was refused: " + refused.orElse(""));
    PactDesk.Standing end = await(made.pact(), PactPlay::isDissolved);
    expect(end.reason().equals(Optional.of("work_completed")), "a completed pact ended as " + end);
    narrator.completed(made);
    report.put("completed", Map.of("made", made.toMap(), "end", end));
  }

  private void ended() throws IOException {
    List<PactDesk.Kept> kept = stage.client().pacts().kept(PactPair.PARTIES);
    expect(
        kept.size() == 2
            && kept.stream()
                .allMatch(one -> one.scopeHonesty().isPresent() && one.reliability().isPresent()),
        "expected scores of both, got " + kept);
    kept.stream()
        .filter(one -> one.party().equals(officer.name()))
        .forEach(one ->
            expect(
                one.scopeHonesty().orElse(1) < 1, "the forged message is not in the score " + one));
    LedgerAudit.Report audit = stage.control().verifyLedger();
    expect(audit.sound(), "the ledger is not sound: " + audit.format());
    Recomputed ledger =
        audit
            .recomputation()
            .map(one -> of(audit.sound(), one))
            .orElse(new Recomputed(false, 0, 0, 0));
    expect(
        ledger.pacts() == PACTS && ledger.open() == 0,
        "expected " + PACTS + " pacts that have all ended, recomputed were " + ledger);
    narrator.ended(kept, ledger);
    report.put("scores", kept);
    report.put("ledger", ledger);
  }

  private static Recomputed of(boolean sound, RecomputationReport report) {
    return new Recomputed(
        sound, report.entries(), report.pacts().attested(), report.pacts().open());
  }

  // ---- looking ----

  private static boolean isDissolved(PactDesk.Standing pact) {
    return pact.state().equals("dissolved");
  }

  /** Waits until the ledger says so; else it is what the ledger says then. */
  private PactDesk.Standing await(String pact, Predicate<PactDesk.Standing> reached)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      PactDesk.Standing now = stage.client().pacts().pact(pact);
      boolean late = System.nanoTime() - deadlineNs > 0;
      if (reached.test(now) || late) {
        expect(!late, "the ledger has not heard in time of the change of " + now);
        return now;
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** Waits until a sidecar has heard of it. */
  private void awaitAt(Party party, String pact, String state)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!party.admin().pactState(pact).equals(Optional.of(state))) {
      if (System.nanoTime() - deadlineNs > 0) {
        expect(false, "the sidecar of " + party.name() + " has not heard of " + state);
        return;
      }
      Thread.sleep(POLL_MS);
    }
  }

  private void expectState(String pact, String state) throws IOException {
    String is = stage.client().pacts().pact(pact).state();
    expect(is.equals(state), "expected pact " + pact + " to be " + state + ", it is " + is);
  }

  private void expectEnd(PactDesk.Standing end, String reason, String responsible) {
    expect(
        end.reason().equals(Optional.of(reason))
            && end.responsible().equals(Optional.of(responsible)),
        "expected " + reason + " by " + responsible + ", got " + end);
  }

  private static double sinceMs(long beganNs) {
    return (System.nanoTime() - beganNs) / (double) Duration.ofMillis(1).toNanos();
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(otherwise);
      narrator.warn(otherwise);
    }
  }
}
