package dev.parlance.proxy.pact;

import static dev.parlance.proxy.pact.PactVillage.BUYER;
import static dev.parlance.proxy.pact.PactVillage.SELLER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.pact.PactVillage.Moves;
import dev.parlance.proxy.pact.PactVillage.Neighbour;
import dev.parlance.service.Result;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sidecars negotiate, admit, end; attacks are refused and change nothing. */
class SidecarPactsTest {
  @TempDir Path folder;

  private final PactVillage village = new PactVillage(1);
  private static final int FLOOD = 10_000;

  private final List<byte[]> sent = new ArrayList<>();

  private Neighbour buyer(PactVillage in, Moves moves) throws IOException {
    return in.new Neighbour(BUYER, folder.resolve("buyer"), 0, moves);
  }

  private Neighbour seller(PactVillage in, long offsetMs) throws IOException {
    return in.new Neighbour(SELLER, folder.resolve("seller"), offsetMs, new Moves(true, 16));
  }

  private Outcome obtain(Neighbour buyer, Neighbour seller) {
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(2_000);
    return asked.join();
  }

  private static Pacts.Held agreed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Agreed.class);
    return ((Outcome.Agreed) outcome).pact();
  }

  private Outcome admit(Neighbour seller, Pacts.Held pact, Optional<String> signature) {
    return admit(seller, new Pacts.Named(pact.id(), pact.sha256(), signature));
  }

  private Outcome admit(Neighbour seller, Pacts.Named named) {
    CompletableFuture<Outcome> asked = seller.pacts.admit(named);
    village.run(2_000);
    return asked.join();
  }

  private String refused(Neighbour seller, byte[] body) {
    CompletableFuture<byte[]> answer = seller.pacts.negotiate(body);
    village.run(1_000);
    Batch batch = ((Reading.Good<Batch>) PactMessages.batch(answer.join())).get();
    return batch.refused().map(PactMessages.Refusal::code).orElse("");
  }

  @Test
  void aTemplateCostsOneRoundTripAndBothHoldTheSameNote() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 400);
    village.run(1_000);

    Pacts.Held pact = agreed(obtain(buyer, seller));
    assertThat(sent).hasSize(1);
    assertThat(seller.pacts.of(pact.id())).isEmpty();
    Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));

    assertThat(theirs.sha256()).isEqualTo(pact.sha256());
    assertThat(theirs.standing()).isEqualTo(Pacts.Standing.ACTIVE);
    assertThat(pact.standing()).isEqualTo(Pacts.Standing.ACTIVE);
    assertThat(village.ledger.pact(pact.id()).sha256()).isEqualTo(pact.sha256());
    assertThat(buyer.pacts.with(SELLER)).contains(pact);
    assertThat(seller.pacts.with(BUYER)).isEmpty();
    pact.confirmed();
    assertThat(pact.signature()).isEmpty();
    assertThat(agreed(obtain(buyer, seller))).isEqualTo(pact);
    assertThat(sent).hasSize(1);
  }

  @Test
  void positionsConvergeOnWhatTheResponderAllows() throws IOException {
    Neighbour buyer = buyer(village, new Moves(false, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);

    Pacts.Held pact = agreed(obtain(buyer, seller));
    Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));

    PactDocument document =
        ((PactNote.Reading.Good)
                PactNote.unverified(
                    village.ledger.pact(theirs.id()).note().getBytes(StandardCharsets.UTF_8)))
            .document();
    assertThat(document.terms())
        .contains(new PactDocument.Term.Open(new Predicate("q.output", "output", "max_kb=16")));
  }

  private static PactRules.Moves.ByPolicy policy(
      String peer, double mostKb, List<Predicate> propose) {
    return new PactRules.Moves.ByPolicy(
        new PactPolicy(
            List.of(
                new PactPolicy.Rule(
                    List.of(peer),
                    Set.of(),
                    Set.of(),
                    Set.of("*"),
                    List.of(),
                    propose,
                    Map.of("max_kb", List.of(new PactPolicy.Bound.AtMost(mostKb)))))));
  }

  @Test
  void policiesFindWhatBothAllowAndAStrangerIsDeclined() throws IOException {
    Neighbour buyer =
        village
        .new Neighbour(
            BUYER,
            folder.resolve("buyer"),
            0,
            policy(SELLER, 64, PactVillage.predicates("max_kb=64")));
    Neighbour seller =
        village
        .new Neighbour(
            SELLER,
            folder.resolve("seller"),
            0,
            policy(BUYER, 16, PactVillage.predicates("max_kb=16")));
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));
    assertThat(village.ledger.pact(theirs.id()).note()).contains("max_kb=16");

    Neighbour stranger =
        village
        .new Neighbour(
            "org9/stranger",
            folder.resolve("stranger"),
            0,
            policy(SELLER, 64, PactVillage.predicates("max_kb=64")));
    village.run(1_000);
    assertThat(obtain(stranger, seller)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void nobodyThereIsToldFromARefusalAndFromSilence() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    village.run(1_000);
    CompletableFuture<Outcome> nobody =
        buyer.pacts.obtain(SELLER, _ -> CompletableFuture.completedFuture(Optional.empty()));
    village.run(1_000);
    assertThat(nobody.join()).isInstanceOf(Outcome.NoPeer.class);
    CompletableFuture<Outcome> silent = buyer.pacts.obtain(SELLER, _ -> new CompletableFuture<>());
    village.run(10_000);
    assertThat(silent.join()).isInstanceOf(Outcome.Unavailable.class);
    CompletableFuture<Outcome> off =
        buyer.pacts.obtain(SELLER, body -> Pacts.NONE.negotiate(body).thenApply(Optional::of));
    village.run(1_000);
    assertThat(off.join())
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pacts_off"));
  }

  @Test
  void clocksTwoSecondsApartAreRefused() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 2_000);
    village.run(1_000);
    assertThat(obtain(buyer, seller))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("CLOCKS_APART"));
    assertThat(seller.pacts.active()).isZero();
  }

  /** Sends each batch after the next of these times. */
  private Pacts.Channel slowly(Neighbour to, Long... delaysMs) {
    List<Long> delays = new ArrayList<>(List.of(delaysMs));
    Pacts.Channel wire = to.channel(0, sent);
    return body -> {
      CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
      village.later(
          delays.size() > 1 ? delays.removeFirst() : delays.getFirst(),
          () -> {
            CompletableFuture<?> _ = wire.send(body).thenAccept(answer::complete);
          });
      return answer;
    };
  }

  @Test
  void anInvitationThatWasSlowOnItsWayIsSentOnceMore() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, slowly(seller, 1_500L, 1L));
    village.run(3_000);
    Pacts.Held pact = agreed(asked.join());
    assertThat(sent).hasSize(2);
    agreed(admit(seller, pact, pact.signature()));
  }

  @Test
  void aWayThatIsAlwaysSlowIsTriedTwice() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, slowly(seller, 1_500L));
    village.run(4_500);
    assertThat(asked.join())
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("CLOCKS_APART"));
    assertThat(sent).hasSize(2);
  }

  @Test
  void whatAReceiverWaitsForAfterwardsIsNoDifferenceOfClocks() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 900);
    village.run(1_000);
    Pacts.Channel wire = seller.channel(0, sent);
    CompletableFuture<Outcome> asked =
        buyer.pacts.obtain(
            SELLER,
            body -> {
              // Its templates, and their author's key, are at a control plane that takes its time.
              village.ledger.slowMs = 1_200;
              return wire.send(body);
            });
    village.run(4_900);
    village.ledger.slowMs = 0;
    agreed(asked.join());
    assertThat(sent).hasSize(1);
  }

  private static PactRules atMost(int pacts, PactRules rules) {
    return with(pacts, rules.pins(), rules);
  }

  private static PactRules with(int pacts, Map<String, Set<String>> pins, PactRules rules) {
    return new PactRules(
        rules.clockSkewMs(),
        rules.timeoutMs(),
        rules.maxDurationMs(),
        rules.validityMs(),
        rules.completeAfterIdleMs(),
        pacts,
        rules.peerKeys(),
        rules.templatesDir(),
        pins,
        rules.schemas(),
        rules.schemasDir(),
        rules.moves());
  }

  @Test
  void aPactThatIsMadeForAnotherThatIsUsedUp_namesIt() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held first = agreed(obtain(buyer, seller));
    agreed(admit(seller, first, first.signature()));
    first.confirmed();
    buyer.pacts.usedUp(first);
    Pacts.Held second = agreed(obtain(buyer, seller));
    agreed(admit(seller, second, second.signature()));
    assertThat(village.ledger.pact(second.id()).note())
        .contains("\"replaces\":\"" + first.id() + "\"");
    assertThat(village.ledger.pact(first.id()).note()).doesNotContain("replaces");
  }

  @Test
  void aTemplateWhoseTextThePolicyPins_isNoOtherText() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    buyer.rules = with(100, Map.of(PactVillage.TEMPLATE, Set.of("0".repeat(64))), buyer.rules);
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(5_000);
    agreed(asked.join());
    assertThat(new String(sent.getFirst(), StandardCharsets.UTF_8))
        .doesNotContain(PactVillage.TEMPLATE);
    assertThat(buyer.pacts.with(SELLER)).isPresent();
  }

  @Test
  void aTemplateThatIsPinned_countsWhateverKeyItsAuthorHasNow() throws IOException {
    village.ledger.keys.remove(village.author.name());
    byte[] note = village.ledger.templates.getFirst().getBytes(StandardCharsets.UTF_8);
    String sha256 =
        ((PactStatementNote.Reading.Good) PactStatementNote.unverified(note)).textSha256();
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    for (Neighbour one : List.of(buyer, seller)) {
      one.rules = with(100, Map.of(PactVillage.TEMPLATE, Set.of(sha256)), one.rules);
    }
    village.run(1_000);
    agreed(obtain(buyer, seller));
    assertThat(sent).hasSize(1);
    assertThat(new String(sent.getFirst(), StandardCharsets.UTF_8)).contains(sha256);
  }

  @Test
  void aTemplateIsItsAuthorsByTheKeyThatCountedWhenItWasPublished() throws IOException {
    SignerKey rotated = SignerKey.generate(village.author.name(), KeyType.ED25519);
    village.ledger.keys.put(village.author.name(), List.of(rotated.verifier()));
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    agreed(obtain(buyer, seller));
    assertThat(new String(sent.getFirst(), StandardCharsets.UTF_8)).contains(PactVillage.TEMPLATE);
  }

  @Test
  void aPrivateClauseIsHeldToByBoth_andOnTheLedgerIsItsHash_alsoAfterARestart() throws IOException {
    Neighbour buyer = buyer(village, new Moves(false, 64, Set.of("q.output", "q.scope")));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held asks = agreed(obtain(buyer, seller));
    Pacts.Held gives = agreed(admit(seller, asks, asks.signature()));
    assertThat(asks.sha256()).isEqualTo(gives.sha256());
    String note = village.ledger.pact(asks.id()).note();
    assertThat(note).contains("level=high").doesNotContain("max_kb").doesNotContain("fields=");
    for (Pacts.Held one : List.of(asks, gives)) {
      assertThat(one.check().asks(PactTerms.Key.MAX_KB)).isTrue();
      assertThat(one.check().asks(PactTerms.Key.FIELDS)).isTrue();
    }
    buyer.restart();
    village.run(1_000);
    assertThat(buyer.pacts.of(asks.id()).orElseThrow().check().asks(PactTerms.Key.MAX_KB)).isTrue();
  }

  @Test
  void aPrivateClauseOfWhatTheLedgerDecides_isNotSigned() throws IOException {
    Neighbour buyer = buyer(village, new Moves(false, 64, Set.of("q.termination")));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    assertThat(obtain(buyer, seller))
        .isInstanceOf(Outcome.Refused.class)
        .extracting(one -> ((Outcome.Refused) one).code())
        .isEqualTo("pact_malformed");
  }

  @Test
  void whoHasNoRoomForAnotherPactAsksForNoneAndTakesNone_untilOneHasEnded() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    buyer.rules = atMost(1, buyer.rules);
    seller.rules = atMost(1, seller.rules);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
    int before = sent.size();
    CompletableFuture<Outcome> second = buyer.pacts.obtain("org3/other", seller.channel(0, sent));
    village.run(100);
    assertThat(second.join())
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("too_many_pacts"));
    assertThat(sent).hasSize(before);
    assertThat(refused(seller, invitation(seller, 7))).isEqualTo("too_many_pacts");
    assertThat(seller.pacts.active()).isOne();
    // The one that holds is not dropped for another one.
    assertThat(pact.standing()).isEqualTo(Pacts.Standing.ACTIVE);

    CompletableFuture<?> _ = buyer.pacts.dissolve(pact.id(), Ending.PARTY_WITHDREW);
    village.run(5_000);
    assertThat(seller.pacts.active()).isZero();
    assertThat(refused(seller, invitation(seller, 8))).isEmpty();
    agreed(obtain(buyer, seller));
  }

  @Test
  void onePartyHasAShareOfTheRoom_andLeavesTheRestToOthers() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour other =
        village.new Neighbour("org3/other", folder.resolve("other"), 0, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    seller.rules = atMost(8, seller.rules);
    village.run(1_000);
    for (int i = 0; i < 2; i++) {
      Pacts.Held pact = agreed(obtain(buyer, seller));
      agreed(admit(seller, pact, pact.signature()));
      buyer.pacts.usedUp(pact);
    }
    assertThat(obtain(buyer, seller))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("too_many_pacts"));
    Pacts.Held theirs = agreed(obtain(other, seller));
    agreed(admit(seller, theirs, theirs.signature()));
  }

  @Test
  void pactsThatNobodyKnows_areAskedForWithinABound_andHoldUpNoneThatWasNegotiated()
      throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(seller.pacts.admit(new Pacts.Named("p-" + i, "0".repeat(64), Optional.of("AAAA"))));
    }
    agreed(admit(seller, pact, pact.signature()));
    village.run(2_000);
    assertThat(all)
        .filteredOn(one -> one.join() instanceof Outcome.Unavailable)
        .hasSize(1_000 - PolicySpeaker.MAX_ASKED_ABOUT);
    assertThat(admit(seller, new Pacts.Named("p-1", "0".repeat(64), Optional.empty())))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_unknown"));
  }

  @Test
  void aPactOnTheLedgerIsNotTakenUpWhereThereIsNoRoom() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held old = agreed(obtain(buyer, seller));
    agreed(admit(seller, old, old.signature()));
    buyer.pacts.forget(old);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
    // Another folder: it knows neither, and has room for one.
    Files.createDirectory(folder.resolve("o"));
    Files.copy(
        folder.resolve("seller").resolve(PartyKey.FILE_NAME),
        folder.resolve("o").resolve(PartyKey.FILE_NAME),
        StandardCopyOption.COPY_ATTRIBUTES);
    Neighbour other = village.new Neighbour(SELLER, folder.resolve("o"), 0, new Moves(true, 16));
    other.rules = atMost(1, other.rules);
    village.run(1_000);
    agreed(admit(other, old, Optional.empty()));
    assertThat(admit(other, pact, Optional.empty()))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("too_many_pacts"));
  }

  /** How long a negotiation may be stands in the template: who has another number has another. */
  @Test
  void aTemplateWithAnotherMostOfCountersIsAnotherTemplate() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    village.run(1_000);
    List<byte[]> invitations = new ArrayList<>();
    CompletableFuture<Outcome> asked =
        buyer.pacts.obtain(
            SELLER,
            body -> {
              invitations.add(body);
              return new CompletableFuture<>();
            });
    village.run(200);
    village.ledger.templates.clear();
    village.ledger.templates.add(village.template(2, OptionalInt.of(3), "max_kb=64"));
    Neighbour seller = seller(village, 0);
    village.run(500);
    assertThat(refused(seller, invitations.getFirst())).isEqualTo("TEMPLATE_UNKNOWN");
    assertThat(seller.pacts.active()).isZero();
    village.run(10_000);
    assertThat(asked.join()).isInstanceOf(Outcome.Unavailable.class);
    assertThat(village.ledger.pacts).isEmpty();
  }

  @Test
  void aStaleTemplateIsRefused() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    village.run(1_000);
    List<byte[]> invitations = new ArrayList<>();
    CompletableFuture<Outcome> _ =
        buyer.pacts.obtain(
            SELLER,
            body -> {
              invitations.add(body);
              return new CompletableFuture<>();
            });
    village.run(200);
    // The same version with another text: what the seller's control plane has.
    village.ledger.templates.clear();
    village.ledger.templates.add(village.template(2, "max_kb=1"));
    Neighbour seller = seller(village, 0);
    assertThat(refused(seller, invitations.getFirst())).isEqualTo("TEMPLATE_UNKNOWN");
  }

  @Test
  void anInvitationIsTakenOnceAndOnlyByItsTarget() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    agreed(obtain(buyer, seller));
    CompletableFuture<Outcome> _ =
        buyer.pacts.obtain(
            "org3/other",
            body -> {
              sent.add(body);
              return new CompletableFuture<>();
            });
    village.run(100);
    assertThat(refused(seller, sent.getLast())).isEqualTo("BAD_PARTIES");
  }

  @Test
  void aReplayedInvitationChangesNothing() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(300);
    Pacts.Held pact = agreed(asked.join());
    CompletableFuture<byte[]> again = seller.pacts.negotiate(sent.getFirst());
    village.run(200);
    assertThat(new String(again.join(), StandardCharsets.UTF_8)).contains("OUT_OF_STATE");
    agreed(admit(seller, pact, pact.signature()));
  }

  @Test
  void aSignatureOverOtherBytesIsRefusedAndTheRightOneStillCounts() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    SignerKey stranger = SignerKey.generate(BUYER, KeyType.ED25519);
    String note = village.ledger.pact(pact.id()).note();
    PactDocument document =
        ((PactNote.Reading.Good) PactNote.unverified(note.getBytes(StandardCharsets.UTF_8)))
            .document();
    String forged = PactNote.sign(document, stranger).base64();

    assertThat(admit(seller, pact, Optional.of(forged)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("BAD_SIGNATURE"));
    assertThat(admit(seller, pact, Optional.empty()))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_not_signed"));
    assertThat(admit(seller, new Pacts.Named(pact.id(), "0".repeat(64), pact.signature())))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_hash_differs"));
    assertThat(seller.pacts.active()).isZero();
    agreed(admit(seller, pact, pact.signature()));
  }

  @Test
  void tenThousandPredicatesAndForeignNamesAreRefused() throws IOException {
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    List<Predicate> many = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      many.add(new Predicate("q" + i, "scope", "a"));
    }
    long atMs = seller.loop.wallMs();
    PactEvent.Message invitation =
        PactMessages.write(
            atMs,
            BUYER,
            new PactEvent.Invocation("n-1", BUYER, SELLER, 5_000, 600_000, List.of()),
            new PactMessages.Offer(
                "p-1", 1_000, new TreeMap<>(), Optional.empty(), new TreeMap<>()));
    PactEvent.Message flood =
        PactMessages.write(atMs, BUYER, new PactEvent.Proposal("n-1", many, OptionalLong.empty()));
    assertThat(refused(seller, signed(List.of(invitation, flood)))).isEqualTo("malformed");
    assertThat(refused(seller, PactMessages.write(List.of(flood), Optional.empty())))
        .isEqualTo("malformed");
    // In the seller's own name, which the machine alone would believe.
    long laterMs = seller.loop.wallMs();
    PactEvent.Message second =
        PactMessages.write(
            laterMs,
            BUYER,
            new PactEvent.Invocation("n-2", BUYER, SELLER, 5_000, 600_000, List.of()),
            new PactMessages.Offer(
                "p-2", 1_000, new TreeMap<>(), Optional.empty(), new TreeMap<>()));
    PactEvent.Message own =
        PactMessages.write(
            laterMs,
            SELLER,
            new PactEvent.TemplateChoice("n-2", PactVillage.TEMPLATE, "accept", "yes"));
    assertThat(refused(seller, signed(List.of(second, own)))).isEqualTo("NOT_A_PARTY");
  }

  private byte[] invitation(Neighbour seller, int number, PactEvent.Body... more) {
    long atMs = seller.loop.wallMs();
    List<PactEvent.Message> all = new ArrayList<>();
    all.add(
        PactMessages.write(
            atMs,
            BUYER,
            new PactEvent.Invocation("n-" + number, BUYER, SELLER, 5_000, 600_000, List.of()),
            new PactMessages.Offer(
                "p-" + number, 1_000, new TreeMap<>(), Optional.empty(), new TreeMap<>())));
    for (PactEvent.Body body : more) {
      all.add(PactMessages.write(atMs, BUYER, body));
    }
    return signed(all);
  }

  /** A batch of the buyer's, whose key the ledger has. */
  private byte[] signed(List<PactEvent.Message> all) {
    SignerKey key = SignerKey.fromSeed(BUYER, KeyType.ED25519, new byte[32]);
    List<VerifierKey> keys = new ArrayList<>(village.ledger.keys.getOrDefault(BUYER, List.of()));
    if (!keys.contains(key.verifier())) {
      keys.add(key.verifier());
      village.ledger.keys.put(BUYER, keys);
    }
    return PartyProof.batch(all, key);
  }

  @Test
  void P11_aFloodOfInvitationsOfOneParty_leavesRoomForOthers_andForItselfLater()
      throws IOException {
    Neighbour other =
        village.new Neighbour("org3/other", folder.resolve("other"), 0, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      answers.add(seller.pacts.negotiate(invitation(seller, i)));
    }
    village.run(100);
    assertThat(answers)
        .filteredOn(
            one -> new String(one.join(), StandardCharsets.UTF_8).contains("too_many_negotiations"))
        .hasSize(FLOOD - Negotiations.MAX_OF_PEER);
    assertThat(seller.pacts.active()).isZero();
    agreed(obtain(other, seller));
    village.run(20_000);
    assertThat(refused(seller, invitation(seller, FLOOD))).isEmpty();
  }

  @Test
  void P11_forgedInvitations_takeNoPlace_andHoldUpNobody() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    List<CompletableFuture<byte[]>> forged = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      String from = i % 2 == 0 ? BUYER : "org" + i + "/nobody";
      SignerKey stranger = SignerKey.generate(from, KeyType.ED25519);
      forged.add(
          seller.pacts.negotiate(
              PartyProof.batch(
                  List.of(
                      PactMessages.write(
                          seller.loop.wallMs(),
                          from,
                          new PactEvent.Invocation("n-" + i, from, SELLER, 5_000, 9_000, List.of()),
                          new PactMessages.Offer(
                              "p-" + i,
                              1_000,
                              new TreeMap<>(),
                              Optional.empty(),
                              new TreeMap<>()))),
                  stranger)));
    }
    CompletableFuture<Outcome> honest = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.run(1_000);
    Pacts.Held pact = agreed(honest.join());
    agreed(admit(seller, pact, pact.signature()));
    assertThat(forged)
        .allSatisfy(one ->
            assertThat(new String(one.join(), StandardCharsets.UTF_8))
                .containsAnyOf("BAD_SIGNATURE", "key_unknown", "too_many_negotiations"));
    assertThat(seller.pacts.active()).isOne();
  }

  /** To a sidecar, under an address of this name. */
  private static Pacts.Channel at(String place, Pacts.Channel wire) {
    return new Pacts.Channel() {
      @Override
      public CompletableFuture<Optional<byte[]>> send(byte[] body) {
        return wire.send(body);
      }

      @Override
      public Object place() {
        return place;
      }
    };
  }

  @Test
  void P11_anAddressThatDoesNotAnswer_holdsUpNoOther() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    CompletableFuture<Outcome> dead =
        buyer.pacts.obtain(SELLER, at("dead", _ -> new CompletableFuture<>()));
    CompletableFuture<Outcome> alive =
        buyer.pacts.obtain(SELLER, at("alive", seller.channel(0, sent)));
    village.run(1_000);
    assertThat(dead).isNotDone();
    agreed(alive.join());
    village.run(5_000);
    assertThat(dead.join()).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void P10_whoeverListens_showsTheKeyBeforeAnythingGoesThereUnderThePact() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    CompletableFuture<Outcome> first =
        buyer.pacts.obtain(SELLER, at("home", seller.channel(0, sent)));
    village.run(1_000);
    Pacts.Held pact = agreed(first.join());
    assertThat(pact.isSeenAt("home")).isTrue();
    assertThat(pact.isSeenAt("elsewhere")).isFalse();

    // Nobody, somebody who copies what was said, and another sidecar with a key of its own.
    Neighbour other =
        village.new Neighbour("org3/other", folder.resolve("other"), 0, new Moves(true, 64));
    village.run(1_000);
    for (Pacts.Channel foreign :
        List.<Pacts.Channel>of(
            _ -> CompletableFuture.completedFuture(Optional.empty()),
            body -> CompletableFuture.completedFuture(Optional.of(body)),
            _ -> CompletableFuture.completedFuture(Optional.of(PartyProof.answer("ab".repeat(16)))),
            other.channel(0, sent))) {
      CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, at("foreign", foreign));
      village.run(2_000);
      assertThat(asked.join())
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              no -> assertThat(no.code()).isIn("pact_unproven", "BAD_PARTIES", "OUT_OF_STATE"));
      assertThat(pact.isSeenAt("foreign")).isFalse();
    }
    // The party at another address, even if it has not had the last signature yet.
    CompletableFuture<Outcome> second =
        buyer.pacts.obtain(SELLER, at("elsewhere", seller.channel(0, sent)));
    village.run(1_000);
    assertThat(agreed(second.join())).isEqualTo(pact);
    assertThat(pact.isSeenAt("elsewhere")).isTrue();
    pact.lostAt("elsewhere");
    assertThat(pact.isSeenAt("elsewhere")).isFalse();
  }

  @Test
  void aFloodOfCountersEndsTheNegotiationAndNothingElse() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    PactEvent.Body[] flood = new PactEvent.Body[40];
    flood[0] =
        new PactEvent.Proposal("n-1", PactVillage.predicates("max_kb=64"), OptionalLong.empty());
    for (int i = 1; i < flood.length; i++) {
      flood[i] = new PactEvent.AcceptAll("n-1");
    }
    assertThat(refused(seller, invitation(seller, 1, flood))).isNotEmpty();
    for (int i = 0; i < 1_000; i++) {
      long atMs = seller.loop.wallMs();
      byte[] more =
          PactMessages.write(
              List.of(PactMessages.write(atMs, BUYER, new PactEvent.AcceptAll("n-1"))),
              Optional.empty());
      CompletableFuture<byte[]> answer = seller.pacts.negotiate(more);
      village.run(1);
      assertThat(new String(answer.join(), StandardCharsets.UTF_8)).contains("refused");
    }
    assertThat(seller.pacts.active()).isZero();
    assertThat(village.ledger.pacts).isEmpty();
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
  }

  /** What the responder said and signed in one negotiation, once more in the next. */
  @Test
  void aReplayedRatificationMakesNoPact() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    List<byte[]> answers = new ArrayList<>();
    Pacts.Channel wire = seller.channel(0, sent);
    CompletableFuture<Outcome> first =
        buyer.pacts.obtain(
            SELLER,
            body ->
                wire.send(body)
                    .thenApply(answer -> {
                      answer.ifPresent(answers::add);
                      return answer;
                    }));
    village.run(2_000);
    Pacts.Held pact = agreed(first.join());
    agreed(admit(seller, pact, pact.signature()));
    buyer.pacts.forget(pact);
    village.run(100);
    CompletableFuture<Outcome> again =
        buyer.pacts.obtain(
            SELLER, _ -> CompletableFuture.completedFuture(Optional.of(answers.getFirst())));
    village.run(20_000);
    assertThat(again.join()).isInstanceOf(Outcome.Refused.class);
    assertThat(buyer.pacts.with(SELLER)).isEmpty();
    assertThat(village.ledger.pacts).hasSize(1);
  }

  @Test
  void idleWorkIsCompletedByBothAndEndsOnce() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));
    theirs.count(PactTerms.Leg.REQUEST, 1, 10, new Pacts.Counted());
    theirs.observed(false, new PactCheck.Result(List.of(), PactCheck.Action.PASS));
    seller.pacts.working(theirs, "flow-1");
    assertThat(((ActivePact) theirs).isWorking()).isTrue();
    village.run(62_000);
    assertThat(theirs.standing()).isEqualTo(Pacts.Standing.ACTIVE);
    seller.pacts.done(theirs, "flow-1");
    assertThat(((ActivePact) theirs).isWorking()).isFalse();
    village.run(70_000);

    assertThat(theirs.standing()).isEqualTo(Pacts.Standing.ENDED);
    assertThat(pact.standing()).isEqualTo(Pacts.Standing.ENDED);
    assertThat(village.ledger.endings).containsOnly(Map.entry(pact.id(), 1));
    assertThat(village.ledger.pact(pact.id()).reason()).contains("work_completed");
    assertThat(village.ledger.statements)
        .filteredOn(PactStatement.Observed.class::isInstance)
        .isNotEmpty();
    assertThat(admit(seller, pact, Optional.empty()))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_ended"));
  }

  @Test
  void aViolationEndsAtOnceAndADisputeSuspends() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));
    buyer.pacts.end(pact, Ending.DISPUTE_ESCALATED, Optional.empty());
    village.run(2_000);
    assertThat(pact.standing()).isEqualTo(Pacts.Standing.DISPUTED);
    assertThat(theirs.standing()).isEqualTo(Pacts.Standing.DISPUTED);
    for (Neighbour one : List.of(buyer, seller)) {
      CompletableFuture<Result<SidecarPacts.Shown>> left =
          one.pacts.dissolve(pact.id(), Ending.PARTY_WITHDREW);
      one.pacts.end(pact, Ending.PARTY_WITHDREW, Optional.empty());
      village.run(2_000);
      assertThat(left.join())
          .isInstanceOfSatisfying(
              Result.Refused.class, no -> assertThat(no.reason()).isEqualTo("pact_disputed"));
      assertThat(pact.standing()).isEqualTo(Pacts.Standing.DISPUTED);
      assertThat(theirs.standing()).isEqualTo(Pacts.Standing.DISPUTED);
    }
    assertThat(agreed(obtain(buyer, seller))).isSameAs(pact);
    buyer.pacts.forget(pact);
    village.run(100);

    // Whichever of the two calls is faster: the ledger hears of the count before the end.
    for (int i = 0; i < 8; i++) {
      Pacts.Held next = agreed(obtain(buyer, seller));
      Pacts.Held nextTheirs = agreed(admit(seller, next, next.signature()));
      nextTheirs.observed(
          false,
          new PactCheck.Result(
              List.of(
                  new PactCheck.Finding(
                      new Predicate("q.scope", "scope", ""),
                      Optional.empty(),
                      PactCheck.Outcome.VIOLATED)),
              PactCheck.Action.BLOCK_AND_DISSOLVE));
      seller.pacts.end(nextTheirs, Ending.VIOLATED, Optional.of(BUYER));
      village.run(3_000);
      assertThat(next.standing()).isEqualTo(Pacts.Standing.ENDED);
      assertThat(village.ledger.pact(next.id()).reason()).contains("violated");
    }
  }

  @Test
  void aWithdrawalWithNoticeIsTakenByWhoHearsOfItLater() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 400);
    village.run(1_000);
    // However long the word is under way: each time another while.
    for (int i = 0; i < 8; i++) {
      Pacts.Held pact = agreed(obtain(buyer, seller));
      Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));
      village.ledger.away = true; // the seller has nothing but the buyer's word
      CompletableFuture<Result<SidecarPacts.Shown>> withdrawn =
          buyer.pacts.dissolve(pact.id(), Ending.PARTY_WITHDREW);
      village.run(1_000);
      assertThat(withdrawn.join()).isInstanceOf(Result.Done.class);
      assertThat(pact.standing()).isEqualTo(Pacts.Standing.ENDED);
      assertThat(theirs.standing()).isEqualTo(Pacts.Standing.ENDED);
      village.ledger.away = false;
      village.run(3_000);
      assertThat(village.ledger.pact(pact.id()).reason()).contains("party_withdrew");
    }
  }

  @Test
  void timeEndsAPactOnBothSides() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    Pacts.Held theirs = agreed(admit(seller, pact, pact.signature()));
    village.ledger.away = true;
    village.run(301_000);
    assertThat(pact.standing()).isEqualTo(Pacts.Standing.ENDED);
    assertThat(theirs.standing()).isEqualTo(Pacts.Standing.ENDED);
    assertThat(buyer.pacts.active()).isZero();
  }

  @Test
  void aRestartTakesUpWhatHeldAndPaysWhatIsOwed() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    village.ledger.away = true;
    CompletableFuture<Outcome> asked = buyer.pacts.obtain(SELLER, seller.channel(0, sent));
    village.ledger.away = false;
    village.run(1_000);
    Pacts.Held pact = agreed(asked.isDone() ? asked.join() : obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
    buyer.restart();
    seller.restart();
    village.run(2_000);
    assertThat(buyer.pacts.with(SELLER).map(Pacts.Held::sha256)).contains(pact.sha256());
    agreed(admit(seller, pact, Optional.empty()));
  }

  @Test
  void aReceiverThatBeginsAgainAsksTheLedgerBeforeAnythingGoesUnderAnOldPact() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
    village.ledger.away = true;
    seller.restart();
    village.run(1_000);
    assertThat(seller.pacts.of(pact.id())).isEmpty();
    assertThat(admit(seller, pact, Optional.empty())).isInstanceOf(Outcome.Unavailable.class);
    village.ledger.away = false;
    village.run(10_000);
    assertThat(seller.pacts.of(pact.id()).map(Pacts.Held::standing))
        .contains(Pacts.Standing.ACTIVE);
    agreed(admit(seller, pact, Optional.empty()));

    // It ends while the receiver is down: only the ledger hears of it.
    seller.restart();
    CompletableFuture<Result<SidecarPacts.Shown>> withdrawn =
        buyer.pacts.dissolve(pact.id(), Ending.PARTY_WITHDREW);
    village.run(2_000);
    assertThat(withdrawn.join()).isInstanceOf(Result.Done.class);
    village.ledger.away = true;
    seller.restart();
    village.run(1_000);
    assertThat(admit(seller, pact, Optional.empty())).isInstanceOf(Outcome.Unavailable.class);
    village.ledger.away = false;
    village.run(10_000);
    assertThat(admit(seller, pact, Optional.empty()))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_ended"));
    assertThat(village.ledger.endings).containsOnly(Map.entry(pact.id(), 1));
  }

  @Test
  void aFirstRequestUnderAPactThatHasEndedMeanwhileIsNotAdmitted() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    Optional<String> signature = pact.signature();
    CompletableFuture<Result<SidecarPacts.Shown>> withdrawn =
        buyer.pacts.dissolve(pact.id(), Ending.PARTY_WITHDREW);
    village.run(1_000);
    assertThat(withdrawn.join()).isInstanceOf(Result.Done.class);
    assertThat(admit(seller, pact, signature))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_ended"));
    assertThat(seller.pacts.active()).isZero();
  }

  @Test
  void aReceiverThatLostItsFolderAsksTheLedger() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
    Files.delete(folder.resolve("seller").resolve(PactJournal.FILE_NAME));
    seller.restart();
    village.run(100);
    assertThat(seller.pacts.of(pact.id())).isEmpty();
    agreed(admit(seller, pact, Optional.empty()));
    assertThat(seller.transitions).contains("attestation adopted");
    assertThat(admit(seller, new Pacts.Named("p-unknown", "0".repeat(64), Optional.empty())))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo("pact_unknown"));
  }

  @Test
  void aReceiverThatLostThePrivateClauses_completesWhatNobodyThereHasBegun() throws IOException {
    Neighbour buyer = buyer(village, new Moves(false, 64, Set.of("q.output", "q.scope")));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
    Files.delete(folder.resolve("seller").resolve(PactJournal.FILE_NAME));
    seller.restart();
    village.run(130_000);

    assertThat(village.ledger.pact(pact.id()).reason()).contains("work_completed");
    assertThat(pact.standing()).isEqualTo(Pacts.Standing.ENDED);
    assertThat(village.ledger.endings).containsOnly(Map.entry(pact.id(), 1));
  }

  @Test
  void aNewKeyFileIsRegisteredBeforeAnythingIsSignedWithIt() throws IOException {
    Neighbour buyer = buyer(village, new Moves(true, 64));
    Neighbour seller = seller(village, 0);
    village.run(1_000);
    Path file = folder.resolve("buyer").resolve(PartyKey.FILE_NAME);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Files.delete(file);
    SafeFile.create(file, SignerKey.generate(BUYER, KeyType.ED25519).toFile());
    village.run(12_000);
    assertThat(village.ledger.keys.get(BUYER)).hasSize(2);
    Pacts.Held pact = agreed(obtain(buyer, seller));
    agreed(admit(seller, pact, pact.signature()));
  }

  /**
   * Delay, loss, repetition, a control plane that comes and goes, sidecars killed at any moment and
   * begun again from their journal; in virtual time, with a seed each of four episodes. A longer
   * run: {@code -Dsoak=1000}.
   */
  @Test
  void inWhateverOrderNothingIsAdmittedWithoutBothSignaturesAndAllEndsOnce() throws IOException {
    int admitted = 0;
    int seeds = Math.max(60, Integer.getInteger("soak", 0));
    for (int seed = 0; seed < seeds; seed++) {
      PactVillage chaos = new PactVillage(seed);
      Path home = folder.resolve("s" + seed);
      Neighbour buyer =
          chaos.new Neighbour(BUYER, home.resolve("b"), 0, new Moves(seed % 2 == 0, 64));
      Neighbour seller =
          chaos
          .new Neighbour(
              SELLER, home.resolve("s"), chaos.random.nextInt(-400, 400), new Moves(true, 16));
      chaos.run(500);
      chaos.ledger.lost = seed % 3 * 0.1;
      for (int episode = 0; episode < 4; episode++) {
        CompletableFuture<Outcome> asked =
            buyer.pacts.obtain(SELLER, seller.channel(seed % 4 * 0.1, sent));
        chaos.run(chaos.random.nextInt(0, 7_000));
        if (asked.isDone() && asked.join() instanceof Outcome.Agreed(Pacts.Held pact)) {
          CompletableFuture<Outcome> let =
              seller.pacts.admit(new Pacts.Named(pact.id(), pact.sha256(), pact.signature()));
          chaos.run(chaos.random.nextInt(0, 2_000));
          if (let.isDone() && let.join() instanceof Outcome.Agreed(Pacts.Held theirs)) {
            admitted++;
            assertThat(theirs.sha256()).isEqualTo(pact.sha256());
            // The control plane has checked both signatures.
            assertThat(chaos.ledger.pacts).containsKey(theirs.id());
            assertThat(chaos.ledger.endings).doesNotContainKey(theirs.id());
          }
        }
        chaos.ledger.away = false;
        switch (chaos.random.nextInt(6)) {
          case 0 -> buyer.restart();
          case 1 -> seller.restart();
          case 2 -> chaos.ledger.away = true;
          case 3 -> {
            // Ended by a person while the other side may be down.
            for (PactControl.View one : List.copyOf(chaos.ledger.pacts.values())) {
              CompletableFuture<?> _ = buyer.pacts.dissolve(one.pact(), Ending.PARTY_WITHDREW);
            }
            seller.restart();
          }
          default -> {}
        }
      }
      chaos.ledger.lost = 0;
      chaos.ledger.away = false;
      chaos.run(400_000);
      assertThat(chaos.ledger.endings.values()).allMatch(times -> times == 1);
      assertThat(buyer.pacts.active() + seller.pacts.active()).isZero();
      for (PactControl.View pact : chaos.ledger.pacts.values()) {
        buyer
            .pacts
            .of(pact.pact())
            .ifPresent(held -> assertThat(held.sha256()).isEqualTo(pact.sha256()));
      }
    }
    assertThat(admitted).isGreaterThan(seeds / 2);
  }
}
