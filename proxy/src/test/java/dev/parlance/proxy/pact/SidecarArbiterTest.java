package dev.parlance.proxy.pact;

import static dev.parlance.proxy.pact.PactVillage.BUYER;
import static dev.parlance.proxy.pact.PactVillage.SELLER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactPolicy.Bound;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.MessageResult;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.pact.PactVillage.Neighbour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two sidecars whose policies find nothing, and the arbiter that both name. */
class SidecarArbiterTest {
  private static final SignerKey BOARD = SignerKey.generate("board", KeyType.ED25519);
  private static final long WITHIN_MS = 600_000;

  @TempDir Path folder;

  private final PactVillage village = new PactVillage(1);
  private final List<byte[]> sent = new ArrayList<>();

  SidecarArbiterTest() {
    village.ledger.keys.put(BOARD.name(), List.of(BOARD.verifier()));
  }

  private static PactRules.Moves policy(
      String peer, int kb, Bound bound, Optional<String> arbiter, Bound ofArbiter) {
    return new PactRules.Moves.ByPolicy(
        new PactPolicy(
            List.of(
                new PactPolicy.Rule(
                    List.of(peer),
                    Set.of(),
                    Set.of(),
                    Set.of("*"),
                    List.of(),
                    PactVillage.predicates("max_kb=" + kb),
                    Map.of("max_kb", List.of(bound)),
                    Set.of(),
                    arbiter.map(name ->
                        new PactPolicy.Arbiter(
                            name, WITHIN_MS, Map.of("max_kb", List.of(ofArbiter))))))));
  }

  private Neighbour buyer() throws IOException {
    return village
    .new Neighbour(
        BUYER,
        folder.resolve("buyer"),
        0,
        policy(
            SELLER, 64, new Bound.AtLeast(32), Optional.of(BOARD.name()), new Bound.AtLeast(20)));
  }

  private Neighbour seller(Optional<String> arbiter) throws IOException {
    return village
    .new Neighbour(
        SELLER,
        folder.resolve("seller"),
        0,
        policy(BUYER, 16, new Bound.AtMost(16), arbiter, new Bound.AtMost(24)));
  }

  private Neighbour seller() throws IOException {
    return seller(Optional.of(BOARD.name()));
  }

  private Outcome obtain(Neighbour buyer, Neighbour seller) {
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(8_000);
    return asked.join();
  }

