package dev.parlance.policy.text;

/**
 * A set of tokens that are read as two numbers, each with flags. Open addressing, at most half
 * full; a hit compares both numbers, so it is exact.
 *
 * <p>Looking for a token takes no branch that depends on whether it is there, since nobody could
 * predict that; only where another token has its place, which is rare, it looks further. Whoever
 * writes the text does not know the secret of the hash. If tokens crowd in one place all the same,
 * the next text gets another secret.
 */
final class PackedTokens {
  private static final int FIRST_SLOTS = 1024;

  /** What is kept between texts; more is given back. */
  private static final int KEEP_SLOTS = 1 << 16;

  /** Slots taken in a row that chance does not bring about. */
  private static final int CROWD = 32;

  private final long hashMask;
  private long seed;
  private TokenMix mix;

  /** Two numbers for each slot; zero where it is free. */
  private long[] keys = new long[2 * FIRST_SLOTS];

  private byte[] flags = new byte[FIRST_SLOTS];

  /** The slots taken, in the order in which they were. */
  private int[] taken = new int[FIRST_SLOTS / 2];

  /** The tokens while the table grows. */
  private long[] moving = {};

  private int size;
  private int slots = FIRST_SLOTS;
  private int shift = shift(FIRST_SLOTS);
  private boolean crowded;

  PackedTokens(long seed, long hashMask) {
    this.seed = seed;
    this.hashMask = hashMask;
    mix = new TokenMix(seed, hashMask);
  }

  void clear() {
    if (flags.length > KEEP_SLOTS) {
      keys = new long[2 * FIRST_SLOTS];
      flags = new byte[FIRST_SLOTS];
      taken = new int[FIRST_SLOTS / 2];
      moving = new long[0];
    } else {
      wipe();
    }
    size = 0;
    slots = FIRST_SLOTS;
    shift = shift(FIRST_SLOTS);
    if (crowded) {
      seed = TokenMix.key(seed, 7);
      mix = new TokenMix(seed, hashMask);
      crowded = false;
    }
  }

  private void wipe() {
    for (int i = 0; i < size; i++) {
      int slot = taken[i];
      keys[2 * slot] = 0;
      keys[2 * slot + 1] = 0;
      flags[slot] = 0;
    }
  }

  int size() {
    return size;
  }

  /** Slot of the {@code i}-th token. */
  int slot(int i) {
    return taken[i];
  }

  long first(int slot) {
    return keys[2 * slot];
  }

  long second(int slot) {
    return keys[2 * slot + 1];
  }

  int flags(int slot) {
    return flags[slot];
  }

  void mark(int slot, byte flag) {
    flags[slot] |= flag;
  }

  /** Adds a token if it is not there. */
  void add(long first, long second) {
    reserve(1);
    insert(first, second);
  }

  private void insert(long first, long second) {
    int slot = slot(first, second);
    long there = keys[2 * slot];
    long other = (there ^ first) | (keys[2 * slot + 1] ^ second);
    if (isNeither(other, there)) {
      insertFurther(slot + 1, first, second);
      return;
    }
    // Writes a token that is there once more, and counts it only if its slot was free.
    keys[2 * slot] = first;
    keys[2 * slot + 1] = second;
    taken[size] = slot;
    size += oneIfZero(there);
  }

  private void insertFurther(int from, long first, long second) {
    int mask = slots - 1;
    int slot = from & mask;
    while (keys[2 * slot] != 0) {
      if (keys[2 * slot] == first && keys[2 * slot + 1] == second) {
        return;
      }
      slot = slot + 1 & mask;
    }
    crowded |= (slot - from & mask) > CROWD;
    keys[2 * slot] = first;
    keys[2 * slot + 1] = second;
    taken[size++] = slot;
  }

