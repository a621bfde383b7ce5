package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.RoundCalls;
import dev.parlance.control.store.SqlStore;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.Kit;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.Recomputation;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.service.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A replica that dies between any two steps of a round, or whose ledger does: whoever goes on comes
 * to the one outcome that follows from the ledger.
 */
@Tag("kill")
final class RoundCrashTest {
  private static final int DEADLINE_MS = 2_000;

  @TempDir Path data;
  private SqlStore store;
  private SignerKey ledgerKey;
  private SignerKey coreKey;
  private FileStorage files;

  @BeforeEach
  void open() throws IOException {
    store = Stores.open(new StoreConfig.Embedded(data.resolve("store.db")));
    ledgerKey = SignerKey.generate("test.example/ledger", KeyType.ED25519);
    coreKey = SignerKey.generate("test.example/ledger/core", KeyType.ED25519);
    files = FileStorage.open(data.resolve("ledger"), ledgerKey.verifier());
  }

  @AfterEach
  void close() throws IOException {
    files.close();
    store.close();
  }

  private RoundReplica replica(String name, LogStorage storage) throws IOException {
    return new RoundReplica(name, "r", store, storage, ledgerKey, coreKey);
  }

  static <T> T done(Result<T> attempt) {
    assertThat(attempt).isInstanceOf(Result.Done.class);
    return ((Result.Done<T>) attempt).value();
  }

  private static OpenRoundRequest request(int deadlineMs) {
    return Council.seven("r").setDeadlineMs(deadlineMs).build();
  }

  /** A storage of this replica alone that counts its commits, each of which waits twice. */
  private final class Counting implements LogStorage {
    private final AtomicInteger commits = new AtomicInteger();

    @Override
    public boolean isExclusive() {
      return files.isExclusive();
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
      return files.commit(expected, writes, checkpoint);
    }
  }

  @Test
  void theProposalThatCompletesARound_andItsEnd_areOneCommit() throws IOException {
    Counting counting = new Counting();
    try (RoundReplica one = replica("one", counting)) {
      assertThat(done(one.calls.open(request(60_000))).getState()).isEqualTo("open");
      for (String agent : Council.SEVEN.subList(0, 6)) {
        assertThat(done(one.propose(agent)).getResult()).isEqualTo("accepted");
      }
      int before = counting.commits.get();
      Round last = done(one.propose("a7")).getRound();
      assertThat(last.getState()).isEqualTo("decided");
      assertThat(last.getResult().getOutcome()).isEqualTo("semantic_commit");
      assertThat(counting.commits.get()).isEqualTo(before + 1);
    }
    assertThat(recomputed().disagreements()).isEmpty();
  }

  /** A storage that holds one commit back until told. */
  private final class Holding implements LogStorage {
    private final Counting counting = new Counting();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public boolean isExclusive() {
      return counting.isExclusive();
    }

    @Override
    public Optional<byte[]> read(String path) throws IOException {
      return counting.read(path);
    }

    @Override
    public Commit commit(
        Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] checkpoint)
        throws IOException {
      try {
        assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return counting.commit(expected, writes, checkpoint);
    }
  }

  @Test
  void signaturesOfAllMembersThatComeWhileOneIsOnTheWay_areOneCommitMore() throws Exception {
    Holding storage = new Holding();
    try (RoundReplica one = replica("one", storage)) {
      Map<String, SignerKey> keys = new LinkedHashMap<>();
      Council.SEVEN.forEach(agent -> keys.put(agent, SignerKey.generate(agent, KeyType.ED25519)));
      List<Entry> published = new ArrayList<>();
      keys.forEach((agent, key) ->
          published.add(new PactEntry.PartyKey(agent, key.verifier().format(), 0, 1)));
      assertThat(one.port.append(published)).isInstanceOf(Log.AppendResult.Appended.class);
      done(one.calls.open(Council.seven("r").setSignatures("required").build()));
      for (String agent : Council.SEVEN) {
        done(one.proposeSigned(agent, "approve", "1 " + agent, keys.get(agent)));
      }
      int before = storage.counting.commits.get();
      storage.gate = new CountDownLatch(1);
      List<Thread> signing = new ArrayList<>();
      keys.forEach(
          (agent, key) -> signing.add(Thread.ofPlatform().start(() -> one.sign(agent, key))));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> signing.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
      storage.gate.countDown();
      for (Thread thread : signing) {
        thread.join(Duration.ofSeconds(60));
      }
      assertThat(one.record().isFinal()).isTrue();
      assertThat(storage.counting.commits.get() - before).isBetween(1, 2);
    }
    assertThat(recomputed().disagreements()).isEmpty();
  }

