package dev.parlance.control.pact;

import static dev.parlance.control.testing.Signatory.BUYER;
import static dev.parlance.control.testing.Signatory.BUYER_KEY;
import static dev.parlance.control.testing.Signatory.SELLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.control.testing.Signatory;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.AttestRequest;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.ListTemplatesRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.PartyScore;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ReportRequest;
import dev.parlance.proto.v1.ScorePartiesRequest;
import dev.parlance.proto.v1.WatchPactsRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pacts over real gRPC at one replica. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PactServiceTest {
  private static final String BOARD = Signatory.BOARD_KEY.name();

  private Path data;
  private Kit kit;
  private Signatory parties;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    data = folder;
    kit = Kit.start(Kit.config(data.resolve("main")));
    parties = kit.keep(Signatory.at(kit.plane)).register();
  }

  /** Whatever parties and strangers say: what the replica writes holds. */
  @AfterAll
  void stop() {
    try {
      kit.client.assertLedgerAgrees();
    } finally {
      kit.close();
    }
  }

  private static void refused(String reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StatusRuntimeException.class)
        .satisfies(thrown ->
            assertThat(((StatusRuntimeException) thrown).getStatus().getDescription())
                .startsWith(reason + ": "));
  }

  private PartyScore score(String party) {
    return parties
        .operator()
        .scoreParties(ScorePartiesRequest.newBuilder().addParties(party).build())
        .getScores(0);
  }

  @Test
  void anAttestedPact_holds_andEitherPartyMayAttestItAgain() {
    PactDocument document = Signatory.document("p-hold", 60_000);
    Pact first = parties.attest(BUYER, Signatory.note(document));
    assertThat(first.getState()).isEqualTo("active");
    assertThat(first.getPartiesList()).containsExactly(BUYER, SELLER);
    assertThat(first.getSha256()).isEqualTo(PactNote.textSha256(document));
    assertThat(parties.attest(SELLER, Signatory.note(document))).isEqualTo(first);
    refused(
        "pact_exists",
        () -> parties.attest(BUYER, Signatory.note(Signatory.document("p-hold", 1))));
    assertThat(parties.get("p-hold")).isEqualTo(first);
    assertThat(
            parties
                .as(SELLER)
                .listPacts(
                    ListPactsRequest.newBuilder().setParty(SELLER).setUnfinished(true).build())
                .getPactsList())
        .contains(first);
  }

  @Test
  void whatIsNotSignedByBoth_isRefused_andLeavesNothing() {
    PactDocument document = Signatory.document("p-forged", 60_000);
    SignerKey stranger = SignerKey.generate(SELLER, KeyType.ED25519);
    byte[] half = Signatory.note(document, BUYER_KEY, stranger);
    refused("pact_not_signed", () -> parties.attest(BUYER, half));
    byte[] other =
        new String(Signatory.note(document), StandardCharsets.UTF_8)
            .replace("arbiter=board-1", "arbiter=board-2")
            .getBytes(StandardCharsets.UTF_8);
    refused("note_bad_signature", () -> parties.attest(BUYER, other));
    refused("pact_malformed", () -> parties.attest(BUYER, new byte[] {1, 2, 3}));
    refused("pact_too_large", () -> parties.attest(BUYER, new byte[46_000]));
    refused("pact_unknown", () -> parties.get("p-forged"));
  }

  @Test
  void onlyAPartyWithItsOwnToken_speaks() {
    byte[] note = Signatory.note(Signatory.document("p-token", 60_000));
    refused(
        "token_of_another_agent",
        () ->
            parties
                .as(SELLER)
                .attest(
                    AttestRequest.newBuilder()
                        .setParty(BUYER)
                        .setNote(ByteString.copyFrom(note))
                        .build()));
    refused("not_a_party", () -> parties.attest("org3/other", note));
    refused(
        "token_wrong",
        () -> parties.with("nonsense").putTemplate(PutTemplateRequest.getDefaultInstance()));
    refused("pact_unknown", () -> parties.get("p-token"));
  }

  @Test
  void anExpiredPact_isNotAttested() {
    PactDocument document = Signatory.document("p-old", 1);
    await().until(() -> System.currentTimeMillis() > document.endMs() + 5);
    refused("pact_expired", () -> parties.attest(BUYER, Signatory.note(document)));
  }

  /** What a caller is told repeats what it asked for, and has to fit into its header list. */
  @Test
  void aNameOfAnyLength_isRefusedWithItsReason() {
    for (String name :
        List.of(
            "x".repeat(9_000),
            "%".repeat(4_000),
            "\u00e9".repeat(5_000),
            "\ud83d\ude00".repeat(4_000))) {
      refused(
          "key_unknown",
          () -> parties.operator().getParty(GetPartyRequest.newBuilder().setParty(name).build()));
    }
  }

  @Test
  void aPartyWithoutKey_isNotBelieved() {
    String nobody = "org9/nobody";
    refused(
        "key_unknown",
        () -> parties.as(nobody).getParty(GetPartyRequest.newBuilder().setParty(nobody).build()));
    refused(
        "bad_key",
        () ->
            parties
                .as(nobody)
                .registerKey(
                    RegisterKeyRequest.newBuilder()
                        .setParty(nobody)
                        .setVkey(BUYER_KEY.verifier().format())
                        .build()));
  }

  @Test
  void aKeyThatWasReplaced_countsNoMore_andDoesNotComeBack() {
    String party = "org4/rotates";
    SignerKey first = SignerKey.generate(party, KeyType.ED25519);
    SignerKey second = SignerKey.generate(party, KeyType.ED25519);
    parties.register(party, first);
    parties.register(party, first);
    parties.register(party, second);
    assertThat(
            parties
                .operator()
                .getParty(GetPartyRequest.newBuilder().setParty(party).build())
                .getVkeysList())
        .containsExactly(second.verifier().format());
    refused("bad_key", () -> parties.register(party, first));
  }

  @Test
  void P8_whoAsksForAFirstKey_replacesNone() {
    String party = "org4/first";
    RegisterKeyRequest.Builder request =
        RegisterKeyRequest.newBuilder().setParty(party).setFirst(true);
    for (int i = 0; i < 2; i++) {
      SignerKey key = SignerKey.generate(party, KeyType.ED25519);
      request.setVkey(key.verifier().format());
      if (i == 0) {
        assertThat(parties.as(party).registerKey(request.build()).getVkeysCount()).isOne();
        assertThat(parties.as(party).registerKey(request.build()).getVkeysCount()).isOne();
      } else {
        refused("key_exists", () -> parties.as(party).registerKey(request.build()));
      }
    }
  }

  @Test
  void aTemplate_comesWithTheKeysThatCountedWhenItWasPublished() {
    String author = "org4/author";
    SignerKey first = SignerKey.generate(author, KeyType.ED25519);
    parties.register(author, first);
    var published =
        parties
            .operator()
            .putTemplate(
                put(
                    new PactStatement.Template(
                        author,
                        "t",
                        1,
                        OptionalInt.empty(),
                        List.of(new Predicate("a", "scope", "x"))),
                    first));
    parties.register(author, SignerKey.generate(author, KeyType.ED25519));
    assertThat(
            parties
                .operator()
                .listTemplates(
                    ListTemplatesRequest.newBuilder().addReferences(author + "/t@1").build())
                .getTemplates(0))
        .isEqualTo(published)
        .satisfies(
            one -> assertThat(one.getVkeysList()).containsExactly(first.verifier().format()));
  }

  @Test
  void bothSayThatTheWorkIsDone_andTheScoreFollows() {
    parties.attest("p-done");
    assertThat(parties.dissolve(BUYER, "p-done", "work_completed").getState()).isEqualTo("active");
    Pact half = parties.dissolve(BUYER, "p-done", "work_completed");
    assertThat(half.getCompletingList()).containsExactly(BUYER);
    Pact done = parties.dissolve(SELLER, "p-done", "work_completed");
    assertThat(done.getState()).isEqualTo("dissolved");
    assertThat(done.getReason()).isEqualTo("work_completed");
    assertThat(parties.dissolve(SELLER, "p-done", "work_completed")).isEqualTo(done);
    refused("pact_ended", () -> parties.dissolve(BUYER, "p-done", "party_withdrew"));
    assertThat(score(BUYER).getReliability()).isPositive();
  }

  @Test
  void aPartyThatSaysTheOtherBrokeIt_hasCountedItBefore() {
    parties.attest("p-broken");
    refused("wrong_reason", () -> parties.dissolve(BUYER, "p-broken", "violated"));
    assertThat(parties.observe(BUYER, "p-broken", 1, 3, 1).getResult()).isEqualTo("accepted");
    assertThat(parties.observe(BUYER, "p-broken", 1, 3, 1).getResult()).isEqualTo("repeated");
    refused("stale_counts", () -> parties.observe(BUYER, "p-broken", 2, 2, 1));
    Pact ended = parties.dissolve(BUYER, "p-broken", "violated");
    assertThat(ended.getReason()).isEqualTo("violated");
    assertThat(ended.getResponsible()).isEqualTo(SELLER);
    assertThat(ended.getObservations(0).getViolationsMap()).containsEntry("scope", 1L);
  }

  /** A party that says something over and over does not fill the ledger of all. */
  @Test
  void whatCountsForNothing_isNotWritten() {
    parties.attest("p-again");
    assertThat(parties.observe(BUYER, "p-again", 5, 9, 2).getResult()).isEqualTo("accepted");
    PactStatement.Report report = complaint("n-again", BUYER);
    assertThat(report(report)).isEqualTo("accepted");
    long before = kit.client.recomputed().entries();

    assertThat(report(report)).isEqualTo("repeated");
    refused("stale_counts", () -> parties.observe(BUYER, "p-again", 6, 8, 2));
    refused("stale_counts", () -> parties.observe(BUYER, "p-again", 5, 10, 2));
    refused("stale_counts", () -> parties.observe(BUYER, "p-again", 6, 9, 1));
    refused("stale_counts", () -> parties.observe(BUYER, "p-again", 6, 9, 10));
    PactCase reported =
        new PactCase(
            "n-again", BUYER, SELLER, BOARD, "p-later", System.currentTimeMillis() + 9_000);
    refused(
        "case_exists",
        () ->
            parties.handOver(
                reported,
                List.of(new Predicate("s", "scope", "fields=a")),
                Optional.of(Signatory.SELLER_KEY)));

    assertThat(kit.client.recomputed().entries()).isEqualTo(before);
    assertThat(parties.observe(BUYER, "p-again", 6, 10, 2).getResult()).isEqualTo("accepted");
    assertThat(kit.client.recomputed().entries()).isEqualTo(before + 1);
  }

  /** Of what a party says alone, each time about something else. */
  @Test
  void whoComplainsWithoutEnd_isBounded_andKeepsNobodyElseFromIt() throws Exception {
    SignerKey mallory = SignerKey.generate("mallory", KeyType.ED25519);
    parties.register("mallory", mallory);
    assertThat(
            untilBounded(
                PactDesk.MOST_A_MINUTE,
                number -> report(complaint("n-mallory-" + number, "mallory"), mallory)))
        .isGreaterThanOrEqualTo(PactDesk.MOST_A_MINUTE);
    assertThat(report(complaint("n-after-mallory", BUYER), BUYER_KEY)).isEqualTo("accepted");
  }

  @Test
  void whoCountsWithoutEnd_isBounded_withThatPact() throws Exception {
    parties.attest("p-counted");
    parties.attest("p-other");
    assertThat(
            untilBounded(
                PactDesk.MOST_COUNTS_A_MINUTE,
                number -> parties.observe(BUYER, "p-counted", number, number, 0)))
        .isGreaterThanOrEqualTo(PactDesk.MOST_COUNTS_A_MINUTE);
    assertThat(parties.observe(BUYER, "p-other", 1, 1, 0).getResult()).isEqualTo("accepted");
    assertThat(parties.observe(SELLER, "p-counted", 1, 1, 0).getResult()).isEqualTo("accepted");
  }

  /** Does it, each time with another number, until it is told that these are too many. */
  private static int untilBounded(int most, IntConsumer each) throws Exception {
    AtomicInteger number = new AtomicInteger();
    AtomicBoolean bounded = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 16; thread++) {
        Future<?> _ =
            threads.submit(() -> {
              while (!bounded.get() && number.get() < 50 * most) {
                try {
                  each.accept(number.incrementAndGet());
                } catch (StatusRuntimeException e) {
                  // A count may be overtaken by a larger one.
                  if (String.valueOf(e.getStatus().getDescription())
                      .startsWith("too_many_entries: ")) {
                    bounded.set(true);
                  }
                }
              }
            });
      }
    }
    assertThat(bounded).isTrue();
    return number.get();
  }

  private static PactStatement.Report complaint(String negotiation, String reporter) {
    return new PactStatement.Report(
        PactStatement.Charge.BAD_FAITH, negotiation, reporter, "nobody-else", List.of(), 7);
  }

  private String report(PactStatement.Report said) {
    return report(said, BUYER_KEY);
  }

  private String report(PactStatement.Report said, SignerKey key) {
    byte[] note = PactStatementNote.sign(said, key);
    return parties
        .as(said.reporter())
        .report(
            ReportRequest.newBuilder()
                .setParty(said.reporter())
                .setNote(ByteString.copyFrom(note))
                .build())
        .getResult();
  }

  @Test
  void aDispute_isDecidedByItsArbiter_once() {
    parties.attest("p-dispute");
    Optional<String> seller = Optional.of(SELLER);
    refused("not_disputed", () -> parties.decide(BOARD, "p-dispute", "violated", seller));
    assertThat(parties.dissolve(SELLER, "p-dispute", "dispute_escalated").getState())
        .isEqualTo("in_dispute");
    refused("pact_ended", () -> parties.dissolve(BUYER, "p-dispute", "work_completed"));
    refused("not_the_arbiter", () -> parties.decide(BUYER, "p-dispute", "violated", seller));
    refused(
        "wrong_reason",
        () -> parties.decide(BOARD, "p-dispute", "violated", Optional.of("org3/x")));
    PactStatement.Decision said =
        new PactStatement.Decision("p-dispute", BOARD, Ending.VIOLATED, seller, 1);
    byte[] forged = PactStatementNote.sign(said, SignerKey.generate(BOARD, KeyType.ED25519));
    refused(
        "note_bad_signature",
        () ->
            parties
                .operator()
                .decide(DecideRequest.newBuilder().setNote(ByteString.copyFrom(forged)).build()));
    Pact decided = parties.decide(BOARD, "p-dispute", "violated", seller);
    assertThat(decided.getState()).isEqualTo("dissolved");
    assertThat(decided.getReason()).isEqualTo("violated");
    assertThat(parties.decide(BOARD, "p-dispute", "violated", seller)).isEqualTo(decided);
    refused(
        "not_disputed",
        () -> parties.decide(BOARD, "p-dispute", "work_completed", Optional.empty()));
  }

  @Test
  void aPactWhoseTimeIsOver_ends_once_andSaysWhoVanished() throws IOException {
    try (Kit other = Kit.start(Kit.config(data.resolve("other")));
        Signatory alone = Signatory.at(other.plane).register()) {
      alone.attest(BUYER, Signatory.note(Signatory.document("p-expires", 300)));
      await()
          .atMost(Kit.PATIENCE)
          .untilAsserted(
              () -> assertThat(alone.get("p-expires").getReason()).isEqualTo("validity_expired"));
      refused("pact_ended", () -> alone.dissolve(BUYER, "p-expires", "work_completed"));
      other.attach(BUYER, Minds.plain());
      other.client.awaitAttached(BUYER);
      alone.attest(BUYER, Signatory.note(Signatory.document("p-vanished", 300)));
      assertThat(alone.observe(BUYER, "p-vanished", 1, 0, 0, Progress.FINAL).getResult())
          .isEqualTo("accepted");
      await()
          .atMost(Kit.PATIENCE)
          .untilAsserted(
              () -> assertThat(alone.get("p-vanished").getReason()).isEqualTo("timeout"));
      assertThat(alone.get("p-vanished").getResponsible()).isEqualTo(SELLER);
      other.client.assertLedgerAgrees();
    }
  }

  @Test
  void P8_aTemplate_isPublishedOnce_byItsAuthor() {
    PactStatement.Template template =
        new PactStatement.Template(
            BUYER, "enrich", 2, OptionalInt.of(4), List.of(new Predicate("a", "scope", "x")));
    PutTemplateRequest request = put(template);
    var published = parties.operator().putTemplate(request);
    assertThat(parties.as(BUYER).putTemplate(request)).isEqualTo(published);
    refused(
        "not_a_party",
        () -> {
          parties.attest("p-tokens");
          kit.attach(SELLER, Minds.plain());
          kit.client.awaitAttached(SELLER);
          parties.as(SELLER).putTemplate(request);
        });
    PactStatement.Template namesake =
        new PactStatement.Template(
            SELLER, "enrich", 2, OptionalInt.of(4), List.of(new Predicate("a", "scope", "y")));
    var other = parties.operator().putTemplate(put(namesake, Signatory.SELLER_KEY));
    assertThat(other.getSha256()).isNotEqualTo(published.getSha256());
    PactStatement.Template changed =
        new PactStatement.Template(
            BUYER, "enrich", 2, OptionalInt.of(5), List.of(new Predicate("a", "scope", "x")));
    refused("template_exists", () -> parties.operator().putTemplate(put(changed)));
    assertThat(
            parties
                .operator()
                .listTemplates(
                    ListTemplatesRequest.newBuilder().addReferences(BUYER + "/enrich@2").build())
                .getTemplatesList())
        .containsExactly(published);
  }

  private static PutTemplateRequest put(PactStatement.Template template) {
    return put(template, BUYER_KEY);
  }

  private static PutTemplateRequest put(PactStatement.Template template, SignerKey key) {
    return PutTemplateRequest.newBuilder()
        .setNote(ByteString.copyFrom(PactStatementNote.sign(template, key)))
        .build();
  }

  @Test
  void whoWatches_hearsOfEachChange_alsoOfTheEnd() {
    List<String> heard = new CopyOnWriteArrayList<>();
    parties
        .streaming(SELLER)
        .watchPacts(
            WatchPactsRequest.newBuilder().setParty(SELLER).build(),
            new StreamObserver<>() {
              @Override
              public void onNext(Pact pact) {
                if (pact.getPact().equals("p-watched")) {
                  heard.add(pact.getState());
                }
              }

              @Override
              public void onError(Throwable error) {}

              @Override
              public void onCompleted() {}
            });
    parties.attest("p-watched");
    await().atMost(Kit.PATIENCE).until(() -> heard.contains("active"));
    parties.dissolve(BUYER, "p-watched", "work_failed");
    await().atMost(Kit.PATIENCE).until(() -> heard.contains("dissolved"));
    assertThat(heard).containsExactly("active", "dissolved");
  }

  /** Any token watches, for the ledger is open; those who prove no party have a room of theirs. */
  @Test
  void strangersThatWatch_areBounded_andKeepNoPartyOut() {
    List<String> refused = new CopyOnWriteArrayList<>();
    List<Signatory> strangers = new ArrayList<>();
    try {
      for (int connection = 0; connection < 5; connection++) {
        strangers.add(Signatory.at(kit.plane));
        for (int i = 0; i < 202; i++) {
          watch(strangers.getLast().with("no-token").getChannel(), refused::add);
        }
      }
      await().atMost(Kit.PATIENCE).until(() -> refused.size() >= 10);
      assertThat(refused).hasSize(10).allMatch(why -> why.startsWith("too_many_watchers: "));
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      watch(parties.as(BUYER).getChannel(), heard::add);
      parties.attest("p-crowd");
      await().atMost(Kit.PATIENCE).until(() -> heard.contains("p-crowd"));
    } finally {
      strangers.forEach(Signatory::close);
    }
    // They are gone: there is room again.
    Signatory one = kit.keep(Signatory.at(kit.plane));
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> {
          watch(one.with("no-token").getChannel(), heard::add);
          return "p-crowd".equals(heard.poll(1, TimeUnit.SECONDS));
        });
  }

  /** Watches the buyer's pacts; hears of each by its id, of a refusal by its words. */
  private static void watch(Channel by, Consumer<String> heard) {
    PactServiceGrpc.newStub(by)
        .watchPacts(
            WatchPactsRequest.newBuilder().setParty(BUYER).build(),
            new StreamObserver<>() {
              @Override
              public void onNext(Pact pact) {
                if (pact.getPact().equals("p-crowd")) {
                  heard.accept(pact.getPact());
                }
              }

              @Override
              public void onError(Throwable error) {
                Status status = Status.fromThrowable(error);
                if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                  heard.accept(status.getDescription());
                }
              }

              @Override
              public void onCompleted() {}
            });
  }

  @Test
  void whoBeginsToWatch_hearsOfWhatHasEndedBetweenTwoLooks() {
    parties.attest("p-brief");
    parties.dissolve(BUYER, "p-brief", "work_failed");
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    parties
        .streaming(SELLER)
        .watchPacts(
            WatchPactsRequest.newBuilder().setParty(SELLER).build(),
            new StreamObserver<>() {
              @Override
              public void onNext(Pact pact) {
                if (pact.getPact().equals("p-brief")) {
                  heard.add(pact.getState());
                }
              }

              @Override
              public void onError(Throwable error) {}

              @Override
              public void onCompleted() {}
            });
    await().atMost(Kit.PATIENCE).until(() -> !heard.isEmpty());
    assertThat(heard).containsExactly("dissolved");
  }

  @Test
  void theLedger_isSound_andWhatItSaysSurvivesARestart() throws IOException {
    Path folder = data.resolve("restart");
    Pact before;
    try (Kit first = Kit.start(Kit.config(folder));
        Signatory those = Signatory.at(first.plane).register()) {
      those.attest("p-kept");
      those.observe(SELLER, "p-kept", 1, 7, 0);
      before = those.dissolve(BUYER, "p-kept", "work_completed");
      first.client.assertLedgerAgrees();
    }
    try (Kit second = Kit.start(Kit.config(folder));
        Signatory those = Signatory.at(second.plane)) {
      assertThat(those.get("p-kept")).isEqualTo(before);
      assertThat(those.dissolve(SELLER, "p-kept", "work_completed").getState())
          .isEqualTo("dissolved");
    }
  }
}
