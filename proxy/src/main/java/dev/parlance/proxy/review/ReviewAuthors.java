package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Who can be asked for another answer than a held one, without its caller asking again. What is
 * known of them is memory alone, and bounded: an author that is forgotten, as all are by a restart,
 * is asked when the question comes again.
 */
public final class ReviewAuthors {
  private static final int MAX_AUTHORS = 256;
  private static final long MAX_BYTES = 16L << 20;

  private final ReviewQueue queue;
  private final Map<String, Entry> all = new LinkedHashMap<>();

  /** The items whose authors are being asked. */
  private final Set<String> asked = new HashSet<>();

  private long bytes;

  private record Entry(Author author, long bytes) {}

  /** The author of one held answer. */
  @FunctionalInterface
  public interface Author {
    /**
     * Asks once; never blocks.
     *
     * @param note what a person wants otherwise
     * @return the new answer as it is to be held; empty if there is none
     */
    CompletableFuture<Optional<HeldMessage>> ask(String note);
  }

  ReviewAuthors(ReviewQueue queue) {
    this.queue = queue;
    queue.listen((_, now) -> {
      if (now.state() != ReviewState.PENDING) {
        take(now.id());
      }
    });
  }

  /**
   * The author of a held answer can be asked again; the oldest give way.
   *
   * @param memoryBytes what is kept for that
   */
  public synchronized void keep(String id, Author author, long memoryBytes) {
    Optional<Author> _ = take(id);
    all.put(id, new Entry(author, memoryBytes));
    bytes += memoryBytes;
    while (all.size() > MAX_AUTHORS || (bytes > MAX_BYTES && !all.isEmpty())) {
      Optional<Author> _ = take(all.keySet().iterator().next());
    }
  }

  /** True if the author of this answer is asked as soon as a person has sent it back. */
  synchronized boolean has(String id) {
    return all.containsKey(id);
  }

  private synchronized Optional<Author> take(String id) {
    Optional<Entry> entry = Optional.ofNullable(all.remove(id));
    bytes -= entry.map(Entry::bytes).orElse(0L);
    return entry.map(Entry::author);
  }

  /**
   * In place of an event that would settle an item which a person has sent back, its author is
   * asked. What he says takes the place of what is held; without it the event happens after all.
   *
   * @return false if nobody can be asked, or something else happens
   */
  boolean askInstead(ReviewItem item, ReviewEvent due) {
    Optional<ReviewEvent.Vote> last = item.deliberation().decided();
    if (!(due instanceof ReviewEvent.Count)
        || last.filter(vote -> vote.verdict() == Verdict.SEND_BACK).isEmpty()) {
      return false;
    }
    Optional<Author> author = begin(item.id());
    if (author.isEmpty()) {
      return isAsked(item.id());
    }
    String note = item.deliberation().made(due.atMs()).note();
    CompletableFuture<?> _ =
        author
            .get()
            .ask(note)
            .exceptionally(_ -> Optional.empty())
            .thenCompose(said ->
                said.filter(this::hasRoom)
                    .<CompletableFuture<StepResult>>map(
                        by -> queue.step(item.id(), new ReviewEvent.Redraft(by, by.heldAtMs())))
                    .orElseGet(() -> queue.step(item.id(), due)))
            .whenComplete((_, _) -> end(item.id()));
    return true;
  }

  private boolean hasRoom(HeldMessage draft) {
    return queue.stats().heldBytes() + draft.memoryBytes() <= queue.limits().bytes();
  }

  private synchronized Optional<Author> begin(String id) {
    Optional<Author> author = asked.contains(id) ? Optional.empty() : take(id);
    author.ifPresent(_ -> asked.add(id));
    return author;
  }

  private synchronized boolean isAsked(String id) {
    return asked.contains(id);
  }

  private synchronized void end(String id) {
    asked.remove(id);
  }
}
