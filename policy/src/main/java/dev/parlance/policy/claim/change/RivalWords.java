package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import org.jspecify.annotations.Nullable;

/**
 * Words one of which says another thing in the place of the other, though neither is the other's
 * opposite: "from 5 May" and "until 5 May", "per year" and "in total", {@code GET} and {@code
 * POST}, "only the supplier" and "either party". For one thread.
 */
final class RivalWords {
  private static final int MAX_UNITS = 3;

  /** So many words before "may" say who may. */
  private static final int MAX_SUBJECT = 6;

  /** A date and a word. */
  private static final int MAX_RANGE = 5;

  private static final String[] STARTS = {
    "from",
    "since",
    "starting",
    "ab",
    "von",
    "dès",
    "partir",
    "desde",
    "dal",
    "dalla",
    "vanaf",
    "sinds",
    "od",
    "с",
    "от",
    "från",
    "fra"
  };
  private static final String[] ENDS = {
    "until", "till", "bis", "jusqu", "jusque", "hasta", "fino", "até", "tot", "do", "до", "tills",
    "indtil"
  };
  private static final String[] METHODS = {
    "get", "post", "put", "patch", "delete", "head", "options"
  };
  private static final String[] TOTALS = {
    "total", "altogether", "overall", "once", "insgesamt", "einmalig", "totale"
  };
  private static final String[] PERS = {"per", "a", "each", "every", "pro", "par", "por", "al"};
  private static final String[] ONLY = {
    "only",
    "solely",
    "exclusively",
    "nur",
    "ausschließlich",
    "seul",
    "seule",
    "seulement",
    "solo",
    "solamente",
    "soltanto",
    "alleen",
    "tylko",
    "только"
  };
  private static final String[] ALL = {
    "either",
    "both",
    "each",
    "every",
    "all",
    "any",
    "beide",
    "jede",
    "jeder",
    "alle",
    "chaque",
    "deux",
    "ambas",
    "cada",
    "ambo",
    "ogni",
    "entrambe",
    "każda",
    "любая",
    "каждая"
  };

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final long[] starts;
  private final long[] ends;
  private final long[] methods;
  private final long[] totals;
  private final long[] pers;
  private final long[] only;
  private final long[] all;

  RivalWords(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    starts = TruthField.keys(claim::keyOf, STARTS);
    ends = TruthField.keys(claim::keyOf, ENDS);
    methods = TruthField.keys(claim::keyOf, METHODS);
    totals = TruthField.keys(claim::keyOf, TOTALS);
    pers = TruthField.keys(claim::keyOf, PERS);
    only = TruthField.keys(claim::keyOf, ONLY);
    all = TruthField.keys(claim::keyOf, ALL);
  }

  /** In what a claim departs with the words of a gap, or null; the sides may be empty. */
  @Nullable ChangeKind compare(int c, int cEnd, int e, int eEnd) {
    if (c == cEnd && isEndOfRange(c, e, eEnd)) {
      return ChangeKind.ANTONYM;
    }
    if (c == cEnd || e == eEnd || cEnd - c > MAX_UNITS || eEnd - e > MAX_UNITS) {
      return null;
    }
    if (isMethod(c, cEnd, e, eEnd)) {
      return ChangeKind.NAME;
    }
    if (isBound(c, cEnd, e, eEnd)) {
      return ChangeKind.ANTONYM;
    }
    if (isPeriod(c, cEnd, e, eEnd)) {
      return ChangeKind.UNIT;
    }
    boolean limited = isSaid(c, cEnd, only) && !isSaid(c, cEnd, all);
    return limited && isThere(e, eEnd, all) && !isThere(e, eEnd, only)
        ? ChangeKind.QUANTIFIER
        : null;
  }

