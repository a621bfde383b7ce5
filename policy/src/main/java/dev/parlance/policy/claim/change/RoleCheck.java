package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import java.util.Arrays;

/** Finds what stands in each other's place: whole runs around a verb, or two single words. */
final class RoleCheck {
  private static final int MAX_REPLACED = 32;
  private static final int MAX_BETWEEN = 3;

  /** Words before what may stand anywhere in a sentence; not those before who does it. */
  private static final String[] PREPOSITIONS = {
    "at", "in", "on", "for", "with", "during", "bei", "beim", "im", "am", "mit", "für", "während",
    "bij", "tijdens", "met", "op", "en", "con", "para", "durante", "pour", "avec", "dans", "chez",
    "pendant", "em", "no", "na", "com", "nel", "nella", "i", "på", "med", "ved", "hos", "w", "we",
    "dla", "podczas", "в", "во", "на", "для", "при", "um", "om", "alle", "kl", "klokken", "klockan"
  };

  private final Units claim;
  private final PairIndex evidence;
  private final Alignment alignment;
  private final long[] prepositions;

  // Single units that stand in the place of single ones.
  private int count;
  private final int[] units = new int[MAX_REPLACED];
  private final int[] positions = new int[MAX_REPLACED];

  RoleCheck(Units claim, PairIndex evidence, Alignment alignment) {
    this.claim = claim;
    this.evidence = evidence;
    this.alignment = alignment;
    prepositions = Arrays.stream(PREPOSITIONS).mapToLong(claim::keyOf).toArray();
  }

  // Where one side alone has "was" and "by" between what both have: 0 is the claim, 1 the evidence.
  private static final int NOWHERE = -1;
  private final int[] was = {NOWHERE, NOWHERE};
  private final int[] by = {NOWHERE, NOWHERE};
  private int byUnit;
  private int byPosition;

  /** Begins with another stretch. */
  void start() {
    count = 0;
    Arrays.fill(was, NOWHERE);
    Arrays.fill(by, NOWHERE);
  }

  /** A single word of one side stands between words that are neighbours on the other. */
  void inserted(int c, int cEnd, int e, GapCheck gaps) {
    int side = c < cEnd ? 0 : 1;
    long key = c < cEnd ? claim.key(c) : evidence.key(e);
    if (gaps.isPassive(key)) {
      was[side] = c;
    } else if (gaps.isBy(key) && was[side] != NOWHERE) {
      by[side] = c;
      byUnit = c;
      byPosition = e;
    }
  }

  /**
   * The one says that A acquired B, the other that A was acquired by B.
   *
   * @return so many units of the claim depart because of it
   */
  int findPassive(FoundChanges changes) {
    int units = 0;
    for (int side = 0; side < by.length; side++) {
      if (by[side] != NOWHERE && was[1 - side] == NOWHERE) {
        int first = was[side];
        changes.add(
            ChangeKind.ROLES,
            first,
            Math.max(first + 1, byUnit + (side == 0 ? 1 : 0)),
            byPosition,
            byPosition + side);
        units += side == 0 ? 2 : 0;
      }
    }
    return units;
  }

  /** A single unit stands in the place of one position. */
  void replaced(int unit, int position) {
    if (count < MAX_REPLACED) {
      units[count] = unit;
      positions[count++] = position;
    }
  }

  /** Runs in the opposite order with something between them: what a verb or "before" joins. */
  void findReversals(GapCheck gaps, FoundChanges changes) {
    for (int run = 0; run + 1 < alignment.runs(); run++) {
      int next = run + 1;
      int e = alignment.evidenceAt(next) + alignment.length(next);
      int eEnd = alignment.evidenceAt(run);
      int c = alignment.claimAt(run) + alignment.length(run);
      int cEnd = alignment.claimAt(next);
      boolean reversed = isBeside(e, eEnd) && cEnd - c <= MAX_BETWEEN;
      if (!reversed || isAdverbial(gaps, run) || isAdverbial(gaps, next)) {
        continue;
      }
      if (hasPivot(gaps, c, cEnd, e, eEnd)) {
        changes.add(ChangeKind.ROLES, c, cEnd, e, eEnd);
      } else if (run > 0 && !isAdverbial(gaps, run - 1)) {
        int last = alignment.evidenceAt(run) + alignment.length(run);
        if (isBeside(last, alignment.evidenceAt(run - 1))) {
          changes.add(ChangeKind.ROLES, alignment.claimAt(run), c, eEnd, last);
        }
      }
    }
  }

  /** True of "before the arrival" and "in rain", which may stand before the verb or behind it. */
  private boolean isAdverbial(GapCheck gaps, int run) {
    int first = alignment.claimAt(run);
    if (isTime(gaps, first, first + alignment.length(run))) {
      return true;
    }
    if (!gaps.isPlacing(claim.key(first)) && !isPreposition(claim.key(first))) {
      return false;
    }
    for (int i = first + 1; i < first + alignment.length(run); i++) {
      if (!gaps.isLight(claim.key(i))) {
        return true;
      }
    }
    return false;
  }

  /** True of "every Tuesday" and "los lunes": of what says something all says when. */
  private boolean isTime(GapCheck gaps, int first, int after) {
    boolean time = false;
    for (int i = first; i < after; i++) {
      if (gaps.isTime(claim.key(i))) {
        time = true;
      } else if (!gaps.isLight(claim.key(i)) && !gaps.isQuantity(claim.key(i))) {
        return false;
      }
    }
    return time;
  }

  private boolean isPreposition(long key) {
    boolean is = false;
    for (long preposition : prepositions) {
      is |= key == preposition;
    }
    return is;
  }

  /** True if the one begins where the other ends, or almost: runs may share a word. */
  private static boolean isBeside(int end, int start) {
    return start >= end - 1 && start - end <= MAX_BETWEEN;
  }

  private boolean hasPivot(GapCheck gaps, int c, int cEnd, int e, int eEnd) {
    for (int i = c; i < cEnd; i++) {
      for (int j = e; j < eEnd; j++) {
        if (gaps.isSame(claim.key(i), evidence.key(j)) && !gaps.isLight(claim.key(i))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Pairs of words each of which stands where evidence has the other: "yesterday" and a name do so
   * in another order of the same sentence.
   *
   * @return how many
   */
  int findExchanges(GapCheck gaps, FoundChanges changes) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < i; j++) {
        if (claim.key(units[i]) == evidence.key(positions[j])
            && claim.key(units[j]) == evidence.key(positions[i])
            && !gaps.isLight(claim.key(units[i]))
            && !gaps.isLight(claim.key(units[j]))
            && !gaps.isTimeMoved(units[i], positions[i])
            && !gaps.isTimeMoved(units[j], positions[j])) {
          changes.add(ChangeKind.ROLES, units[j], units[j] + 1, positions[j], positions[j] + 1);
          found++;
        }
      }
    }
    return found;
  }
}
