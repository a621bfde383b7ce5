package dev.parlance.control.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.control.store.Store.QuestionRow;
import dev.parlance.control.store.Store.SidecarRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What every store does, whichever database is below it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreContract {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(40);

  private TestDatabase database;
  private Store store;

  StoreContract() {}

  /** An empty database. */
  abstract TestDatabase newDatabase();

  @BeforeAll
  void open() {
    database = newDatabase();
    store = Stores.open(database.config());
  }

  @BeforeEach
  void clear() {
    database.clear();
  }

  @AfterAll
  void close() {
    if (store != null) {
      store.close();
    }
  }

  // ---- plans ----

  @Test
  void plan_isGivenBackAsStored_withRevisionsCountingUp() {
    byte[] document = {0, -1, 10, 127};
    assertThat(store.putPlan("licenses", 0, document, 60_000)).isEqualTo(new PlanPut.Stored(1));
    assertThat(store.plan("licenses"))
        .hasValueSatisfying(plan -> {
          assertThat(plan.revision()).isEqualTo(1);
          assertThat(plan.document()).isEqualTo(document);
          assertThat(plan.intervalMs()).isEqualTo(60_000);
        });
    assertThat(store.putPlan("licenses", 1, bytes("b"), 0)).isEqualTo(new PlanPut.Stored(2));
    assertThat(store.plan("licenses").orElseThrow().document()).isEqualTo(bytes("b"));
  }

  @Test
  void planOfAnotherRevision_isAConflict_andNothingIsStored() {
    assertThat(store.putPlan("p", 3, bytes("x"), 0)).isEqualTo(new PlanPut.Conflict(0));
    store.putPlan("p", 0, bytes("a"), 0);
    assertThat(store.putPlan("p", 0, bytes("x"), 0)).isEqualTo(new PlanPut.Conflict(1));
    assertThat(store.putPlan("p", 2, bytes("x"), 0)).isEqualTo(new PlanPut.Conflict(1));
    assertThat(store.plan("p").orElseThrow().document()).isEqualTo(bytes("a"));
    assertThat(store.plan("q")).isEmpty();
  }

  @Test
  void plans_areSortedByCharacters_inEveryDatabase() {
    for (String name : List.of("b", "A", "a", "B", "a-b", "aa")) {
      store.putPlan(name, 0, bytes(name), 0);
    }
    assertThat(store.plans())
        .extracting(PlanRow::name)
        .containsExactly("A", "B", "a", "a-b", "aa", "b");
  }

  @Test
  void emptyDocuments_areEmptyAndNotAbsent() {
    store.putPlan("p", 0, new byte[0], 0);
    assertThat(store.plan("p").orElseThrow().document()).isEmpty();
    store.ask(List.of(question("q", "audit", "alice")));
    store.answer("q", new byte[0]);
    assertThat(store.answers("audit", 10))
        .singleElement()
        .satisfies(a -> assertThat(a.answer()).isEmpty());
  }

  @Test
  void duePlan_firstGetsItsTime_andIsClaimedOncePerTime() {
    store.putPlan("p", 0, bytes("a"), 1000);
    store.putPlan("unscheduled", 0, bytes("a"), 0);
    List<Long> asked = new ArrayList<>();
    assertThat(
            store.claimDue(plan -> {
              asked.add(plan.intervalMs());
              return 20;
            }))
        .isEmpty();
    assertThat(asked).containsExactly(1000L);
    await().until(() -> !store.claimDue(plan -> LONG.toMillis()).isEmpty());
    assertThat(store.claimDue(plan -> 1)).isEmpty();
  }

  @Test
  void planWhoseIntervalChanges_getsANewTime_andOneThatKeepsItDoesNot() {
    store.putPlan("p", 0, bytes("a"), 1000);
    assertThat(store.claimDue(plan -> LONG.toMillis())).isEmpty();
    store.putPlan("p", 1, bytes("b"), 1000);
    assertThat(store.claimDue(plan -> fail())).isEmpty();
    store.putPlan("p", 2, bytes("b"), 500);
    assertThat(store.claimDue(plan -> 1)).isEmpty();
    await().until(() -> store.claimDue(plan -> LONG.toMillis()).size() == 1);
  }

  @Test
  void delayOfNothing_isRefused_andNothingIsClaimed() {
    store.putPlan("p", 0, bytes("a"), 1000);
    assertThatThrownBy(() -> store.claimDue(plan -> 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.claimDue(plan -> LONG.toMillis())).isEmpty();
  }

  private static long fail() {
    throw new AssertionError("asked for the time of a plan that has one");
  }

  // ---- audits ----

  @Test
  void audit_isGivenBackAsStored() {
    AuditRow audit =
        new AuditRow(
            "a1",
            "plan",
            3,
            "certify",
            List.of("claim", "derivative work"),
            new byte[] {1, 0, -1},
            "open",
            5,
            0,
            bytes("doc"));
    assertThat(store.createAudit(audit)).isTrue();
    assertThat(store.audit("a1")).get().usingRecursiveComparison().isEqualTo(audit);
    assertThat(store.audit("a2")).isEmpty();
    assertThat(store.createAudit(audit("a3", "other", "open", 1))).isTrue();
    assertThat(store.audit("a3").orElseThrow().terms()).isEmpty();
  }

  @Test
  void secondUnfinishedAuditOfAPlan_isNotStored() {
    assertThat(store.createAudit(audit("a1", "p", "open", 1))).isTrue();
    assertThat(store.createAudit(audit("a2", "p", "open", 2))).isFalse();
    assertThat(store.createAudit(audit("b1", "q", "open", 2))).isTrue();
    Lease lease = acquire("audit/a1");
    assertThat(store.updateAudit(audit("a1", "p", "running", 1), lease)).isTrue();
    assertThat(store.createAudit(audit("a2", "p", "open", 2))).isFalse();
    assertThat(store.updateAudit(audit("a1", "p", "completed", 1), lease)).isTrue();
    assertThat(store.createAudit(audit("a1", "p", "open", 3))).isFalse();
    assertThat(store.createAudit(audit("a2", "p", "open", 2))).isTrue();
  }

  @Test
  void audits_areListedNewestFirst_andUnfinishedOnesOldestFirst() {
    store.createAudit(audit("a1", "p", "completed", 1));
    store.createAudit(audit("a2", "p", "abandoned", 2));
    store.createAudit(audit("a3", "p", "open", 3));
    store.createAudit(audit("b1", "q", "running", 2));
    assertThat(store.audits(Optional.empty(), 3))
        .extracting(AuditRow::id)
        .containsExactly("a3", "b1", "a2");
    assertThat(store.audits(Optional.of("p"), 2))
        .extracting(AuditRow::id)
        .containsExactly("a3", "a2");
    assertThat(store.audits(Optional.of("none"), 2)).isEmpty();
    assertThat(store.unfinishedAudits()).extracting(AuditRow::id).containsExactly("b1", "a3");
  }

  @Test
  void C7_auditIsNotChanged_withoutTheLease() {
    store.createAudit(audit("a1", "p", "open", 1));
    Lease lease = acquire("audit/a1");
    AuditRow changed = audit("a1", "p", "running", 1);
    assertThat(store.updateAudit(changed, new Lease("audit/a1", "somebody", lease.epoch())))
        .isFalse();
    assertThat(store.updateAudit(changed, new Lease("audit/a1", lease.owner(), lease.epoch() + 1)))
        .isFalse();
    assertThat(store.updateAudit(changed, new Lease("audit/a2", lease.owner(), lease.epoch())))
        .isFalse();
    assertThat(store.audit("a1").orElseThrow().state()).isEqualTo("open");
    store.release(lease);
    assertThat(store.updateAudit(changed, lease)).isFalse();
    assertThat(store.updateAudit(changed, acquire("audit/a1"))).isTrue();
    assertThat(store.audit("a1").orElseThrow().state()).isEqualTo("running");
  }

  @Test
  void C7_leaseThatHasRunOut_changesNothing_evenIfNobodyElseHasIt() {
    store.createAudit(audit("a1", "p", "open", 1));
    Lease lease = store.acquire("audit/a1", "me", SHORT).orElseThrow();
    awaitExpiry(lease);
    assertThat(store.updateAudit(audit("a1", "p", "running", 1), lease)).isFalse();
    assertThat(store.putPendingCore(core("k", 1, "a1"), lease)).isEqualTo(CorePut.LEASE_LOST);
    assertThat(store.pendingCore("a1")).isEmpty();
  }

  @Test
  void finishedAudit_keepsItsState() {
    store.createAudit(audit("a1", "p", "open", 1));
    Lease lease = acquire("audit/a1");
    AuditRow completed = audit("a1", "p", "completed", 1);
    assertThat(store.updateAudit(completed, lease)).isTrue();
    assertThat(store.updateAudit(completed, lease)).isTrue();
    assertThat(store.updateAudit(audit("a1", "p", "running", 1), lease)).isFalse();
    assertThat(store.updateAudit(audit("a1", "p", "abandoned", 1), lease)).isFalse();
    assertThat(store.audit("a1").orElseThrow().state()).isEqualTo("completed");
    assertThat(store.updateAudit(audit("unknown", "p", "running", 1), lease)).isFalse();
  }

  // ---- leases ----

  @Test
  void heldLease_isGivenToNobody_notEvenToItsOwner() {
    Lease lease = store.acquire("r", "a", LONG).orElseThrow();
    assertThat(lease).isEqualTo(new Lease("r", "a", 1));
    assertThat(store.acquire("r", "b", LONG)).isEmpty();
    assertThat(store.acquire("r", "a", LONG)).isEmpty();
    assertThat(store.acquire("s", "b", LONG)).contains(new Lease("s", "b", 1));
  }

  @Test
  void epoch_countsUpWithEveryAcquisition() {
    Lease first = store.acquire("r", "a", LONG).orElseThrow();
    store.release(first);
    Lease second = store.acquire("r", "a", SHORT).orElseThrow();
    assertThat(second.epoch()).isEqualTo(2);
    awaitExpiry(second);
    assertThat(store.acquire("r", "b", LONG)).contains(new Lease("r", "b", 3));
  }

  @Test
  void renewedLease_outlivesItsFirstTime() {
    Lease lease = store.acquire("r", "a", SHORT).orElseThrow();
    assertThat(store.renew(lease, LONG)).isTrue();
    long later = store.nowMs() + 2 * SHORT.toMillis();
    await().until(() -> store.nowMs() > later);
    assertThat(store.acquire("r", "b", LONG)).isEmpty();
  }

  @Test
  void leaseThatRanOut_canBeRenewed_onlyWhileNobodyElseHasHadIt() {
    Lease lease = store.acquire("r", "a", SHORT).orElseThrow();
    awaitExpiry(lease);
    assertThat(store.renew(lease, SHORT)).isTrue();
    awaitExpiry(lease);
    Lease other = store.acquire("r", "b", LONG).orElseThrow();
    assertThat(store.renew(lease, LONG)).isFalse();
    store.release(other);
    assertThat(store.renew(lease, LONG)).isFalse();
    assertThat(store.renew(other, LONG)).isFalse();
  }

  @Test
  void releaseOfALeaseThatSomebodyElseHas_changesNothing() {
    Lease lost = store.acquire("r", "a", SHORT).orElseThrow();
    awaitExpiry(lost);
    assertThat(store.acquire("r", "b", LONG)).isPresent();
    store.release(lost);
    assertThat(store.acquire("r", "c", LONG)).isEmpty();
  }

  @Test
  void L7_leaseFromBeforeTheClockWentBack_doesNotLastUntilItHasCaughtUp() {
    Lease lease = store.acquire("r", "a", LONG).orElseThrow();
    long twoDays = Duration.ofDays(2).toMillis();
    database.execute("UPDATE lease SET expires_at_ms = expires_at_ms + " + twoDays);
    assertThat(store.acquire("r", "b", LONG)).contains(new Lease("r", "b", 2));
    assertThat(store.renew(lease, LONG)).isFalse();
  }

  @Test
  void L7_aSmallStepOfTheClock_doesNotEndALease() {
    assertThat(store.acquire("r", "a", LONG)).isPresent();
    database.execute("UPDATE lease SET expires_at_ms = expires_at_ms + 30000");
    assertThat(store.acquire("r", "b", LONG)).isEmpty();
  }

  @Test
  void timesThatAreNone_areRefused() {
    assertThatThrownBy(() -> store.acquire("r", "a", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.acquire("r", "", LONG))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.take(List.of("a"), "r", 1, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- questions ----

  @Test
  void questions_goOnlyToWhoeverTheirAgentIsAttachedTo_andOnlyOnce() {
    store.ask(
        List.of(
            question("q1", "x", "alice"),
            question("q2", "x", "bob"),
            question("q3", "x", "alice")));
    assertThat(take(List.of("alice"), 10)).containsExactlyInAnyOrder("q1", "q3");
    assertThat(take(List.of("alice"), 10)).isEmpty();
    assertThat(take(List.of("carol", "bob"), 10)).containsExactly("q2");
    assertThat(take(List.of(), 10)).isEmpty();
  }

  @Test
  void take_keepsToItsLimit_andGivesTheOldestFirst() {
    store.ask(List.of(question("z", "x", "alice")));
    long asked = store.nowMs();
    await().until(() -> store.nowMs() > asked);
    store.ask(List.of(question("a", "x", "bob"), question("b", "x", "alice")));
    assertThat(take(List.of("alice", "bob"), 0)).isEmpty();
    assertThat(take(List.of("alice", "bob"), 2)).containsExactly("z", "a");
    assertThat(take(List.of("alice", "bob"), 2)).containsExactly("b");
  }

  @Test
  void manyAgentsAtOnce_areServed() {
    List<String> agents = IntStream.range(0, 2500).mapToObj(i -> "agent-" + i).toList();
    store.ask(List.of(question("q1", "x", "agent-0"), question("q2", "x", "agent-2499")));
    assertThat(take(agents, 10)).containsExactlyInAnyOrder("q1", "q2");
  }

  @Test
  void questionNotAnsweredInTime_isGivenAgain_butNotOnceItIsAnswered() {
    store.ask(List.of(question("q1", "x", "alice"), question("q2", "x", "alice")));
    assertThat(store.take(List.of("alice"), "one", 10, SHORT)).hasSize(2);
    store.answer("q2", bytes("late but first"));
    await().until(() -> take(List.of("alice"), 10).equals(List.of("q1")));
  }

  @Test
  void L7_claimFromBeforeTheClockWentBack_runsOut() {
    store.ask(List.of(question("q1", "x", "alice")));
    assertThat(take(List.of("alice"), 10)).containsExactly("q1");
    database.execute("UPDATE question SET expires_at_ms = expires_at_ms + 172800000");
    assertThat(take(List.of("alice"), 10)).containsExactly("q1");
  }

  @Test
  void firstAnswerCounts_andQuestionsOfKnownIdsStayAsTheyAre() {
    store.ask(List.of(question("q1", "x", "alice"), question("q2", "y", "alice")));
    store.answer("q1", bytes("first"));
    store.answer("q1", bytes("second"));
    store.answer("nobody asked", bytes("this"));
    store.ask(List.of(new QuestionRow("q1", "z", "bob", bytes("other"))));
    List<AnswerRow> answers = store.answers("x", 10);
    assertThat(answers)
        .singleElement()
        .satisfies(answer -> {
          assertThat(answer.answer()).isEqualTo(bytes("first"));
          assertThat(answer.question())
              .usingRecursiveComparison()
              .isEqualTo(question("q1", "x", "alice"));
        });
    assertThat(store.answers("y", 10)).isEmpty();
    assertThat(take(List.of("alice", "bob"), 10)).containsExactly("q2");
  }

  @Test
  void forgottenQuestions_areGone() {
    store.ask(
        List.of(
            question("q1", "x", "a"),
            question("q2", "x", "a"),
            question("q3", "x", "a"),
            question("q4", "y", "a")));
    for (String id : List.of("q1", "q2", "q3", "q4")) {
      store.answer(id, bytes(id));
    }
    assertThat(store.answers("x", 2)).hasSize(2);
    store.forget(List.of("q1", "q3", "q9"));
    store.forget(List.of());
    assertThat(store.answers("x", 10)).extracting(a -> a.question().id()).containsExactly("q2");
    store.forgetAudit("x");
    assertThat(store.answers("x", 10)).isEmpty();
    assertThat(store.answers("y", 10)).hasSize(1);
  }

  // ---- cores ----

  @Test
  void core_isSeenOnlyOncePublished() {
    Lease lease = acquire("audit/a1");
    CoreRow core = core("alice+bob/licenses", 1, "a1");
    assertThat(store.putPendingCore(core, lease)).isEqualTo(CorePut.DONE);
    assertThat(store.pendingCore("a1")).get().usingRecursiveComparison().isEqualTo(core);
    assertThat(store.core(core.coreKey())).isEmpty();
    assertThat(store.core(core.coreKey(), 1)).isEmpty();
    assertThat(store.cores()).isEmpty();
    assertThat(store.coresSince(0)).isEmpty();
    assertThat(store.coreHistory(core.coreKey())).isEmpty();
    assertThat(store.publishCore(core.coreKey(), 1, lease)).isEqualTo(CorePut.DONE);
    assertThat(store.pendingCore("a1")).isEmpty();
    assertThat(store.core(core.coreKey()))
        .hasValueSatisfying(published -> {
          assertThat(published.published()).isTrue();
          assertThat(published.sequence()).isEqualTo(1);
          assertThat(published.agents()).containsExactly("alice", "bob");
          assertThat(published.note()).isEqualTo(core.note());
        });
  }

  @Test
  void publishingTwice_isPublishingOnce() {
    Lease lease = acquire("audit/a1");
    publish(core("k", 1, "a1"), lease);
    assertThat(store.publishCore("k", 1, lease)).isEqualTo(CorePut.DONE);
    assertThat(store.coresSince(0)).hasSize(1);
    assertThat(store.publishCore("k", 2, lease)).isEqualTo(CorePut.UNKNOWN);
    publish(core("k", 2, "a1"), lease);
    assertThat(store.coresSince(0)).extracting(CoreRow::sequence).containsExactly(1L, 2L);
  }

  @Test
  void pendingCore_isReplacedByALaterOneOfItsAudit() {
    Lease lease = acquire("audit/a1");
    store.putPendingCore(core("k", 1, "a1"), lease);
    assertThat(store.putPendingCore(core("k", 2, "a1"), lease)).isEqualTo(CorePut.DONE);
    assertThat(store.pendingCore("a1").orElseThrow().version()).isEqualTo(2);
    assertThat(store.publishCore("k", 1, lease)).isEqualTo(CorePut.UNKNOWN);
  }

  @Test
  void C7_coreIsNeitherStoredNorPublished_withoutTheLease() {
    Lease lease = acquire("audit/a1");
    store.putPendingCore(core("k", 1, "a1"), lease);
    store.release(lease);
    acquire("audit/a1");
    assertThat(store.putPendingCore(core("k", 2, "a1"), lease)).isEqualTo(CorePut.LEASE_LOST);
    assertThat(store.publishCore("k", 1, lease)).isEqualTo(CorePut.LEASE_LOST);
    assertThat(store.coresSince(0)).isEmpty();
    assertThat(store.pendingCore("a1").orElseThrow().version()).isEqualTo(1);
  }

  @Test
  void versionThatIsPublishedOrPendingElsewhere_isTaken() {
    store.createAudit(audit("a1", "p", "running", 1));
    store.createAudit(audit("a2", "q", "running", 1));
    Lease first = acquire("audit/a1");
    Lease second = acquire("audit/a2");
    store.putPendingCore(core("k", 3, "a1"), first);
    assertThat(store.putPendingCore(core("k", 3, "a2"), second)).isEqualTo(CorePut.VERSION_TAKEN);
    assertThat(store.putPendingCore(core("other", 3, "a2"), second)).isEqualTo(CorePut.DONE);
    store.publishCore("k", 3, first);
    assertThat(store.putPendingCore(core("k", 3, "a2"), second)).isEqualTo(CorePut.VERSION_TAKEN);
    assertThat(store.putPendingCore(core("k", 2, "a2"), second)).isEqualTo(CorePut.VERSION_TAKEN);
    assertThat(store.pendingCore("a2").orElseThrow().coreKey()).isEqualTo("other");
    assertThat(store.putPendingCore(core("k", 4, "a2"), second)).isEqualTo(CorePut.DONE);
  }

  @Test
  void pendingCoreOfAnAuditThatIsOver_doesNotKeepItsVersion() {
    store.createAudit(audit("a1", "p", "running", 1));
    Lease first = acquire("audit/a1");
    store.putPendingCore(core("k", 1, "a1"), first);
    store.updateAudit(audit("a1", "p", "abandoned", 1), first);
    assertThat(store.putPendingCore(core("k", 1, "a2"), acquire("audit/a2")))
        .isEqualTo(CorePut.DONE);
    assertThat(store.pendingCore("a1")).isEmpty();
    assertThat(store.pendingCore("a2")).isPresent();
  }

  @Test
  void cores_areListedByNewestVersion_andHistoryNewestFirst() {
    Lease lease = acquire("audit/a1");
    publish(core("b", 1, "a1"), lease);
    publish(core("A", 1, "a1"), lease);
    publish(core("b", 2, "a1"), lease);
    publish(core("b", 10, "a1"), lease);
    assertThat(store.cores())
        .extracting(CoreRow::coreKey, CoreRow::version)
        .containsExactly(tuple("A", 1L), tuple("b", 10L));
    assertThat(store.coreHistory("b")).extracting(CoreRow::version).containsExactly(10L, 2L, 1L);
    assertThat(store.core("b", 2)).isPresent();
    assertThat(store.core("b", 3)).isEmpty();
    assertThat(store.coresSince(2)).extracting(CoreRow::version).containsExactly(2L, 10L);
    assertThat(store.coresSince(4)).isEmpty();
  }

  @Test
  void coresSince_givesLongBacklogsInParts() {
    Lease lease = acquire("audit/a1");
    for (int version = 1; version <= 300; version++) {
      publish(core("k", version, "a1"), lease);
    }
    List<CoreRow> first = store.coresSince(0);
    List<CoreRow> second = store.coresSince(first.getLast().sequence());
    assertThat(first).hasSize(256);
    first.addAll(second);
    assertThat(first)
        .extracting(CoreRow::sequence)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 300).boxed().toList());
  }

  // ---- sidecars ----

  @Test
  void sidecar_isAttachedWhereItWasSeenLast() {
    store.seen("alice", "node-1", "one", bytes("v1"));
    store.seen("alice", "node-1", "two", bytes("v2"));
    store.gone("alice", "node-1", "one");
    assertThat(store.sidecars(LONG))
        .singleElement()
        .satisfies(sidecar -> {
          assertThat(sidecar.attached()).isTrue();
          assertThat(sidecar.replica()).isEqualTo("two");
          assertThat(sidecar.document()).isEqualTo(bytes("v2"));
          assertThat(sidecar.lastSeenMs()).isBetween(store.nowMs() - 60_000, store.nowMs());
        });
    store.gone("alice", "node-1", "two");
    assertThat(store.sidecars(LONG))
        .singleElement()
        .satisfies(s -> assertThat(s.attached()).isFalse());
    store.seen("alice", "node-1", "one", bytes("v3"));
    assertThat(store.sidecars(LONG))
        .singleElement()
        .satisfies(s -> assertThat(s.attached()).isTrue());
  }

  @Test
  void sidecarOfAReplicaThatDied_isNotAttachedForLong() {
    store.seen("alice", "node-1", "one", bytes("v1"));
    store.seen("alice", "node-0", "one", bytes("v1"));
    await().until(() -> store.sidecars(SHORT).stream().noneMatch(SidecarRow::attached));
    assertThat(store.sidecars(LONG))
        .allMatch(SidecarRow::attached)
        .isSortedAccordingTo(Comparator.comparing(SidecarRow::node));
  }

  @Test
  void sidecarNotSeenForAWeek_isForgotten() {
    store.seen("alice", "old", "one", bytes("v1"));
    store.seen("alice", "new", "one", bytes("v1"));
    database.execute(
        "UPDATE sidecar SET last_seen_at_ms = last_seen_at_ms - 604900000 WHERE node = 'old'");
    assertThat(store.sidecars(LONG)).extracting(SidecarRow::node).containsExactly("new");
    store.seen("bob", "new", "one", bytes("v1"));
    database.execute(
        "UPDATE sidecar SET last_seen_at_ms = last_seen_at_ms + 604900000 WHERE node = 'old'");
    assertThat(store.sidecars(LONG)).hasSize(2);
  }

  // ---- the store itself ----

  @Test
  void clock_isTheTimeOfDay_andDoesNotStandStill() {
    long now = store.nowMs();
    assertThat(Math.abs(now - System.currentTimeMillis())).isLessThan(5_000);
    await().until(() -> store.nowMs() > now);
  }

  @Test
  void reopenedStore_hasTheSameData_andMigratesNothing() {
    store.putPlan("p", 0, bytes("kept"), 0);
    try (Store again = Stores.open(database.config())) {
      assertThat(again.plan("p").orElseThrow().document()).isEqualTo(bytes("kept"));
      again.putPlan("p", 1, bytes("changed"), 0);
    }
    assertThat(store.plan("p").orElseThrow().document()).isEqualTo(bytes("changed"));
  }

  @Test
  void tablesOfALaterVersion_areRefused() {
    database.execute(
        """
        INSERT INTO schema_history (installed_rank, version, description, type, script, checksum,
          installed_by, execution_time, success)
        SELECT 999, '999', description, type, script, checksum, installed_by, execution_time, success
        FROM schema_history WHERE version = '1'
        """);
    try {
      assertThatThrownBy(() -> Stores.open(database.config()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("999");
    } finally {
      database.execute("DELETE FROM schema_history WHERE installed_rank = 999");
    }
  }

  @Test
  void closedStore_saysSo() {
    Store closed = Stores.open(database.config());
    closed.close();
    assertThatThrownBy(closed::nowMs)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("clock");
    assertThatThrownBy(() -> closed.putPlan("p", 0, bytes("a"), 0))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void failure_doesNotQuoteWhatIsStored() {
    byte[] seed = bytes("top-secret-seed");
    assertThatThrownBy(() ->
            store.createAudit(
                new AuditRow(
                    "a1",
                    "p",
                    1,
                    "certify",
                    List.of(),
                    seed,
                    "no such state",
                    1,
                    0,
                    bytes("top-secret-seed"))))
        .isInstanceOf(StoreException.class)
        .satisfies(thrown -> {
          for (Throwable t = thrown; t != null; t = t.getCause()) {
            assertThat(t.toString()).doesNotContain("secret", "746f702d736563726574");
          }
        });
  }

  // ---- helpers ----

  private List<String> take(List<String> agents, int limit) {
    return store.take(agents, "replica", limit, LONG).stream().map(QuestionRow::id).toList();
  }

  private Lease acquire(String resource) {
    return store.acquire(resource, "me", LONG).orElseThrow();
  }

  private void awaitExpiry(Lease lease) {
    long end = store.nowMs() + 2 * SHORT.toMillis();
    await().alias(lease.resource()).until(() -> store.nowMs() > end);
  }

  private void publish(CoreRow core, Lease lease) {
    assertThat(store.putPendingCore(core, lease)).isEqualTo(CorePut.DONE);
    assertThat(store.publishCore(core.coreKey(), core.version(), lease)).isEqualTo(CorePut.DONE);
  }

  static AuditRow audit(String id, String plan, String state, long startedAtMs) {
    return new AuditRow(
        id, plan, 1, "certify", List.of(), bytes("seed"), state, startedAtMs, 0, bytes(state));
  }

  static QuestionRow question(String id, String audit, String agent) {
    return new QuestionRow(id, audit, agent, bytes("document of " + id));
  }

  static CoreRow core(String key, long version, String audit) {
    return new CoreRow(
        key, version, List.of("alice", "bob"), "licenses", audit, bytes(key + version), false, 0);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