  @Test
  void membersThatProposeAtTheSameTime_comeToOneOutcome_thatFollows() throws Exception {
    try (RoundReplica one = replica("one", new Counting());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        String name = "at-once-" + round;
        done(one.calls.open(Council.seven(name).build()));
        List<Future<?>> all = new ArrayList<>();
        for (String agent : Council.SEVEN) {
          String verdict = agent.equals("a7") ? "reject" : "approve";
          all.add(
              threads.submit(() ->
                  one.calls.propose(Council.proposal(name, agent, verdict, "1 " + agent).build())));
          all.add(
              threads.submit(() ->
                  one.calls.propose(Council.proposal(name, agent, verdict, "2 " + agent).build())));
        }
        for (Future<?> each : all) {
          each.get(60, TimeUnit.SECONDS);
        }
        assertThat(
                done(one.calls.get(GetRoundRequest.newBuilder().setRound(name).build())).getState())
            .isEqualTo("decided");
      }
    }
    assertThat(recomputed().disagreements()).isEmpty();
  }

  private RecomputationReport recomputed() throws IOException {
    return Recomputation.of(
        new LogReader(files, ledgerKey.verifier()).head().orElseThrow(),
        System.currentTimeMillis());
  }

  /** A storage that dies, or fails for a while, around some commit. */
  private final class Breaking implements LogStorage {
    private final String type;
    private final boolean isAfter;
    private final boolean isForGood;
    private final boolean isAlone;
    private volatile boolean isDead;
    private final AtomicInteger failures = new AtomicInteger();

    /**
     * @param type type of the entry whose commit fails
     * @param isAfter true: what it commits is there all the same
     * @param isForGood true: nothing works afterwards
     */
    Breaking(String type, boolean isAfter, boolean isForGood) {
      this(type, isAfter, isForGood, false);
    }

    /**
     * @param isAlone true: nobody else can write, so the end of a round goes with what leads to it
     */
    Breaking(String type, boolean isAfter, boolean isForGood, boolean isAlone) {
      this.isAlone = isAlone;
      this.type = "\"type\":\"" + type + "\"";
      this.isAfter = isAfter;
      this.isForGood = isForGood;
    }

    @Override
    public boolean isExclusive() {
      return isAlone;
    }

    @Override
    public Optional<byte[]> read(String path) throws IOException {
      if (isDead) {
        throw new IOException("dead");
      }
      return files.read(path);
    }

    @Override
    public Commit commit(
        Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] checkpoint)
        throws IOException {
      boolean isIt =
          writes.values().stream()
              .anyMatch(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).contains(type));
      if (isDead) {
        throw new IOException("dead");
      }
      if (isIt && (isForGood || failures.getAndIncrement() == 0)) {
        isDead = isForGood;
        if (isAfter) {
          files.commit(expected, writes, checkpoint);
        }
        throw new IOException("the outcome is unknown");
      }
      return files.commit(expected, writes, checkpoint);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "round_sealed, false, false",
    "round_sealed, true, false",
    "round_decided, false, false",
    "round_decided, true, false",
    "round_decided, false, true",
    "round_decided, true, true",
  })
  void deathBetweenTwoSteps_isMadeGoodByAnotherReplica(
      String type, boolean isAfter, boolean isAlone) throws IOException {
    try (RoundReplica first = replica("first", new Breaking(type, isAfter, true, isAlone))) {
      assertThat(done(first.calls.open(request(DEADLINE_MS))).getState()).isEqualTo("open");
      for (String agent : Council.SEVEN) {
        first.propose(agent); // the last one or two find the ledger dead
      }
    }
    try (RoundReplica second = replica("second", files)) {
      Round ended = awaitEnd(second);
      assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
      assertThat(ended.getResult().getDelivered()).isGreaterThanOrEqualTo(5);
      if (!type.equals("round_decided") || !isAfter) {
        // The end is on the ledger, and seen, before it is counted.
        await()
            .atMost(Kit.PATIENCE)
            .until(
                second.metrics::scrape,
                lines -> lines.contains("parlance_control_rounds_taken_over_total 1.0"));
      }
      // Whoever heard nothing asks again, and hears that it counts or is late.
      for (String agent : Council.SEVEN) {
        switch (second.propose(agent)) {
          case Result.Done<ProposeResponse>(ProposeResponse response) ->
              assertThat(response.getResult()).isEqualTo("repeated");
          case Result.Refused<ProposeResponse> refused ->
              assertThat(refused.reason()).isEqualTo("late");
        }
      }
      assertAgrees();
    }
  }

  private static Round awaitEnd(RoundReplica replica) {
    return await().atMost(Kit.PATIENCE).until(replica::round, Round::hasResult);
  }

  private void assertAgrees() throws IOException {
    RecomputationReport report =
        Recomputation.of(
            new LogReader(files, ledgerKey.verifier()).head().orElseThrow(),
            System.currentTimeMillis());
    assertThat(report.agrees()).as(report.format()).isTrue();
    assertThat(report.rounds().opened()).isEqualTo(1);
    assertThat(report.rounds().unfinished()).isEmpty();
    assertThat(report.rounds().semanticCommits()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "round_opened, false",
    "round_opened, true",
    "round_proposal, false",
    "round_proposal, true",
    "round_decided, false",
    "round_decided, true",
  })
  void ledgerThatFailsOnce_costsTheAnswer_andAskingAgainIsSafe(String type, boolean isAfter)
      throws IOException {
    try (RoundReplica replica = replica("one", new Breaking(type, isAfter, false))) {
      await().atMost(Kit.PATIENCE).until(() -> isDoneOrAway(replica.calls.open(request(60_000))));
      for (String agent : Council.SEVEN) {
        await().atMost(Kit.PATIENCE).until(() -> isDoneOrAway(replica.propose(agent)));
      }
      Round ended = awaitEnd(replica);
      assertThat(ended.getProposalsList()).hasSize(7);
      assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
      assertThat(ended.getResult().getDelivered()).isEqualTo(7);
      assertAgrees();
    }
  }

  /** True if it was done; nothing but an unavailable ledger may stand in the way. */
  static <T> boolean isDoneOrAway(Result<T> attempt) {
    return switch (attempt) {
      case Result.Done<T> _ -> true;
      case Result.Refused<T> refused -> {
        assertThat(refused.reason()).isEqualTo("ledger_unavailable");
        assertThat(refused.kind()).isEqualTo(Result.Kind.UNAVAILABLE);
        yield false;
      }
    };
  }

  @Test
  void restart_goesOnFromTheLedger_alsoWithTheDeadlineLongOver() throws IOException {
    try (RoundReplica first = replica("first", files)) {
      done(first.calls.open(request(DEADLINE_MS)));
      for (String agent : Council.SEVEN.subList(0, 5)) {
        done(first.propose(agent));
      }
    }
    try (RoundReplica second = replica("second", files)) {
      Round ended = awaitEnd(second);
      assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
      assertThat(ended.getResult().getDelivered()).isEqualTo(5);
      assertThat(ended.getProposals(0).getVector()).isNotEmpty();
      assertAgrees();
    }
  }

  @Test
  void roundOfLongAgo_isReadFromTheLedgerAgain() throws IOException {
    try (RoundReplica replica = replica("one", files)) {
      done(replica.calls.open(request(60_000)));
      replica.propose("a1");
      replica.calls.propose(Council.proposal("r", "a1", "reject", "1 twice").build());
      for (String agent : Council.SEVEN.subList(1, 7)) {
        done(replica.propose(agent));
      }
      done(replica.calls.open(Council.seven("other").build()));
      RoundRecord known = replica.view.read(state -> state.round("r")).orElseThrow();
      assertThat(known.proposals()).hasSize(8);
      RoundRecord forgotten =
          known.whole(
              new RoundState(
                  known.id(),
                  known.state().spec(),
                  known.state().status(),
                  List.of(),
                  known.outcome()),
              List.of());
      assertThat(forgotten.isWhole()).isFalse();
      RoundViews views = new RoundViews(coreKey, replica.view);
      assertThat(views.withProposals(forgotten)).isEqualTo(known);
      assertThat(views.withProposals(known)).isSameAs(known);
      assertThat(RoundCalls.shown(views.summary(forgotten, 0)).getProposed()).isEqualTo(7);
    }
  }
}
