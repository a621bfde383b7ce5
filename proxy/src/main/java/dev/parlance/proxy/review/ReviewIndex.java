package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewItem.ReviewEvent;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the queue keeps in memory, and its bounds. Everything but {@link #hasReleased()}, {@link
 * #released(String)} and {@link #waiting(String)} is used under the queue's lock.
 */
final class ReviewIndex {
  /** A waiting or released item. */
  static final class Slot {
    private ReviewItem item;
    private final long memoryBytes;
    private long diskBytes;

    /** The step that is being written; empty inside if it could not be. */
    private @Nullable CompletableFuture<Optional<ReviewItem>> pendingStep;

    private Slot(ReviewItem item, long memoryBytes, long diskBytes) {
      this.item = item;
      this.memoryBytes = memoryBytes;
      this.diskBytes = diskBytes;
    }

    ReviewItem item() {
      return item;
    }

    Optional<CompletableFuture<Optional<ReviewItem>>> pendingStep() {
      return Optional.ofNullable(pendingStep);
    }

    void begin(CompletableFuture<Optional<ReviewItem>> step) {
      pendingStep = step;
    }
  }

  /** A settled item and what it costs. */
  private record Memory(ReviewItem item, long memoryBytes, long diskBytes) {}

  private final ReviewLimits limits;
  private final int historyItems;
  private final Map<String, Slot> slots = new LinkedHashMap<>();
  private final Map<String, Memory> history = new LinkedHashMap<>();
  private final Map<String, List<ReviewItem>> releasedByKey = new ConcurrentHashMap<>();
  private final Map<String, List<ReviewItem>> pendingByKey = new ConcurrentHashMap<>();
  private int pending;
  private int reserved;
  private long slotBytes;
  private long historyBytes;
  private long liveDiskBytes;

  /** Size of the message that room was last asked for. */
  private long lastBytes;

  private volatile boolean full;

  ReviewIndex(ReviewLimits limits, int historyItems) {
    this.limits = limits;
    this.historyItems = historyItems;
  }

  /** Repeats what a journal tells; throws if it contradicts itself. */
  void recover(JournalRecord entry, int frameBytes) throws IOException {
    switch (entry) {
      case JournalRecord.Held(String id, HeldMessage message) -> {
        if (slots.containsKey(id) || history.containsKey(id)) {
          throw new IOException("item " + id + " is held twice");
        }
        put(ReviewItem.pending(id, message), message.memoryBytes(), frameBytes);
      }
      case JournalRecord.Stepped(String id, ReviewEvent event) -> {
        Slot slot = slots.get(id);
        if (slot == null) {
          throw new IOException("item " + id + " is not held");
        }
        switch (slot.item.step(event)) {
          case ReviewItem.Step.Moved(ReviewItem next) -> advance(slot, next, frameBytes);
          case ReviewItem.Step.Refused(ReviewItem item) ->
              throw new IOException("item " + id + " in state " + item.state() + " got " + event);
        }
      }
    }
  }

  /** Room for one more waiting message of this size, or false; history gives way. */
  boolean reserve(long memoryBytes) {
    lastBytes = memoryBytes;
    look();
    if (full) {
      return false;
    }
    reserved++;
    slotBytes += memoryBytes;
    trimHistory();
    look();
    return true;
  }

  private void look() {
    full = pending + reserved >= limits.capacity() || slotBytes + lastBytes > limits.bytes();
  }

  /** True if another message like the last one would not be held; never blocks, from any thread. */
  boolean isFull() {
    return full;
  }

  /** Gives the room back: the message was not written. */
  void cancel(long memoryBytes) {
    reserved--;
    slotBytes -= memoryBytes;
    look();
  }

  /** Fills the room: the message is on disk. */
  void fill(ReviewItem item, long memoryBytes, long diskBytes) {
    reserved--;
    slotBytes -= memoryBytes;
    put(item, memoryBytes, diskBytes);
  }

  /** Adds a waiting message that is on disk. */
  void put(ReviewItem item, long memoryBytes, long diskBytes) {
    pending++;
    slotBytes += memoryBytes;
    liveDiskBytes += diskBytes;
    slots.put(item.id(), new Slot(item, memoryBytes, diskBytes));
    pendingByKey.merge(item.message().origin().releaseKey(), List.of(item), ReviewIndex::concat);
    look();
  }

  /** Replaces an item by its next one; {@code eventDiskBytes} is what recording that took. */
  void advance(Slot slot, ReviewItem next, long eventDiskBytes) {
    slot.pendingStep = null;
    if (slot.item.state() == ReviewState.PENDING) {
      pending--;
      remove(pendingByKey, slot.item);
      look();
    }
    if (next.state() == ReviewState.RELEASED) {
      slot.item = next;
      slot.diskBytes += eventDiskBytes;
      liveDiskBytes += eventDiskBytes;
      releasedByKey.merge(next.message().origin().releaseKey(), List.of(next), ReviewIndex::concat);
      return;
    }
    withdraw(slot.item);
    slots.remove(next.id());
    slotBytes -= slot.memoryBytes;
    look();
    liveDiskBytes -= slot.diskBytes;
    long diskBytes = 0;
    for (JournalRecord entry : JournalRecord.historyOf(next)) {
      diskBytes += JournalFormat.frame(entry, 0).remaining();
    }
    var memory = new Memory(next, next.message().memoryBytes(), diskBytes);
    history.put(next.id(), memory);
    historyBytes += memory.memoryBytes();
    liveDiskBytes += memory.diskBytes();
    trimHistory();
  }

  private static List<ReviewItem> concat(List<ReviewItem> some, List<ReviewItem> more) {
    List<ReviewItem> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  /** Takes a released item from the index, so that nobody collects it again. */
  void withdraw(ReviewItem item) {
    remove(releasedByKey, item);
  }

  private static void remove(Map<String, List<ReviewItem>> index, ReviewItem item) {
    List<ReviewItem> _ =
        index.computeIfPresent(
            item.message().origin().releaseKey(),
            (key, items) -> {
              List<ReviewItem> left =
                  items.stream().filter(other -> !other.id().equals(item.id())).toList();
              return left.isEmpty() ? null : left;
            });
  }

  /** Puts a released item that was withdrawn back into the index, unless it has moved on since. */
  boolean offerAgain(String id) {
    Slot slot = slots.get(id);
    if (slot == null
        || slot.pendingStep != null
        || slot.item.state() != ReviewState.RELEASED
        || released(slot.item.message().origin().releaseKey()).contains(slot.item)) {
      return false;
    }
    releasedByKey.merge(
        slot.item.message().origin().releaseKey(), List.of(slot.item), ReviewIndex::concat);
    return true;
  }

  private void trimHistory() {
    var oldest = history.values().iterator();
    while (oldest.hasNext()
        && (history.size() > historyItems || slotBytes + historyBytes > limits.bytes())) {
      Memory memory = oldest.next();
      oldest.remove();
      historyBytes -= memory.memoryBytes();
      liveDiskBytes -= memory.diskBytes();
    }
  }

  /** True if there are released items of any key; never blocks, from any thread. */
  boolean hasReleased() {
    return !releasedByKey.isEmpty();
  }

  /** The released items of a key, oldest release first; never blocks, from any thread. */
  List<ReviewItem> released(String key) {
    return releasedByKey.getOrDefault(key, List.of());
  }

  /** The waiting items of a key, oldest first; never blocks, from any thread. */
  List<ReviewItem> waiting(String key) {
    return pendingByKey.getOrDefault(key, List.of());
  }

  Optional<Slot> slot(String id) {
    return Optional.ofNullable(slots.get(id));
  }

  /** The item, wherever it stands. */
  Optional<ReviewItem> find(String id) {
    Slot slot = slots.get(id);
    return slot != null ? Optional.of(slot.item) : settled(id);
  }

  /** Items in these states: unsettled ones oldest first, then settled ones latest first. */
  List<ReviewItem> list(Set<ReviewState> states, int limit) {
    return Stream.concat(slots.values().stream().map(Slot::item), settled().reversed().stream())
        .filter(item -> states.contains(item.state()))
        .limit(limit)
        .toList();
  }

  /** Waiting items, oldest first. */
  Stream<ReviewItem> waiting() {
    return slots.values().stream()
        .map(Slot::item)
        .filter(item -> item.state() == ReviewState.PENDING);
  }

  /** What the shortest journal that leads here would hold. */
  List<JournalRecord> snapshot() {
    List<JournalRecord> entries = new ArrayList<>();
    settled().forEach(item -> entries.addAll(JournalRecord.historyOf(item)));
    slots.values().forEach(slot -> entries.addAll(JournalRecord.historyOf(slot.item)));
    return entries;
  }

  Optional<ReviewItem> settled(String id) {
    return Optional.ofNullable(history.get(id)).map(Memory::item);
  }

  Collection<Slot> slots() {
    return slots.values();
  }

  private List<ReviewItem> settled() {
    return history.values().stream().map(Memory::item).toList();
  }

  int pending() {
    return pending;
  }

  /** Memory of what waits or is released, which gives way to nothing. */
  long heldBytes() {
    return slotBytes;
  }

  long memoryBytes() {
    return slotBytes + historyBytes;
  }

  /** What a journal without dead records would take, file header aside. */
  long liveDiskBytes() {
    return liveDiskBytes;
  }
}
