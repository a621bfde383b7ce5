package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the queue keeps in memory, and its bounds. Everything but {@link #isIdle}, {@link #open},
 * {@link #openTask}, {@link #isClaimed}, {@link #hasDecided} and {@link #decided} is used under the
 * queue's lock.
 */
final class ReviewIndex {
  /** A waiting or released item. */
  static final class Slot {
    private ReviewItem item;
    private long memoryBytes;
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
  private record Memory(ReviewItem item, long memoryBytes, long diskBytes) {
    static Memory of(ReviewItem item) {
      long diskBytes = 0;
      for (JournalRecord entry : JournalRecord.historyOf(item)) {
        diskBytes += JournalFormat.frame(entry, 0).remaining();
      }
      return new Memory(item, item.message().memoryBytes(), diskBytes);
    }
  }

  private final ReviewLimits limits;
  private final int historyItems;
  private final Map<String, Slot> slots = new LinkedHashMap<>();

  /** Settled items, in the order in which they were settled. */
  private final Map<String, Memory> history = new LinkedHashMap<>();

  /** Those of them that have something to read, in the same order. */
  private final Set<String> readable = new LinkedHashSet<>();

  private final Map<String, List<ReviewItem>> openByQuestion = new ConcurrentHashMap<>();

  /** The same under the tasks of agents. */
  private final Map<String, List<ReviewItem>> openByTask = new ConcurrentHashMap<>();

  private final Set<String> claimed = ConcurrentHashMap.newKeySet();
  private final Map<String, TextDecision> decidedByText = new ConcurrentHashMap<>();
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
          case ReviewItem.Step.Refused(ReviewItem item, _) ->
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
    index(item);
    look();
  }

  /** Replaces an item by its next one; {@code eventDiskBytes} is what recording that took. */
  void advance(Slot slot, ReviewItem next, long eventDiskBytes) {
    slot.pendingStep = null;
    boolean waits = next.state() == ReviewState.PENDING;
    if (slot.item.state() == ReviewState.PENDING && !waits) {
      pending--;
      look();
    }
    rememberDecision(next);
    if (waits || next.isReleased()) {
      long memoryBytes = waits ? next.message().memoryBytes() : slot.memoryBytes;
      if (memoryBytes != slot.memoryBytes) {
        slotBytes += memoryBytes - slot.memoryBytes;
        slot.memoryBytes = memoryBytes;
        trimHistory();
        look();
      }
      slot.item = next;
      slot.diskBytes += eventDiskBytes;
      liveDiskBytes += eventDiskBytes;
      replace(next);
      return;
    }
    close(slot.item);
    boolean _ = claimed.remove(next.id());
    slots.remove(next.id());
    slotBytes -= slot.memoryBytes;
    look();
    liveDiskBytes -= slot.diskBytes;
    keep(Memory.of(next));
    readable.add(next.id());
    trimHistory();
  }

  private void keep(Memory memory) {
    history.put(memory.item.id(), memory);
    historyBytes += memory.memoryBytes();
    liveDiskBytes += memory.diskBytes();
  }

  private void letGo(Memory memory) {
    historyBytes -= memory.memoryBytes();
    liveDiskBytes -= memory.diskBytes();
  }

  private void index(ReviewItem item) {
    HeldMessage.Keys keys = item.message().origin().keys();
    keys.questions()
        .forEach(question -> openByQuestion.merge(question, List.of(item), ReviewIndex::concat));
    keys.tasks().forEach(task -> openByTask.merge(task, List.of(item), ReviewIndex::concat));
  }

  /** It waits under its questions no more. */
  void close(ReviewItem item) {
    replace(item, Optional.empty());
  }

  /** It waits as it stands now; whoever looks meanwhile finds one of both. */
  private void replace(ReviewItem item) {
    replace(item, Optional.of(item));
  }

  private void replace(ReviewItem item, Optional<ReviewItem> by) {
    HeldMessage.Keys keys = item.message().origin().keys();
    keys.questions().forEach(question -> replace(openByQuestion, question, item.id(), by));
    keys.tasks().forEach(task -> replace(openByTask, task, item.id(), by));
  }

  private static void replace(
      Map<String, List<ReviewItem>> open, String key, String id, Optional<ReviewItem> by) {
    List<ReviewItem> _ =
        open.computeIfPresent(
            key,
            (_, items) -> {
              List<ReviewItem> left =
                  items.stream()
                      .flatMap(item -> item.id().equals(id) ? by.stream() : Stream.of(item))
                      .toList();
              return left.isEmpty() ? null : left;
            });
  }

  private static List<ReviewItem> concat(List<ReviewItem> some, List<ReviewItem> more) {
    List<ReviewItem> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  /** The latest decision on a text is the one that holds. */
  private void rememberDecision(ReviewItem item) {
    if (item.settledAtMs().isEmpty() && item.decision().isPresent() && !item.isWithdrawn()) {
      ReviewItem.Decision made = item.decision().get();
      var decision = new TextDecision(item.id(), made.verdict(), made.note(), made.atMs());
      item.message().origin().keys().texts().forEach(text -> decidedByText.put(text, decision));
    }
  }

  /** Makes room: what there is to read of the oldest goes first, then what became of it. */
  private void trimHistory() {
    while (!readable.isEmpty() && slotBytes + historyBytes > limits.bytes()) {
      forgetContent(readable.iterator().next());
    }
    while (!history.isEmpty()
        && (history.size() > historyItems || slotBytes + historyBytes > limits.bytes())) {
      forget(history.values().iterator().next());
    }
  }

  /** Forgets what was settled before these times. */
  void forgetSettled(long contentBeforeMs, long itemBeforeMs) {
    while (!readable.isEmpty() && settledBefore(readable.iterator().next(), contentBeforeMs)) {
      forgetContent(readable.iterator().next());
    }
    while (!history.isEmpty() && settledBefore(history.keySet().iterator().next(), itemBeforeMs)) {
      forget(history.values().iterator().next());
    }
  }

  private boolean settledBefore(String id, long timeMs) {
    return settled(id).orElseThrow().movedAtMs() < timeMs;
  }

  private void forgetContent(String id) {
    readable.remove(id);
    Memory whole = Optional.ofNullable(history.get(id)).orElseThrow();
    letGo(whole);
    keep(Memory.of(whole.item.withoutContent())); // in its place: the order is that of the first
  }

  private void forget(Memory oldest) {
    ReviewItem item = oldest.item;
    history.remove(item.id());
    readable.remove(item.id());
    letGo(oldest);
    for (String text : item.message().origin().keys().texts()) {
      TextDecision _ =
          decidedByText.computeIfPresent(
              text, (key, decision) -> decision.id().equals(item.id()) ? null : decision);
    }
  }

  /** Nobody else gets this released item; false if somebody has it. */
  boolean claim(String id) {
    return claimed.add(id);
  }

  /** A released item that was claimed may be claimed again, unless it has moved on since. */
  void offerAgain(String id) {
    Slot slot = slots.get(id);
    if (slot != null && slot.pendingStep == null) {
      claimed.remove(id);
    }
  }

  /** True if somebody has it; never blocks, from any thread. */
  boolean isClaimed(String id) {
    return claimed.contains(id);
  }

  /** True if nothing waits, for a person or to be collected; never blocks, from any thread. */
  boolean isIdle() {
    return openByQuestion.isEmpty();
  }

  /** What waits under a question, oldest first; never blocks, from any thread. */
  List<ReviewItem> open(String question) {
    return openByQuestion.getOrDefault(question, List.of());
  }

  /** The same under a task of an agent. */
  List<ReviewItem> openTask(String task) {
    return openByTask.getOrDefault(task, List.of());
  }

  /** True if there are decisions on texts; never blocks, from any thread. */
  boolean hasDecided() {
    return !decidedByText.isEmpty();
  }

  /** The latest decision on a text; never blocks, from any thread. */
  Optional<TextDecision> decided(String text) {
    return Optional.ofNullable(decidedByText.get(text));
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

  /** Every item that is remembered. */
  Stream<ReviewItem> all() {
    return Stream.concat(
        slots.values().stream().map(Slot::item), history.values().stream().map(Memory::item));
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