  /**
   * True of "only the supplier may" where a sentence has "either party may", or "the supplier or
   * the customer may".
   *
   * @param from the first position of the sentence
   * @param to the one after its last
   */
  boolean restricts(int first, int after, int from, int to) {
    if (!TruthField.isOneOf(claim.key(first), only) || isThere(from, to, only)) {
      return false;
    }
    int modal = first;
    while (modal < after
        && modal - first <= MAX_SUBJECT
        && !words.is(claim.key(modal), WordClass.MODALITY)) {
      modal++;
    }
    if (modal == after || !words.is(claim.key(modal), WordClass.MODALITY)) {
      return false;
    }
    for (int at = from + 1; at < to; at++) {
      if (evidence.key(at) == claim.key(modal)) {
        int subject = Math.max(from, at - MAX_SUBJECT);
        while (subject < at && evidence.key(subject) != claim.key(modal) && !isAny(subject)) {
          subject++;
        }
        return subject < at;
      }
    }
    return false;
  }

  private boolean isAny(int position) {
    long key = evidence.key(position);
    return TruthField.isOneOf(key, all) || words.is(key, WordClass.AND);
  }

  private boolean isMethod(int c, int cEnd, int e, int eEnd) {
    return cEnd - c == 1
        && eEnd - e == 1
        && (claim.flags(c) & evidence.flags(e) & Units.UPPER) != 0
        && claim.end(c) - claim.start(c) > 2
        && claim.key(c) != evidence.key(e)
        && TruthField.isOneOf(claim.key(c), methods)
        && TruthField.isOneOf(evidence.key(e), methods);
  }

  /** True of "from" in the place of "until" before a date or time, or the other way round. */
  private boolean isBound(int c, int cEnd, int e, int eEnd) {
    if (!isTime(cEnd) && !(isFunction(cEnd) && isTime(cEnd + 1))) {
      return false;
    }
    boolean starts = isSaid(c, cEnd, this.starts);
    boolean ends = isSaid(c, cEnd, this.ends);
    return starts != ends
        && (starts ? isThere(e, eEnd, this.ends) : isThere(e, eEnd, this.starts))
        && !(starts ? isThere(e, eEnd, this.starts) : isThere(e, eEnd, this.ends));
  }

  /** True of "from 30 June" that follows "from 1 March until 30 June". */
  private boolean isEndOfRange(int c, int e, int eEnd) {
    return c > 0
        && e > 0
        && eEnd - e > 1
        && eEnd - e <= MAX_RANGE
        && claim.key(c - 1) == evidence.key(e - 1)
        && TruthField.isOneOf(claim.key(c - 1), starts)
        && TruthField.isOneOf(evidence.key(eEnd - 1), ends)
        && isTime(c);
  }

  private boolean isFunction(int unit) {
    return unit < claim.count() && words.is(claim.key(unit), WordClass.FUNCTION);
  }

  private boolean isTime(int unit) {
    return unit < claim.count() && isTimeAt(unit);
  }

  private boolean isTimeAt(int unit) {
    return (claim.flags(unit) & Units.DIGITS) != 0
        || words.is(claim.key(unit), WordClass.MONTH)
        || words.is(claim.key(unit), WordClass.WEEKDAY);
  }

  /** True of "in total" in the place of "per year", or the other way round. */
  private boolean isPeriod(int c, int cEnd, int e, int eEnd) {
    return (isSaid(c, cEnd, totals) && isPerThere(e, eEnd))
        || (isPerSaid(c, cEnd) && isThere(e, eEnd, totals));
  }

  private boolean isPerSaid(int c, int cEnd) {
    return cEnd - c > 1
        && TruthField.isOneOf(claim.key(c), pers)
        && words.is(claim.key(cEnd - 1), WordClass.UNIT);
  }

  private boolean isPerThere(int e, int eEnd) {
    return eEnd - e > 1
        && TruthField.isOneOf(evidence.key(e), pers)
        && words.is(evidence.key(eEnd - 1), WordClass.UNIT);
  }

  private boolean isSaid(int c, int cEnd, long[] keys) {
    boolean said = false;
    for (int unit = c; unit < cEnd && !said; unit++) {
      said = TruthField.isOneOf(claim.key(unit), keys);
    }
    return said;
  }

  private boolean isThere(int e, int eEnd, long[] keys) {
    boolean there = false;
    for (int at = e; at < eEnd && !there; at++) {
      there = TruthField.isOneOf(evidence.key(at), keys);
    }
    return there;
  }
}