  private String refused(Neighbour buyer, Neighbour seller) {
    Outcome outcome = obtain(buyer, seller);
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).code();
  }

  /** What is before the arbiter once they have found nothing. */
  private PactCase escalated(Neighbour buyer, Neighbour seller) {
    village.run(1_000);
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    return handed();
  }

  private Pacts.Held agreed(Neighbour buyer, Neighbour seller) {
    Outcome outcome = obtain(buyer, seller);
    assertThat(outcome).isInstanceOf(Outcome.Agreed.class);
    Pacts.Held pact = ((Outcome.Agreed) outcome).pact();
    CompletableFuture<Outcome> admitted =
        seller.pacts.admit(new Pacts.Named(pact.id(), pact.sha256(), pact.signature()));
    village.run(2_000);
    assertThat(admitted.join()).isInstanceOf(Outcome.Agreed.class);
    pact.confirmed();
    return pact;
  }

  private List<PactStatement.Report> handedOver() {
    return village.ledger.statements.stream()
        .filter(PactStatement.Report.class::isInstance)
        .map(PactStatement.Report.class::cast)
        .filter(one -> one.handed().isPresent())
        .toList();
  }

  private PactCase handed() {
    return handedOver().getLast().handed().orElseThrow();
  }

  /** The clauses as they stood, with this size; none without one. */
  private void decide(PactCase of, Optional<Integer> kb, SignerKey by) {
    List<Predicate> terms =
        kb.map(size -> PactVillage.predicates("max_kb=" + size)).orElse(List.of());
    PactStatement.Template said = PactStatement.Template.deciding(of, terms);
    village.ledger.templates.add(
        new String(PactStatementNote.sign(said, by), StandardCharsets.UTF_8));
  }

  @Test
  void whatPoliciesDoNotFind_waitsForTheArbiter_andBecomesThePactOfItsDecision()
      throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    PactCase open = escalated(buyer, seller);
    assertThat(buyer.transitions).contains("negotiation escalated");
    assertThat(open.initiator()).isEqualTo(BUYER);
    assertThat(open.responder()).isEqualTo(SELLER);
    assertThat(open.arbiter()).isEqualTo("board");
    assertThat(handedOver().getLast().escalation().orElseThrow().predicates())
        .extracting(Predicate::category)
        .contains("scope", "output", "termination");
    // What each of them had the clause say last that is in the way.
    assertThat(handedOver().getLast().details())
        .containsExactly(new PactStatement.Detail("q.output", "", "max_kb=32", "max_kb=16"));
    int batches = sent.size();
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    assertThat(sent).hasSize(batches);
    assertThat(handedOver()).hasSize(1);

    decide(open, Optional.of(22), BOARD);
    Pacts.Held pact = agreed(buyer, seller);
    assertThat(pact.id()).isEqualTo(open.pact());
    assertThat(village.ledger.pact(pact.id()).note()).contains("max_kb=22");
  }

  @Test
  void theRequestThatHasLedToTheCase_isHeld_andGoesOnUnderWhatIsDecidedMeanwhile()
      throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    village.run(1_000);
    CompletableFuture<Outcome> first = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(1_000);
    assertThat(handedOver()).hasSize(1);
    CompletableFuture<Outcome> joined = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    int batches = sent.size();
    village.run(1_000);
    assertThat(first).isNotDone();
    assertThat(sent).hasSize(batches);
    decide(handed(), Optional.of(22), BOARD);
    village.run(1_000);
    Pacts.Held pact = ((Outcome.Agreed) first.join()).pact();
    assertThat(((Outcome.Agreed) joined.join()).pact()).isEqualTo(pact);
    assertThat(pact.id()).isEqualTo(handed().pact());
    assertThat(buyer.transitions).contains("negotiation agreed");
  }

  @Test
  void aHeldRequest_isRefused_asSoonAsTheArbiterRefuses_orTheHoldIsOver() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    village.run(1_000);
    CompletableFuture<Outcome> first = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(1_000);
    village.ledger.away = true; // what cannot be asked is no decision
    village.run(2_000);
    assertThat(first).isNotDone();
    village.run(1_000);
    assertThat(((Outcome.Refused) first.join()).code()).isEqualTo("pact_escalated");
    village.ledger.away = false;
    CompletableFuture<Outcome> later = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(100);
    assertThat(((Outcome.Refused) later.join()).code()).isEqualTo("pact_escalated");

    village.run(WITHIN_MS);
    CompletableFuture<Outcome> second = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(1_000);
    decide(handed(), Optional.empty(), BOARD);
    village.run(1_000);
    assertThat(((Outcome.Refused) second.join()).code()).isEqualTo("arbiter_refused");
  }

  @Test
  void aRestartOfBothInBetween_losesNothing() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    escalated(buyer, seller);
    buyer.restart();
    seller.restart();
    village.run(1_000);
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    decide(handed(), Optional.of(22), BOARD);
    buyer.restart();
    seller.restart();
    village.run(1_000);
    assertThat(agreed(buyer, seller).id()).isEqualTo(handed().pact());
    assertThat(handedOver()).hasSize(1);
  }

  @Test
  void aControlPlaneThatIsAway_leavesNothingHalfHandedOver() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    escalated(buyer, seller);
    village.ledger.away = true;
    assertThat(obtain(buyer, seller)).isInstanceOf(Outcome.Unavailable.class);
    decide(handed(), Optional.of(22), BOARD);
    assertThat(obtain(buyer, seller)).isInstanceOf(Outcome.Unavailable.class);
    village.ledger.away = false;
    assertThat(agreed(buyer, seller).id()).isEqualTo(handed().pact());
  }

  @Test
  void anArbiterThatRefuses_endsIt_untilTheTimeIsOver() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    escalated(buyer, seller);
    decide(handed(), Optional.empty(), BOARD);
    assertThat(refused(buyer, seller)).isEqualTo("arbiter_refused");
    village.run(WITHIN_MS);
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    assertThat(handedOver()).hasSize(2);
  }

  @Test
  void anArbiterThatSaysNothing_isAskedAnewAfterItsTime() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    PactCase first = escalated(buyer, seller);
    village.run(WITHIN_MS);
    // What was decided for it counts for nothing now.
    decide(first, Optional.of(22), BOARD);
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    assertThat(handed().pact()).isNotEqualTo(first.pact());
  }

  /** What a sidecar says to a report that its agent's negotiation goes to an arbiter. */
  private PactMessages.Batch asked(Neighbour one, PactStatement.Report said, SignerKey by) {
    CompletableFuture<byte[]> answer =
        one.pacts.negotiate(PartyProof.handingOver(PactStatementNote.sign(said, by)));
    village.run(1_000);
    return ((PactMessages.Reading.Good<PactMessages.Batch>) PactMessages.batch(answer.join()))
        .get();
  }

  private void refuses(Neighbour one, String code, PactStatement.Report said, SignerKey by) {
    PactMessages.Batch answer = asked(one, said, by);
    assertThat(answer.proof()).isEmpty();
    assertThat(answer.refused().orElseThrow().code()).isEqualTo(code);
  }

  private static PactStatement.Report report(PactCase open, List<Predicate> clauses) {
    return PactStatement.Report.escalating(
        open,
        clauses,
        List.of(new PactStatement.Detail("q.output", "", "max_kb=32", "max_kb=16")),
        5);
  }

  @Test
  void aPartySigns_thatItGoesToAnArbiter_onlyWhatItHasNegotiatedItself() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    village.run(1_000);
    SignerKey key = buyer.pacts.keys().getFirst();
    List<Predicate> clauses = PactVillage.predicates("max_kb=20");
    long untilMs = seller.loop.wallMs() + WITHIN_MS;
    refuses(
        seller,
        "case_unknown",
        report(new PactCase("n-none", BUYER, SELLER, "board", "p-none", untilMs), clauses),
        key);

    CompletableFuture<Outcome> first = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(1_000);
    PactCase open = handed();
    List<Predicate> stood = handedOver().getLast().escalation().orElseThrow().predicates();
    assertThat(asked(seller, report(open, stood), key).proof()).isPresent();
    refuses(seller, "case_unknown", report(open, clauses), key);
    refuses(
        seller, "BAD_SIGNATURE", report(open, stood), SignerKey.generate(BUYER, KeyType.ED25519));
    String id = open.negotiation();
    refuses(
        seller,
        "case_unknown",
        report(new PactCase(id, BUYER, SELLER, "board", "p-other", untilMs), stood),
        key);
    refuses(
        seller,
        "case_unknown",
        report(new PactCase(id, BUYER, "org3/x", "board", open.pact(), untilMs), stood),
        key);
    refuses(
        seller,
        "escalation_rejected",
        report(new PactCase(id, BUYER, SELLER, "court", open.pact(), untilMs), stood),
        key);
    refuses(
        seller,
        "escalation_rejected",
        report(new PactCase(id, BUYER, SELLER, "board", open.pact(), 2 * untilMs), stood),
        key);
    SignerKey mallory = SignerKey.generate("mallory", KeyType.ED25519);
    village.ledger.keys.put("mallory", List.of(mallory.verifier()));
    refuses(
        seller,
        "case_unknown",
        report(new PactCase(id, "mallory", SELLER, "board", open.pact(), untilMs), stood),
        mallory);
    village.run(8_000);
    assertThat(((Outcome.Refused) first.join()).code()).isEqualTo("pact_escalated");
    assertThat(handedOver()).hasSize(1);
  }

  private static byte[] says(Neighbour of, PactEvent.Body body) {
    return PactMessages.write(of.loop.wallMs(), of.party, body)
        .canonical()
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The buyer's agent says it in a request, the seller's in the answer to one. */
  private void heard(Neighbour from, Neighbour to, PactEvent.Body body) {
    byte[] json = says(from, body);
    boolean isRequest = from.party.equals(BUYER);
    CompletableFuture<MessageResult> own =
        from.pacts.fromOwnAgent(
            json,
            Optional.empty(),
            isRequest ? Optional.of(to.channel(0, sent)) : Optional.empty());
    village.run(100);
    Optional<String> signature = ((MessageResult.Accepted) own.join()).signature();
    CompletableFuture<MessageResult> others =
        to.pacts.fromPeerAgent(
            json, signature, isRequest ? Optional.empty() : Optional.of(from.channel(0, sent)));
    village.run(100);
    assertThat(others.join()).isInstanceOf(MessageResult.Accepted.class);
  }

  /** Agents that lead the negotiation, and both ask for the arbiter; this one does so last. */
  private void agentsEscalate(Neighbour buyer, Neighbour seller, String last) {
    village.run(1_000);
    heard(
        buyer,
        seller,
        new PactEvent.Invocation("n-agents", BUYER, SELLER, 60_000, 600_000, List.of()));
    heard(
        buyer,
        seller,
        new PactEvent.Proposal(
            "n-agents", PactVillage.predicates("max_kb=64"), OptionalLong.empty()));
    heard(
        seller,
        buyer,
        new PactEvent.Position(
            "n-agents",
            List.of(new PactEvent.Response("q.output", "modify", "", "max_kb=16", "less")),
            OptionalLong.empty()));
    for (Neighbour one : last.equals(BUYER) ? List.of(seller, buyer) : List.of(buyer, seller)) {
      heard(one, one == buyer ? seller : buyer, new PactEvent.Escalation("n-agents"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {BUYER, SELLER})
  void whatAgentsDoNotFind_goesToTheArbiter_andTheNextRequestGoesUnderItsDecision(String last)
      throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    agentsEscalate(buyer, seller, last);
    village.run(2_000);
    assertThat(handedOver()).hasSize(1);
    PactCase open = handed();
    assertThat(open.negotiation()).isEqualTo("n-agents");
    assertThat(handedOver().getLast().escalation().orElseThrow().predicates())
        .extracting(Predicate::body)
        .contains("max_kb=16");
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    decide(open, Optional.of(22), BOARD);
    assertThat(agreed(buyer, seller).id()).isEqualTo(open.pact());
    assertThat(handedOver()).hasSize(1);
  }

  /** Whoever is quicker than the sidecars' own attempt. */
  @Test
  void aRequestRightBehindWhatAgentsHaveEscalated_handsItOverFirst_andIsHeld() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    agentsEscalate(buyer, seller, BUYER);
    CompletableFuture<Outcome> next = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(2_000);
    assertThat(handedOver()).hasSize(1);
    assertThat(handed().negotiation()).isEqualTo("n-agents");
    assertThat(next).isNotDone();
    decide(handed(), Optional.of(22), BOARD);
    village.run(1_500);
    assertThat(((Outcome.Agreed) next.join()).pact().id()).isEqualTo(handed().pact());
    assertThat(handedOver()).hasSize(1);
  }

  @Test
  void aRequestThatHandsOverWhatAgentsHaveEscalated_isHeldForItsTimeOnly() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    agentsEscalate(buyer, seller, BUYER);
    CompletableFuture<Outcome> next = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(5_000);
    assertThat(((Outcome.Refused) next.join()).code()).isEqualTo("pact_escalated");
    assertThat(handedOver()).hasSize(1);
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
  }

  @Test
  void agentsThatEscalate_whereAPolicyNamesNoArbiter_handNothingOver() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller(Optional.empty());
    agentsEscalate(buyer, seller, SELLER);
    village.run(60_000);
    assertThat(handedOver()).isEmpty();
  }

  /** Even where initiator, arbiter and control plane are one. */
  @Test
  void aDecisionOfACaseThatTheOtherSideHasNotSigned_isRefusedByIt() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    village.run(1_000);
    PactCase made =
        new PactCase("n-made", BUYER, SELLER, "board", "p-made", buyer.loop.wallMs() + WITHIN_MS);
    decide(made, Optional.of(22), BOARD);
    PactStatement.Report said = report(made, PactVillage.predicates("max_kb=22"));
    byte[] alone = PactStatementNote.sign(said, buyer.pacts.keys().getFirst());
    SignerKey forged = SignerKey.generate(SELLER, KeyType.ED25519);
    byte[] both =
        PactStatementNote.cosigned(alone, SELLER, PartyProof.sign(said, forged)).orElseThrow();
    for (byte[] note : List.of(alone, both)) {
      village.ledger.reports.put(made, new String(note, StandardCharsets.UTF_8));
      village.ledger.claimed = Optional.of(village.ledger.handed(made, "decided"));
      assertThat(refused(buyer, seller)).isEqualTo("case_unknown");
    }
    byte[] signed =
        PactStatementNote.cosigned(
                alone, SELLER, PartyProof.sign(said, seller.pacts.keys().getFirst()))
            .orElseThrow();
    village.ledger.reports.put(made, new String(signed, StandardCharsets.UTF_8));
    village.ledger.claimed = Optional.of(village.ledger.handed(made, "decided"));
    assertThat(agreed(buyer, seller).id()).isEqualTo("p-made");
  }

  @Test
  void aDecisionThatNobodyUsesInTime_isOfNoUse() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    PactCase first = escalated(buyer, seller);
    decide(first, Optional.of(22), BOARD);
    village.run(WITHIN_MS);
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    assertThat(handed().pact()).isNotEqualTo(first.pact());
    assertThat(village.ledger.pacts).isEmpty();
  }

  @Test
  void aDecisionBeyondTheBoundsOfWhoBegins_isSignedByNobody() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    escalated(buyer, seller);
    decide(handed(), Optional.of(10), BOARD); // the buyer takes 20 at least of it
    assertThat(refused(buyer, seller)).isEqualTo("incompatible_pacts");
    assertThat(refused(buyer, seller)).isNotEqualTo("pact_escalated");
    assertThat(village.ledger.pacts).isEmpty();
  }

  @Test
  void aSideWithoutAnArbiter_leaves_andNothingIsHandedOver() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller(Optional.empty());
    village.run(1_000);
    assertThat(refused(buyer, seller)).isNotEqualTo("pact_escalated");
    assertThat(handedOver()).isEmpty();
    assertThat(village.ledger.pacts).isEmpty();
  }

  @Test
  void aDecisionBeyondTheBoundsForIt_orOfAnotherArbiterThanTheirs_isSignedByNobody()
      throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    escalated(buyer, seller);
    decide(handed(), Optional.of(30), BOARD); // the seller takes 24 at most of it
    assertThat(refused(buyer, seller)).isEqualTo("template_mismatch");
    assertThat(village.ledger.pacts).isEmpty();

    Neighbour other = seller(Optional.of("court"));
    village.run(WITHIN_MS);
    assertThat(refused(buyer, other)).isEqualTo("escalation_rejected");
    assertThat(handedOver()).hasSize(1);
  }

  @Test
  void whatAPartyOrAStrangerSigns_decidesNothing() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    PactCase open = escalated(buyer, seller);
    decide(open, Optional.of(22), SignerKey.generate("board", KeyType.ED25519));
    assertThat(obtain(buyer, seller)).isInstanceOf(Outcome.Unavailable.class);
    village.ledger.templates.removeLast();
    SignerKey mallory = SignerKey.generate("mallory", KeyType.ED25519);
    village.ledger.keys.put("mallory", List.of(mallory.verifier()));
    PactCase taken =
        new PactCase(open.negotiation(), BUYER, SELLER, "mallory", open.pact(), open.untilMs());
    decide(taken, Optional.of(22), mallory);
    // Even if the control plane says so: the policies name another one, and negotiate anew.
    village.ledger.claimed = Optional.of(village.ledger.handed(taken, "decided"));
    assertThat(refused(buyer, seller)).isEqualTo("pact_escalated");
    assertThat(village.ledger.pacts).isEmpty();
  }

  @Test
  void aDecisionForAnotherCase_late_orOnceMore_isRefusedByTheOtherSide() throws IOException {
    Neighbour buyer = buyer();
    Neighbour seller = seller();
    PactCase open = escalated(buyer, seller);
    String signed = Optional.ofNullable(village.ledger.reports.get(open)).orElseThrow();
    decide(open, Optional.of(22), BOARD);
    PactCase forged =
        new PactCase(open.negotiation(), BUYER, SELLER, "board", "p-forged", open.untilMs());
    village.ledger.reports.put(forged, signed);
    village.ledger.claimed = Optional.of(village.ledger.handed(forged, "decided"));
    assertThat(refused(buyer, seller)).isEqualTo("case_unknown");

    village.ledger.claimed = Optional.empty();
    Pacts.Held pact = agreed(buyer, seller);
    village.ledger.claimed = Optional.of(village.ledger.handed(open, "decided"));
    for (Neighbour one : List.of(buyer, seller)) {
      CompletableFuture<?> _ = one.pacts.dissolve(pact.id(), Ending.WORK_COMPLETED);
      village.run(2_000);
    }
    assertThat(village.ledger.pact(pact.id()).state()).isEqualTo("dissolved");
    assertThat(refused(buyer, seller)).isEqualTo("OUT_OF_STATE");

    PactCase longer =
        new PactCase(
            open.negotiation(), BUYER, SELLER, "board", open.pact(), open.untilMs() + WITHIN_MS);
    village.ledger.reports.put(longer, signed);
    village.ledger.claimed = Optional.of(village.ledger.handed(longer, "decided"));
    seller.restart();
    village.run(WITHIN_MS);
    assertThat(refused(buyer, seller)).isEqualTo("case_over");
  }
}
