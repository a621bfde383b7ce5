package dev.parlance.proxy.review;

import static dev.parlance.proxy.review.Messages.get;
import static dev.parlance.proxy.review.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.review.Deliberation.Phase;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.proxy.review.ReviewPolicy.Escalation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do about held messages, on disk and over restarts. */
@NullMarked
class ReviewDeskTest {
  private static final OptionalLong AS_CONFIGURED = OptionalLong.empty();
  private static final long DAY_MS = Duration.ofDays(1).toMillis();

  @TempDir Path directory = Path.of("");
  private final AtomicLong clockMs = new AtomicLong(1_000_000);
  private final List<ReviewQueue> open = new ArrayList<>();

  private static ReviewPolicy policy(long undoMs, int people, Escalation... chain) {
    return new ReviewPolicy(undoMs, 60_000, 0, List.of(chain), _ -> people);
  }

  private ReviewQueue queue() throws IOException {
    ReviewQueue queue =
        ReviewQueue.open(directory, Messages.limits(10_000, 1L << 28, 60_000), clockMs::get);
    open.add(queue);
    return queue;
  }

  private ReviewQueue reopened() throws IOException {
    open.removeLast().close();
    return queue();
  }

  private ReviewDesk desk(ReviewQueue queue, ReviewPolicy policy) {
    return new ReviewDesk(queue, policy, clockMs::get);
  }

  @AfterEach
  void close() throws IOException {
    for (ReviewQueue one : open) {
      one.close();
    }
  }

  private static String held(ReviewQueue queue, String question) {
    return ((HoldResult.Held) get(queue.hold(message(question)))).id();
  }

  private static ReviewItem done(CompletableFuture<StepResult> pending) {
    return ((StepResult.Done) get(pending)).item();
  }

  private static String refused(CompletableFuture<StepResult> pending) {
    return ((StepResult.Unfit) get(pending)).code();
  }

  private static void becomes(ReviewQueue queue, String id, ReviewState state) {
    Awaitility.await().until(() -> queue.find(id).orElseThrow().state() == state);
  }

