package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewItem.ReviewEvent;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.wire.api.Notice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that wait for a person: bounded, and on disk before anybody hears that they are
 * held.
 *
 * <p>Every method may be called from an event loop: none waits for the disk except {@link #open}
 * and {@link #close}. Futures complete on the queue's one writer thread; whoever continues from
 * there hops to a thread of his own and never blocks.
 *
 * <p><b>What is promised.</b> A {@code Held}, {@code Done} or delivered answer survives kill -9 and
 * power loss. A refused or failed one changed nothing that counts, though a record whose write was
 * cut short by a crash may be found after a restart. After the first failed write or fsync the
 * queue holds nothing more until it is opened again; what it already has can still be read.
 *
 * <p><b>Delivery is at least once.</b> A released item can be taken, by anybody who asks for its
 * key, until {@link #delivered} is called for it: a message that a person approved is never lost to
 * a connection that broke after it was taken. Two askers at the same moment may both get it, and so
 * may one after a crash between delivery and report.
 */
public final class ReviewQueue implements AutoCloseable {
  static final Logger LOG = LoggerFactory.getLogger(ReviewQueue.class);

  /** Larger messages do not fit one journal record whatever the limits say. */
  private static final long ITEM_BYTES = 1L << 30;

  private static final long COMPACTION_PAUSE_MS = 60_000;
  private static final long FULL_WARN_PAUSE_MS = 60_000;

  /**
   * What tests make smaller.
   *
   * @param historyItems settled items that are remembered
   * @param deadBytes dead bytes in the journal below which it is left alone while running
   */
  record Tuning(int historyItems, long deadBytes) {
    static final Tuning DEFAULT = new Tuning(1000, 1 << 20);
  }

  private final ReviewLimits limits;
  private final Tuning tuning;
  private final LongSupplier clockMs;
  private final Closeable directoryLock;
  private final Journal journal;
  private final JournalWriter writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReviewIndex index;
  private final ReviewIds ids = new ReviewIds();
  private final HoldBackoff backoff;
  private long compactionNotBeforeMs = Long.MIN_VALUE;
  private long fullWarnedMs = Long.MIN_VALUE / 2;
  private long fullRefusals;

  private ReviewQueue(
      Path directory, ReviewLimits limits, LongSupplier clockMs, JournalFiles files, Tuning tuning)
      throws IOException {
    this.limits = limits;
    this.tuning = tuning;
    this.clockMs = clockMs;
    this.index = new ReviewIndex(limits, tuning.historyItems());
    this.backoff = new HoldBackoff(clockMs);
    Files.createDirectories(directory);
    this.directoryLock = Journal.lock(directory);
    try {
      this.journal = Journal.open(directory, files, this::recover);
    } catch (IOException e) {
      directoryLock.close();
      throw e;
    }
    this.writer = new JournalWriter(journal, new Keeper());
  }

  /**
   * Opens the queue in a directory, with everything that was held when it was last used.
   *
   * @param directory where the journal lives; created if missing
   * @param limits its bounds; what was acknowledged under wider ones is kept all the same
   * @param clockMs milliseconds since the epoch
   * @throws ReviewOpenException if another process has it open or the journal is damaged
   * @throws IOException if the disk cannot be read or written
   */
  public static ReviewQueue open(Path directory, ReviewLimits limits, LongSupplier clockMs)
      throws IOException {
    return open(directory, limits, clockMs, JournalFiles.DISK, Tuning.DEFAULT);
  }

  static ReviewQueue open(
      Path directory, ReviewLimits limits, LongSupplier clockMs, JournalFiles files, Tuning tuning)
      throws IOException {
    var queue = new ReviewQueue(directory, limits, clockMs, files, tuning);
    try {
      queue.compactOnOpen();
    } catch (IOException e) {
      queue.journal.close();
      queue.directoryLock.close();
      throw e;
    }
    if (queue.journal.torn()) {
      LOG.warn("an incomplete record was cut off the review journal in {}", directory);
    }
    queue.writer.start();
    return queue;
  }

  private void recover(JournalRecord entry, int frameBytes) throws IOException {
    index.recover(entry, frameBytes);
    ids.follow(entry.id());
  }

  /**
   * Holds a message. The answer comes when it is on disk, or at once if it cannot be held; a
   * refused message stays with the caller.
   */
  public CompletableFuture<HoldResult> hold(HeldMessage message) {
    long memoryBytes = message.memoryBytes();
    if (memoryBytes > Math.min(limits.bytes(), ITEM_BYTES)) {
      return refused("item_too_large");
    }
    lock.lock();
    try {
      Optional<String> refusal = writer.refusal();
      if (refusal.isPresent()) {
        return refused(refusal.get());
      }
      backoff.held(message.origin());
      if (!index.reserve(memoryBytes)) {
        warnFull();
        return refused(Notice.QUEUE_FULL);
      }
      ReviewItem item = ReviewItem.pending(ids.next(clockMs.getAsLong()), message);
      var answer = new CompletableFuture<HoldResult>();
      var commit = new HoldCommit(item, memoryBytes, answer);
      writer.submit(new JournalRecord.Held(item.id(), message), commit).ifPresent(commit::failed);
      return answer;
    } finally {
      lock.unlock();
    }
  }

  /** Says that messages are refused, once in a while. */
  private void warnFull() {
    fullRefusals++;
    long nowMs = clockMs.getAsLong();
    if (nowMs >= fullWarnedMs + FULL_WARN_PAUSE_MS) {
      LOG.atWarn()
          .addKeyValue("waiting", index.pending())
          .addKeyValue("capacity", limits.capacity())
          .addKeyValue("bytes", index.heldBytes())
          .addKeyValue("capacityBytes", limits.bytes())
          .addKeyValue("refused", fullRefusals)
          .log("the review queue is full, and refuses what should be held");
      fullWarnedMs = nowMs;
      fullRefusals = 0;
    }
  }

  /**
   * True if the queue is full and this caller was answered something lately that had to be held: it
   * was told to come back later, and what it is answered now would most likely end the same way.
   * Takes no lock.
   */
  public boolean backsOff(String direction, String routeRule, String caller) {
    return index.isFull() && backoff.appliesTo(direction, routeRule, caller);
  }

  private static CompletableFuture<HoldResult> refused(String code) {
    return CompletableFuture.completedFuture(new HoldResult.Refused(code));
  }

  private final class HoldCommit implements JournalWriter.Commit {
    private final ReviewItem item;
    private final long memoryBytes;
    private final CompletableFuture<HoldResult> answer;

    HoldCommit(ReviewItem item, long memoryBytes, CompletableFuture<HoldResult> answer) {
      this.item = item;
      this.memoryBytes = memoryBytes;
      this.answer = answer;
    }

    @Override
    public void durable(int frameBytes) {
      locked(() -> {
        index.fill(item, memoryBytes, frameBytes);
        return item;
      });
      answer.complete(new HoldResult.Held(item.id()));
    }

    @Override
    public void failed(String code) {
      locked(() -> {
        index.cancel(memoryBytes);
        return item;
      });
      answer.complete(new HoldResult.Refused(code));
    }
  }

  /** Lets a message pass once; of several decisions about one item exactly one is {@code Done}. */
  public CompletableFuture<StepResult> release(String id, String who, String note) {
    return decide(id, who, note, atMs -> new ReviewEvent.Release(who, note, atMs));
  }

  /**
   * Refuses a message for good; of several decisions about one item exactly one is {@code Done}.
   */
  public CompletableFuture<StepResult> reject(String id, String who, String note) {
    return decide(id, who, note, atMs -> new ReviewEvent.Reject(who, note, atMs));
  }

  private CompletableFuture<StepResult> decide(
      String id, String who, String note, Function<Long, ReviewEvent> event) {
    if (!ReviewEvent.isWho(who)) {
      return CompletableFuture.completedFuture(new StepResult.Failed("who_invalid"));
    }
    if (!ReviewEvent.isNote(note)) {
      return CompletableFuture.completedFuture(new StepResult.Failed("note_too_long"));
    }
    return step(id, event.apply(clockMs.getAsLong()));
  }

  /**
   * Reports that a released message reached its asker; from this call on (not only from its answer)
   * nobody can take it again in this process.
   */
  public CompletableFuture<StepResult> delivered(String id) {
    return step(id, new ReviewEvent.Deliver(clockMs.getAsLong()));
  }

  private CompletableFuture<StepResult> step(String id, ReviewEvent event) {
    lock.lock();
    try {
      Optional<ReviewIndex.Slot> found = index.slot(id);
      if (found.isEmpty()) {
        Optional<StepResult> settled = index.settled(id).map(StepResult.Unfit::new);
        return CompletableFuture.completedFuture(settled.orElseGet(StepResult.NotFound::new));
      }
      ReviewIndex.Slot slot = found.get();
      if (slot.pendingStep().isPresent()) {
        // Somebody was first; what he did is known when it is on disk.
        return slot.pendingStep()
            .get()
            .thenApply(first ->
                first.isPresent()
                    ? new StepResult.Unfit(first.get())
                    : new StepResult.Failed(JournalWriter.FAILED));
      }
      return switch (slot.item().step(event)) {
        case ReviewItem.Step.Refused(ReviewItem item) ->
            CompletableFuture.completedFuture(new StepResult.Unfit(item));
        case ReviewItem.Step.Moved(ReviewItem next) -> write(slot, event, next);
      };
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<StepResult> write(
      ReviewIndex.Slot slot, ReviewEvent event, ReviewItem next) {
    var answer = new CompletableFuture<StepResult>();
    var done = new CompletableFuture<Optional<ReviewItem>>();
    slot.begin(done);
    if (slot.item().state() == ReviewState.RELEASED) {
      index.withdraw(slot.item());
    }
    var commit =
        new JournalWriter.Commit() {
          @Override
          public void durable(int frameBytes) {
            locked(() -> {
              index.advance(slot, next, frameBytes);
              return next;
            });
            answer.complete(new StepResult.Done(next));
            done.complete(Optional.of(next));
          }

          @Override
          public void failed(String code) {
            answer.complete(new StepResult.Failed(code));
            done.complete(Optional.empty());
          }
        };
    writer.submit(new JournalRecord.Stepped(next.id(), event), commit).ifPresent(commit::failed);
    return answer;
  }

  /**
   * True if any released message waits to be taken; while none does, no key need be made. Takes no
   * lock, and knows of every release whose answer has come.
   */
  public boolean hasReleased() {
    return index.hasReleased();
  }

  /**
   * A released message that waits for this key, oldest release first. Takes no lock and no time.
   * The same item comes again until {@link #delivered} is called for it.
   */
  public Optional<ReviewItem> takeReleased(String releaseKey) {
    List<ReviewItem> items = index.released(releaseKey);
    if (items.isEmpty()) {
      return Optional.empty();
    }
    long nowMs = clockMs.getAsLong();
    return items.stream().filter(item -> !isOver(item, nowMs)).findFirst();
  }

  /**
   * As {@link #takeReleased}, for one taker: nobody else gets the item until it is given back with
   * {@link #giveBack}. A process that ends before {@link #delivered} has it again afterwards.
   */
  public Optional<ReviewItem> claimReleased(String releaseKey) {
    if (index.released(releaseKey).isEmpty()) {
      return Optional.empty();
    }
    return locked(() -> {
      Optional<ReviewItem> claimed = takeReleased(releaseKey);
      claimed.ifPresent(index::withdraw);
      return claimed;
    });
  }

  /** A claimed item was not delivered after all; the next one who asks gets it. */
  public void giveBack(ReviewItem claimed) {
    boolean _ = locked(() -> index.offerAgain(claimed.id()));
  }

  private boolean isOver(ReviewItem item, long nowMs) {
    return item.state() == ReviewState.RELEASED
        && nowMs - item.decision().orElseThrow().atMs() >= limits.releaseTtlMs();
  }

  /** The message that waits under this key, so that a repeated request need not be held again. */
  public Optional<ReviewItem> findPending(String releaseKey) {
    return index.waiting(releaseKey).stream().findFirst();
  }

  /** The item with this id, while it waits or is remembered. */
  public Optional<ReviewItem> find(String id) {
    return locked(() -> index.find(id));
  }

  /**
   * Items in any of these states, at most {@code limit}: first those that are not settled, oldest
   * first, then settled ones, latest first.
   */
  public List<ReviewItem> list(Set<ReviewState> states, int limit) {
    return locked(() -> index.list(states, limit));
  }

  /** Its bounds. */
  public ReviewLimits limits() {
    return limits;
  }

  /** How the queue stands. */
  public ReviewStats stats() {
    long nowMs = clockMs.getAsLong();
    return locked(() ->
        new ReviewStats(
            index.pending(),
            index.slots().size() - index.pending(),
            index.memoryBytes(),
            index.heldBytes(),
            index
                .waiting()
                .findFirst()
                .map(item -> Math.max(0, nowMs - item.message().heldAtMs()))
                .orElse(0L),
            writer.failure(),
            journal.torn() ? 1 : 0,
            journal.bytes(),
            journal.fsyncs()));
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  private long deadBytes(long journalBytes) {
    return journalBytes - JournalFormat.MAGIC.length - index.liveDiskBytes();
  }

  private void compactOnOpen() throws IOException {
    if (deadBytes(journal.bytes()) > 0) {
      journal.rewrite(index.snapshot());
    }
  }

  /** Runs on the writer's thread. */
  private final class Keeper implements JournalWriter.Housekeeping {
    @Override
    public void tick() {
      long nowMs = clockMs.getAsLong();
      for (String id : locked(() -> overdue(nowMs))) {
        // If it cannot be written the writer has failed, and says so itself.
        var _ = step(id, new ReviewEvent.Expire(nowMs));
      }
    }

    private List<String> overdue(long nowMs) {
      return index.slots().stream()
          .filter(slot -> slot.pendingStep().isEmpty() && isOver(slot.item(), nowMs))
          .map(slot -> slot.item().id())
          .toList();
    }

    @Override
    public Optional<List<JournalRecord>> compaction(long journalBytes) {
      return locked(() -> {
        long deadBytes = deadBytes(journalBytes);
        boolean due =
            deadBytes > tuning.deadBytes()
                && deadBytes > index.liveDiskBytes()
                && clockMs.getAsLong() >= compactionNotBeforeMs;
        return due ? Optional.of(index.snapshot()) : Optional.empty();
      });
    }

    @Override
    public void compacted(boolean done) {
      if (!done) {
        compactionNotBeforeMs = clockMs.getAsLong() + COMPACTION_PAUSE_MS;
      }
    }
  }

  /** Writes everything that was submitted, then lets go of the directory. Waits for the disk. */
  @Override
  public void close() throws IOException {
    writer.close();
    directoryLock.close();
  }

  /**
   * Ids of held messages: {@code r-} and fifteen characters of Crockford's base 32 (no i, l, o, u).
   * Nine of them are milliseconds since the epoch, so ids sort by time; six are random, so nobody
   * who knows when a message was held can guess its id. The time part never repeats and never goes
   * back, whatever the clock does. Used under the queue's lock.
   */
  static final class ReviewIds {
    private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final String PREFIX = "r-";
    private static final int TIME_CHARACTERS = 9;
    private static final int RANDOM_CHARACTERS = 6;

    private final SecureRandom random = new SecureRandom();
    private long lastMs;

    String next(long nowMs) {
      lastMs = Math.max(nowMs, lastMs + 1);
      var id = new StringBuilder(PREFIX);
      append(id, lastMs, TIME_CHARACTERS);
      append(id, random.nextLong(), RANDOM_CHARACTERS);
      return id.toString();
    }

    private static void append(StringBuilder id, long bits, int characters) {
      for (int i = characters - 1; i >= 0; i--) {
        id.append(ALPHABET.charAt((int) (bits >>> (5 * i)) & 31));
      }
    }

    /** Makes every further id sort after this one. */
    void follow(String id) {
      if (id.length() == PREFIX.length() + TIME_CHARACTERS + RANDOM_CHARACTERS) {
        long ms = 0;
        for (int i = 0; i < TIME_CHARACTERS; i++) {
          ms = ms << 5 | Math.max(0, ALPHABET.indexOf(id.charAt(PREFIX.length() + i)));
        }
        lastMs = Math.max(lastMs, ms);
      }
    }
  }
}
