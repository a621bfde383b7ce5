package dev.parlance.wire.json;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Finds member names that some receiver would take for one another: equal after unescaping, NFKC
 * and lower-casing. Receivers differ in which of two such members they keep (the first, the last,
 * the one in their own spelling), so a body that has both could be judged by one and read by the
 * other. In data of users, whose names no protocol looks for, only equal names are repeated: {@code
 * Co} is not {@code CO}.
 *
 * <p>Cost is linear in the bytes of the names. Objects of more than a few members use a hash table
 * whose hash, a polynomial modulo the prime 2^61-1 at a point that is drawn once per process, gives
 * a sender who does not know the point no set of colliding names; and equal hashes only lead to a
 * comparison, so a collision never makes two names equal. Normalisation reorders combining marks in
 * quadratic time, so names longer than {@value #MAX_NORMALISED_CHARS} chars are lower-cased only.
 */
final class DuplicateNames {
  private static final int MAX_NORMALISED_CHARS = 128;
  private static final int SMALL = 8;
  private static final int MAX_DATA_NAME = 32;
  private static final byte[] NOTHING = {};
  private static final long PRIME = (1L << 61) - 1;
  private static final long POINT = drawPoint();

  /** Most names of one object for which memory is kept. */
  private static final int MAX_KEPT = 1024;

  private byte[] body = NOTHING;
  private long[] hashes = new long[SMALL];
  private int[] nameNodes = new int[SMALL];

  /** Members whose values are data, at every depth. */
  private static final Set<String> DATA =
      Set.of("data", "arguments", "structuredContent", "properties", "$defs", "definitions");

  /** Members whose values are data, in which protocols have names of their own. */
  private static final Set<String> METADATA = Set.of("metadata", "_meta");

  /** True while only equal names are the same. */
  private boolean exact;

  /** Forgets the body, and what a very large object needed. */
  void clear() {
    body = NOTHING;
    if (nameNodes.length > MAX_KEPT) {
      hashes = new long[SMALL];
      nameNodes = new int[SMALL];
    }
  }

  /**
   * The node of a name that repeats an earlier one of the object, or {@link JsonDocument#NONE}.
   *
   * @param open the containers around the object
   * @param depth how many there are
   */
  int firstRepeated(byte[] scanned, int[] tape, int object, int end, int[] open, int depth) {
    if (areDistinct(tape, object, end)) {
      return JsonDocument.NONE;
    }
    body = scanned;
    exact = false;
    int repeated = firstRepeated(tape, object, end);
    if (repeated == JsonDocument.NONE) {
      return repeated;
    }
    boolean free =
        isInData(tape, object, open, depth)
            || (firstKnownRepeated(tape, object, end) == JsonDocument.NONE
                && isInMetadata(tape, object, open, depth));
    if (!free) {
      return repeated;
    }
    exact = true;
    return firstRepeated(tape, object, end);
  }

  /** As {@link #firstRepeated}, among the names that have a code, in any case. */
  private static int firstKnownRepeated(int[] tape, int object, int end) {
    long seen = 0;
    for (int name = object + 1; name < end; name = skip(tape, name + 1)) {
      int code = JsonDocument.code(tape[name * JsonDocument.STRIDE]);
      long bit = code == MemberName.UNKNOWN ? 0 : 1L << code;
      if ((seen & bit) != 0) {
        return name;
      }
      seen |= bit;
    }
    return JsonDocument.NONE;
  }

  /** True if the object, or one around it, is data. */
  private boolean isInData(int[] tape, int object, int[] open, int depth) {
    boolean within = isValueOf(DATA, tape, object);
    for (int i = 0; i < depth && !within; i++) {
      within = isValueOf(DATA, tape, open[i]);
    }
    return within;
  }

  /** True if the object is metadata, or in something in them that no protocol knows. */
  private boolean isInMetadata(int[] tape, int object, int[] open, int depth) {
    int container = object;
    for (int i = depth - 1; i >= -1; i--) {
      if (isValueOf(METADATA, tape, container)) {
        return true;
      }
      if (isNamed(tape, container)
          && JsonDocument.code(tape[(container - 1) * JsonDocument.STRIDE]) != MemberName.UNKNOWN) {
        return false;
      }
      container = i < 0 ? container : open[i];
    }
    return false;
  }

  private static boolean isNamed(int[] tape, int container) {
    return container > 0
        && (tape[(container - 1) * JsonDocument.STRIDE] & JsonDocument.KIND_MASK)
            == JsonDocument.NAME;
  }

  private boolean isValueOf(Set<String> names, int[] tape, int container) {
    if (!isNamed(tape, container)) {
      return false;
    }
    int base = (container - 1) * JsonDocument.STRIDE;
    int from = tape[base + JsonDocument.START] + 1;
    int length = tape[base + JsonDocument.END] - 1 - from;
    return (tape[base] & JsonDocument.ESCAPED) == 0
        && length <= MAX_DATA_NAME
        && names.contains(new String(body, from, length, StandardCharsets.UTF_8));
  }

  private int firstRepeated(int[] tape, int object, int end) {
    int count = 0;
    for (int name = object + 1; name < end; name = skip(tape, name + 1)) {
      if (count == nameNodes.length) {
        nameNodes = Arrays.copyOf(nameNodes, count * 2);
        hashes = new long[count * 2];
      }
      nameNodes[count++] = name;
    }
    if (count < 2) {
      return JsonDocument.NONE;
    }
    for (int i = 0; i < count; i++) {
      hashes[i] = hash(tape, nameNodes[i]);
    }
    return count <= SMALL ? repeatedAmongFew(tape, count) : repeatedAmongMany(tape, count);
  }

  /**
   * True if the codes of the names tell already that none repeats another: each known name stands
   * there once, in any case, and at most one is unknown. Names with escapes or past ASCII may read
   * like others all the same.
   */
  private static boolean areDistinct(int[] tape, int object, int end) {
    long seen = 0;
    for (int name = object + 1; name < end; name = skip(tape, name + 1)) {
      int word = tape[name * JsonDocument.STRIDE];
      long bit = 1L << JsonDocument.code(word);
      if ((word & JsonDocument.ODD) != 0 || (seen & bit) != 0) {
        return false;
      }
      seen |= bit;
    }
    return true;
  }

  private int repeatedAmongFew(int[] tape, int count) {
    for (int i = 1; i < count; i++) {
      for (int j = 0; j < i; j++) {
        if (same(tape, i, j)) {
          return nameNodes[i];
        }
      }
    }
    return JsonDocument.NONE;
  }

  private int repeatedAmongMany(int[] tape, int count) {
    int[] table = new int[Integer.highestOneBit(count) * 4];
    Arrays.fill(table, -1);
    int mask = table.length - 1;
    for (int i = 0; i < count; i++) {
      int slot = (int) (hashes[i] ^ (hashes[i] >>> 32)) & mask;
      while (table[slot] >= 0) {
        if (same(tape, i, table[slot])) {
          return nameNodes[i];
        }
        slot = (slot + 1) & mask;
      }
      table[slot] = i;
    }
    return JsonDocument.NONE;
  }

  private boolean same(int[] tape, int i, int j) {
    return hashes[i] == hashes[j]
        && Arrays.equals(folded(tape, nameNodes[i]), folded(tape, nameNodes[j]));
  }

  private long hash(int[] tape, int name) {
    int base = name * JsonDocument.STRIDE;
    int to = tape[base + JsonDocument.END] - 1;
    if ((tape[base] & JsonDocument.ESCAPED) == 0) {
      long hash = 1;
      int i = tape[base + JsonDocument.START] + 1;
      while (i < to && body[i] >= 0) {
        hash = step(hash, exact ? body[i] : lower(body[i]));
        i++;
      }
      if (i == to) {
        return hash;
      }
    }
    long hash = 1;
    for (byte b : folded(tape, name)) {
      hash = step(hash, b);
    }
    return hash;
  }

  private byte[] folded(int[] tape, int name) {
    int base = name * JsonDocument.STRIDE;
    int from = tape[base + JsonDocument.START] + 1;
    int to = tape[base + JsonDocument.END] - 1;
    byte[] unescaped =
        (tape[base] & JsonDocument.ESCAPED) == 0
            ? Arrays.copyOfRange(body, from, to)
            : JsonStrings.unescape(body, from, to);
    if (exact) {
      return unescaped;
    }
    boolean ascii = true;
    for (int i = 0; i < unescaped.length; i++) {
      ascii &= unescaped[i] >= 0;
      unescaped[i] = lower(unescaped[i]);
    }
    if (ascii) {
      return unescaped;
    }
    String text = new String(unescaped, StandardCharsets.UTF_8);
    if (text.length() <= MAX_NORMALISED_CHARS) {
      text = Normalizer.normalize(text, Normalizer.Form.NFKC);
    }
    return text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
  }

  private static byte lower(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
  }

  /** {@code (hash * POINT + b + 1) mod PRIME}. */
  private static long step(long hash, byte b) {
    long high = Math.multiplyHigh(hash, POINT);
    long low = hash * POINT;
    long sum = (low & PRIME) + ((low >>> 61) | (high << 3)) + (b & 0xff) + 1;
    long reduced = (sum & PRIME) + (sum >>> 61);
    return reduced >= PRIME ? reduced - PRIME : reduced;
  }

  private static int skip(int[] tape, int node) {
    return tape[node * JsonDocument.STRIDE + JsonDocument.SKIP];
  }

  private static long drawPoint() {
    // At least 2^32, so that even short names spread over the whole range.
    return new SecureRandom().nextLong(1L << 32, PRIME);
  }
}
