package dev.parlance.proxy.review;

import static dev.parlance.proxy.review.Messages.get;
import static dev.parlance.proxy.review.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds, decisions, claims, deliveries, expiries and restarts in random order, against a model: one
 * item a question, nothing is delivered that was not released or twice, and what was decided holds
 * and can be read. The number of holds is {@code -Dreview.holds}.
 */
@NullMarked
class ReviewQueuePropertyTest {
  private static final int HOLDS = Integer.getInteger("review.holds", 150);
  private static final long TTL_MS = 60_000;
  private static final ReviewLimits LIMITS =
      new ReviewLimits(10_000, 1L << 30, TTL_MS, 5 * TTL_MS, 1L << 40);

  /** What an item has come to. */
  private record Known(String question, ReviewState state, long atMs) {}

  @TempDir Path directory = Path.of("");
  private final AtomicLong clockMs = new AtomicLong(1_000_000);
  private final Map<String, Known> items = new HashMap<>();
  private final Map<String, String> claimed = new HashMap<>();

  private ReviewQueue open() throws IOException {
    return ReviewQueue.open(directory, LIMITS, clockMs::get);
  }

  private Optional<String> openItem(String question) {
    return items.entrySet().stream()
        .filter(item -> item.getValue().question().equals(question))
        .filter(item -> isOpen(item.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private boolean isOpen(Known item) {
    return item.state() == ReviewState.PENDING
        || (item.state() == ReviewState.RELEASED && clockMs.get() - item.atMs() < TTL_MS);
  }

  private void moved(String id, ReviewState state) {
    Known before = Optional.ofNullable(items.get(id)).orElseThrow();
    items.put(id, new Known(before.question(), state, clockMs.get()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whateverHappens_theQueueIsAsTheModel(long seed) throws IOException {
    Random random = new Random(seed);
    Set<String> delivered = new HashSet<>();
    ReviewQueue queue = open();
    int holds = 0;
    while (holds < HOLDS) {
      String question = "q" + random.nextInt(Math.max(4, HOLDS / 8));
      Optional<String> open = openItem(question);
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          holds++;
          String id = ((HoldResult.Held) get(queue.hold(message(question)))).id();
          if (open.isPresent()) {
            assertThat(id).as("one item a question").isEqualTo(open.get());
          } else {
            assertThat(items).doesNotContainKey(id);
            items.put(id, new Known(question, ReviewState.PENDING, clockMs.get()));
          }
        }
        case 3, 4, 5 -> {
          if (open.isPresent()) {
            boolean release = random.nextInt(3) > 0;
            boolean waits = items.get(open.get()).state() == ReviewState.PENDING;
            StepResult result =
                get(
                    release
                        ? queue.release(open.get(), "ann", "")
                        : queue.reject(open.get(), "bob", ""));
            assertThat(result instanceof StepResult.Done).isEqualTo(waits);
            if (waits) {
              moved(open.get(), release ? ReviewState.RELEASED : ReviewState.REJECTED);
            }
          }
        }
        case 6, 7 -> {
          Optional<ReviewItem> got = queue.claimReleased(question);
          boolean free =
              open.isPresent()
                  && items.get(open.get()).state() == ReviewState.RELEASED
                  && !claimed.containsKey(open.get());
          assertThat(got.isPresent()).isEqualTo(free);
          got.ifPresent(item -> claimed.put(item.id(), question));
        }
        case 8 -> {
          if (!claimed.isEmpty()) {
            String id = claimed.keySet().iterator().next();
            claimed.remove(id);
            ReviewItem item = queue.find(id).orElseThrow();
            if (random.nextInt(3) == 0) {
              queue.giveBack(item); // its caller has gone
            } else if (get(queue.delivered(id)) instanceof StepResult.Done) {
              assertThat(delivered.add(id)).as("delivered once").isTrue();
              moved(id, ReviewState.DELIVERED);
            } else {
              assertThat(isOpen(items.get(id))).as("it had expired").isFalse();
            }
          }
        }
        default -> {
          clockMs.addAndGet(random.nextInt((int) TTL_MS / 4));
          if (random.nextInt(4) == 0) {
            queue.close();
            claimed.clear();
            queue = open();
          }
        }
      }
      check(queue, question);
    }
    queue.close();
    try (ReviewQueue again = open()) {
      items.keySet().forEach(id -> same(again, id));
      assertThat(again.list(EnumSet.allOf(ReviewState.class), Integer.MAX_VALUE))
          .hasSameSizeAs(items.keySet());
    }
  }

  private void check(ReviewQueue queue, String question) {
    Optional<String> open = openItem(question);
    assertThat(queue.open(question).map(ReviewItem::id)).isEqualTo(open);
    items.entrySet().stream()
        .filter(item -> item.getValue().question().equals(question))
        .forEach(item -> same(queue, item.getKey()));
    queue
        .decided("text of " + question)
        .ifPresent(decision -> {
          Known item = Optional.ofNullable(items.get(decision.id())).orElseThrow();
          assertThat(item.question()).isEqualTo(question);
          assertThat(decision.approved()).isEqualTo(item.state() != ReviewState.REJECTED);
        });
  }

  private void same(ReviewQueue queue, String id) {
    Known known = Optional.ofNullable(items.get(id)).orElseThrow();
    ReviewItem item = queue.find(id).orElseThrow();
    boolean mayExpire = known.state() == ReviewState.RELEASED && !isOpen(known);
    assertThat(item.state()).isIn(known.state(), mayExpire ? ReviewState.EXPIRED : known.state());
    assertThat(item.message().content().answer()).as("can be read").isNotEmpty();
    assertThat(item.message().content().material().backing().chunks()).hasSize(1);
  }
}
