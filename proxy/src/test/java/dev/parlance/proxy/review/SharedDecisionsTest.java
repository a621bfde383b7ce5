package dev.parlance.proxy.review;

import static dev.parlance.proxy.review.Messages.get;
import static dev.parlance.proxy.review.Messages.hold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.proxy.review.SharedDecisions.Decided;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peer of all messages is {@code agent-a}. */
class SharedDecisionsTest {
  private static final long HOLDS_MS = 60_000;

  @TempDir Path directory;
  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final List<Decided> said = new CopyOnWriteArrayList<>();
  private final List<String> settled = new CopyOnWriteArrayList<>();
  private ReviewQueue queue;
  private SharedDecisions shared;

  @BeforeEach
  void open() throws IOException {
    queue = ReviewQueue.open(directory, Messages.limits(100, 1 << 20, HOLDS_MS), nowMs::get);
    shared =
        new SharedDecisions(
            "agent-b",
            _ -> Optional.empty(),
            queue,
            nowMs::get,
            new SharedDecisions.Events() {
              @Override
              public void counted(String event) {}

              @Override
              public void settled(ReviewItem item, String who) {
                settled.add(item.state() + " " + who);
              }
            });
    shared.saysTo(said::add);
  }

  @AfterEach
  void close() throws IOException {
    queue.close();
  }

  private static Decided decided(String by, String text, boolean approved, long forMs) {
    return new Decided("r-" + by, by, List.of(text), approved, forMs, "a note");
  }

  private Optional<Boolean> approved(String text) {
    return shared.decided("agent-a", text).map(TextDecision::approved);
  }

  @Test
  void Q14_aDecision_isSaidWhenItIsOnDisk_andAgainUntilItIsTaken_withTheTimeThatIsLeft()
      throws IOException {
    String released = hold(queue, "a");
    String rejected = hold(queue, "b");
    String withdrawn = hold(queue, "c");
    assertThat(shared.untaken()).isEmpty();
    get(queue.release(released, "ann", "fine"));
    get(queue.reject(rejected, "ann", ""));
    get(queue.withdraw(withdrawn));
    assertThat(said)
        .containsExactly(
            new Decided(released, "agent-a", List.of("shared a"), true, HOLDS_MS, "fine"),
            new Decided(rejected, "agent-a", List.of("shared b"), false, HOLDS_MS, ""));
    nowMs.addAndGet(10_000);
    assertThat(shared.untaken())
        .extracting(Decided::item, Decided::forMs)
        .containsExactlyInAnyOrder(
            tuple(released, HOLDS_MS - 10_000), tuple(rejected, HOLDS_MS - 10_000));
    shared.taken(released, false);
    assertThat(shared.untaken()).extracting(Decided::item).containsExactly(rejected);
    queue.close();
    open();
    assertThat(shared.untaken()).as("after a restart both").hasSize(2);
    nowMs.addAndGet(HOLDS_MS);
    assertThat(shared.untaken()).isEmpty();
  }

  @Test
  void Q14_aDecision_isBelievedOfTheTwoAgents_andOfNoStranger_forItsTime() {
    shared.hear(decided("stranger", "x", true, HOLDS_MS));
    assertThat(approved("x")).isEmpty();
    shared.hear(decided("agent-b", "x", true, HOLDS_MS));
    assertThat(approved("x")).contains(true);
    shared.hear(decided("agent-a", "x", false, 5_000));
    assertThat(approved("x")).contains(false);
    assertThat(shared.decidedItem("agent-a", "r-agent-a").map(TextDecision::note))
        .contains("a note");
    assertThat(shared.decidedItem("agent-a", "r-stranger")).isEmpty();
    nowMs.addAndGet(5_000);
    assertThat(approved("x")).contains(true);
    nowMs.addAndGet(HOLDS_MS);
    assertThat(approved("x")).isEmpty();
  }

  @Test
  void Q14_whatIsHeldAlready_isDecidedByADecisionThatComesLate_andNotSaidBack() {
    String waits = hold(queue, "a");
    String other = hold(queue, "b");
    shared.hear(decided("stranger", "shared a", true, HOLDS_MS));
    shared.hear(decided("agent-a", "shared a", true, HOLDS_MS));
    await().until(() -> settled.size() == 1);
    assertThat(settled).containsExactly("RELEASED (a reviewer beside agent-a)");
    assertThat(queue.find(waits).map(ReviewItem::state)).contains(ReviewState.RELEASED);
    assertThat(queue.find(other).map(ReviewItem::state)).contains(ReviewState.PENDING);
    shared.hear(decided("agent-a", "shared c", false, HOLDS_MS));
    String crossed = hold(queue, "c");
    shared.settle(crossed);
    await().until(() -> settled.size() == 2);
    assertThat(queue.find(crossed).map(ReviewItem::state)).contains(ReviewState.REJECTED);
    assertThat(said).isEmpty();
    assertThat(shared.untaken()).isEmpty();
  }
}
