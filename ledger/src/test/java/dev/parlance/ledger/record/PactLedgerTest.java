package dev.parlance.ledger.record;

import static dev.parlance.ledger.record.PactWriter.BOARD_KEY;
import static dev.parlance.ledger.record.PactWriter.BUYER;
import static dev.parlance.ledger.record.PactWriter.BUYER_KEY;
import static dev.parlance.ledger.record.PactWriter.SELLER;
import static dev.parlance.ledger.record.PactWriter.SELLER_KEY;
import static dev.parlance.ledger.record.PactWriter.attested;
import static dev.parlance.ledger.record.PactWriter.decision;
import static dev.parlance.ledger.record.PactWriter.dissolved;
import static dev.parlance.ledger.record.PactWriter.document;
import static dev.parlance.ledger.record.PactWriter.escalated;
import static dev.parlance.ledger.record.PactWriter.handed;
import static dev.parlance.ledger.record.PactWriter.key;
import static dev.parlance.ledger.record.PactWriter.observed;
import static dev.parlance.ledger.record.PactWriter.ofControl;
import static dev.parlance.ledger.record.PactWriter.put;
import static dev.parlance.ledger.record.PactWriter.replacing;
import static dev.parlance.ledger.record.PactWriter.settled;
import static dev.parlance.ledger.record.PactWriter.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.Predicate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PactLedgerTest {
  private final LedgerState state = new LedgerState();
  private long index;

  @BeforeEach
  void parties() {
    assertThat(apply(key(BUYER_KEY, 0, 1))).isEqualTo(Applied.COUNTED);
    assertThat(apply(key(SELLER_KEY, 0, 2))).isEqualTo(Applied.COUNTED);
    assertThat(apply(key(BOARD_KEY, 0, 2))).isEqualTo(Applied.COUNTED);
  }

  private Applied apply(PactEntry entry) {
    byte[] bytes = EntryCodec.encode(entry);
    assertThat(EntryCodec.decode(bytes)).isEqualTo(new EntryCodec.Decoded.Read(entry));
    return state.apply(index++, entry);
  }

  private void refused(PactEntry entry, Cause cause) {
    assertThat(apply(entry)).isEqualTo(Applied.ignored(cause));
  }

  private PactScore score(String party) {
    return Optional.ofNullable(state.pactScores().get(party)).orElseThrow();
  }

  private PactRecord pact(String id) {
    return state.pact(id).orElseThrow();
  }

  @Test
  void aPactThatBothHaveSigned_holds() {
    assertThat(apply(attested("p-1", 2000))).isEqualTo(Applied.COUNTED);
    assertThat(pact("p-1").status()).isEqualTo("active");
    assertThat(pact("p-1").parties()).containsExactly(BUYER, SELLER);
    assertThat(state.openPacts()).hasSize(1);
    refused(attested("p-1", 3000), Cause.DUPLICATE);
    refused(
        attested(document("p-1", 1000, 90_000), BUYER_KEY, SELLER_KEY, 3000),
        Cause.CONTRADICTS_EARLIER);
  }

  @Test
  void signaturesOfKeysThatDoNotCount_attestNothing() {
    SignerKey stranger = SignerKey.generate(SELLER, KeyType.ED25519);
    PactDocument document = document("p-1", 1000, 100_000);
    refused(attested(document, BUYER_KEY, stranger, 2000), Cause.NOT_SIGNED);
    PactEntry.Attested good = attested("p-1", 2000);
    byte[] bytes = PactEntry.decoded(good.note());
    String swapped =
        new String(bytes, StandardCharsets.UTF_8).replace("\"q.audit\"", "\"q.audiT\"");
    refused(
        new PactEntry.Attested(
            "p-1",
            good.sha256(),
            BUYER,
            PactEntry.encoded(swapped.getBytes(StandardCharsets.UTF_8)),
            2000),
        Cause.NOT_SIGNED);
    refused(
        new PactEntry.Attested("p-2", good.sha256(), BUYER, good.note(), 2000), Cause.NOT_SIGNED);
    refused(
        new PactEntry.Attested("p-1", good.sha256(), "org3/other", good.note(), 2000),
        Cause.NOT_A_PARTY);
    refused(attested("p-1", 100_000), Cause.PACT_EXPIRED);
    assertThat(state.pact("p-1")).isEmpty();
  }

  @Test
  void anOldKey_countsUntilTheOverlapIsOver() {
    SignerKey next = SignerKey.generate(SELLER, KeyType.ED25519);
    apply(key(next, 500, 10_000));
    assertThat(apply(attested("p-1", 10_500))).isEqualTo(Applied.COUNTED);
    refused(attested("p-2", 10_501), Cause.NOT_SIGNED);
    assertThat(apply(attested(document("p-3", 1000, 100_000), BUYER_KEY, next, 10_501)))
        .isEqualTo(Applied.COUNTED);
    refused(key(next, 0, 11_000), Cause.DUPLICATE);
    refused(key(SELLER_KEY, 0, 11_000), Cause.KEY_RETIRED);
  }

  @Test
  void completion_needsTheWordOfBoth_andCountsOnce() {
    apply(attested("p-1", 2000));
    assertThat(apply(dissolved("p-1", BUYER_KEY, "work_completed", 3000)))
        .isEqualTo(Applied.COUNTED);
    assertThat(pact("p-1").status()).isEqualTo("active");
    refused(dissolved("p-1", BUYER_KEY, "work_completed", 3001), Cause.DUPLICATE);
    assertThat(apply(dissolved("p-1", SELLER_KEY, "work_completed", 3002)))
        .isEqualTo(Applied.COUNTED);
    assertThat(pact("p-1").status()).isEqualTo("dissolved");
    refused(dissolved("p-1", BUYER_KEY, "party_withdrew", 3003), Cause.PACT_ENDED);
    refused(ofControl("p-1", "validity_expired", Optional.empty(), 100_000), Cause.PACT_ENDED);
    assertThat(score(BUYER).reliability()).hasValue(1.0);
  }

  @Test
  void endsOfTime_areTheControlPlanes_andOnlyWhenItIsOver() {
    apply(attested("p-1", 2000));
    apply(attested("p-2", 2000));
    refused(ofControl("p-1", "validity_expired", Optional.empty(), 99_999), Cause.NOT_OVER);
    refused(ofControl("p-1", "timeout", Optional.empty(), 100_000), Cause.WRONG_REASON);
    refused(ofControl("p-1", "work_completed", Optional.empty(), 100_000), Cause.WRONG_REASON);
    refused(dissolved("p-1", BUYER_KEY, "work_completed", 100_000), Cause.PACT_EXPIRED);
    assertThat(apply(ofControl("p-1", "validity_expired", Optional.empty(), 100_000)))
        .isEqualTo(Applied.COUNTED);
    refused(ofControl("p-2", "timeout", Optional.of(SELLER), 120_000), Cause.NOT_SHOWN);
    apply(observed("p-2", BUYER_KEY, 1, 4, 0, Progress.FINAL));
    refused(ofControl("p-2", "timeout", Optional.of(SELLER), 119_999), Cause.NOT_SHOWN);
    assertThat(apply(ofControl("p-2", "timeout", Optional.of(SELLER), 120_000)))
        .isEqualTo(Applied.COUNTED);
    assertThat(pact("p-2").ended().orElseThrow().responsible()).contains(SELLER);
    assertThat(score(SELLER).reliability().orElseThrow()).isLessThan(0.6);
  }

  @Test
  void whoHasGivenItsLastCountsMeanwhile_hasNotVanished() {
    apply(attested("p-1", 2000));
    apply(observed("p-1", BUYER_KEY, 1, 4, 0, Progress.FINAL));
    apply(observed("p-1", SELLER_KEY, 1, 4, 0, Progress.FINAL));
    refused(ofControl("p-1", "timeout", Optional.of(SELLER), 120_000), Cause.PACT_ENDED);
    assertThat(pact("p-1").isOpen()).isTrue();
  }

  @Test
  void aDisputeThatNobodyIsNamedToDecide_lastsAsLongAsThePact() {
    PactDocument named = document("p-1", 1000, 100_000);
    PactDocument nobody =
        new PactDocument(
            "p-1",
            named.negotiation(),
            BUYER,
            SELLER,
            named.history(),
            1000,
            100_000,
            named.terms().stream()
                .map(term ->
                    term.id().equals("q.dispute")
                        ? new PactDocument.Term.Open(new Predicate("q.dispute", "dispute", "x"))
                        : term)
                .toList());
    apply(attested(nobody, BUYER_KEY, SELLER_KEY, 2000));
    apply(dissolved("p-1", BUYER_KEY, "dispute_escalated", 3000));
    refused(decision("p-1", "violated", Optional.of(SELLER), 4000), Cause.NOT_THE_ARBITER);
    refused(ofControl("p-1", "validity_expired", Optional.empty(), 99_999), Cause.NOT_OVER);
    assertThat(apply(ofControl("p-1", "validity_expired", Optional.empty(), 100_000)))
        .isEqualTo(Applied.COUNTED);
    assertThat(pact("p-1").status()).isEqualTo("dissolved");
    assertThat(score(SELLER).reliability()).hasValue(0.6);
  }

  @Test
  void aWithdrawal_givesTheNoticeThatThePactAsksFor() {
    apply(attested("p-1", 2000));
    refused(
        dissolved("p-1", SELLER_KEY, "party_withdrew", 3000, OptionalLong.of(3999)),
        Cause.NOTICE_NOT_GIVEN);
    assertThat(apply(dissolved("p-1", SELLER_KEY, "party_withdrew", 3000)))
        .isEqualTo(Applied.COUNTED);
    assertThat(pact("p-1").ended().orElseThrow().responsible()).contains(SELLER);
  }

  @Test
  void anAgreedFailure_namesTheClauseThatProvidesForIt() {
    apply(attested("p-1", 2000));
    assertThat(apply(dissolved("p-1", SELLER_KEY, "work_failed", 3000))).isEqualTo(Applied.COUNTED);
    assertThat(score(SELLER).reliability()).hasValue(0.8);
  }

  @Test
  void aDispute_suspends_untilTheArbiterDecides_once() {
    apply(attested("p-1", 2000));
    refused(decision("p-1", "work_completed", Optional.empty(), 2500), Cause.NOT_DISPUTED);
    apply(dissolved("p-1", BUYER_KEY, "dispute_escalated", 3000));
    assertThat(pact("p-1").status()).isEqualTo("in_dispute");
    assertThat(score(SELLER).counted()).isZero();
    refused(dissolved("p-1", BUYER_KEY, "work_completed", 3001), Cause.PACT_ENDED);
    refused(
        decision("p-1", BUYER_KEY, "violated", Optional.of(SELLER), 4000), Cause.NOT_THE_ARBITER);
    refused(decision("p-1", "violated", Optional.of("org3/x"), 4000), Cause.WRONG_REASON);
    assertThat(apply(decision("p-1", "violated", Optional.of(SELLER), 4000)))
        .isEqualTo(Applied.COUNTED);
    assertThat(pact("p-1").status()).isEqualTo("dissolved");
    refused(decision("p-1", "work_completed", Optional.empty(), 5000), Cause.PACT_ENDED);
    assertThat(score(SELLER).reliability()).hasValue(0.0);
    assertThat(score(BUYER).reliability()).isEmpty();
  }

  @Test
  void whoSaysThatTheOtherOneBrokeIt_hasCountedItBefore() {
    apply(attested("p-1", 2000));
    refused(dissolved("p-1", BUYER_KEY, "violated", 3000), Cause.NOT_OBSERVED);
    apply(observed("p-1", BUYER_KEY, 1, 4, 1, Progress.GOING_ON));
    refused(dissolved("p-1", SELLER_KEY, "violated", 3000), Cause.NOT_OBSERVED);
    assertThat(apply(dissolved("p-1", BUYER_KEY, "violated", 3000))).isEqualTo(Applied.COUNTED);
    PactScore score = score(SELLER);
    assertThat(score.reliability()).hasValue(0.0);
    assertThat(score.scopeHonesty()).hasValue(0.75);
  }

  @Test
  void countsOnlyGrow_andEndWithTheLast() {
    apply(attested("p-1", 2000));
    assertThat(apply(observed("p-1", BUYER_KEY, 1, 4, 1, Progress.GOING_ON)))
        .isEqualTo(Applied.COUNTED);
    refused(observed("p-1", BUYER_KEY, 1, 4, 1, Progress.GOING_ON), Cause.DUPLICATE);
    refused(observed("p-1", BUYER_KEY, 2, 3, 1, Progress.GOING_ON), Cause.COUNTS_FALL);
    refused(observed("p-1", BUYER_KEY, 2, 5, 0, Progress.GOING_ON), Cause.COUNTS_FALL);
    refused(observed("p-1", BUYER_KEY, 2, 5, 6, Progress.GOING_ON), Cause.COUNTS_FALL);
    assertThat(apply(observed("p-1", BUYER_KEY, 2, 9, 2, Progress.FINAL)))
        .isEqualTo(Applied.COUNTED);
    refused(observed("p-1", BUYER_KEY, 3, 10, 2, Progress.GOING_ON), Cause.COUNTS_FALL);
    refused(observed("p-9", BUYER_KEY, 3, 10, 2, Progress.GOING_ON), Cause.PACT_UNKNOWN);
  }

  @Test
  void aVersionOfATemplate_neverChanges() {
    PactStatement.Template template =
        new PactStatement.Template(
            BUYER, "enrich", 2, OptionalInt.of(4), List.of(new Predicate("a", "scope", "x")));
    PactStatement.Template other =
        new PactStatement.Template(
            BUYER, "enrich", 2, OptionalInt.of(5), List.of(new Predicate("a", "scope", "x")));
    assertThat(apply(put(template, BUYER_KEY))).isEqualTo(Applied.COUNTED);
    refused(put(template, BUYER_KEY), Cause.DUPLICATE);
    refused(put(other, BUYER_KEY), Cause.CONTRADICTS_EARLIER);
    PactStatement.Template namesake =
        new PactStatement.Template(
            SELLER, "enrich", 2, OptionalInt.empty(), List.of(new Predicate("a", "scope", "y")));
    assertThat(apply(put(namesake, SELLER_KEY))).isEqualTo(Applied.COUNTED);
    assertThat(state.template(BUYER + "/enrich@2"))
        .hasValueSatisfying(one -> assertThat(one.author()).isEqualTo(BUYER));
    assertThatThrownBy(() ->
            new PactStatement.Template(
                BUYER, "x/y", 1, OptionalInt.empty(), List.of(new Predicate("a", "scope", "x"))))
        .hasMessageContaining("without a slash");
    PactStatement.Template forged =
        new PactStatement.Template(
            SELLER, "forged", 1, OptionalInt.empty(), List.of(new Predicate("a", "scope", "x")));
    refused(put(forged, SignerKey.generate(SELLER, KeyType.ED25519)), Cause.NOT_SIGNED);
  }

  @Test
  void aPactReplacesOneOfItsTwoParties_orCountsForNothing() {
    refused(replacing("p-1", document("p-2", 1000, 100_000), 2000), Cause.REPLACES_NONE);
    apply(attested("p-1", 2000));
    assertThat(apply(replacing("p-1", document("p-2", 1000, 100_000), 2000)))
        .isEqualTo(Applied.COUNTED);
    assertThat(state.pact("p-2").orElseThrow().document().replaces()).contains("p-1");
    assertThatThrownBy(() -> replacing("p-3", document("p-3", 1000, 100_000), 2000))
        .hasMessageContaining("got itself");
  }

  @Test
  void aReport_countsOnceForANegotiation() {
    PactStatement.Report said =
        new PactStatement.Report(
            PactStatement.Charge.BAD_FAITH, "n-1", BUYER, SELLER, List.of(), 2000);
    PactEntry.Reported entry =
        new PactEntry.Reported("n-1", BUYER, signed(said, BUYER_KEY).orElseThrow(), 2000);
    assertThat(apply(entry)).isEqualTo(Applied.COUNTED);
    refused(entry, Cause.DUPLICATE);
    refused(new PactEntry.Reported("n-2", BUYER, entry.note(), 2000), Cause.NOT_SIGNED);
  }

  @Test
  void aCase_isDecidedOnce_inTime_byTheArbiterThatItNames() {
    PactCase open = handed("board-1");
    List<String> terms = List.of("max_kb=9");
    refused(settled(open, BOARD_KEY, terms, 1000), Cause.CASE_UNKNOWN);
    for (Optional<SignerKey> other :
        List.of(
            Optional.<SignerKey>empty(),
            Optional.of(BUYER_KEY),
            Optional.of(PactWriter.signer(SELLER, 2)))) {
      refused(escalated(open, other), Cause.NOT_SIGNED);
    }
    refused(settled(open, BOARD_KEY, terms, 1000), Cause.CASE_UNKNOWN);
    assertThat(apply(escalated(open))).isEqualTo(Applied.COUNTED);
    assertThat(state.escalations())
        .singleElement()
        .satisfies(one -> assertThat(one.handed()).isEqualTo(open));
    SignerKey stranger = PactWriter.signer("mallory", 1);
    apply(key(stranger, 0, 3));
    refused(settled(handed("mallory"), stranger, terms, 2000), Cause.NOT_THE_ARBITER);
    refused(settled(open, PactWriter.signer("board-1", 2), terms, 2000), Cause.NOT_SIGNED);
    PactCase ofOtherPact = new PactCase("n-7", BUYER, SELLER, "board-1", "p-8", 5000);
    PactCase longer = new PactCase("n-7", BUYER, SELLER, "board-1", "p-7", 9000);
    PactCase turned = new PactCase("n-7", SELLER, BUYER, "board-1", "p-7", 5000);
    PactCase another = new PactCase("n-8", BUYER, SELLER, "board-1", "p-7", 5000);
    for (PactCase wrong : List.of(ofOtherPact, longer, turned, another)) {
      refused(settled(wrong, BOARD_KEY, terms, 2000), Cause.CASE_UNKNOWN);
    }
    refused(settled(open, BOARD_KEY, terms, 5000), Cause.CASE_OVER);
    assertThat(apply(settled(open, BOARD_KEY, terms, 4999))).isEqualTo(Applied.COUNTED);
    refused(settled(open, BOARD_KEY, terms, 4999), Cause.DUPLICATE);
    refused(settled(open, BOARD_KEY, List.of("max_kb=1"), 4999), Cause.CONTRADICTS_EARLIER);
    refused(settled(open, BOARD_KEY, List.of(), 4999), Cause.CONTRADICTS_EARLIER);
    refused(escalated(handed("mallory")), Cause.DUPLICATE);
  }

  @Test
  void aPartyIsNoArbiterOfItsOwnCase() {
    assertThatThrownBy(() -> handed(SELLER)).hasMessageContaining("none of them");
    assertThatThrownBy(() ->
            new PactStatement.Template(
                "board-1",
                "n-8",
                1,
                OptionalInt.empty(),
                List.of(),
                Optional.of(handed("board-1"))))
        .hasMessageContaining("board-1/n-7@1");
  }

  @Test
  void badFaith_countsOnceTwoPartiesReportIt_andFades() {
    for (int i = 0; i < 3; i++) {
      apply(attested("p-" + i, 2000));
      apply(dissolved("p-" + i, BUYER_KEY, "work_completed", 3000));
      apply(dissolved("p-" + i, SELLER_KEY, "work_completed", 3000));
    }
    for (int i = 0; i < 5; i++) {
      apply(badFaith("n-" + i, BUYER_KEY));
    }
    assertThat(score(SELLER).reliability()).hasValue(1.0);
    assertThat(score(SELLER).reporters()).containsExactly(BUYER);
    apply(badFaith("n-0", BOARD_KEY));
    double three = 1 + 0.97 + 0.97 * 0.97;
    assertThat(score(SELLER).reliability().orElseThrow()).isEqualTo(three / (three + 2));
    assertThat(score(SELLER).counted()).isEqualTo(3);
    assertThat(score(BUYER).reliability()).hasValue(1.0);
    apply(attested("p-9", 2000));
    apply(dissolved("p-9", BUYER_KEY, "work_completed", 3000));
    apply(dissolved("p-9", SELLER_KEY, "work_completed", 3000));
    assertThat(score(SELLER).reliability().orElseThrow()).isGreaterThan(three / (three + 2));
  }

  private static PactEntry.Reported badFaith(String negotiation, SignerKey by) {
    PactStatement.Report said =
        new PactStatement.Report(
            PactStatement.Charge.BAD_FAITH, negotiation, by.name(), SELLER, List.of(), 2000);
    return new PactEntry.Reported(negotiation, by.name(), signed(said, by).orElseThrow(), 2000);
  }

  /** Whatever order entries come in, and however often: one end, and scores follow. */
  @Test
  void inAnyOrder_aPactEndsAtMostOnce() {
    List<PactEntry> entries = new ArrayList<>();
    for (String pact : Arrays.asList("p-1", "p-2", "p-3")) {
      entries.add(attested(pact, 2000));
      entries.add(attested(pact, 2100));
      for (SignerKey by : List.of(BUYER_KEY, SELLER_KEY)) {
        entries.add(dissolved(pact, by, "work_completed", 3000));
        entries.add(dissolved(pact, by, "party_withdrew", 3000));
        entries.add(dissolved(pact, by, "work_failed", 3000));
        entries.add(dissolved(pact, by, "dispute_escalated", 3000));
        entries.add(dissolved(pact, by, "violated", 3000));
        entries.add(observed(pact, by, 1, 5, 1, Progress.GOING_ON));
        entries.add(observed(pact, by, 2, 6, 1, Progress.FINAL));
      }
      entries.add(ofControl(pact, "validity_expired", Optional.empty(), 100_000));
      entries.add(ofControl(pact, "timeout", Optional.of(BUYER), 120_000));
      entries.add(decision(pact, "violated", Optional.of(BUYER), 101_000));
      entries.add(decision(pact, "work_completed", Optional.empty(), 101_000));
    }
    for (long seed = 0; seed < 60; seed++) {
      List<PactEntry> shuffled = new ArrayList<>(entries);
      Collections.shuffle(shuffled, new Random(seed));
      LedgerState ledger = new LedgerState();
      ledger.apply(0, key(BUYER_KEY, 0, 1));
      ledger.apply(1, key(SELLER_KEY, 0, 1));
      ledger.apply(2, key(BOARD_KEY, 0, 1));
      Map<String, PactRecord> before = new TreeMap<>();
      long at = 3;
      for (PactEntry entry : shuffled) {
        ledger.apply(at++, entry);
        for (PactRecord pact : ledger.pacts(10)) {
          PactRecord old = before.put(pact.id(), pact);
          if (old != null && !old.isOpen()) {
            assertThat(pact.isOpen()).isFalse();
            assertThat(pact.ended()).isEqualTo(old.ended());
            assertThat(pact.decided()).isEqualTo(old.decided());
          }
          assertThat(pact.isOpen() && pact.status().equals("active"))
              .isEqualTo(pact.ended().isEmpty());
        }
        assertThat(ledger.pactScores().values())
            .allMatch(score -> score.reliability().orElse(0) <= 1);
      }
    }
  }
}
