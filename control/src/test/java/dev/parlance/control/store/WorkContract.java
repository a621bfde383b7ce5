package dev.parlance.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.PlanRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store does with plans, audits and leases. */
abstract class WorkContract extends StoreFixture {
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

  // ---- texts of rounds ----

  @Test
  void textOfARound_keepsTheMeaningThatWasStoredFirst() {
    Store.RoundKey round = new Store.RoundKey("r", 1);
    byte[] text = bytes("two\nlines \u0000 and more");
    Store.RoundTextRow first =
        store.putRoundText(
            new Store.RoundTextRow(round, "aa", text, "vector", new byte[] {0, 1, -1, 2}));
    assertThat(first.vector()).containsExactly(0, 1, -1, 2);
    Store.RoundTextRow again =
        store.putRoundText(new Store.RoundTextRow(round, "aa", text, "unencoded", new byte[0]));
    assertThat(again.meaning()).isEqualTo("vector");
    assertThat(again.vector()).containsExactly(0, 1, -1, 2);
    store.putRoundText(new Store.RoundTextRow(round, "bb", new byte[0], "malformed", new byte[0]));
    store.putRoundText(
        new Store.RoundTextRow(new Store.RoundKey("r", 2), "aa", text, "unencoded", new byte[0]));
    assertThat(store.roundTexts(round))
        .extracting(Store.RoundTextRow::textSha256)
        .containsExactly("aa", "bb");
    assertThat(store.roundTexts(round).getFirst().text()).isEqualTo(text);
    assertThat(store.roundTexts(round).getLast().text()).isEmpty();
    assertThat(store.roundTexts(new Store.RoundKey("r", 2)).getFirst().meaning())
        .isEqualTo("unencoded");
  }

  @Test
  void textsOfRounds_goWhenTheirTimeIsOver_andNotBefore() {
    for (String name : List.of("ended", "kept", "open")) {
      store.putRoundText(
          new Store.RoundTextRow(
              new Store.RoundKey(name, 1), "aa", bytes(name), "unencoded", new byte[0]));
    }
    store.keepRoundTexts(new Store.RoundKey("ended", 1), Duration.ZERO);
    store.keepRoundTexts(new Store.RoundKey("kept", 1), LONG);
    // The first word on it counts.
    store.keepRoundTexts(new Store.RoundKey("kept", 1), Duration.ZERO);
    assertThat(store.roundsWithTexts(10)).containsExactly(new Store.RoundKey("open", 1));
    assertThat(store.forgetRoundTexts()).isEqualTo(1);
    assertThat(store.roundTexts(new Store.RoundKey("ended", 1))).isEmpty();
    assertThat(store.roundTexts(new Store.RoundKey("kept", 1))).hasSize(1);
    assertThat(store.roundTexts(new Store.RoundKey("open", 1))).hasSize(1);
  }
}
