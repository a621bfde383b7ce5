package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.SqlStore;
import dev.parlance.control.store.StoreClock;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.Kit;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.service.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signatures of seven members under one outcome, five of which make it final. */
final class OutcomeSignaturesTest {
  /** Nobody waits that long: a test would fail. */
  private static final long FOR_EVER_MS = 3_600_000;

  private final Map<String, SignerKey> keys = new LinkedHashMap<>();
  private final Disk disk = new Disk();
  private final ExecutorService members = Executors.newCachedThreadPool();
  @TempDir Path data;
  private SqlStore store;
  private FileStorage files;
  private RoundReplica replica;

  /** The storage of the ledger, which counts its commits and may be away. */
  private final class Disk implements LogStorage {
    private final AtomicInteger commits = new AtomicInteger();
    private volatile boolean isExclusive = true;
    private volatile boolean isAway;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public boolean isExclusive() {
      return isExclusive;
    }

    @Override
    public Optional<byte[]> read(String path) throws IOException {
      return files.read(path);
    }

    @Override
    public Commit commit(
        Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] checkpoint)
        throws IOException {
      commits.incrementAndGet();
      try {
        assertThat(gate.await(Kit.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (isAway) {
        throw new IOException("away");
      }
      return files.commit(expected, writes, checkpoint);
    }
  }

  @BeforeEach
  void decide() throws IOException {
    store = Stores.open(new StoreConfig.Embedded(data.resolve("store.db")));
    SignerKey ledgerKey = SignerKey.generate("test.example/ledger", KeyType.ED25519);
    files = FileStorage.open(data.resolve("ledger"), ledgerKey.verifier());
    SignerKey coreKey = SignerKey.generate("test.example/ledger/core", KeyType.ED25519);
    replica = new RoundReplica("one", "r", store, disk, ledgerKey, coreKey);
    List<Entry> published = new ArrayList<>();
    for (String agent : Council.SEVEN) {
      SignerKey key = SignerKey.generate(agent, KeyType.ED25519);
      keys.put(agent, key);
      published.add(new PactEntry.PartyKey(agent, key.verifier().format(), 0, 1));
    }
    assertThat(replica.port.append(published)).isInstanceOf(Log.AppendResult.Appended.class);
    RoundCrashTest.done(replica.calls.open(Council.seven("r").setSignatures("required").build()));
    keys.forEach((agent, key) ->
        RoundCrashTest.done(replica.proposeSigned(agent, "approve", "1 " + agent, key)));
    disk.commits.set(0);
  }

  @AfterEach
  void close() throws IOException {
    members.shutdownNow();
    replica.close();
    files.close();
    store.close();
  }

  private OutcomeSignatures signatures(long patienceMs) {
    return new OutcomeSignatures(
        new RoundJournal(replica.port, replica.view), new StoreClock(store), patienceMs);
  }

  private Result<RoundRecord> sign(OutcomeSignatures signatures, String agent) {
    RoundRecord decided = replica.last();
    String text = OutcomeNote.text(OutcomeNote.outcome(decided).orElseThrow());
    SignerKey key = Optional.ofNullable(keys.get(agent)).orElseThrow();
    return signatures.take(
        decided,
        new SigningRequest(
            decided.id(),
            agent,
            Digest.of(text),
            Note.sign(text, key).signatures().getFirst().base64()));
  }

  /** What members hear that sign at the same time. */
  private List<Result<RoundRecord>> signAtOnce(OutcomeSignatures signatures, List<String> agents)
      throws Exception {
    List<Future<Result<RoundRecord>>> all = new ArrayList<>();
    for (String agent : agents) {
      all.add(members.submit(() -> sign(signatures, agent)));
    }
    List<Result<RoundRecord>> heard = new ArrayList<>();
    for (Future<Result<RoundRecord>> each : all) {
      heard.add(each.get(Kit.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    return heard;
  }

  private static List<String> signers(Result<RoundRecord> heard) {
    return RoundCrashTest.done(heard).signatures().certificate().orElseThrow().signers();
  }

  @Test
  void fiveOfSeven_areOneCommit_andEachHearsThatTheOutcomeIsFinal() throws Exception {
    List<String> five = Council.SEVEN.subList(1, 6);
    assertThat(signAtOnce(signatures(FOR_EVER_MS), five))
        .allSatisfy(heard -> {
          assertThat(RoundCrashTest.done(heard).isFinal()).isTrue();
          assertThat(signers(heard)).containsExactlyElementsOf(five);
        });
    assertThat(disk.commits).hasValue(1);
  }

  @Test
  void whoComesAfterTheFifth_waitsForNobody() throws Exception {
    OutcomeSignatures signatures = signatures(FOR_EVER_MS);
    var _ = signAtOnce(signatures, Council.SEVEN.subList(0, 5));
    assertThat(signers(signAtOnce(signatures, List.of("a6")).getFirst())).hasSize(6).contains("a6");
    assertThat(signers(signAtOnce(signatures, List.of("a7")).getFirst())).hasSize(7).contains("a7");
  }

  @Test
  void whoComesWhileTheFiveAreOnTheWay_waitsForTheDiskAlone() throws Exception {
    OutcomeSignatures signatures = signatures(FOR_EVER_MS);
    disk.gate = new CountDownLatch(1);
    List<Future<Result<RoundRecord>>> five = new ArrayList<>();
    for (String agent : Council.SEVEN.subList(0, 5)) {
      five.add(members.submit(() -> sign(signatures, agent)));
    }
    await().atMost(Kit.PATIENCE).until(() -> disk.commits.get() == 1);
    CompletableFuture<Result<RoundRecord>> sixth = new CompletableFuture<>();
    Thread late = Thread.ofPlatform().start(() -> sixth.complete(sign(signatures, "a6")));
    // Without a time: for the ledger, not for a member.
    await().atMost(Kit.PATIENCE).until(() -> late.getState() == Thread.State.WAITING);
    disk.gate.countDown();
    for (Future<Result<RoundRecord>> each : five) {
      assertThat(signers(each.get(Kit.PATIENCE.toSeconds(), TimeUnit.SECONDS)))
          .hasSizeGreaterThanOrEqualTo(5);
    }
    assertThat(signers(sixth.get(Kit.PATIENCE.toSeconds(), TimeUnit.SECONDS))).contains("a6");
    assertThat(disk.commits).hasValue(2);
  }

  @Test
  void aFewOnTheLedger_leaveFewerToWaitFor() throws Exception {
    OutcomeSignatures impatient = signatures(0);
    for (String agent : List.of("a1", "a2", "a3")) {
      assertThat(signers(sign(impatient, agent))).contains(agent);
    }
    List<Result<RoundRecord>> heard = signAtOnce(signatures(FOR_EVER_MS), List.of("a4", "a5"));
    assertThat(heard).allSatisfy(one -> assertThat(signers(one)).hasSize(5));
    assertThat(disk.commits).hasValue(4);
  }

  @Test
  void oneMemberThatSignsOverAndOver_isOne() throws Exception {
    List<Result<RoundRecord>> heard =
        signAtOnce(signatures(1), List.of("a1", "a1", "a1", "a2", "a1", "a1"));
    assertThat(heard).allSatisfy(one -> assertThat(RoundCrashTest.done(one).isFinal()).isFalse());
    assertThat(replica.record().signatures().lines())
        .extracting(line -> line.agent())
        .containsExactlyInAnyOrder("a1", "a2");
  }

  @Test
  void aLedgerThatIsAway_isWhatAllHear_andAskingAgainIsSafe() throws Exception {
    OutcomeSignatures signatures = signatures(FOR_EVER_MS);
    List<String> five = Council.SEVEN.subList(0, 5);
    disk.isAway = true;
    assertThat(signAtOnce(signatures, five))
        .allSatisfy(heard ->
            assertThat(heard)
                .isInstanceOfSatisfying(
                    Result.Refused.class,
                    refused -> assertThat(refused.reason()).isEqualTo("ledger_unavailable")));
    disk.isAway = false;
    await().atMost(Kit.PATIENCE).until(replica.port::isOpen);
    assertThat(signAtOnce(signatures, five))
        .allSatisfy(heard -> assertThat(RoundCrashTest.done(heard).isFinal()).isTrue());
    assertThat(disk.commits).hasValue(2);
  }

  @Test
  void whereOtherReplicasTakeSignatures_noneWaits() throws Exception {
    disk.isExclusive = false;
    OutcomeSignatures signatures = signatures(FOR_EVER_MS);
    assertThat(signers(signAtOnce(signatures, List.of("a3")).getFirst())).containsExactly("a3");
  }
}
