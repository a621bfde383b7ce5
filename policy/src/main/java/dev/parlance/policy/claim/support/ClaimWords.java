package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Units;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * The words of the claim that is measured, and a number for each of their lemmas.
 *
 * <p>Each entry of the evidence has a number as well: that of the lemma, that of a word which a
 * claim's word is related to, or 0 for all others. A sentence is held against the claim by writing
 * to the place of each of its words' numbers, those of no interest to a place that nobody reads:
 * without a branch, since no processor foresees which word of a text is in another one.
 */
final class ClaimWords {
  /** Longer claims are measured up to here; whoever splits them keeps them shorter. */
  static final int MAX_UNITS = 512;

  /** The number of lemmas that the evidence does not have; nothing is ever written to its place. */
  static final int ABSENT = MAX_UNITS + 1;

  private static final int FIRST_OTHER = ABSENT + 1;

  /** So many entries of evidence are kept for the next one. */
  private static final int KEEP = 1 << 14;

  private final EvidenceIndex evidence;

  int count;
  final long[] lemmas = new long[MAX_UNITS];
  final byte[] kinds = new byte[MAX_UNITS];
  final boolean[] digits = new boolean[MAX_UNITS];
  final boolean[] named = new boolean[MAX_UNITS];

  /** Known to be carried. */
  final boolean[] held = new boolean[MAX_UNITS];

  final double[] weights = new double[MAX_UNITS];
  double total;

  /** A bit for each group of quantifiers that the claim has. */
  int quantifiers;

  boolean ofItself;

  /** The unit of the answer that each unit of the claim is. */
  final int[] units = new int[MAX_UNITS];

  /** For each unit the entry of its lemma in the evidence, and its first position there. */
  final int[] entries = new int[MAX_UNITS];

  final int[] firstPlaces = new int[MAX_UNITS];

  /** The first unit with the same lemma plus one, or {@link #ABSENT}. */
  final int[] numbers = new int[MAX_UNITS];

  /** The number of each entry of the evidence. */
  int[] numbersOfEntries = new int[512];

  /** The entries of numbers above {@link #ABSENT}. */
  private int[] others = new int[64];

  private int othersCount;

  ClaimWords(EvidenceIndex evidence) {
    this.evidence = evidence;
  }

  /** Takes up a claim: the units {@code first} to {@code after} that are parts of it. */
  void read(TextWords words, int first, int after, IntPredicate parts, BitSet carried) {
    forget();
    quantifiers = 0;
    ofItself = false;
    total = 0;
    int different = evidence.different();
    if (numbersOfEntries.length < different
        || numbersOfEntries.length > Math.max(KEEP, 2 * different)) {
      numbersOfEntries = new int[Math.max(512, different + (different >> 1))];
    }
    for (int unit = first; unit < after && count < MAX_UNITS; unit++) {
      if (!parts.test(unit)) {
        continue;
      }
      int i = count++;
      units[i] = unit;
      int flags = words.units().flags(unit);
      int kind = words.kind(unit);
      lemmas[i] = words.lemma(unit);
      kinds[i] = (byte) kind;
      ofItself |= (kind & EvidenceIndex.FIRST_PERSON) != 0;
      digits[i] = (flags & Units.DIGITS) != 0;
      held[i] = carried.get(unit);
      named[i] = i > 0 && (flags & Units.UPPER) != 0;
      boolean little = (kind & EvidenceIndex.FUNCTION) != 0 || (flags & Units.SYMBOL) != 0;
      if ((kind & EvidenceIndex.QUANTIFIER) != 0) {
        quantifiers |= 1 << words.quantifier(unit);
      }
      weights[i] = little ? Vocabulary.FUNCTION_WEIGHT : 1.0;
      total += weights[i];
      number(i, evidence.entry(lemmas[i]));
    }
  }

  private void number(int unit, int entry) {
    entries[unit] = entry;
    if (entry < 0) {
      firstPlaces[unit] = EvidenceIndex.NONE;
      numbers[unit] = ABSENT;
      return;
    }
    firstPlaces[unit] = evidence.firstOf(entry);
    if (numbersOfEntries[entry] == 0) {
      numbersOfEntries[entry] = unit + 1;
    }
    numbers[unit] = numbersOfEntries[entry];
  }

  /** Unless an entry has a number, it gets one; its number. */
  int numberOf(int entry) {
    if (numbersOfEntries[entry] == 0) {
      if (othersCount == others.length) {
        others = Arrays.copyOf(others, 2 * othersCount);
      }
      others[othersCount] = entry;
      numbersOfEntries[entry] = FIRST_OTHER + othersCount++;
    }
    return numbersOfEntries[entry];
  }

  /** All numbers are less than this. */
  int afterNumbers() {
    return FIRST_OTHER + othersCount;
  }

  /** True if a position has a word of the claim. */
  boolean has(int position) {
    int number = numbersOfEntries[evidence.entryAt(position)];
    return number > 0 && number < ABSENT;
  }

  /** True of a unit whose lemma the evidence has and no unit before. */
  boolean isFirstOfItsLemma(int unit) {
    return numbers[unit] == unit + 1;
  }

  /** Takes the numbers away. */
  void forget() {
    for (int i = 0; i < count; i++) {
      if (entries[i] >= 0) {
        numbersOfEntries[entries[i]] = 0;
      }
    }
    for (int i = 0; i < othersCount; i++) {
      numbersOfEntries[others[i]] = 0;
    }
    othersCount = 0;
    count = 0;
  }
}
