package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.function.IntPredicate;

/**
 * Finds claims that something is free of charge which has a price, or the other way round:
 * "bicycles are free" of "children under 6 free, bicycles 1.60 EUR"; and amounts in another
 * currency than a field beside the amount names: "1,500 USD" of {@code amount: 1500, currency:
 * EUR}.
 *
 * <p>The part between commas of the sentence that carries the claim best counts which alone has a
 * word of the claim that the other parts do not have. Claims and parts that deny or restrict
 * anything are not looked at. For one thread; nothing is allocated for a claim.
 */
final class PriceCheck {
  private static final int MAX_CLAIM = 20;
  private static final int MAX_SENTENCE = 128;

  /** One whose currency is compared. */
  private static final int MAX_LONG_CLAIM = 64;

  private static final int MAX_LABELS = 256;
  private static final int UNNAMED = -1;
  private static final int SAME = -2;

  private static final long NO_THINGS =
      CriticalWords.bits(WordClass.FUNCTION, WordClass.CURRENCY, WordClass.PRICE, WordClass.UNIT);

  /** Words of prices, which do not say of what. */
  private static final String[] PRICES = {
    "pay",
    "pays",
    "paid",
    "cost",
    "costs",
    "charge",
    "charged",
    "fee",
    "price",
    "travel",
    "go",
    "kostet",
    "kosten",
    "zahlt",
    "zahlen",
    "bezahlen",
    "coûte",
    "coûtent",
    "paie",
    "paient",
    "cuesta",
    "cuestan",
    "paga",
    "pagan",
    "costa",
    "costano",
    "pagano",
    "kost",
    "betalen",
    "kosztuje",
    "płacą",
    "стоит",
    "платят"
  };

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final long[] prices;
  private final long[] names;
  private final long free;
  private final int freeGroup;

  // What a part of the claim or of the evidence says.
  private boolean saysFree;
  private boolean saysAmount;
  private boolean isOpen;

  PriceCheck(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    names =
        TruthField.keys(
            claim::keyOf, "currency", "währung", "devise", "moneda", "valuta", "moeda", "waluta");
    prices = TruthField.keys(claim::keyOf, PRICES);
    free = claim.keyOf("free");
    freeGroup = words.group(claim.keyOf("gratis"), WordClass.PRICE);
  }

  /**
   * Looks for a price in the place of none, or none in the place of one.
   *
   * @param from the first position, of all those of the evidence, of the sentence that carries the
   *     claim best
   * @param to the one after its last
   */
  void find(int first, int after, int from, int to, FoundChanges changes) {
    if (after - first > MAX_CLAIM || to - from > MAX_SENTENCE || to - from < 2) {
      return;
    }
    start();
    for (int unit = first; unit < after; unit++) {
      read(claim.key(unit), claim.flags(unit));
    }
    if (isOpen || saysFree == saysAmount) {
      return;
    }
    boolean claimsFree = saysFree;
    int found = -1;
    int foundAfter = -1;
    int clause = from;
    for (int position = from + 1; position <= to; position++) {
      if (position < to && !evidence.isParted(position)) {
        continue;
      }
      if (isSaidOf(first, after, clause, position, from, to)) {
        if (found >= 0) {
          return;
        }
        found = clause;
        foundAfter = position;
      }
      clause = position;
    }
    if (found < 0) {
      return;
    }
    start();
    for (int p = found; p < foundAfter; p++) {
      read(evidence.key(p), evidence.flags(p));
    }
    if (!isOpen && saysFree != saysAmount && saysFree != claimsFree) {
      changes.add(ChangeKind.VALUE, first, after, found, foundAfter);
    }
  }

  private void start() {
    saysFree = false;
    saysAmount = false;
    isOpen = false;
  }

  private void read(long key, int flags) {
    saysFree |= isFree(key);
    saysAmount |= words.is(key, WordClass.CURRENCY);
    isOpen |=
        words.is(key, WordClass.NEGATION)
            || words.is(key, WordClass.CONDITION)
            || (flags & Units.GRAM) != 0;
  }

  private boolean isFree(long key) {
    return key == free || words.group(key, WordClass.PRICE) == freeGroup;
  }

  /** True if a part of the sentence has a word of the claim that no other part has. */
  private boolean isSaidOf(int first, int after, int clause, int clauseAfter, int from, int to) {
    boolean said = false;
    for (int unit = first; unit < after && !said; unit++) {
      said =
          isThing(unit)
              && has(claim.key(unit), clause, clauseAfter)
              && !has(claim.key(unit), from, clause)
              && !has(claim.key(unit), clauseAfter, to);
    }
    return said;
  }

  private boolean isThing(int unit) {
    long key = claim.key(unit);
    return (claim.flags(unit) & (Units.WORD | Units.DIGITS)) == Units.WORD
        && (words.classes(key) & NO_THINGS) == 0
        && key != free
        && !TruthField.isOneOf(key, prices);
  }

  private boolean has(long key, int from, int to) {
    boolean has = false;
    for (int p = from; p < to && !has; p++) {
      has = evidence.key(p) == key;
    }
    return has;
  }

  /**
   * Looks for a currency that the record does not name, and the evidence nowhere else.
   *
   * @param bestFrom positions of the sentence that carries the claim best: its field decides
   * @param isThere true of units of the claim that the evidence has in some form
   */
  void findCurrency(
      int first,
      int after,
      int bestFrom,
      int bestAfter,
      IntPredicate isThere,
      FoundChanges changes) {
    if (evidence.labels() == 0 || after - first > MAX_LONG_CLAIM) {
      return;
    }
    for (int unit = first; unit < after; unit++) {
      int group = words.group(claim.key(unit), WordClass.CURRENCY);
      if (group == 0 || !isBesideNumber(unit, first, after)) {
        continue;
      }
      int from = evidence.labelsFrom(bestFrom);
      int to = evidence.labelsFrom(bestAfter);
      int other = otherCurrency(from, Math.min(to, from + MAX_LABELS), group);
      if (other == UNNAMED && !isThere.test(unit)) {
        other = otherCurrency(0, Math.min(evidence.labels(), MAX_LABELS), group);
      }
      if (other >= 0) {
        changes.add(ChangeKind.UNIT, unit, unit + 1, other, other + 1);
        return;
      }
    }
  }

  /** Where fields say another currency than this, if none says this one. */
  private int otherCurrency(int from, int to, int group) {
    int other = UNNAMED;
    for (int label = from; label < to; label++) {
      int at = evidence.label(label);
      int there =
          at + 1 < evidence.count() && TruthField.isOneOf(evidence.key(at), names)
              ? words.group(evidence.key(at + 1), WordClass.CURRENCY)
              : 0;
      if (there == group) {
        return SAME;
      }
      other = there != 0 ? at + 1 : other;
    }
    return other;
  }

  private boolean isBesideNumber(int unit, int first, int after) {
    return (unit > first && (claim.flags(unit - 1) & Units.DIGITS) != 0)
        || (unit + 1 < after && (claim.flags(unit + 1) & Units.DIGITS) != 0);
  }
}
