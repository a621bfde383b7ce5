package dev.parlance.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.QuestionRow;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.control.store.Store.SidecarRow;
import dev.parlance.control.store.Store.StoreException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every store does, whichever database is below it: that, and the rest of the port. */
abstract class StoreContract extends WorkContract {
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

  static ReviewRow review(String by, String item, String peer, long forMs) {
    return new ReviewRow(
        0,
        by,
        item,
        peer,
        List.of("aa", "bb"),
        item.startsWith("r"),
        forMs,
        "for " + item + "\n\u0000");
  }

  private static List<String> items(List<ReviewRow> rows) {
    return rows.stream().map(ReviewRow::item).toList();
  }

  @Test
  void Q14_aPersonsDecision_isOfBothParties_inOrder_once_andForItsTime() {
    long hour = 3_600_000;
    store.putReview(review("bob", "r-1", "alice", hour));
    store.putReview(review("bob", "x-2", "carol", hour));
    store.putReview(review("bob", "r-1", "mallory", hour));
    store.putReview(review("alice", "r-1", "bob", 1));
    store.putReview(review("alice", "r-3", "bob", hour));
    await().until(() -> items(store.reviewsOf("alice")).equals(List.of("r-1", "r-3")));
    List<ReviewRow> all = store.reviewsSince(0);
    assertThat(items(all)).containsExactly("r-1", "x-2", "r-3");
    assertThat(items(store.reviewsSince(all.getFirst().sequence()))).containsExactly("x-2", "r-3");
    assertThat(all.getFirst().note()).isEqualTo("for r-1\n\u0000");
    assertThat(all.getFirst().texts()).containsExactly("aa", "bb");
    assertThat(all).extracting(ReviewRow::approved).containsExactly(true, false, true);
    assertThat(all.getFirst().forMs()).isBetween(1L, hour);
    assertThat(items(store.reviewsOf("bob"))).containsExactly("r-1", "x-2", "r-3");
    assertThat(store.reviewsOf("mallory")).isEmpty();
  }

  @Test
  void ofManyDecisionsBesideOneAgent_theLatestAreKept() {
    store.putReview(review("alice", "r-0", "bob", 3_600_000));
    long first = store.reviewsSince(0).getFirst().sequence();
    int all = Store.MAX_REVIEWS + 3;
    database.execute(
        """
        INSERT INTO review_decision (sequence, decided_by, item, peer, texts, approved,
          note, expires_at_ms)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
        SELECT %d + i, 'bob', 'r-' || i, 'alice', 'aa', 1,
          (SELECT note FROM review_decision), 9999999999999 FROM n
        """
            .formatted(all - 1, first));
    database.execute("UPDATE review_publication SET sequence = " + (first + all - 1));
    store.putReview(review("bob", "r-" + all, "alice", 3_600_000));
    assertThat(items(store.reviewsOf("bob")))
        .hasSize(Store.MAX_REVIEWS)
        .startsWith("r-4")
        .endsWith("r-" + all);
    assertThat(items(store.reviewsSince(0))).startsWith("r-0", "r-4");
  }

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
}
