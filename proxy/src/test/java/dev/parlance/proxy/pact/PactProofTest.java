package dev.parlance.proxy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMac;
import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.proxy.gate.Pacts.Arrival;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonScanner;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Messages are believed for what their author has proven, once, and nobody is blamed for others.
 */
class PactProofTest {
  private static final int REPLAYS = Math.max(300, 10 * Integer.getInteger("soak", 0));
  private static final int EPISODES = REPLAYS / 10;
  private static final SignerKey ALICE = SignerKey.generate("alice", KeyType.ED25519);
  private static final SignerKey BOB = SignerKey.generate("bob", KeyType.ED25519);
  private static final long END_MS = 1L << 50;

  private final AtomicLong clockMs = new AtomicLong(1_000_000);

  private static PactDocument document(String id, String... limits) {
    List<PactDocument.Term> terms = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      terms.add(
          new PactDocument.Term.Open(
              new Predicate(
                  category.code(),
                  category.code(),
                  Arrays.stream(limits)
                      .filter(limit -> limit.startsWith(category.code() + " "))
                      .map(limit -> limit.substring(category.code().length() + 1))
                      .findFirst()
                      .orElse("level=high"))));
    }
    return new PactDocument(id, "n-1", "alice", "bob", "cd".repeat(32), 0, END_MS, terms);
  }

  private ActivePact of(SignerKey own, PactDocument document) {
    String note =
        new String(
            PactNote.bytes(document, PactNote.sign(document, ALICE), PactNote.sign(document, BOB)),
            StandardCharsets.UTF_8);
    ActivePact.Terms terms = ActivePact.Terms.of(document, note, Map.of()).orElseThrow();
    ActivePact pact =
        new ActivePact(
            terms,
            PactState.attested(
                document.pact(),
                "n-1",
                "alice",
                "bob",
                terms.predicates(),
                0,
                END_MS,
                document.history()),
            own.name(),
            Optional.empty(),
            clockMs::get,
            1_000);
    assertThat(pact.bind(List.of(own), List.of((own == ALICE ? BOB : ALICE).verifier()))).isTrue();
    return pact;
  }

  /** What is proven of a message, and what proves it. */
  private record Message(
      int pact, boolean ofAlice, Part part, Stamp stamp, int status, String body, String line) {
    String code(ActivePact as) {
      return as.tag(part, stamp, status, sha256(body), line, "application/json");
    }

    boolean isProven(ActivePact to, String code) {
      return to.isPeers(
          "0;1;" + code, 4, part, stamp, status, sha256(body), line, "application/json");
    }
  }

  private static byte[] sha256(String body) {
    return Digests.sha256(Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
  }

  private static Message anyOf(Random random) {
    return new Message(
        random.nextInt(2),
        random.nextBoolean(),
        Part.values()[random.nextInt(Part.values().length)],
        new Stamp(random.nextInt(3), 1 + random.nextInt(5)),
        random.nextInt(2) * 200,
        "body " + random.nextInt(4),
        random.nextBoolean() ? "POST" : "POST?q=1");
  }

  @Test
  void whatWasCaptured_provesThatOneMessageAlone() {
    List<ActivePact> alices = List.of(of(ALICE, document("p-1")), of(ALICE, document("p-2")));
    List<ActivePact> bobs = List.of(of(BOB, document("p-1")), of(BOB, document("p-2")));
    Random random = new Random(38);
    int believed = 0;
    for (int i = 0; i < REPLAYS; i++) {
      Message said = anyOf(random);
      String code = said.code((said.ofAlice() ? alices : bobs).get(said.pact()));
      Message claimed = anyOf(random);
      boolean taken =
          claimed.isProven((claimed.ofAlice() ? bobs : alices).get(claimed.pact()), code);
      assertThat(taken).as("%s for %s", said, claimed).isEqualTo(said.equals(claimed));
      believed += taken ? 1 : 0;
      // And as itself it is believed.
      assertThat(said.isProven((said.ofAlice() ? bobs : alices).get(said.pact()), code)).isTrue();
    }
    assertThat(believed).isLessThan(REPLAYS / 50);
  }

  @Test
  void thatARequestWasNotDelivered_onlyTheOtherPartySays_ofThatOne() {
    ActivePact here = of(ALICE, document("p-1"));
    String proof = "0;1;" + "ab".repeat(16);
    String signed = PartyProof.refuse("p-1", "pact_ended", proof, BOB);
    assertThat(here.isRefused("pact_ended", proof, signed)).isTrue();
    assertThat(here.isRefused("pact_unknown", proof, signed)).isFalse();
    assertThat(here.isRefused("pact_ended", "0;2;" + "ab".repeat(16), signed)).isFalse();
    assertThat(of(ALICE, document("p-2")).isRefused("pact_ended", proof, signed)).isFalse();
    assertThat(here.isRefused("pact_ended", proof, "")).isFalse();
    SignerKey eve = SignerKey.generate("bob", KeyType.ED25519);
    for (SignerKey other : List.of(ALICE, eve)) {
      assertThat(
              here.isRefused(
                  "pact_ended", proof, PartyProof.refuse("p-1", "pact_ended", proof, other)))
          .isFalse();
    }
  }

  @Test
  void whoHasNeitherKey_agreesOnAnotherOne() {
    SignerKey stranger = SignerKey.generate("alice", KeyType.ED25519);
    PactDocument document = document("p-1");
    ActivePact bobs = of(BOB, document);
    Message said = new Message(0, true, Part.REQUEST, new Stamp(0, 1), 0, "x", "POST");
    String forged =
        PactMac.of(stranger, BOB.verifier(), bobs.sha256(), true)
            .orElseThrow()
            .tag(said.part(), said.stamp(), 0, sha256("x"), said.line(), "application/json");
    assertThat(said.isProven(bobs, forged)).isFalse();
    // A key that has not signed the note binds nothing.
    ActivePact unbound =
        new ActivePact(bobs.terms(), bobs.state(), "alice", Optional.empty(), clockMs::get, 1_000);
    assertThat(unbound.bind(List.of(stranger), List.of(BOB.verifier()))).isFalse();
    assertThat(unbound.isBound()).isFalse();
  }

  @Test
  void eachNumberIsTakenOnce_inWhateverOrder_andNoneFromBeforeARestart() {
    ActivePact bobs = of(BOB, document("p-1"));
    List<Stamp> stamps = new ArrayList<>();
    ActivePact alices = of(ALICE, document("p-1"));
    for (int i = 0; i < StampWindow.MAX_OUT_OF_ORDER; i++) {
      stamps.add(alices.next());
    }
    Collections.shuffle(stamps, new Random(1));
    for (Stamp stamp : stamps) {
      assertThat(bobs.arrived(stamp)).isEqualTo(Arrival.FRESH);
      assertThat(bobs.arrived(stamp)).isEqualTo(Arrival.SEEN);
    }
    for (int i = 0; i < StampWindow.MAX_OUT_OF_ORDER; i++) {
      assertThat(bobs.arrived(alices.next())).isEqualTo(Arrival.FRESH);
    }
    for (Stamp stamp : stamps) {
      assertThat(bobs.arrived(stamp)).isEqualTo(Arrival.SEEN);
    }
    ActivePact again = of(BOB, document("p-1"));
    again.takenUp();
    for (Stamp stamp : stamps) {
      assertThat(again.arrived(stamp)).isEqualTo(Arrival.STALE);
    }
    alices.resume(again.expected());
    assertThat(again.arrived(alices.next())).isEqualTo(Arrival.FRESH);
    // Who has lost count goes on behind what was there.
    ActivePact forgetful = of(ALICE, document("p-1"));
    forgetful.resume(again.expected());
    assertThat(again.arrived(forgetful.next())).isEqualTo(Arrival.FRESH);
  }

  @Test
  void whoBeginsAgain_givesNoStampTwice_andWhatItHadUnderWayIsNeverTaken() {
    ActivePact bobs = of(BOB, document("p-1"));
    ActivePact before = of(ALICE, document("p-1"));
    Stamp arrived = before.next();
    assertThat(bobs.arrived(arrived)).isEqualTo(Arrival.FRESH);
    Stamp heldBack = before.next();
    ActivePact alices = of(ALICE, document("p-1"));
    alices.takenUp();
    Stamp first = alices.next();
    assertThat(first).isNotIn(arrived, heldBack);
    assertThat(bobs.arrived(first)).isEqualTo(Arrival.STALE);
    alices.resume(bobs.expected());
    Stamp next = alices.next();
    assertThat(next.number()).isEqualTo(2);
    assertThat(next).isNotIn(arrived, heldBack);
    assertThat(bobs.arrived(heldBack)).isEqualTo(Arrival.STALE);
    // What was refused once, and comes again, makes nothing stale.
    assertThat(bobs.arrived(first)).isEqualTo(Arrival.STALE);
    assertThat(bobs.arrived(arrived)).isEqualTo(Arrival.SEEN);
    assertThat(bobs.arrived(next)).isEqualTo(Arrival.FRESH);
    assertThat(bobs.arrived(next)).isEqualTo(Arrival.SEEN);
  }

  /**
   * Who has kept a request from before a restart makes nobody say that another was not delivered.
   */
  @Test
  void whatWasDelivered_isNeverStale_whateverBeginsAnEpochBehindIt() {
    ActivePact bobs = of(BOB, document("p-1"));
    bobs.takenUp();
    Stamp kept = new Stamp(0, 1);
    long epoch = bobs.expected().epoch();
    Stamp delivered = new Stamp(epoch, 5);
    assertThat(bobs.arrived(delivered)).isEqualTo(Arrival.FRESH);
    assertThat(bobs.arrived(kept)).isEqualTo(Arrival.STALE);
    assertThat(bobs.expected().epoch()).isNotEqualTo(epoch);
    assertThat(bobs.arrived(delivered)).isEqualTo(Arrival.SEEN);
    // The sender, which knows nothing of that, hears of the new epoch with its next request.
    assertThat(bobs.arrived(new Stamp(epoch, 6))).isEqualTo(Arrival.STALE);
    assertThat(bobs.expected().number()).isEqualTo(6);
    assertThat(bobs.arrived(bobs.expected())).isEqualTo(Arrival.FRESH);
    assertThat(bobs.arrived(new Stamp(epoch, 6))).isEqualTo(Arrival.SEEN);
  }

  /** A large request that is long on its way, beside thousands of small ones. */
  @Test
  void aRequestThatManyOvertake_isTakenAllTheSame_once() {
    ActivePact alices = of(ALICE, document("p-1"));
    ActivePact bobs = of(BOB, document("p-1"));
    for (int slow = 0; slow < 30; slow++) {
      Stamp first = alices.next();
      for (int i = 0; i < 8_000; i++) {
        assertThat(bobs.arrived(alices.next())).isEqualTo(Arrival.FRESH);
      }
      assertThat(bobs.arrived(first)).isEqualTo(Arrival.FRESH);
      assertThat(bobs.arrived(first)).isEqualTo(Arrival.SEEN);
    }
    assertThat(bobs.arrived(new Stamp(0, 1L << 40))).isEqualTo(Arrival.SEEN);
    assertThat(bobs.arrived(alices.next())).isEqualTo(Arrival.FRESH);
  }

  @Test
  void whoeverAsksMeanwhile_getsNoNumberOfBeforeInTheNewEpoch() throws Exception {
    ActivePact alices = of(ALICE, document("p-1"));
    int epochs = 50_000;
    long apart = 1_000_000;
    CompletableFuture<List<Stamp>> meanwhile =
        CompletableFuture.supplyAsync(() -> {
          List<Stamp> wrong = new ArrayList<>();
          for (Stamp one = alices.next(); one.epoch() < epochs; one = alices.next()) {
            if (one.number() < one.epoch() * apart) {
              wrong.add(one);
            }
          }
          return wrong;
        });
    for (int epoch = 1; epoch <= epochs; epoch++) {
      alices.resume(new Stamp(epoch, epoch * apart));
    }
    assertThat(meanwhile.get(60, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void whoGoesOnCountingElsewhere_makesNothingStale() {
    ActivePact alices = of(ALICE, document("p-1"));
    List<ActivePact> bobs = List.of(of(BOB, document("p-1")), of(BOB, document("p-1")));
    bobs.forEach(ActivePact::takenUp);
    List<Long> epochs = bobs.stream().map(one -> one.expected().epoch()).toList();
    bobs.forEach(one -> assertThat(one.arrived(alices.next())).isEqualTo(Arrival.STALE));
    for (int i = 0; i < 10; i++) {
      ActivePact to = bobs.get(i % 2);
      assertThat(to.arrived(alices.next())).isEqualTo(Arrival.STALE);
      alices.resume(to.expected());
      assertThat(to.arrived(alices.next())).isEqualTo(Arrival.FRESH);
    }
    assertThat(epochs).doesNotContain(0L);
    assertThat(bobs.getLast().expected().epoch()).isEqualTo(epochs.getLast());
  }

  /** A message as both stages count it; what its author answers for is counted against it. */
  private static PactCheck.Result counted(
      ActivePact at, boolean own, PactTerms.Leg leg, long number) {
    PlainBody body = PlainBody.of("{\"name\":1}".getBytes(StandardCharsets.UTF_8));
    PactMeasure measure = PactMeasure.begin(leg, body, JsonScanner.Limits.DEFAULT);
    try {
      at.count(leg, number, body.length(), measure.counts());
      PactCheck.Result result = at.check().check(measure);
      at.observed(own, result);
      return result;
    } finally {
      measure.end();
    }
  }

  private static boolean isStopped(PactCheck.Result result) {
    return result.findings().stream().anyMatch(one -> one.outcome() == PactCheck.Outcome.VIOLATED);
  }

  @Test
  void parallelExchangesAtALimit_blameNobody_inWhateverOrderTheyArrive() {
    for (int episode = 0; episode < EPISODES; episode++) {
      Random random = new Random(episode);
      int most = 1 + random.nextInt(30);
      PactDocument document =
          document(
              "p-1",
              "action rate_per_min=" + (1 + random.nextInt(20)),
              "termination max_messages=" + most + ";max_bytes=" + (10 * random.nextInt(1, 40)));
      ActivePact alices = of(ALICE, document);
      ActivePact bobs = of(BOB, document);
      List<Runnable> underWay = new ArrayList<>();
      int[] delivered = {0};
      for (int i = 0; i < 40; i++) {
        Stamp stamp = alices.next();
        clockMs.addAndGet(random.nextInt(4_000));
        if (!isStopped(counted(alices, true, PactTerms.Leg.REQUEST, 2 * stamp.number()))) {
          underWay.add(() -> {
            assertThat(bobs.arrived(stamp)).isEqualTo(Arrival.FRESH);
            PactCheck.Result request =
                counted(bobs, false, PactTerms.Leg.REQUEST, 2 * stamp.number() - 1);
            assertThat(request.isBlamed()).isFalse();
            if (isStopped(request)) {
              return;
            }
            delivered[0]++;
            PactCheck.Result answer = counted(bobs, true, PactTerms.Leg.ANSWER, 2 * stamp.number());
            if (!isStopped(answer)) {
              underWay.add(() ->
                  assertThat(
                          counted(alices, false, PactTerms.Leg.ANSWER, 2 * stamp.number())
                              .isBlamed())
                      .isFalse());
            }
          });
        }
        while (!underWay.isEmpty() && random.nextInt(4) == 0) {
          underWay.remove(random.nextInt(underWay.size())).run();
        }
      }
      while (!underWay.isEmpty()) {
        underWay.remove(random.nextInt(underWay.size())).run();
      }
      assertThat(delivered[0]).as("episode %d", episode).isLessThanOrEqualTo(most / 2);
      for (ActivePact one : List.of(alices, bobs)) {
        assertThat(one.peerTally().of("termination", PactCheck.Outcome.VIOLATED)).isZero();
        assertThat(one.peerTally().of("action", PactCheck.Outcome.VIOLATED)).isZero();
      }
    }
  }

  @Test
  void P6_whatTheAgentCalls_withoutATrace_isHeldByEachPactAtWork_oneOrSeveral() {
    PactTable table = new PactTable();
    ActivePact bobs = of(BOB, document("p-1", "action tools=lookup"));
    ActivePact others = of(BOB, document("p-2", "action tools=search"));
    ActivePact free = of(BOB, document("p-3"));
    List.of(bobs, others, free).forEach(table::add);
    assertThat(table.works("t-1")).isEmpty();
    assertThat(table.isAtWork()).isFalse();
    table.working(bobs, "t-1");
    table.working(free, "t-3");
    assertThat(table.works("no such flow")).containsExactly(bobs);
    assertThat(table.works("t-3")).isEmpty();
    table.working(others, "t-2");
    assertThat(table.works("no such flow")).containsExactlyInAnyOrder(bobs, others);
    assertThat(table.works("t-1")).containsExactly(bobs);
  }

  @Test
  void P6_whatTheAgentCalls_aMomentAfterItsAnswer_isHeldStill() {
    PactTable table = new PactTable();
    ActivePact bobs = of(BOB, document("p-1", "action tools=lookup"));
    table.add(bobs);
    table.working(bobs, "t-1");
    table.done(bobs, "t-1");
    assertThat(table.isAtWork()).isFalse();
    assertThat(table.works("t-1")).containsExactly(bobs);
    assertThat(table.works("another")).containsExactly(bobs);
    clockMs.addAndGet(PactTable.AFTERWARDS_MS + 1);
    assertThat(table.works("t-1")).isEmpty();
    table.began(bobs, "task-1");
    assertThat(table.ofTask("task-1")).contains(bobs);
    assertThat(table.ofTask("task-2")).isEmpty();
  }

  /** Whoever takes part in a trace can send its id along, under a pact that asks for less. */
  @Test
  void P6_anotherPactInTheSameTrace_takesNothingFromTheFirst() {
    PactTable table = new PactTable();
    ActivePact strict = of(BOB, document("p-1", "action tools=lookup"));
    ActivePact lax = of(BOB, document("p-2", "action tools=lookup,wire_money"));
    List.of(strict, lax).forEach(table::add);
    table.working(strict, "t-1");
    table.working(lax, "t-1");
    table.working(lax, "t-1");
    assertThat(table.works("t-1")).containsExactlyInAnyOrder(strict, lax);
    table.done(lax, "t-1");
    assertThat(table.works("t-1")).containsExactlyInAnyOrder(strict, lax);
    table.done(lax, "t-1");
    assertThat(table.works("t-1")).containsExactly(strict);
    table.done(strict, "t-1");
    clockMs.addAndGet(PactTable.AFTERWARDS_MS + 1);
    assertThat(table.works("t-1")).isEmpty();
  }

  @Test
  void P7_whatIsRefused_keepsNoPactAlive() {
    ActivePact bobs = of(BOB, document("p-1", "termination max_messages=1"));
    long before = bobs.lastUsedMs();
    clockMs.addAndGet(5_000);
    assertThat(isStopped(counted(bobs, false, PactTerms.Leg.REQUEST, 3))).isTrue();
    assertThat(bobs.lastUsedMs()).isEqualTo(before);
    assertThat(isStopped(counted(bobs, false, PactTerms.Leg.REQUEST, 1))).isFalse();
    assertThat(bobs.lastUsedMs()).isGreaterThan(before);
  }

  @Test
  void whoSignsANumberBeyondTheLimit_answersForIt() {
    ActivePact bobs = of(BOB, document("p-1", "termination max_messages=10"));
    PactCheck.Result within = counted(bobs, false, PactTerms.Leg.REQUEST, 9);
    assertThat(isStopped(within)).isFalse();
    PactCheck.Result beyond = counted(bobs, false, PactTerms.Leg.REQUEST, 11);
    assertThat(beyond.isBlamed()).isTrue();
    assertThat(bobs.peerTally().of("termination", PactCheck.Outcome.VIOLATED)).isOne();
  }
}
