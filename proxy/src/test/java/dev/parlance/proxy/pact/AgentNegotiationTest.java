package dev.parlance.proxy.pact;

import static dev.parlance.proxy.pact.PactVillage.BUYER;
import static dev.parlance.proxy.pact.PactVillage.SELLER;
import static dev.parlance.proxy.pact.PactVillage.TEMPLATE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.MessageResult;
import dev.parlance.proxy.pact.PactVillage.Moves;
import dev.parlance.proxy.pact.PactVillage.Neighbour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two agents negotiate through their sidecars, which hold equal states; attacks change nothing. */
class AgentNegotiationTest {
  private static final String TALK = "n-1";
  private static final String PACT = "p-1";

  @TempDir Path folder;

  private final PactVillage village = new PactVillage(3);
  private Neighbour buyer = unset();
  private Neighbour seller = unset();

  @SuppressWarnings("NullAway") // set before each test runs
  private static Neighbour unset() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    buyer = village.new Neighbour(BUYER, folder.resolve("buyer"), 0, new Moves(true, 64));
    seller = village.new Neighbour(SELLER, folder.resolve("seller"), 300, new Moves(true, 16));
    village.run(1_000);
  }

  // ---- what agents say ----

  private byte[] message(Neighbour of, PactEvent.Body body) {
    return message(of.loop.wallMs(), of.party, body);
  }

  private static byte[] message(long atMs, String from, PactEvent.Body body) {
    return PactMessages.write(atMs, from, body).canonical().getBytes(UTF_8);
  }

  private MessageResult own(Neighbour of, byte[] said) {
    CompletableFuture<MessageResult> result =
        of.pacts.fromOwnAgent(said, Optional.empty(), Optional.empty());
    village.run(200);
    return result.join();
  }

  private MessageResult others(Neighbour of, byte[] said, Optional<String> signature) {
    CompletableFuture<MessageResult> result =
        of.pacts.fromPeerAgent(said, signature, Optional.empty());
    village.run(200);
    return result.join();
  }

  /** A message of one agent that the other one's sidecar hears; both must take it. */
  private MessageResult.Accepted says(Neighbour from, PactEvent.Body body) {
    byte[] said = message(from, body);
    MessageResult sent = own(from, said);
    assertThat(sent).isInstanceOf(MessageResult.Accepted.class);
    MessageResult.Accepted accepted = (MessageResult.Accepted) sent;
    Neighbour to = from == buyer ? seller : buyer;
    assertThat(others(to, said, accepted.signature())).isInstanceOf(MessageResult.Accepted.class);
    assertThat(state(buyer).phase()).isEqualTo(state(seller).phase());
    assertThat(state(buyer).history()).isEqualTo(state(seller).history());
    assertThat(state(buyer).talks()).isEqualTo(state(seller).talks());
    return accepted;
  }

  private String refused(MessageResult result) {
    assertThat(result).isInstanceOf(MessageResult.Refused.class);
    return ((MessageResult.Refused) result).code();
  }

  private static PactState state(Neighbour of) {
    return of.pacts.talk(TALK).orElseThrow();
  }

  private static PactEvent.Invocation invocation(String... templates) {
    return new PactEvent.Invocation(TALK, BUYER, SELLER, 60_000, 600_000, List.of(templates));
  }

  private static PactEvent.Proposal proposal(List<Predicate> predicates) {
    return new PactEvent.Proposal(TALK, predicates, OptionalLong.empty());
  }

  private static PactEvent.Position accepted(Neighbour by) {
    List<PactEvent.Response> responses = new ArrayList<>();
    state(by)
        .talks()
        .clauses()
        .values()
        .forEach(clause -> {
          if (clause.status() == PactState.Status.PENDING && !clause.owner().equals(by.party)) {
            responses.add(new PactEvent.Response(clause.predicate().id(), "accept", "", "", ""));
          }
        });
    return new PactEvent.Position(TALK, responses, OptionalLong.empty());
  }

  private Ratification ratification(Neighbour of, String pact) {
    if (state(of).signed().isPresent()) {
      Ratification first = state(of).signed().get().terms();
      return new Ratification(
          TALK,
          pact,
          first.predicatesHash(),
          first.history(),
          first.startMs(),
          first.endMs(),
          Map.of());
    }
    long startMs = of.loop.wallMs() + 1_000;
    return new Ratification(
        TALK,
        pact,
        Predicate.hash(state(of).agreed()),
        state(of).history(),
        startMs,
        startMs + 100_000,
        Map.of());
  }

  private void converge() {
    says(buyer, invocation());
    says(buyer, proposal(PactVillage.predicates("max_kb=64")));
    says(seller, accepted(seller));
    assertThat(state(buyer).phase()).isEqualTo(Phase.CONVERGED);
  }

  private void assertNothingChanged(PactState before, Neighbour of) {
    assertThat(state(of)).isEqualTo(before);
    assertThat(village.ledger.pacts).isEmpty();
    assertThat(of.pacts.active()).isZero();
  }

  // ---- agreement ----

  @Test
  void twoAgentsAgree_andThePactIsOnTheLedgerWhenTheLastSignatureIsHeard() {
    converge();
    assertThat(says(seller, ratification(seller, PACT)).signature()).isPresent();
    assertThat(village.ledger.pacts).isEmpty();
    byte[] last = message(buyer, ratification(buyer, PACT));
    MessageResult.Accepted signed = (MessageResult.Accepted) own(buyer, last);
    assertThat(others(seller, last, signed.signature())).isInstanceOf(MessageResult.Accepted.class);

    Pacts.Held ours = buyer.pacts.with(SELLER).orElseThrow();
    Pacts.Held theirs = seller.pacts.of(PACT).orElseThrow();
    assertThat(ours.sha256()).isEqualTo(theirs.sha256());
    assertThat(village.ledger.pact(PACT).sha256()).isEqualTo(ours.sha256());
    assertThat(theirs.standing()).isEqualTo(Pacts.Standing.ACTIVE);
    // The same table as of pacts that sidecars negotiate.
    village.run(5_000);
    assertThat(buyer.pacts.of(PACT)).contains(ours);
    assertThat(buyer.transitions).contains("negotiation agreed");
  }

  @Test
  void aTemplateIsTaken_byTheWordOfTheAgent() {
    says(buyer, invocation(TEMPLATE));
    says(seller, new PactEvent.TemplateChoice(TALK, TEMPLATE, "accept", "fits"));
    assertThat(state(buyer).phase()).isEqualTo(Phase.CONVERGED);
    says(buyer, ratification(buyer, PACT));
    says(seller, ratification(seller, PACT));
    assertThat(village.ledger.pact(PACT).state()).isEqualTo("active");
  }

  @Test
  void aLedgerThatIsAwayMakesNoPact_andTheSameMessageDoesLater() {
    converge();
    says(seller, ratification(seller, PACT));
    byte[] last = message(buyer, ratification(buyer, PACT));
    MessageResult.Accepted signed = (MessageResult.Accepted) own(buyer, last);
    village.ledger.away = true;
    assertThat(others(seller, last, signed.signature()))
        .isInstanceOf(MessageResult.Unavailable.class);
    assertThat(seller.pacts.of(PACT)).isEmpty();
    assertThat(state(seller).phase()).isEqualTo(Phase.RATIFYING);
    village.ledger.away = false;
    assertThat(((MessageResult.Accepted) own(buyer, last)).signature())
        .isEqualTo(signed.signature());
    assertThat(others(seller, last, signed.signature())).isInstanceOf(MessageResult.Accepted.class);
    assertThat(village.ledger.pact(PACT).state()).isEqualTo("active");
  }

  // ---- what is refused, in each phase ----

  @Test
  void whatDoesNotFitThePhase_isRefusedOnBothSides_andChangesNothing() {
    String unknown = "UNKNOWN_NEGOTIATION";
    PactEvent.Proposal proposal = proposal(PactVillage.predicates("max_kb=64"));
    Ratification early = new Ratification(TALK, PACT, "", "", 1, 2, Map.of());
    assertThat(refused(own(buyer, message(buyer, proposal)))).isEqualTo(unknown);
    assertThat(refused(others(seller, message(buyer, proposal), Optional.empty())))
        .isEqualTo(unknown);

    says(buyer, invocation());
    PactState invited = state(seller);
    assertThat(refused(own(seller, message(seller, proposal)))).isEqualTo("OUT_OF_TURN");
    assertThat(refused(own(buyer, message(buyer, early)))).isEqualTo("NOT_CONVERGED");
    assertThat(refused(others(seller, message(buyer, early), Optional.of("AAAA"))))
        .isEqualTo("NOT_CONVERGED");
    assertThat(refused(others(seller, message(buyer, invocation()), Optional.empty())))
        .isEqualTo("OUT_OF_STATE");
    assertNothingChanged(invited, seller);

    says(buyer, proposal);
    PactState open = state(seller);
    byte[] again = message(buyer, proposal);
    assertThat(refused(own(buyer, again))).isEqualTo("OUT_OF_STATE");
    assertThat(refused(others(seller, again, Optional.empty()))).isEqualTo("OUT_OF_STATE");
    assertThat(refused(own(buyer, message(buyer, accepted(seller))))).isEqualTo("OUT_OF_TURN");
    assertThat(
            refused(
                own(
                    buyer,
                    message(
                        buyer,
                        new PactEvent.Dissolution(
                            PACT, "work_completed", Optional.empty(), OptionalLong.empty())))))
        .isEqualTo("OUT_OF_STATE");
    assertNothingChanged(open, seller);
  }

  @Test
  void aRatificationWithoutTheOtherSidecarsSignatureNeverMakesAPact() {
    converge();
    PactState before = state(buyer);
    byte[] said = message(seller, ratification(seller, PACT));
    assertThat(refused(others(buyer, said, Optional.empty()))).isEqualTo("BAD_SIGNATURE");
    assertThat(refused(others(buyer, said, Optional.of("AAAA")))).isEqualTo("BAD_SIGNATURE");
    // A signature over other bytes: of another pact with the same terms.
    MessageResult.Accepted other =
        (MessageResult.Accepted) own(seller, message(seller, ratification(seller, "p-2")));
    assertThat(refused(others(buyer, said, other.signature()))).isEqualTo("BAD_SIGNATURE");
    assertNothingChanged(before, buyer);
  }

  @Test
  void aForgedSenderOrASwappedPartyIsRefused() {
    says(buyer, invocation());
    PactState before = state(seller);
    PactEvent.Proposal proposal = proposal(PactVillage.predicates("max_kb=64"));
    long nowMs = seller.loop.wallMs();
    assertThat(refused(others(seller, message(nowMs, SELLER, proposal), Optional.empty())))
        .isEqualTo("NOT_A_PARTY");
    assertThat(refused(others(seller, message(nowMs, "org3/thief", proposal), Optional.empty())))
        .isEqualTo("NOT_A_PARTY");
    assertThat(refused(own(buyer, message(nowMs, SELLER, proposal)))).isEqualTo("NOT_A_PARTY");
    PactEvent.Invocation swapped =
        new PactEvent.Invocation("n-2", SELLER, BUYER, 60_000, 600_000, List.of());
    assertThat(refused(others(seller, message(nowMs, BUYER, swapped), Optional.empty())))
        .isEqualTo("BAD_PARTIES");
    CompletableFuture<MessageResult> elsewhere =
        buyer.pacts.fromOwnAgent(
            message(
                buyer,
                new PactEvent.Invocation("n-3", BUYER, "org3/thief", 60_000, 600_000, List.of())),
            Optional.of(SELLER),
            Optional.empty());
    village.run(100);
    assertThat(refused(elsewhere.join())).isEqualTo("BAD_PARTIES");
    assertNothingChanged(before, seller);
  }

  @Test
  void aReplayedRatificationIsRefused_andAnIdIsUsedOnce() {
    converge();
    MessageResult.Accepted first = says(buyer, ratification(buyer, PACT));
    says(seller, ratification(seller, PACT));
    byte[] replay = message(seller.loop.wallMs(), BUYER, ratification(buyer, PACT));
    assertThat(refused(others(seller, replay, first.signature()))).isEqualTo("IMMUTABLE");
    village.run(200_000);
    assertThat(refused(others(seller, replay, first.signature()))).isEqualTo("UNKNOWN_NEGOTIATION");
    converge();
    assertThat(refused(own(buyer, message(buyer, ratification(buyer, PACT)))))
        .isEqualTo("OUT_OF_STATE");
    assertThat(village.ledger.pacts).hasSize(1);
  }

  @Test
  void whatThePolicyDoesNotAllowIsNotSigned() {
    buyer.rules =
        new PactRules(
            1_000,
            5_000,
            600_000,
            300_000,
            60_000,
            100,
            Map.of(),
            Optional.empty(),
            Map.of(),
            List.of(),
            Optional.empty(),
            new PactRules.Moves.ByPolicy(
                new PactPolicy(
                    List.of(
                        new PactPolicy.Rule(
                            List.of(SELLER),
                            Set.of(),
                            Set.of(),
                            Set.of(),
                            List.of(),
                            List.of(),
                            Map.of("max_kb", List.of(new PactPolicy.Bound.AtMost(8))))))));
    converge();
    PactState before = state(buyer);
    MessageResult result = own(buyer, message(buyer, ratification(buyer, PACT)));
    assertThat(refused(result)).isEqualTo("NOT_ALLOWED");
    assertThat(((MessageResult.Refused) result).detail()).contains("max_kb");
    assertNothingChanged(before, buyer);
  }

  @Test
  void aMessageThatTheOtherSideRefusesIsAsIfItWasNotSaid() {
    says(buyer, invocation());
    PactState before = state(buyer);
    MessageResult.Accepted accepted =
        (MessageResult.Accepted)
            own(buyer, message(buyer, proposal(PactVillage.predicates("max_kb=64"))));
    buyer.pacts.retract(accepted);
    village.run(10);
    assertThat(state(buyer)).isEqualTo(before);
    says(buyer, proposal(PactVillage.predicates("max_kb=32")));
    // Too late: the other one has spoken since.
    says(seller, accepted(seller));
    buyer.pacts.retract(accepted);
    village.run(10);
    assertThat(state(buyer).phase()).isEqualTo(Phase.CONVERGED);
  }

  @Test
  void timesThatAreApart_orGoBack_areRefused_andTheLimitEndsIt() {
    long nowMs = buyer.loop.wallMs();
    assertThat(refused(own(buyer, message(nowMs + 2_000, BUYER, invocation()))))
        .isEqualTo("CLOCKS_APART");
    assertThat(
            refused(others(seller, message(nowMs - 2_000, BUYER, invocation()), Optional.empty())))
        .isEqualTo("CLOCKS_APART");
    assertThat(
            refused(
                own(
                    buyer,
                    message(
                        buyer,
                        new PactEvent.Invocation(
                            TALK, BUYER, SELLER, 600_001, 600_000, List.of())))))
        .isEqualTo("BAD_LIMITS");
    says(buyer, invocation());
    PactEvent.Proposal proposal = proposal(PactVillage.predicates("max_kb=64"));
    assertThat(refused(own(buyer, message(nowMs - 500, BUYER, proposal))))
        .isEqualTo("CLOCKS_APART");
    village.run(60_500);
    assertThat(refused(own(buyer, message(buyer, proposal)))).isEqualTo("LATE");
    assertThat(state(buyer).phase()).isEqualTo(Phase.WALKED_AWAY);
    village.run(5_000);
    assertThat(buyer.pacts.talk(TALK)).isEmpty();
    assertThat(buyer.transitions).contains("negotiation refused");
  }

  @Test
  void aFloodOfMessagesOrNegotiationsHasAnEnd() {
    says(buyer, invocation());
    says(buyer, proposal(PactVillage.predicates("max_kb=64")));
    String code = "";
    for (int i = 0; i < 2 * AgentSpeaker.MAX_TURNS && code.isEmpty(); i++) {
      MessageResult result = own(buyer, message(buyer, new PactEvent.Escalation(TALK)));
      code = result instanceof MessageResult.Refused(String why, String _) ? why : "";
      village.run(1);
    }
    assertThat(code).isEqualTo("too_many_messages");
    code = "";
    for (int i = 0; i < 2 * Negotiations.MAX_OF_PEER && code.isEmpty(); i++) {
      byte[] another =
          message(
              buyer,
              new PactEvent.Invocation("n-flood-" + i, BUYER, SELLER, 600_000, 600_000, List.of()));
      if (i == 0) {
        assertThat(refused(others(seller, another, Optional.empty()))).isEqualTo("BAD_SIGNATURE");
      }
      Optional<String> signature =
          own(buyer, another) instanceof MessageResult.Accepted accepted
              ? accepted.signature()
              : Optional.empty();
      CompletableFuture<MessageResult> result =
          seller.pacts.fromPeerAgent(another, signature, Optional.empty());
      village.run(100);
      code = result.join() instanceof MessageResult.Refused(String why, String _) ? why : "";
    }
    // The one that was begun above counts, too; the buyer's own side has no room either.
    assertThat(code).isIn("too_many_negotiations", "BAD_SIGNATURE");
  }

  @Test
  void whatIsNoMessageIsRefused() {
    says(buyer, invocation());
    PactState before = state(seller);
    List<Predicate> many = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      many.add(new Predicate("p" + i, "audit", "x"));
    }
    List<byte[]> bad =
        List.of(
            new byte[0],
            "{}".getBytes(UTF_8),
            "[]".getBytes(UTF_8),
            "{\"t\":1,\"t\":2}".getBytes(UTF_8),
            "{\"t\":1.5,\"from\":\"a\",\"type\":\"WALKAWAY\"}".getBytes(UTF_8),
            "{\"t\":-1,\"from\":\"a\",\"type\":\"WALKAWAY\"}".getBytes(UTF_8),
            "{\"type\":\"CLOCK\",\"t\":1}".getBytes(UTF_8),
            message(buyer, proposal(many)),
            message(buyer, proposal(many.subList(0, 201))));
    for (byte[] one : bad) {
      assertThat(refused(own(buyer, one))).isEqualTo("malformed");
      assertThat(refused(others(seller, one, Optional.empty()))).isEqualTo("malformed");
    }
    assertNothingChanged(before, seller);
  }
}
