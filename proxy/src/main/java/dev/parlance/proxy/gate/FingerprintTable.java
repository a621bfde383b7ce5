package dev.parlance.proxy.gate;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded table from fingerprints to one number each, without an object for an entry: it takes 24
 * bytes, or 16 without a value, and the table grows in parts as entries come. Thread-safe; an event
 * loop waits for another one at most as long as it takes to look through one set.
 *
 * <pre>
 * part:  1 to 64 sets, one lock
 * set:   16 slots, looked through in order
 * slot:  61 bits and 32 bits of the fingerprint, time of its last change, value, side by side:
 *        most sets hold a few entries, which are then one line of memory or two
 * </pre>
 *
 * A fingerprint may stand in either of two sets of its part, and a new one goes where more room is,
 * so that nearly all slots fill before one must give way. Then the slot with the lowest rank goes,
 * and among equals the one that was changed longest ago.
 */
final class FingerprintTable {
  /** What the values mean. */
  interface Meaning {
    /** True if a value that was last changed so long ago has gone. */
    boolean isOver(long value, long ageMs);

    /** How much would be lost with this value: the lowest gives way first. */
    int rank(long value);

    /** False if the values are always 0. */
    boolean hasValues();
  }

  /** A new value for an old one. */
  interface Change {
    /**
     * The value to keep.
     *
     * @param known true if there is an old one
     * @param old the old one, else 0
     */
    long apply(boolean known, long old);
  }

  private static final int WAYS = 16;
  private static final int SETS_OF_PART = 64;
  private static final int SLOTS_OF_PART = WAYS * SETS_OF_PART;

  /** Times are kept in these, as an int: enough for 13 years. */
  private static final long TICK_MS = 100;

  private static final int NS_PER_MS = 1_000_000;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** Some sets; a slot whose key is 0 is free, and so are those behind it in its set. */
  private static final class Part {
    private final long[] words;
    private final int width;
    private int used;

    Part(int slots, boolean hasValues) {
      width = hasValues ? 3 : 2;
      words = new long[slots * width];
    }

    long key(int slot) {
      return words[slot * width];
    }

    boolean holds(int slot, long key, int more) {
      int at = slot * width;
      return words[at] == key && (int) (words[at + 1] >>> Integer.SIZE) == more;
    }

    int tick(int slot) {
      return (int) words[slot * width + 1];
    }

    long value(int slot) {
      return width < 3 ? 0 : words[slot * width + 2];
    }

    void put(int slot, long key, int more, int tick, long value) {
      int at = slot * width;
      if (words[at] == 0) {
        used++;
      }
      words[at] = key;
      words[at + 1] = (long) more << Integer.SIZE | Integer.toUnsignedLong(tick);
      if (width == 3) {
        words[at + 2] = value;
      }
    }
  }

  private final Meaning meaning;
  private final int sets;
  private final AtomicReferenceArray<@Nullable Part> parts;

  /**
   * An empty table.
   *
   * @param max most entries; rounded up to whole sets
   */
  FingerprintTable(int max, Meaning meaning) {
    if (max < 1) {
      throw new IllegalArgumentException("expected room for 1 entry or more, got " + max);
    }
    int count = Math.ceilDiv(max, SLOTS_OF_PART);
    this.meaning = meaning;
    this.parts = new AtomicReferenceArray<>(count);
    this.sets = Math.ceilDiv(max, count * WAYS);
  }

  /** Changes the value of a fingerprint and returns the new one. */
  long change(Fingerprint of, long nowNs, Change change) {
    long key = of.first() + 1;
    int more = (int) of.second();
    int tick = tick(nowNs);
    Part part = part(key);
    synchronized (part) {
      int slot = find(part, key, more);
      boolean known = slot >= 0 && !isOver(part, slot, tick);
      long value = change.apply(known, known ? part.value(slot) : 0);
      if (slot < 0) {
        slot = free(part, key, more, tick);
      }
      part.put(slot, key, more, tick, value);
      return value;
    }
  }

  /** True if there is a value that is not over. */
  boolean contains(Fingerprint of, long nowNs) {
    long key = of.first() + 1;
    Part part = parts.getAcquire(partOf(key));
    if (part == null) {
      return false;
    }
    synchronized (part) {
      int slot = find(part, key, (int) of.second());
      return slot >= 0 && !isOver(part, slot, tick(nowNs));
    }
  }

  /** Slots in use, among them such as are over and not overwritten yet. */
  long size() {
    long size = 0;
    for (int i = 0; i < parts.length(); i++) {
      Part part = parts.getAcquire(i);
      if (part != null) {
        synchronized (part) {
          size += part.used;
        }
      }
    }
    return size;
  }

  private static int tick(long nowNs) {
    return (int) (nowNs / (TICK_MS * NS_PER_MS));
  }

  private boolean isOver(Part part, int slot, int tick) {
    // Ticks may wrap around; a clock that two threads read may seem to go back a little.
    long ageMs = Math.max(0, tick - part.tick(slot)) * TICK_MS;
    return meaning.isOver(part.value(slot), ageMs);
  }

  private int partOf(long key) {
    return (int) Math.unsignedMultiplyHigh(key * GOLDEN, parts.length());
  }

  private Part part(long key) {
    int index = partOf(key);
    Part part = parts.getAcquire(index);
    if (part != null) {
      return part;
    }
    Part fresh = new Part(sets * WAYS, meaning.hasValues());
    return parts.compareAndSet(index, null, fresh)
        ? fresh
        : Objects.requireNonNull(parts.getAcquire(index));
  }

  private int firstSet(long key) {
    return (int) Long.remainderUnsigned(key ^ key >>> 32, sets) * WAYS;
  }

  private int secondSet(int more) {
    return Integer.remainderUnsigned(more, sets) * WAYS;
  }

  private int find(Part part, long key, int more) {
    int slot = find(part, key, more, firstSet(key));
    return slot >= 0 ? slot : find(part, key, more, secondSet(more));
  }

  private static int find(Part part, long key, int more, int set) {
    for (int slot = set; slot < set + WAYS && part.key(slot) != 0; slot++) {
      if (part.holds(slot, key, more)) {
        return slot;
      }
    }
    return -1;
  }

  /** A slot for a new entry: a free one in the emptier set, or that of the least entry of both. */
  private int free(Part part, long key, int more, int tick) {
    int first = firstSet(key);
    int second = secondSet(more);
    int inFirst = firstFree(part, first, tick);
    int inSecond = firstFree(part, second, tick);
    if (inFirst < WAYS || inSecond < WAYS) {
      return inFirst <= inSecond ? first + inFirst : second + inSecond;
    }
    int least = least(part, first);
    int other = least(part, second);
    return isLess(part, other, least) ? other : least;
  }

  /** How many slots of a set come before the first that may be taken. */
  private int firstFree(Part part, int set, int tick) {
    int i = 0;
    while (i < WAYS && part.key(set + i) != 0 && !isOver(part, set + i, tick)) {
      i++;
    }
    return i;
  }

  private int least(Part part, int set) {
    int least = set;
    for (int slot = set + 1; slot < set + WAYS; slot++) {
      if (isLess(part, slot, least)) {
        least = slot;
      }
    }
    return least;
  }

  private boolean isLess(Part part, int slot, int than) {
    int rank = meaning.rank(part.value(slot));
    int thanRank = meaning.rank(part.value(than));
    return rank != thanRank ? rank < thanRank : part.tick(slot) - part.tick(than) < 0;
  }
}