  /** Adds the words of a batch; those that do not fit become tokens of it. */
  void addWords(TokenReader reader) {
    int words = reader.words();
    reserve(words);
    // All in locals: the calls for what is rare would have every field read again for each word.
    byte[] bytes = reader.bytes();
    int[] edges = reader.edges();
    int safe = bytes.length - TokenReader.PACKED_BYTES;
    long[] table = keys;
    int[] slotsTaken = taken;
    long secret0 = mix.first;
    long secret1 = mix.second;
    long last = mix.last;
    int right = shift;
    int count = size;
    for (int i = 0; i < 2 * words; i += 2) {
      int start = edges[i];
      int length = edges[i + 1] - start;
      if (length > TokenReader.PACKED_BYTES || start > safe) {
        reader.readWord(start, length);
        continue;
      }
      long first = TokenReader.first(bytes, start, length);
      long second = TokenReader.second(bytes, start, length);
      int slot = (int) (TokenMix.of(first + secret0, second + secret1, last) >>> right);
      long there = table[2 * slot];
      if (isNeither((there ^ first) | (table[2 * slot + 1] ^ second), there)) {
        size = count;
        insertFurther(slot + 1, first, second);
        count = size;
        continue;
      }
      // Writes a token that is there once more, and counts it only if its slot was free.
      table[2 * slot] = first;
      table[2 * slot + 1] = second;
      slotsTaken[count] = slot;
      count += oneIfZero(there);
    }
    size = count;
  }

  /** Makes room for so many tokens; no flag is set before all tokens are added. */
  private void reserve(int count) {
    while (size + count >= slots / 2) {
      grow();
    }
  }

  private void grow() {
    int count = size;
    if (moving.length < 2 * count) {
      moving = new long[2 * count];
    }
    for (int i = 0; i < count; i++) {
      moving[2 * i] = keys[2 * taken[i]];
      moving[2 * i + 1] = keys[2 * taken[i] + 1];
    }
    wipe();
    size = 0;
    slots *= 2;
    shift = shift(slots);
    if (flags.length < slots) {
      keys = new long[2 * slots];
      flags = new byte[slots];
      taken = new int[slots / 2];
    }
    for (int i = 0; i < count; i++) {
      insert(moving[2 * i], moving[2 * i + 1]);
    }
  }

  /** Sets a flag on a token if it is here. */
  void mark(long first, long second, byte flag) {
    int slot = slot(first, second);
    long there = keys[2 * slot];
    long other = (there ^ first) | (keys[2 * slot + 1] ^ second);
    flags[slot] |= (byte) (flag & -oneIfZero(other));
    if (isNeither(other, there)) {
      markFurther(slot + 1, first, second, flag);
    }
  }

  private void markFurther(int from, long first, long second, byte flag) {
    int mask = slots - 1;
    for (int slot = from & mask; keys[2 * slot] != 0; slot = slot + 1 & mask) {
      if (keys[2 * slot] == first && keys[2 * slot + 1] == second) {
        flags[slot] |= flag;
        return;
      }
    }
  }

  /** Sets a flag on the words of a batch that are here; those that do not fit become tokens. */
  void markWords(TokenReader reader, byte flag) {
    int words = reader.words();
    byte[] bytes = reader.bytes();
    int[] edges = reader.edges();
    int safe = bytes.length - TokenReader.PACKED_BYTES;
    long[] table = keys;
    byte[] notes = flags;
    long secret0 = mix.first;
    long secret1 = mix.second;
    long last = mix.last;
    int right = shift;
    for (int i = 0; i < 2 * words; i += 2) {
      int start = edges[i];
      int length = edges[i + 1] - start;
      if (length > TokenReader.PACKED_BYTES || start > safe) {
        reader.readWord(start, length);
        continue;
      }
      long first = TokenReader.first(bytes, start, length);
      long second = TokenReader.second(bytes, start, length);
      int slot = (int) (TokenMix.of(first + secret0, second + secret1, last) >>> right);
      long there = table[2 * slot];
      long other = (there ^ first) | (table[2 * slot + 1] ^ second);
      notes[slot] |= (byte) (flag & -oneIfZero(other));
      if (isNeither(other, there)) {
        markFurther(slot + 1, first, second, flag);
      }
    }
  }

  /** True if neither is zero, in one branch. */
  private static boolean isNeither(long x, long y) {
    return ((x | -x) & (y | -y)) < 0;
  }

  private static int oneIfZero(long x) {
    return (int) (~(x | -x) >>> 63);
  }

  private int slot(long first, long second) {
    return (int) (mix.of(first, second) >>> shift);
  }

  private static int shift(int slots) {
    return Long.SIZE - Integer.numberOfTrailingZeros(slots);
  }
}