  @Test
  void aDecision_countsWhenItCanBeUndoneNoMore_andNobodyHearsOfItBefore() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(5_000, 1));
    String id = held(queue, "q");
    ReviewItem decided = done(desk.vote(id, "ann", "fine", Verdict.RELEASE, AS_CONFIGURED));
    assertThat(decided.state()).isEqualTo(ReviewState.PENDING);
    assertThat(decided.deliberation().phase(clockMs.get())).isEqualTo(Phase.DECIDED);
    assertThat(queue.claimReleased("q")).isEmpty();
    assertThat(queue.decided("text of q")).isEmpty();
    clockMs.addAndGet(4_999);
    done(desk.undo(id, "ann"));
    assertThat(queue.find(id).orElseThrow().deliberation().votes()).isEmpty();
    assertThat(refused(desk.undo(id, "ann"))).isEqualTo("nothing_to_undo");
    done(desk.vote(id, "ann", "no", Verdict.REJECT, AS_CONFIGURED));
    clockMs.addAndGet(5_000);
    becomes(queue, id, ReviewState.REJECTED);
    assertThat(refused(desk.undo(id, "ann"))).isEqualTo("already_decided");
    assertThat(queue.decided("text of q")).map(TextDecision::approved).contains(false);
  }

  @Test
  void aDecisionThatCanBeUndone_countsAfterARestart() throws IOException {
    ReviewQueue queue = queue();
    String id = held(queue, "q");
    done(desk(queue, policy(5_000, 1)).vote(id, "ann", "", Verdict.RELEASE, AS_CONFIGURED));
    clockMs.addAndGet(60_000_000);
    queue = reopened();
    assertThat(queue.find(id).orElseThrow().state()).isEqualTo(ReviewState.PENDING);
    ReviewDesk again = desk(queue, policy(0, 1));
    becomes(queue, id, ReviewState.RELEASED);
    assertThat(refused(again.claim(id, "bob", AS_CONFIGURED))).isEqualTo("already_decided");
  }

  @Test
  void timeToUndo_canBeShorterThanConfigured_neverLonger() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(5_000, 1));
    assertThat(
            done(desk.vote(held(queue, "a"), "ann", "", Verdict.RELEASE, OptionalLong.of(0)))
                .state())
        .isEqualTo(ReviewState.RELEASED);
    ReviewItem long1 =
        done(desk.vote(held(queue, "b"), "ann", "", Verdict.RELEASE, OptionalLong.of(1L << 40)));
    assertThat(long1.deliberation().decided().orElseThrow().undoMs()).isEqualTo(5_000);
  }

  @Test
  void aClaim_keepsOthersOut_untilItIsOver_alsoOverARestart() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 1));
    String id = held(queue, "q");
    done(desk.claim(id, "ann", AS_CONFIGURED));
    assertThat(refused(desk.claim(id, "bob", AS_CONFIGURED))).isEqualTo("claimed");
    clockMs.addAndGet(59_000);
    done(desk.claim(id, "ann", AS_CONFIGURED)); // she is still at it
    clockMs.addAndGet(59_000);
    queue = reopened();
    desk = desk(queue, policy(0, 1));
    assertThat(refused(desk.vote(id, "bob", "", Verdict.REJECT, AS_CONFIGURED)))
        .isEqualTo("claimed");
    clockMs.addAndGet(1_000);
    assertThat(done(desk.claim(id, "bob", AS_CONFIGURED)).deliberation().claim())
        .contains(new Deliberation.Lease("bob", clockMs.get() + 60_000));
    assertThat(refused(desk.unclaim(id, "ann"))).isEqualTo("not_yours");
    done(desk.unclaim(id, "bob"));
    assertThat(done(desk.vote(id, "ann", "", Verdict.REJECT, AS_CONFIGURED)).state())
        .isEqualTo(ReviewState.REJECTED);
  }

  @Test
  void ofTwoWhoClaimAtOnce_oneHasIt() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 1));
    String id = held(queue, "q");
    List<CompletableFuture<StepResult>> both =
        List.of(desk.claim(id, "ann", AS_CONFIGURED), desk.claim(id, "bob", AS_CONFIGURED));
    assertThat(both.stream().map(Messages::get).filter(StepResult.Done.class::isInstance))
        .hasSize(1);
    assertThat(both.stream().map(Messages::get).filter(StepResult.Unfit.class::isInstance))
        .hasSize(1);
  }

  @Test
  void whereTwoPeopleAreAskedFor_oneDecidesNothing_alsoOverARestart() throws IOException {
    ReviewQueue queue = queue();
    String id = held(queue, "q");
    done(desk(queue, policy(0, 2)).vote(id, "ann", "", Verdict.RELEASE, AS_CONFIGURED));
    queue = reopened();
    ReviewDesk desk = desk(queue, policy(0, 2));
    assertThat(queue.find(id).orElseThrow().state()).isEqualTo(ReviewState.PENDING);
    assertThat(refused(desk.vote(id, "ann", "", Verdict.RELEASE, AS_CONFIGURED)))
        .isEqualTo("already_voted");
    ReviewItem both = done(desk.vote(id, "bob", "", Verdict.RELEASE, AS_CONFIGURED));
    assertThat(both.decision().orElseThrow().who()).isEqualTo("ann, bob");
    assertThat(reopened().find(id)).map(ReviewItem::deliberation).contains(both.deliberation());
  }

  @Test
  void theShareOfSecondReviews_isAsConfigured_andTheSameAlways() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk some = desk(queue, new ReviewPolicy(0, 1, 0.25, List.of(), _ -> 1));
    List<ReviewItem> items = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      items.add(queue.find(held(queue, "q" + i)).orElseThrow());
    }
    long seconds = items.stream().filter(item -> some.people(item) == 2).count();
    assertThat(seconds).isBetween(60L, 140L);
    assertThat(items).allMatch(item -> some.people(item) == some.people(item));
    ReviewDesk all = desk(queue, new ReviewPolicy(0, 1, 1, List.of(), _ -> 1));
    assertThat(items).allMatch(item -> all.people(item) == 2);
  }

  @Test
  void whatNobodyDecides_goesUpTheChain_onceEach_andWaitsOnForAMonth() throws IOException {
    ReviewQueue queue = queue();
    List<String> told = new CopyOnWriteArrayList<>();
    queue.listen((event, _) ->
        event
            .filter(ReviewEvent.Escalate.class::isInstance)
            .ifPresent(one -> told.add(((ReviewEvent.Escalate) one).to())));
    ReviewPolicy policy =
        policy(
            0, 1, new Escalation(1_500_000, "leads", false), new Escalation(DAY_MS, "legal", true));
    desk(queue, policy);
    String id = held(queue, "q");
    assertThat(told).isEmpty();
    clockMs.addAndGet(1_000_000);
    Awaitility.await().until(() -> told.equals(List.of("leads")));
    clockMs.addAndGet(30 * DAY_MS);
    Awaitility.await().until(() -> told.equals(List.of("leads", "legal")));
    queue = reopened();
    desk(queue, policy);
    held(queue, "another"); // a group later
    ReviewItem waits = queue.find(id).orElseThrow();
    assertThat(waits.state()).isEqualTo(ReviewState.PENDING);
    assertThat(waits.message().content().body()).isNotEmpty();
    assertThat(waits.deliberation().queue()).isEqualTo("legal");
    assertThat(waits.deliberation().escalations()).isEqualTo(2);
    assertThat(queue.open("q")).map(ReviewItem::id).contains(id);
    assertThat(done(desk(queue, policy).vote(id, "ann", "", Verdict.RELEASE, AS_CONFIGURED)))
        .extracting(ReviewItem::isReleased)
        .isEqualTo(true);
    assertThat(queue.claimReleased("q")).map(ReviewItem::id).contains(id);
  }

  @Test
  void whereAStepIsForSomeAlone_othersAreAskedNoMore_alsoAMonthAndARestartLater()
      throws IOException {
    ReviewQueue queue = queue();
    ReviewPolicy policy =
        policy(0, 1, new Escalation(100, "leads", false), new Escalation(1_500_000, "legal", true));
    ReviewDesk desk = desk(queue, policy);
    String id = held(queue, "q");
    clockMs.addAndGet(1_000);
    Awaitility.await().until(() -> in(queue, id).equals("leads"));
    ReviewItem item = queue.find(id).orElseThrow();
    assertThat(desk.only(item)).isEmpty();
    assertThat(desk.isAsked(item, Set.of("ann"))).isTrue();
    clockMs.addAndGet(30 * DAY_MS);
    Awaitility.await().until(() -> in(queue, id).equals("legal"));
    ReviewQueue again = reopened();
    desk = desk(again, policy);
    item = again.find(id).orElseThrow();
    assertThat(item.state()).isEqualTo(ReviewState.PENDING);
    assertThat(desk.only(item)).contains("legal");
    assertThat(desk.isAsked(item, Set.of("ann", "leads"))).isFalse();
    assertThat(desk.isAsked(item, Set.of())).isFalse();
    assertThat(desk.isAsked(item, Set.of("eve", "legal"))).isTrue();
    assertThat(desk(again, policy(0, 1)).isAsked(item, Set.of("ann")))
        .as("a queue that is configured no more keeps nobody out")
        .isTrue();
  }

  private static String in(ReviewQueue queue, String id) {
    return queue.find(id).orElseThrow().deliberation().queue();
  }

  @Test
  void whoHadClaimedIt_mayEndWhatHeBegan_whileTheClaimLasts() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 1, new Escalation(1_000, "legal", true)));
    String id = held(queue, "q");
    done(desk.claim(id, "ann", AS_CONFIGURED));
    clockMs.addAndGet(1_000);
    Awaitility.await().until(() -> in(queue, id).equals("legal"));
    ReviewItem item = queue.find(id).orElseThrow();
    assertThat(desk.isAsked(item, Set.of("ann"))).isTrue();
    assertThat(desk.isAsked(item, Set.of("bob"))).isFalse();
    clockMs.addAndGet(60_000);
    assertThat(desk.isAsked(item, Set.of("ann"))).isFalse();
  }

  @Test
  void anotherDraft_takesThePlaceOfTheOne_forAllWhoAsk_alsoOverARestart() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 2, new Escalation(100, "leads", false)));
    String id = held(queue, "q");
    clockMs.addAndGet(1_000);
    Awaitility.await().until(() -> in(queue, id).equals("leads"));
    List<String> notes = new CopyOnWriteArrayList<>();
    HeldMessage better = message("another question", 70_000);
    queue
        .authors()
        .keep(
            id,
            note -> {
              notes.add(note);
              return CompletableFuture.completedFuture(Optional.of(better));
            },
            1);
    done(desk.vote(id, "ann", "cite it", Verdict.SEND_BACK, OptionalLong.of(0)));
    assertThat(notes).as("one of two").isEmpty();
    done(desk.vote(id, "bob", "", Verdict.SEND_BACK, OptionalLong.of(0)));
    clockMs.addAndGet(1);
    Awaitility.await().until(() -> body(queue, id) == 70_000);
    assertThat(notes).containsExactly("cite it");
    ReviewItem now = queue.find(id).orElseThrow();
    assertThat(now.state()).isEqualTo(ReviewState.PENDING);
    assertThat(now.deliberation().votes()).isEmpty();
    assertThat(now.deliberation().queue()).isEqualTo("leads");
    assertThat(now.message().origin().keys().questions()).containsExactly("q");
    long held = queue.stats().heldBytes();
    ReviewQueue again = reopened();
    assertThat(body(again, id)).isEqualTo(70_000);
    assertThat(again.open("q")).map(ReviewItem::id).contains(id);
    assertThat(again.open("another question")).isEmpty();
    assertThat(again.stats().heldBytes()).isEqualTo(held).isGreaterThan(70_000);
    desk = desk(again, policy(0, 1));
    done(desk.vote(id, "ann", "", Verdict.RELEASE, AS_CONFIGURED));
    assertThat(again.claimReleased("q").orElseThrow().message().content().body()).hasSize(70_000);
    assertThat(again.decided("text of another question")).isPresent();
  }

  private static int body(ReviewQueue queue, String id) {
    return queue.find(id).orElseThrow().message().content().body().length;
  }

  @Test
  void anAuthorWhoGivesNone_leavesItSentBack() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 1));
    String id = held(queue, "q");
    queue.authors().keep(id, _ -> CompletableFuture.failedFuture(new IOException("gone")), 1);
    assertThat(done(desk.vote(id, "ann", "", Verdict.SEND_BACK, AS_CONFIGURED)).state())
        .isEqualTo(ReviewState.PENDING);
    clockMs.addAndGet(1);
    becomes(queue, id, ReviewState.SENT_BACK);
  }

  @Test
  void identicalTexts_areFound_andNothingElse() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 1));
    String one = held(queue, "a");
    String same = held(queue, "b");
    ReviewItem item = queue.find(one).orElseThrow();
    assertThat(desk.identical(item)).extracting(ReviewItem::id).containsExactly(same);
    done(desk.vote(same, "ann", "", Verdict.REJECT, AS_CONFIGURED));
    assertThat(desk.identical(item)).isEmpty();
  }

  @Test
  void fiveHundredItems_takeHundredsOfDecisionsASecond() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 1));
    List<CompletableFuture<HoldResult>> holds = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      holds.add(queue.hold(message("q" + i)));
    }
    List<String> ids = holds.stream().map(hold -> ((HoldResult.Held) get(hold)).id()).toList();
    long fsyncs = queue.stats().fsyncs();
    List<CompletableFuture<StepResult>> votes =
        ids.stream()
            .map(id -> desk.vote(id, "ann", "seen", Verdict.REJECT, AS_CONFIGURED))
            .toList();
    assertThat(votes).allMatch(vote -> get(vote) instanceof StepResult.Done);
    assertThat(queue.list(Set.of(ReviewState.REJECTED), 1_000)).hasSize(500);
    assertThat(queue.stats().fsyncs() - fsyncs).as("decisions share a force").isLessThan(250);
  }

  @Test
  void figures_tellWhatPeopleDid_andHowFarTheyAgree() throws IOException {
    ReviewQueue queue = queue();
    ReviewDesk desk = desk(queue, policy(0, 2));
    String same = held(queue, "a");
    done(desk.vote(same, "ann", "", Verdict.REJECT, AS_CONFIGURED));
    done(desk.vote(same, "bob", "", Verdict.REJECT, AS_CONFIGURED));
    String split = held(queue, "b");
    done(desk.vote(split, "bob", "", Verdict.REJECT, AS_CONFIGURED));
    done(desk.vote(split, "ann", "", Verdict.RELEASE, AS_CONFIGURED));
    done(desk.claim(split, "eve", AS_CONFIGURED));
    held(queue, "c");
    ReviewFigures figures = ReviewFigures.of(queue.all(), clockMs.get());
    assertThat(figures.waiting()).isEqualTo(2);
    assertThat(figures.phases())
        .containsEntry(Phase.OPEN, 1)
        .containsEntry(Phase.CLAIMED, 1)
        .containsEntry(Phase.DECIDED, 0);
    assertThat(figures.decided()).containsEntry(Verdict.REJECT, 1);
    assertThat(figures.queues()).containsExactly(Map.entry("default", 2));
    assertThat(figures.agreement().items()).isEqualTo(2);
    assertThat(figures.agreement().observed()).hasValue(0.5);
    assertThat(figures.reviewers().get("ann")).isEqualTo(new ReviewFigures.Reviewer(1, 1));
    assertThat(Optional.of(figures.medianMs())).isPresent();
  }
}
