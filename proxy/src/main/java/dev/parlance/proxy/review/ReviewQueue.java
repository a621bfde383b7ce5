package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.service.file.Disk;
import dev.parlance.wire.api.Notice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * <p><b>One item a question.</b> While a message waits under the key of a question, for a person or
 * to be collected, another one with this key is not held: it is answered with the id of the first.
 *
 * <p><b>Delivery is at least once.</b> A released item waits under its key until {@link #delivered}
 * is called for it: a message that a person approved is never lost to a connection that broke. An
 * answer goes to all who ask for it until then; a request, which an agent carries out, is claimed
 * by one at a time. After a crash between delivery and report it may come twice.
 *
 * <p><b>Decisions are remembered.</b> What was decided can be read for {@link
 * ReviewLimits#keepDecidedMs}, and holds for the same text ({@link #decided}) for {@link
 * ReviewLimits#approvedForMs}, over restarts, as long as there is room beside what waits.
 */
public final class ReviewQueue implements AutoCloseable {
  static final Logger LOG = LoggerFactory.getLogger(ReviewQueue.class);

  /** Larger messages do not fit one journal record whatever the limits say. */
  private static final long ITEM_BYTES = 1L << 30;

  private static final long COMPACTION_PAUSE_MS = 60_000;

  /**
   * What tests make smaller.
   *
   * @param historyItems settled items that are remembered
   * @param deadBytes dead bytes in the journal below which it is left alone while running
   */
  record Tuning(int historyItems, long deadBytes) {
    static final Tuning DEFAULT = new Tuning(10_000, 1 << 20);
  }

  /** Learns of everything that happens to held messages, in its order. */
  @FunctionalInterface
  public interface Listener {
    /**
     * It is on disk. Called on the writer's thread; may not wait.
     *
     * @param event what has happened; empty if it has just been held
     * @param now the item as it stands
     */
    void moved(Optional<ReviewEvent> event, ReviewItem now);
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

  /** The holds that are being written, by the keys of their questions; under the lock. */
  private final Map<String, CompletableFuture<HoldResult>> writing = new HashMap<>();

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final ReviewAuthors authors = new ReviewAuthors(this);
  private volatile ReviewPolicy policy = ReviewPolicy.NONE;
  private long compactionNotBeforeMs = Long.MIN_VALUE;

  private ReviewQueue(
      Path directory, ReviewLimits limits, LongSupplier clockMs, Disk files, Tuning tuning)
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
    return open(directory, limits, clockMs, Disk.REAL, Tuning.DEFAULT);
  }

  static ReviewQueue open(
      Path directory, ReviewLimits limits, LongSupplier clockMs, Disk files, Tuning tuning)
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
   * Holds a message, unless one waits under the same question: then the answer is the id of that.
   * It comes when the message is on disk, or at once if it cannot be held; a refused message stays
   * with the caller.
   */
  public CompletableFuture<HoldResult> hold(HeldMessage message) {
    long memoryBytes = message.memoryBytes();
    if (memoryBytes > Math.min(limits.bytes(), ITEM_BYTES)) {
      return refused("item_too_large");
    }
    lock.lock();
    try {
      Optional<CompletableFuture<HoldResult>> first = first(message.origin().keys().questions());
      if (first.isPresent()) {
        return first.get();
      }
      Optional<String> refusal = writer.refusal();
      if (refusal.isPresent()) {
        return refused(refusal.get());
      }
      backoff.held(message.origin());
      if (!index.reserve(memoryBytes)) {
        backoff.full(index.pending(), index.heldBytes(), limits);
        return refused(Notice.QUEUE_FULL);
      }
      ReviewItem item = ReviewItem.pending(ids.next(clockMs.getAsLong()), message);
      var answer = new CompletableFuture<HoldResult>();
      var commit = new HoldCommit(item, memoryBytes, answer);
      message.origin().keys().questions().forEach(question -> writing.put(question, answer));
      writer.submit(new JournalRecord.Held(item.id(), message), commit).ifPresent(commit::failed);
      return answer;
    } finally {
      lock.unlock();
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

  /** What holds, or is about to hold, the place of one of these questions. */
  private Optional<CompletableFuture<HoldResult>> first(List<String> questions) {
    return questions.stream()
        .map(question ->
            open(question)
                .map(item ->
                    CompletableFuture.<HoldResult>completedFuture(new HoldResult.Held(item.id())))
                .or(() -> Optional.ofNullable(writing.get(question))))
        .flatMap(Optional::stream)
        .findFirst();
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
        written();
        index.fill(item, memoryBytes, frameBytes);
        return item;
      });
      tell(Optional.empty(), item);
      answer.complete(new HoldResult.Held(item.id()));
    }

    @Override
    public void failed(String code) {
      locked(() -> {
        written();
        index.cancel(memoryBytes);
        return item;
      });
      answer.complete(new HoldResult.Refused(code));
    }

    private void written() {
      item.message()
          .origin()
          .keys()
          .questions()
          .forEach(question -> writing.remove(question, answer));
    }
  }

  private void tell(Optional<ReviewEvent> event, ReviewItem now) {
    listeners.forEach(listener -> listener.moved(event, now));
  }

  /**
   * Lets a message pass once, whatever people do about it; of several decisions about one item
   * exactly one is {@code Done}.
   */
  public CompletableFuture<StepResult> release(String id, String who, String note) {
    return decide(id, who, note, atMs -> new ReviewEvent.Release(who, note, atMs));
  }

  /** Refuses a message for good, likewise. */
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

  /** Something happens to an item: it holds, or is refused by the table of {@link ReviewItem}. */
  public CompletableFuture<StepResult> step(String id, ReviewEvent event) {
    lock.lock();
    try {
      Optional<ReviewIndex.Slot> found = index.slot(id);
      if (found.isEmpty()) {
        Optional<StepResult> settled = index.settled(id).map(item -> unfit(item.step(event)));
        return CompletableFuture.completedFuture(settled.orElseGet(StepResult.NotFound::new));
      }
      ReviewIndex.Slot slot = found.get();
      if (slot.pendingStep().isPresent()) {
        // Somebody was first; whether this still fits is known when that is on disk.
        return slot.pendingStep()
            .get()
            .thenCompose(first ->
                first.isPresent()
                    ? step(id, event)
                    : CompletableFuture.completedFuture(
                        new StepResult.Failed(JournalWriter.FAILED)));
      }
      return switch (slot.item().step(event)) {
        case ReviewItem.Step.Refused refused -> CompletableFuture.completedFuture(unfit(refused));
        case ReviewItem.Step.Moved(ReviewItem next) -> write(slot, event, next);
      };
    } finally {
      lock.unlock();
    }
  }

  private static StepResult unfit(ReviewItem.Step step) {
    return switch (step) {
      case ReviewItem.Step.Refused(ReviewItem item, String code) ->
          new StepResult.Unfit(item, code);
      case ReviewItem.Step.Moved(ReviewItem next) ->
          throw new IllegalStateException("a settled item moved to " + next.state());
    };
  }

  private CompletableFuture<StepResult> write(
      ReviewIndex.Slot slot, ReviewEvent event, ReviewItem next) {
    var answer = new CompletableFuture<StepResult>();
    var done = new CompletableFuture<Optional<ReviewItem>>();
    slot.begin(done);
    if (slot.item().state() == ReviewState.RELEASED) {
      // Delivered or expired it stops nobody from asking, though that is not on disk yet.
      boolean _ = index.claim(slot.item().id());
      index.close(slot.item());
    }
    var commit =
        new JournalWriter.Commit() {
          @Override
          public void durable(int frameBytes) {
            locked(() -> {
              index.advance(slot, next, frameBytes);
              return next;
            });
            tell(Optional.of(event), next);
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
   * True if nothing waits, for a person or to be collected; while nothing does, no key of a
   * question need be made. Takes no lock, and knows of everything whose answer has come.
   */
  public boolean isIdle() {
    return index.isIdle();
  }

  /**
   * The message that waits under this question, for a person or to be collected. Takes no lock and
   * no time.
   */
  public Optional<ReviewItem> open(String question) {
    return firstOf(index.open(question));
  }

  /** What waits for a person and was asked for by this caller, the latest first. */
  public List<ReviewItem> waiting(String caller) {
    return locked(() ->
        index
            .waiting()
            .filter(item -> item.message().origin().keys().caller().equals(caller))
            .toList()
            .reversed());
  }

  /** The answer about this task of an agent that waits, likewise. */
  public Optional<ReviewItem> openTask(String task) {
    return firstOf(index.openTask(task));
  }

  private Optional<ReviewItem> firstOf(List<ReviewItem> items) {
    if (items.isEmpty()) {
      return Optional.empty();
    }
    long nowMs = clockMs.getAsLong();
    return items.stream().filter(item -> !isOver(item, nowMs)).findFirst();
  }

  /** A released message that anybody may claim who asks this question. */
  Optional<ReviewItem> released(String question) {
    return open(question).filter(item -> item.isReleased() && !index.isClaimed(item.id()));
  }

  /**
   * The released message of this question, for one taker: nobody else gets it until it is given
   * back with {@link #giveBack}. A process that ends before {@link #delivered} has it again
   * afterwards.
   */
  public Optional<ReviewItem> claimReleased(String question) {
    return released(question).isEmpty()
        ? Optional.empty()
        : locked(() -> released(question).filter(item -> index.claim(item.id())));
  }

  /** A claimed item was not delivered after all; the next one who asks gets it. */
  public void giveBack(ReviewItem claimed) {
    locked(() -> {
      index.offerAgain(claimed.id());
      return claimed;
    });
  }

  private boolean isOver(ReviewItem item, long nowMs) {
    return item.state() == ReviewState.RELEASED
        && nowMs - item.decision().orElseThrow().atMs() >= limits.releaseTtlMs();
  }

  /**
   * True if any decision on a text is remembered; while none is, no key of a text need be made.
   * Takes no lock.
   */
  public boolean hasDecided() {
    return index.hasDecided();
  }

  /** The decision that holds for a text now. Takes no lock and no time. */
  public Optional<TextDecision> decided(String text) {
    return index
        .decided(text)
        .filter(decision -> clockMs.getAsLong() - decision.atMs() < limits.approvedForMs());
  }

  /**
   * Refuses a message because its sender wants it no more, which says nothing about its text for
   * the next time.
   */
  public CompletableFuture<StepResult> withdraw(String id) {
    return reject(id, ReviewItem.SENDER, "");
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

  /** Tells one more what happens. */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Sets what becomes of messages with time. */
  void follow(ReviewPolicy next) {
    policy = next;
  }

  /** Every item that waits or is remembered. */
  public List<ReviewItem> all() {
    return locked(() -> index.all().toList());
  }

  /** What waits for a person, oldest first. */
  List<ReviewItem> waiting() {
    return locked(() -> index.waiting().toList());
  }

  /** Who can be asked for other answers than those that are held. */
  public ReviewAuthors authors() {
    return authors;
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
    public long tick() {
      long nowMs = clockMs.getAsLong();
      long keepMs = limits.keepDecidedMs();
      List<ReviewItem> idle =
          locked(() -> {
            index.forgetSettled(nowMs - keepMs, nowMs - Math.max(keepMs, limits.approvedForMs()));
            return index.slots().stream()
                .filter(slot -> slot.pendingStep().isEmpty())
                .map(ReviewIndex.Slot::item)
                .toList();
          });
      long nextMs = Long.MAX_VALUE;
      for (ReviewItem item : idle) {
        Optional<ReviewEvent> due = due(item, nowMs);
        if (due.isPresent() && !authors.askInstead(item, due.get())) {
          // If it cannot be written the writer has failed, and says so itself.
          CompletableFuture<StepResult> _ = step(item.id(), due.get());
        }
        nextMs = Math.min(nextMs, countsAtMs(item));
      }
      return nextMs - nowMs;
    }

    private Optional<ReviewEvent> due(ReviewItem item, long nowMs) {
      return isOver(item, nowMs)
          ? Optional.of(new ReviewEvent.Expire(nowMs))
          : policy.due(item, nowMs);
    }

    private static long countsAtMs(ReviewItem item) {
      return item.state() == ReviewState.PENDING
          ? item.deliberation().decided().map(ReviewEvent.Vote::countsAtMs).orElse(Long.MAX_VALUE)
          : Long.MAX_VALUE;
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
}
