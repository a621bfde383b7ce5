package dev.parlance.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.control.store.Store.QuestionRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What several stores over one database do when they are used at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReplicasContract {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int REPLICAS = 3;
  private static final int THREADS = 6;

  private final List<Store> stores = new ArrayList<>();
  private TestDatabase database;

  ReplicasContract() {}

  /** An empty database. */
  abstract TestDatabase newDatabase();

  @BeforeAll
  void open() throws InterruptedException {
    database = newDatabase();
    // All at once, on a database without tables: this is the start of several replicas.
    Callable<Store> open = () -> Stores.open(database.config());
    stores.addAll(Crew.run(IntStream.range(0, REPLICAS).mapToObj(i -> open).toList()));
  }

  @BeforeEach
  void clear() {
    database.clear();
  }

  @AfterAll
  void close() {
    stores.forEach(Store::close);
  }

  @Test
  void replicasThatStartAtOnce_migrateOnce() throws InterruptedException {
    TestDatabase fresh = newDatabase();
    Callable<PlanPut> start =
        () -> {
          try (Store store = Stores.open(fresh.config())) {
            return store.putPlan("p", 0, new byte[0], 0);
          }
        };
    List<PlanPut> results = Crew.run(IntStream.range(0, 4).mapToObj(i -> start).toList());
    assertThat(results).filteredOn(new PlanPut.Stored(1)::equals).hasSize(1);
    assertThat(results).filteredOn(new PlanPut.Conflict(1)::equals).hasSize(3);
  }

  @Test
  void C7_leaseIsNeverHeldTwice_andEpochsCountAcquisitions() throws InterruptedException {
    AtomicReference<Optional<Lease>> holder = new AtomicReference<>(Optional.empty());
    AtomicInteger left = new AtomicInteger(120);
    List<Long> epochs = new ArrayList<>();
    onAllThreads((store, thread) -> {
      while (left.get() > 0 && Crew.goesOn()) {
        Optional<Lease> lease = store.acquire("r", "thread-" + thread, LONG);
        if (lease.isPresent()) {
          assertThat(holder.getAndSet(lease)).isEmpty();
          synchronized (epochs) {
            epochs.add(lease.get().epoch());
          }
          left.decrementAndGet();
          assertThat(holder.getAndSet(Optional.empty())).isEqualTo(lease);
          store.release(lease.get());
        }
      }
      return List.of();
    });
    assertThat(epochs)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, epochs.size()).boxed().toList());
  }

  @Test
  void C7_whoLostItsLease_neverOverwritesItsSuccessor() throws InterruptedException {
    stores.getFirst().createAudit(StoreFixture.audit("a1", "p", "running", 1));
    AtomicInteger acquired = new AtomicInteger();
    AtomicInteger written = new AtomicInteger();
    onAllThreads((store, thread) -> {
      long seen = 0;
      while (acquired.get() < 40 && Crew.goesOn()) {
        Optional<Lease> lease = store.acquire("r", "thread-" + thread, Duration.ofMillis(15));
        if (lease.isPresent()) {
          acquired.incrementAndGet();
          // Goes on writing until it is refused, like a replica that does not know better.
          while (store.updateAudit(ofEpoch(lease.get().epoch()), lease.get())) {
            written.incrementAndGet();
          }
        }
        long now = store.audit("a1").orElseThrow().endedAtMs();
        assertThat(now).isGreaterThanOrEqualTo(seen);
        seen = now;
      }
      return List.of();
    });
    assertThat(written.get()).isPositive();
  }

  private static Store.AuditRow ofEpoch(long epoch) {
    return new Store.AuditRow(
        "a1", "p", 1, "certify", List.of(), new byte[0], "running", 1, epoch, new byte[0]);
  }

  @Test
  void everyQuestion_isTakenOnce() throws InterruptedException {
    List<String> ids = IntStream.range(0, 400).mapToObj(i -> String.format("q%03d", i)).toList();
    stores
        .getFirst()
        .ask(
            ids.stream()
                .map(id -> StoreFixture.question(id, "x", "agent-" + id.charAt(3)))
                .toList());
    List<String> agents = IntStream.range(0, 10).mapToObj(i -> "agent-" + i).toList();
    List<String> taken =
        onAllThreads((store, thread) -> {
          List<String> mine = new ArrayList<>();
          List<QuestionRow> some;
          do {
            some = store.take(agents, "thread-" + thread, 7, LONG);
            some.forEach(question -> mine.add(question.id()));
            some.forEach(question -> store.answer(question.id(), new byte[] {1}));
          } while (Crew.goesOn()
              && (!some.isEmpty() || store.answers("x", ids.size()).size() < ids.size()));
          return mine;
        });
    assertThat(taken).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void claimedQuestionsOfADeadReplica_areTakenByAnother() {
    Store dead = stores.get(0);
    Store alive = stores.get(1);
    dead.ask(List.of(StoreFixture.question("q1", "x", "alice")));
    assertThat(dead.take(List.of("alice"), "dead", 5, LONG)).hasSize(1);
    assertThat(alive.take(List.of("alice"), "alive", 5, LONG)).isEmpty();
    // The time passes here, not on a clock: a slow machine must not end the claim too early.
    database.execute("UPDATE question SET expires_at_ms = expires_at_ms - " + LONG.toMillis());
    assertThat(alive.take(List.of("alice"), "alive", 5, LONG)).hasSize(1);
    assertThat(dead.take(List.of("alice"), "dead", 5, LONG)).isEmpty();
  }

  @Test
  void firstAnswerCounts_whoeverGivesIt() throws InterruptedException {
    stores.getFirst().ask(List.of(StoreFixture.question("q1", "x", "alice")));
    List<String> seen =
        onAllThreads((store, thread) -> {
          store.answer("q1", new byte[] {thread.byteValue()});
          return List.of(String.valueOf(store.answers("x", 1).getFirst().answer()[0]));
        });
    assertThat(seen).hasSize(THREADS).containsOnly(seen.getFirst());
  }

  @Test
  void duePlan_isClaimedByOneReplica() throws InterruptedException {
    Store first = stores.getFirst();
    List<String> names = IntStream.range(0, 40).mapToObj(i -> "plan-" + i).toList();
    names.forEach(name -> first.putPlan(name, 0, new byte[0], 1000));
    assertThat(first.claimDue(plan -> 1)).isEmpty();
    long due = first.nowMs() + 1;
    await().until(() -> first.nowMs() > due);
    List<String> claimed =
        onAllThreads((store, thread) -> {
          List<String> mine = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            store.claimDue(plan -> LONG.toMillis()).stream().map(PlanRow::name).forEach(mine::add);
          }
          return mine;
        });
    assertThat(claimed).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void ofManyWhoReplaceAPlan_oneDoes() throws InterruptedException {
    stores.getFirst().putPlan("p", 0, new byte[0], 0);
    List<PlanPut> results =
        onAllThreads((store, thread) -> List.of(store.putPlan("p", 1, new byte[0], thread)));
    assertThat(results).filteredOn(new PlanPut.Stored(2)::equals).hasSize(1);
    assertThat(results).filteredOn(new PlanPut.Conflict(2)::equals).hasSize(THREADS - 1);
  }

  @Test
  void ofManyWhoStartAnAudit_oneDoes() throws InterruptedException {
    List<Boolean> results =
        onAllThreads((store, thread) ->
            List.of(store.createAudit(StoreFixture.audit("audit-" + thread, "p", "open", 1))));
    assertThat(results).filteredOn(Boolean.TRUE::equals).hasSize(1);
    assertThat(stores.getFirst().unfinishedAudits()).hasSize(1);
  }

  @Test
  void watchers_missNoCore_howeverManyAreBeingPublished() throws InterruptedException {
    int each = 25;
    int publishers = THREADS;
    int all = publishers * each;
    ConcurrentLinkedQueue<List<Long>> watched = new ConcurrentLinkedQueue<>();
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < publishers; i++) {
      Store store = stores.get(i % REPLICAS);
      String audit = "audit-" + i;
      tasks.add(() -> {
        Lease lease = store.acquire(audit, "me", LONG).orElseThrow();
        for (int version = 1; version <= each; version++) {
          store.putPendingCore(StoreFixture.core(audit, version, audit), lease);
          assertThat(store.publishCore(audit, version, lease)).isEqualTo(CorePut.DONE);
        }
        return true;
      });
    }
    for (Store store : stores) {
      tasks.add(() -> {
        List<Long> seen = new ArrayList<>();
        long last = 0;
        while (last < all && Crew.goesOn()) {
          for (CoreRow core : store.coresSince(last)) {
            last = core.sequence();
            seen.add(last);
          }
        }
        return watched.add(seen);
      });
    }
    Crew.run(tasks);
    assertThat(watched)
        .hasSize(REPLICAS)
        .containsOnly(LongStream.rangeClosed(1, all).boxed().toList());
  }

  @Test
  void whoFoundNothing_findsWhatAnyOtherWritesNext() {
    Store asks = stores.getFirst();
    for (Store writes : stores) {
      database.clear();
      long identities = asks.identityRevision();
      for (int i = 0; i < 3; i++) {
        assertThat(asks.identityRevision()).isEqualTo(identities);
        assertThat(asks.unfinishedAudits()).isEmpty();
        assertThat(asks.take(List.of("alice"), "replica", 1, LONG)).isEmpty();
        assertThat(asks.coresSince(0)).isEmpty();
        assertThat(asks.reviewsSince(0)).isEmpty();
      }

      assertThat(writes.deny("spiffe://a.example/x" + stores.indexOf(writes), true)).isTrue();
      assertThat(asks.identityRevision()).isGreaterThan(identities);
      assertThat(writes.createAudit(StoreFixture.audit("a", "p", "running", 1))).isTrue();
      assertThat(asks.unfinishedAudits()).hasSize(1);
      writes.ask(List.of(StoreFixture.question("q", "a", "alice")));
      assertThat(asks.take(List.of("alice"), "replica", 1, LONG)).hasSize(1);
      Lease lease = writes.acquire("core", "me", LONG).orElseThrow();
      CoreRow core = StoreFixture.core("k", 1, "a");
      assertThat(writes.putPendingCore(core, lease)).isEqualTo(CorePut.DONE);
      assertThat(asks.coresSince(0)).isEmpty();
      assertThat(writes.publishCore("k", 1, lease)).isEqualTo(CorePut.DONE);
      assertThat(asks.coresSince(0)).hasSize(1);
      writes.putReview(StoreContract.review("alice", "r", "bob", 60_000));
      assertThat(asks.reviewsSince(0)).hasSize(1);
    }
  }

  @Test
  void ofTwoAuditsThatWantAVersion_oneGetsIt() throws InterruptedException {
    Store first = stores.getFirst();
    for (int thread = 0; thread < THREADS; thread++) {
      first.createAudit(StoreFixture.audit("audit-" + thread, "plan-" + thread, "running", 1));
    }
    List<CorePut> results =
        onAllThreads((store, thread) -> {
          Lease lease = store.acquire("audit-" + thread, "me", LONG).orElseThrow();
          return List.of(store.putPendingCore(StoreFixture.core("k", 1, "audit-" + thread), lease));
        });
    assertThat(results).filteredOn(CorePut.DONE::equals).hasSize(1);
    assertThat(results).filteredOn(CorePut.VERSION_TAKEN::equals).hasSize(THREADS - 1);
  }

  @Test
  void sidecarsSeenByManyAtOnce_areAllNoted() throws InterruptedException {
    onAllThreads((store, thread) -> {
      for (int i = 0; i < 20; i++) {
        store.seen("agent-" + i, "node", "thread-" + thread, new byte[0]);
      }
      return List.of();
    });
    assertThat(stores.getFirst().sidecars(LONG)).hasSize(20);
  }

  /** Two threads on each store; what they give, together. */
  private <T> List<T> onAllThreads(BiFunction<Store, Integer, List<T>> work)
      throws InterruptedException {
    List<Callable<List<T>>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Store store = stores.get(i % REPLICAS);
      int thread = i;
      tasks.add(() -> work.apply(store, thread));
    }
    return Crew.run(tasks).stream().flatMap(List::stream).toList();
  }
}
