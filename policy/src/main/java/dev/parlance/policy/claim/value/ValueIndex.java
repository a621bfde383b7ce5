package dev.parlance.policy.claim.value;

import java.util.Arrays;

/**
 * The values of the evidence by what they say, so that one question costs the same however many
 * there are. Reusable, for one thread; nothing is allocated by a question.
 *
 * <pre>
 *   evidence.clear(); for each chunk: evidence.add(chunk)      (count() before and after: its values)
 *   index.build(evidence)
 *   for each value i of the claim that is no label:
 *     index.best(claim, i)                                     carried anywhere?
 *     index.best(claim, i, from, to)                           in this sentence or chunk?
 *     index.ofNeighbour(claim, i, from, to)                    with the word it belongs to?
 * </pre>
 *
 * <p>A value that is carried, while the number that its neighbour word has in the same sentence is
 * another one ({@link #ofNeighbour} is neither carried nor {@link ValueMatch#OTHER}), was
 * exchanged: 4 seals and 12 screws for 12 seals and 4 screws.
 */
public final class ValueIndex {
  /** Most values of one key that a question looks at. */
  private static final int MAX_LOOKED_AT = 64;

  private static final int KEEP = 1 << 14;

  private final ValueKeys keys;
  private final ValueComparison comparison;
  private final LongTable numbers = new LongTable();

  /** Which key and which value, in the order of values; then the values in the order of keys. */
  private int[] entryKeys = new int[256];

  private int[] entryValues = new int[256];
  private int[] posted = new int[256];

  /** Where the values of a key begin. */
  private int[] offsets = new int[256];

  private int entries;
  private int keyCount;
  private Values evidence;
  private int found = -1;

  public ValueIndex(ValueLexicon lexicon) {
    keys = new ValueKeys(lexicon);
    comparison = new ValueComparison(lexicon);
    evidence = new Values(lexicon);
  }

  /** Takes the values of the evidence, which must not change as long as it is asked for them. */
  public void build(Values values) {
    evidence = values;
    numbers.clear(KEEP);
    entries = 0;
    keyCount = 0;
    for (int i = 0; i < values.count(); i++) {
      if (!values.isLabel(i)) {
        keys.of(values, i);
        enter(i);
        keys.ofNeighbours(values, i, false);
        enter(i);
      }
    }
    if (offsets.length < keyCount + 2) {
      offsets = new int[keyCount + keyCount / 2 + 2];
    }
    Arrays.fill(offsets, 0, keyCount + 2, 0);
    for (int i = 0; i < entries; i++) {
      offsets[entryKeys[i] + 1]++;
    }
    for (int i = 1; i < keyCount + 2; i++) {
      offsets[i] += offsets[i - 1];
    }
    if (posted.length < entries) {
      posted = new int[entryValues.length];
    }
    for (int i = 0; i < entries; i++) {
      posted[offsets[entryKeys[i]]++] = entryValues[i];
    }
    // Each offset now stands where the next key begins: the keys count from 1.
  }

  /** Lets go of the evidence, and of memory that only much of it needs. */
  public void release() {
    numbers.clear(KEEP);
    entries = 0;
    keyCount = 0;
    if (entryKeys.length > KEEP) {
      entryKeys = new int[KEEP];
      entryValues = new int[KEEP];
      posted = new int[KEEP];
      offsets = new int[KEEP];
    }
  }

  private void enter(int value) {
    for (int k = 0; k < keys.count; k++) {
      int number = numbers.get(keys.keys[k]);
      if (number == 0) {
        number = ++keyCount;
        numbers.put(keys.keys[k], number);
      }
      if (entries == entryKeys.length) {
        entryKeys = Arrays.copyOf(entryKeys, 2 * entries);
        entryValues = Arrays.copyOf(entryValues, 2 * entries);
      }
      entryKeys[entries] = number;
      entryValues[entries++] = value;
    }
  }

  /** How all of the evidence carries a value, {@link ValueMatch#OTHER} if nothing resembles it. */
  public ValueMatch best(Values claim, int i) {
    return best(claim, i, 0, Integer.MAX_VALUE);
  }

  /** How the values of the evidence from one to before another carry a value. */
  public ValueMatch best(Values claim, int i, int from, int to) {
    keys.of(claim, i);
    return best(claim, i, from, to, keys.count);
  }

  /**
   * How a value is carried by those of the evidence that belong to the same word: {@link
   * ValueMatch#OTHER} if there is none, or if the value belongs to no word.
   */
  public ValueMatch ofNeighbour(Values claim, int i, int from, int to) {
    keys.ofNeighbours(claim, i, true);
    return best(claim, i, from, to, keys.count);
  }

  /** The same by those of all evidence. */
  public ValueMatch ofNeighbour(Values claim, int i) {
    return ofNeighbour(claim, i, 0, Integer.MAX_VALUE);
  }

  /** The value of the evidence that the last question found best, or -1. */
  public int found() {
    return found;
  }

  private ValueMatch best(Values claim, int i, int from, int to, int keyCountOfClaim) {
    ValueMatch best = ValueMatch.OTHER;
    found = -1;
    for (int k = 0; k < keyCountOfClaim && best != ValueMatch.SAME; k++) {
      int number = numbers.get(keys.keys[k]);
      if (number == 0) {
        continue;
      }
      int end = offsets[number];
      int at = first(offsets[number - 1], end, from);
      int last = StrictMath.min(end, at + MAX_LOOKED_AT);
      for (; at < last && posted[at] < to && best != ValueMatch.SAME; at++) {
        ValueMatch match = comparison.match(claim, i, evidence, posted[at]);
        if (match.compareTo(best) < 0) {
          best = match;
          found = posted[at];
        }
      }
    }
    return best;
  }

  /** The first place from which on the values are at least {@code value}. */
  private int first(int from, int to, int value) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (posted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
