package dev.parlance.proxy.review;

import static dev.parlance.proxy.review.Messages.get;
import static dev.parlance.proxy.review.Messages.hold;
import static dev.parlance.proxy.review.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ReviewQueueTest {
  private static final ReviewLimits LIMITS = Messages.limits(1000, 64L << 20, 60_000);
  private static final Set<ReviewItem.ReviewState> ALL =
      EnumSet.allOf(ReviewItem.ReviewState.class);

  @TempDir Path directory;
  private final AtomicLong clockMs = new AtomicLong(1_000_000);
  private final FaultyFiles files = new FaultyFiles();
  private final List<ReviewQueue> opened = new ArrayList<>();

  private ReviewQueue open(ReviewLimits limits) throws IOException {
    return open(limits, ReviewQueue.Tuning.DEFAULT);
  }

  private ReviewQueue open(ReviewLimits limits, ReviewQueue.Tuning tuning) throws IOException {
    ReviewQueue queue = ReviewQueue.open(directory, limits, clockMs::get, files, tuning);
    opened.add(queue);
    return queue;
  }

  @AfterEach
  void closeAll() throws IOException {
    files.gate.countDown();
    for (ReviewQueue queue : opened) {
      queue.close();
    }
  }

  @Test
  void heldMessage_isFoundWithEveryField_alsoAfterReopening() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String id = hold(queue, "k");
    assertThat(id).matches("r-[0-9a-z]{15}");
    queue.close();
    ReviewItem found = open(LIMITS).find(id).orElseThrow();
    assertThat(found.state()).isEqualTo(ReviewItem.ReviewState.PENDING);
    assertThat(found.message()).usingRecursiveComparison().isEqualTo(message("k"));
  }

  @Test
  void wholeLife_isOnDiskAtEveryStep() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String id = hold(queue, "k");
    assertThat(queue.released("k")).isEmpty();
    assertThat(get(queue.release(id, "ann", "checked"))).isInstanceOf(StepResult.Done.class);
    queue.close();
    queue = open(LIMITS);
    ReviewItem taken = queue.released("k").orElseThrow();
    assertThat(taken.message().content().body()).isEqualTo(message("k").content().body());
    assertThat(queue.released("k")).as("until it is reported delivered").isPresent();
    assertThat(queue.released("other")).isEmpty();
    CompletableFuture<StepResult> report = queue.delivered(id);
    assertThat(queue.released("k")).as("from the call on").isEmpty();
    assertThat(get(report)).isInstanceOf(StepResult.Done.class);
    assertThat(get(queue.delivered(id))).isInstanceOf(StepResult.Unfit.class);
    queue.close();
    queue = open(LIMITS);
    assertThat(queue.released("k")).isEmpty();
    assertThat(queue.find(id).orElseThrow().state()).isEqualTo(ReviewItem.ReviewState.DELIVERED);
  }

  @Test
  void aClaimedReleaseIsNobodyElsesUntilItIsGivenBack() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String id = hold(queue, "k");
    assertThat(get(queue.release(id, "ann", ""))).isInstanceOf(StepResult.Done.class);
    ReviewItem claimed = queue.claimReleased("k").orElseThrow();
    assertThat(queue.claimReleased("k")).isEmpty();
    queue.giveBack(claimed);
    queue.giveBack(claimed);
    assertThat(queue.claimReleased("k")).isPresent();
    assertThat(queue.claimReleased("k")).as("given back twice, there is still one").isEmpty();
    assertThat(get(queue.delivered(id))).isInstanceOf(StepResult.Done.class);
    queue.giveBack(claimed);
    assertThat(queue.claimReleased("k")).as("delivered is final").isEmpty();
  }

  @Test
  void decisionsThatDoNotFit_changeNothing() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String id = hold(queue, "k");
    assertThat(get(queue.release("r-nosuch", "ann", ""))).isEqualTo(new StepResult.NotFound());
    assertThat(get(queue.delivered("r-nosuch"))).isEqualTo(new StepResult.NotFound());
    assertThat(get(queue.delivered(id))).isInstanceOf(StepResult.Unfit.class);
    assertThat(get(queue.release(id, " ", ""))).isEqualTo(new StepResult.Failed("who_invalid"));
    assertThat(get(queue.reject(id, "ann", "x".repeat(4001))))
        .isEqualTo(new StepResult.Failed("note_too_long"));
    assertThat(queue.find(id).orElseThrow().state()).isEqualTo(ReviewItem.ReviewState.PENDING);
    assertThat(get(queue.reject(id, "ann", "no"))).isInstanceOf(StepResult.Done.class);
    assertThat(get(queue.release(id, "bob", "")))
        .isInstanceOfSatisfying(
            StepResult.Unfit.class,
            already -> assertThat(already.item().decision().orElseThrow().who()).isEqualTo("ann"));
    assertThat(queue.released("k")).isEmpty();
  }

  @Test
  void Q2_manyPeopleDecideAtOnce_exactlyOneWins_andTheOthersLearnWho() throws Exception {
    ReviewQueue queue = open(LIMITS);
    try (ExecutorService people = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 50; round++) {
        String id = hold(queue, "k" + round);
        var barrier = new CyclicBarrier(2);
        var release =
            people.submit(() -> {
              barrier.await();
              return get(queue.release(id, "ann", ""));
            });
        var reject =
            people.submit(() -> {
              barrier.await();
              return get(queue.reject(id, "bob", ""));
            });
        List<StepResult> results = List.of(release.get(), reject.get());
        assertThat(results).filteredOn(StepResult.Done.class::isInstance).hasSize(1);
        ReviewItem.ReviewState state = queue.find(id).orElseThrow().state();
        assertThat(state).isNotEqualTo(ReviewItem.ReviewState.PENDING);
        assertThat(results)
            .filteredOn(StepResult.Unfit.class::isInstance)
            .singleElement()
            .isInstanceOfSatisfying(
                StepResult.Unfit.class, loser -> assertThat(loser.item().state()).isEqualTo(state));
      }
    }
  }

  @Test
  void concurrentHolds_shareOneFsync_andAllSurvive() throws IOException {
    ReviewQueue queue = open(LIMITS);
    files.gate = new CountDownLatch(1);
    List<CompletableFuture<HoldResult>> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      answers.add(queue.hold(message("k" + i)));
    }
    assertThat(answers)
        .as("nothing is acknowledged before the fsync")
        .noneMatch(CompletableFuture::isDone);
    assertThat(queue.list(ALL, 1000)).isEmpty();
    int before = files.forces.get();
    files.gate.countDown();
    List<String> ids =
        answers.stream().map(answer -> ((HoldResult.Held) get(answer)).id()).toList();
    assertThat(files.forces.get() - before).isBetween(1, 3);
    assertThat(ids).doesNotHaveDuplicates().isSorted();
    queue.close();
    assertThat(open(LIMITS).list(ALL, 1000)).extracting(ReviewItem::id).isEqualTo(ids);
  }

  @Test
  void Q1_tenfoldOverflow_givesTypedRefusals_andNeverMoreThanCapacity() throws IOException {
    ReviewQueue queue = open(Messages.limits(20, 64L << 20, 60_000));
    files.gate = new CountDownLatch(1);
    List<CompletableFuture<HoldResult>> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      answers.add(queue.hold(message("k" + i)));
    }
    files.gate.countDown();
    List<HoldResult> results = answers.stream().map(Messages::get).toList();
    assertThat(results).filteredOn(HoldResult.Held.class::isInstance).hasSize(20);
    assertThat(results)
        .filteredOn(HoldResult.Refused.class::isInstance)
        .hasSize(180)
        .containsOnly(new HoldResult.Refused("queue_full"));
    assertThat(queue.stats().depth()).isEqualTo(20);
    String oldest = ((HoldResult.Held) results.getFirst()).id();
    assertThat(get(queue.reject(oldest, "ann", ""))).isInstanceOf(StepResult.Done.class);
    hold(queue, "one more");
    assertThat(get(queue.hold(message("two more"))))
        .isEqualTo(new HoldResult.Refused("queue_full"));
  }

  @Test
  void bytes_areBounded_alsoForReleasedMessages_andHistoryGivesWay() throws IOException {
    ReviewQueue queue = open(Messages.limits(1000, 100_000, 60_000));
    assertThat(get(queue.hold(message("huge", 100_000))))
        .isEqualTo(new HoldResult.Refused("item_too_large"));
    String first = ((HoldResult.Held) get(queue.hold(message("a", 60_000)))).id();
    assertThat(get(queue.hold(message("b", 60_000))))
        .isEqualTo(new HoldResult.Refused("queue_full"));
    get(queue.release(first, "ann", ""));
    assertThat(get(queue.hold(message("b", 60_000))))
        .isEqualTo(new HoldResult.Refused("queue_full"));
    get(queue.delivered(first));
    String second = ((HoldResult.Held) get(queue.hold(message("b", 60_000)))).id();
    assertThat(queue.find(first)).as("history is still there").isPresent();
    get(queue.reject(second, "ann", ""));
    assertThat(get(queue.hold(message("c", 95_000)))).isInstanceOf(HoldResult.Held.class);
    assertThat(queue.find(first)).as("history gave way").isEmpty();
    assertThat(queue.stats().bytes()).isLessThanOrEqualTo(100_000);
  }

  @Test
  void aFullQueue_turnsAwayOnlyCallersThatHadToBeHeldLately() throws IOException {
    for (ReviewLimits limits :
        List.of(Messages.limits(1, 1_000_000, 60_000), Messages.limits(9, 100_000, 60_000))) {
      try (ReviewQueue queue =
          ReviewQueue.open(directory.resolve("full-" + limits.capacity()), limits, clockMs::get)) {
        assertThat(queue.backsOff("inbound", "default", "127.0.0.1")).as("room").isFalse();
        String id = ((HoldResult.Held) get(queue.hold(message("a", 60_000)))).id();
        assertThat(queue.backsOff("inbound", "default", "127.0.0.1")).as("full").isTrue();
        assertThat(queue.backsOff("inbound", "default", "127.0.0.2")).as("other").isFalse();
        assertThat(queue.backsOff("inbound", "other", "127.0.0.1")).as("route").isFalse();
        clockMs.addAndGet(30_000);
        assertThat(queue.backsOff("inbound", "default", "127.0.0.1")).as("come back").isFalse();
        assertThat(get(queue.hold(message("b", 60_000))))
            .isEqualTo(new HoldResult.Refused("queue_full"));
        assertThat(queue.backsOff("inbound", "default", "127.0.0.1")).as("refused").isTrue();
        get(queue.reject(id, "ann", ""));
        assertThat(queue.backsOff("inbound", "default", "127.0.0.1")).as("room again").isFalse();
        assertThat(queue.stats().heldBytes()).isZero();
      }
    }
  }

  @Test
  void released_expiresWhenNobodyCollectsIt() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String id = hold(queue, "k");
    get(queue.release(id, "ann", ""));
    clockMs.addAndGet(59_999);
    assertThat(queue.released("k")).isPresent();
    clockMs.addAndGet(1);
    assertThat(queue.released("k")).as("at once, not only when it is written").isEmpty();
    await().until(() -> queue.find(id).orElseThrow().state() == ReviewItem.ReviewState.EXPIRED);
    assertThat(get(queue.delivered(id))).isInstanceOf(StepResult.Unfit.class);
    assertThat(queue.stats().released()).isZero();
  }

  @Test
  void list_showsWaitingOldestFirst_thenDecidedLatestFirst() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String a = hold(queue, "a");
    String b = hold(queue, "b");
    String c = hold(queue, "c");
    String d = hold(queue, "d");
    get(queue.reject(a, "ann", ""));
    get(queue.reject(c, "ann", ""));
    assertThat(queue.list(ALL, 10)).extracting(ReviewItem::id).containsExactly(b, d, c, a);
    assertThat(queue.list(ALL, 2)).extracting(ReviewItem::id).containsExactly(b, d);
    assertThat(queue.list(EnumSet.of(ReviewItem.ReviewState.REJECTED), 10))
        .extracting(ReviewItem::id)
        .containsExactly(c, a);
    assertThat(queue.open("d").orElseThrow().id()).isEqualTo(d);
    assertThat(queue.open("a")).isEmpty();
    clockMs.set(61_000);
    assertThat(queue.stats().oldestAgeMs()).isEqualTo(60_000);
  }

  @Test
  void ids_sortInOrderOfHolding_whateverTheClockDoes() throws IOException {
    ReviewQueue queue = open(LIMITS);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(hold(queue, "k" + i));
      clockMs.addAndGet(-100_000);
    }
    queue.close();
    ids.add(hold(open(LIMITS), "after reopening"));
    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void decidedItems_areForgottenBeyondTheHistory() throws IOException {
    ReviewQueue queue = open(LIMITS, new ReviewQueue.Tuning(3, 1 << 20));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(hold(queue, "k" + i));
      get(queue.reject(ids.getLast(), "ann", ""));
    }
    assertThat(queue.list(ALL, 10))
        .extracting(ReviewItem::id)
        .containsExactly(ids.get(4), ids.get(3), ids.get(2));
  }

  @Test
  void oneQuestion_isHeldOnce_whileItWaitsOrIsNotCollected() throws IOException {
    ReviewQueue queue = open(LIMITS);
    files.gate = new CountDownLatch(1);
    var together = List.of(queue.hold(message("k")), queue.hold(message("k")));
    files.gate.countDown();
    String id = ((HoldResult.Held) get(together.getFirst())).id();
    assertThat(get(together.getLast())).isEqualTo(new HoldResult.Held(id));
    assertThat(hold(queue, "k")).isEqualTo(id);
    assertThat(get(queue.release(id, "ann", ""))).isInstanceOf(StepResult.Done.class);
    assertThat(hold(queue, "k")).isEqualTo(id);
    assertThat(queue.claimReleased("k")).isPresent();
    assertThat(hold(queue, "k")).as("on its way").isEqualTo(id);
    assertThat(get(queue.delivered(id))).isInstanceOf(StepResult.Done.class);
    assertThat(queue.isIdle()).isTrue();
    assertThat(hold(queue, "k")).isNotEqualTo(id);
    assertThat(queue.stats().depth()).isEqualTo(1);
  }

  @Test
  void aQuestionUnderSeveralKeys_isFoundUnderEach_andHeldOnce() throws IOException {
    ReviewQueue queue = open(LIMITS);
    String id = ((HoldResult.Held) get(queue.hold(Messages.message("a", "b")))).id();
    assertThat(hold(queue, "b")).isEqualTo(id);
    assertThat(get(queue.release(id, "ann", ""))).isInstanceOf(StepResult.Done.class);
    assertThat(queue.claimReleased("b")).isPresent();
    assertThat(queue.claimReleased("a")).as("it is one item").isEmpty();
    assertThat(get(queue.delivered(id))).isInstanceOf(StepResult.Done.class);
    assertThat(queue.isIdle()).isTrue();
  }

  @Test
  void aDecisionHoldsForItsText_forItsTime_andOverRestarts() throws IOException {
    ReviewQueue queue = open(LIMITS);
    assertThat(queue.hasDecided()).isFalse();
    String good = hold(queue, "good");
    String bad = hold(queue, "bad");
    assertThat(queue.decided("text of good")).isEmpty();
    get(queue.release(good, "ann", "fine"));
    get(queue.reject(bad, "bob", "invented"));
    get(queue.delivered(good));
    for (int round = 0; round < 2; round++) {
      assertThat(queue.hasDecided()).isTrue();
      assertThat(queue.decided("text of good"))
          .contains(new TextDecision(good, ReviewEvent.Verdict.RELEASE, "fine", clockMs.get()));
      assertThat(queue.decided("text of bad"))
          .contains(new TextDecision(bad, ReviewEvent.Verdict.REJECT, "invented", clockMs.get()));
      assertThat(queue.decided("text of another")).isEmpty();
      queue.close();
      queue = open(LIMITS);
    }
    clockMs.addAndGet(60_000);
    assertThat(queue.decided("text of good")).isEmpty();
    assertThat(queue.decided("text of bad")).isEmpty();
  }

  @Test
  void theLatestDecisionOnATextHolds() throws IOException {
    ReviewQueue queue = open(LIMITS);
    for (boolean approved : List.of(true, false, true)) {
      String id = hold(queue, "k");
      if (approved) {
        get(queue.release(id, "ann", ""));
        get(queue.delivered(id));
      } else {
        get(queue.reject(id, "ann", ""));
      }
      assertThat(queue.decided("text of k").orElseThrow().approved()).isEqualTo(approved);
      assertThat(queue.decided("text of k").orElseThrow().id()).isEqualTo(id);
    }
  }

  @Test
  void decidedItems_canBeReadForTheirTime_andGiveWayToWhatWaits() throws IOException {
    ReviewQueue queue = open(new ReviewLimits(1000, 100_000, 60_000, 300_000, 200_000));
    String first = ((HoldResult.Held) get(queue.hold(message("a", 60_000)))).id();
    get(queue.release(first, "ann", "fine"));
    get(queue.delivered(first));
    assertThat(queue.find(first).orElseThrow().message().content().body()).hasSize(60_000);
    String second = ((HoldResult.Held) get(queue.hold(message("b", 60_000)))).id();
    ReviewItem stripped = queue.find(first).orElseThrow();
    assertThat(stripped.message().content().body()).as("gave way").isEmpty();
    assertThat(stripped.message().content().answer()).isEmpty();
    assertThat(stripped.decision().orElseThrow().note()).isEqualTo("fine");
    assertThat(queue.decided("text of a")).isPresent();
    get(queue.reject(second, "ann", ""));
    queue.close();
    ReviewQueue again = open(new ReviewLimits(1000, 100_000, 60_000, 300_000, 200_000));
    assertThat(again.find(second).orElseThrow().message().content().answer()).isNotEmpty();
    clockMs.addAndGet(200_001);
    await().until(() -> again.find(second).orElseThrow().message().content().answer().length == 0);
    assertThat(again.decided("text of b")).as("the decision holds on").isPresent();
    clockMs.addAndGet(100_000);
    await().until(() -> again.find(second).isEmpty());
    assertThat(again.hasDecided()).isFalse();
  }

  @Test
  void close_writesWhatWasSubmitted_andRefusesTheRest() throws IOException {
    ReviewQueue queue = open(LIMITS);
    List<CompletableFuture<HoldResult>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(queue.hold(message("k" + i)));
    }
    queue.close();
    assertThat(answers)
        .allMatch(answer ->
            answer.getNow(new HoldResult.Refused("no answer")) instanceof HoldResult.Held);
    assertThat(get(queue.hold(message("late")))).isEqualTo(new HoldResult.Refused("queue_closed"));
    assertThat(get(queue.release(queue.list(ALL, 1).getFirst().id(), "ann", "")))
        .isEqualTo(new StepResult.Failed("queue_closed"));
    assertThat(open(LIMITS).stats().depth()).isEqualTo(50);
  }
}
