package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.SqlStore;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.Kit;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.Recomputation;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.service.Result;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A control plane that ends around any commit of a round, whose next one has a clock up to two
 * seconds off, alone or beside a second replica, with up to f members that say nothing, two things
 * or something else: each round ends once, and everybody sees the same end.
 */
@Tag("kill")
final class RoundRestartTest {
  /** Points at which a replica ends first; 200 with {@code -Psoak}. */
  private static final int POINTS = Math.max(12, Integer.getInteger("soak", 5) / 5);

  /** More than a round has commits, so that some replicas end in the next round or not at all. */
  private static final int COMMITS = 16;

  private static final int MAX_ENDS = 3;
  private static final int SKEW_MS = 2_000;
  private static final Set<String> OUTCOMES = Set.of("semantic_commit", "verdict_commit", "abort");
  private static final Set<String> SETTLED =
      Set.of("late", "equivocated", "outcome_differs", "contradicted");

  @TempDir Path data;
  private final Map<String, SignerKey> keys = new LinkedHashMap<>();
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
    List<Entry> published = new ArrayList<>();
    for (String agent : Council.SEVEN) {
      keys.put(agent, SignerKey.generate(agent, KeyType.ED25519));
      published.add(new PactEntry.PartyKey(agent, keys.get(agent).verifier().format(), 0, 1));
    }
    try (RoundReplica first = replica("r/none", files, 0)) {
      first.port.append(published);
    }
  }

  @AfterEach
  void close() throws IOException {
    files.close();
    store.close();
  }

  private RoundReplica replica(String round, LogStorage storage, int skewMs) throws IOException {
    return new RoundReplica("one", round, at(skewMs), storage, ledgerKey, coreKey);
  }

  /** The store with a clock that goes wrong. */
  private Store at(int skewMs) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(store, arguments);
                return method.getName().equals("nowMs") ? (Long) result + skewMs : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A storage that dies at its n-th commit, with or without what that commit says. */
  private final class Mortal implements LogStorage {
    private final boolean isAlone;
    private final boolean isAfter;
    private final AtomicInteger left;
    private volatile boolean isDead;

    Mortal(int commits, boolean isAfter, boolean isAlone) {
      this.left = new AtomicInteger(commits);
      this.isAfter = isAfter;
      this.isAlone = isAlone;
    }

    @Override
    public boolean isExclusive() {
      return isAlone;
    }

    @Override
    public Optional<byte[]> read(String path) throws IOException {
      alive();
      return files.read(path);
    }

    @Override
    public Commit commit(
        Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] checkpoint)
        throws IOException {
      alive();
      if (left.decrementAndGet() == 0) {
        isDead = true;
        if (isAfter) {
          files.commit(expected, writes, checkpoint);
        }
      }
      alive();
      return files.commit(expected, writes, checkpoint);
    }

    private void alive() throws IOException {
      if (isDead) {
        throw new IOException("dead");
      }
    }
  }

  /** What a member does. */
  private enum Conduct {
    HONEST,
    SILENT,
    TWO_THINGS,
    ANOTHER_VERDICT
  }

  /** One round, from its opening to its end, at a control plane that is started again. */
  private final class Play implements AutoCloseable {
    private final Random random;
    private final String round;
    private final boolean isSigned;
    private final int ends;
    private final List<String> members;
    private final Map<String, Conduct> conducts = new LinkedHashMap<>();
    private final Optional<RoundReplica> beside;
    private Mortal storage;
    private RoundReplica now;
    private int ended;

    Play(int point) throws IOException {
      random = new Random(point);
      round = "r/" + point;
      isSigned = random.nextBoolean();
      ends = 1 + random.nextInt(MAX_ENDS);
      members = new ArrayList<>(Council.SEVEN.subList(0, random.nextBoolean() ? 4 : 7));
      members.forEach(agent -> conducts.put(agent, Conduct.HONEST));
      for (int fault = 0; fault < faults(); fault++) {
        conducts.put(
            members.get(random.nextInt(members.size())),
            Conduct.values()[random.nextInt(Conduct.values().length)]);
      }
      beside =
          random.nextInt(3) == 0
              ? Optional.of(replica(round, new Mortal(-1, false, false), skewMs()))
              : Optional.empty();
      storage = new Mortal(1 + point % COMMITS, random.nextBoolean(), beside.isEmpty());
      now = replica(round, storage, skewMs());
    }

    private int faults() {
      return (members.size() - 1) / 3;
    }

    private int skewMs() {
      return random.nextInt(2 * SKEW_MS + 1) - SKEW_MS;
    }

    /** The replica that is asked: one of those there are; a dead one is replaced. */
    private RoundReplica one() {
      if (storage.isDead) {
        now.close();
        ended++;
        int commits = ended < ends ? 1 + random.nextInt(COMMITS / 2) : -1;
        storage = new Mortal(commits, random.nextBoolean(), beside.isEmpty());
        try {
          now = replica(round, storage, skewMs());
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
      return beside.isPresent() && random.nextBoolean() ? beside.get() : now;
    }

    /** Asks until somebody answers; the reason of a refusal, if that was the answer. */
    private <T> Optional<String> settled(Supplier<Result<T>> call) {
      List<Optional<String>> answer = new ArrayList<>();
      await()
          .atMost(Kit.PATIENCE)
          .until(() ->
              switch (call.get()) {
                case Result.Done<T> _ -> answer.add(Optional.empty());
                case Result.Refused<T> refused when refused.reason().equals("ledger_unavailable") ->
                    false;
                case Result.Refused<T> refused -> answer.add(Optional.of(refused.reason()));
              });
      return answer.getFirst();
    }

    Round toItsEnd() {
      boolean isDeadlineNeeded = conducts.containsValue(Conduct.SILENT);
      OpenRoundRequest opening =
          Council.seven(round)
              .clearMembers()
              .addAllMembers(members)
              .setFaults(faults())
              .setSignatures(isSigned ? "required" : "offered")
              .setDeadlineMs(isDeadlineNeeded ? 500 : 60_000)
              .build();
      assertThat(settled(() -> one().calls.open(opening))).isEmpty();
      List<String> order = new ArrayList<>(members);
      Collections.shuffle(order, random);
      for (String agent : order) {
        switch (conducts.get(agent)) {
          case HONEST -> propose(agent, "approve", "1 " + agent);
          case ANOTHER_VERDICT -> propose(agent, "reject", "3 " + agent);
          case TWO_THINGS -> {
            propose(agent, "approve", "1 " + agent);
            propose(agent, "reject", "2 " + agent);
          }
          case SILENT -> {}
        }
      }
      Round end = awaited();
      if (isSigned && end.getResult().getOutcome().endsWith("commit")) {
        sign();
        end = awaited();
      }
      return end;
    }

    /** The round once it has a result; replicas may end between one look and the next. */
    private Round awaited() {
      return await().atMost(Kit.PATIENCE).until(() -> one().round(), Round::hasResult);
    }

    private void propose(String agent, String verdict, String text) {
      settled(() ->
              isSigned
                  ? one().proposeSigned(agent, verdict, text, keys.get(agent))
                  : one().propose(agent, verdict, text))
          .ifPresent(reason -> assertThat(SETTLED).contains(reason));
    }

    /** The honest members sign what they have worked out themselves. */
    private void sign() {
      conducts.forEach((agent, conduct) -> {
        if (conduct == Conduct.HONEST) {
          assertThat(settled(() -> signed(one(), agent))).isEmpty();
        }
      });
      await().atMost(Kit.PATIENCE).until(() -> one().round().getResult().getFinal());
    }

    /** A replica that was started a moment ago, or is about to die, may not have read the end. */
    private Result<Round> signed(RoundReplica replica, String agent) {
      return replica.round().hasResult()
          ? replica.sign(agent, keys.get(agent))
          : Result.refused(Result.Kind.UNAVAILABLE, "ledger_unavailable", "not read yet");
    }

    @Override
    public void close() {
      now.close();
      beside.ifPresent(RoundReplica::close);
    }
  }

  @Test
  void controlPlaneThatEndsAnywhere_endsEachRoundOnce_andTheSameForAll() throws IOException {
    int died = 0;
    Map<String, Round> ends = new LinkedHashMap<>();
    for (int point = 0; point < POINTS; point++) {
      try (Play play = new Play(point)) {
        Round end = play.toItsEnd();
        assertThat(OUTCOMES).contains(end.getResult().getOutcome());
        ends.put(play.round, end);
        died += play.ended;
      }
    }
    assertThat(died).isGreaterThan(POINTS / 2);
    try (RoundReplica later = replica("r/0", files, SKEW_MS)) {
      ends.forEach((round, end) -> {
        var query = GetRoundRequest.newBuilder().setRound(round).build();
        Round known = RoundCrashTest.done(later.calls.get(query));
        assertThat(known.getResult().getOutcome()).isEqualTo(end.getResult().getOutcome());
        assertThat(known.getResult().getNote()).isEqualTo(end.getResult().getNote());
      });
    }
    RecomputationReport report =
        Recomputation.of(
            new LogReader(files, ledgerKey.verifier()).head().orElseThrow(),
            System.currentTimeMillis() + SKEW_MS);
    assertThat(report.agrees()).as(report.format()).isTrue();
    assertThat(report.rounds().opened()).isEqualTo(POINTS);
    assertThat(report.rounds().unfinished()).isEmpty();
  }
}
