package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.function.IntPredicate;

/**
 * Finds amounts in another currency than a field beside the amount names: "1,500 USD" of {@code
 * amount: 1500, currency: EUR}. For one thread; nothing is allocated for a claim.
 */
final class CurrencyCheck {
  private static final int MAX_CLAIM = 64;
  private static final int MAX_LABELS = 256;
  private static final int UNNAMED = -1;
  private static final int SAME = -2;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final long[] names;

  CurrencyCheck(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    names =
        TruthField.keys(
            claim::keyOf, "currency", "währung", "devise", "moneda", "valuta", "moeda", "waluta");
  }

  /**
   * Looks for a currency that the record does not name, and the evidence nowhere else.
   *
   * @param bestFrom positions of the sentence that carries the claim best: its field decides
   * @param isThere true of units of the claim that the evidence has in some form
   */
  void find(
      int first,
      int after,
      int bestFrom,
      int bestAfter,
      IntPredicate isThere,
      FoundChanges changes) {
    if (evidence.labels() == 0 || after - first > MAX_CLAIM) {
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
