package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueKind;
import dev.parlance.policy.claim.value.ValueMatch;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares the values of a claim with those that stand in their places in the evidence.
 *
 * <p>Each unit of a claim is told which positions stand in its place; a value is compared with the
 * values there. Where none stands, or only a part of one at the end of what is quoted, nothing is
 * said.
 */
final class ValueCheck {
  private final Units claim;
  private final Values claimed;
  private final Values values;
  private final ValueComparison comparison;
  private final PairIndex evidence;
  private Utf8Span text = Utf8Span.EMPTY;

  private int pieceFrom;
  private int pieceAfter;
  private final int[] from = new int[Alignment.MAX_UNITS];
  private final int[] after = new int[Alignment.MAX_UNITS];

  // The last value that was looked at.
  private int unitFrom;
  private int unitAfter;
  private int placeFrom;
  private int placeAfter;

  ValueCheck(
      Units claim, Values claimed, Values values, ValueComparison comparison, PairIndex evidence) {
    this.claim = claim;
    this.claimed = claimed;
    this.values = values;
    this.comparison = comparison;
    this.evidence = evidence;
  }

  /** The text whose values are compared. */
  void read(Utf8Span claimText) {
    text = claimText;
  }

  /** Begins with a piece of a claim, none of whose units has a place. */
  void start(int first, int end) {
    pieceFrom = first;
    pieceAfter = end;
    Arrays.fill(from, 0, end - first, -1);
  }

  /** Units of the claim stand in the place of positions. */
  void place(int c, int cEnd, int e, int eEnd) {
    for (int unit = c; unit < cEnd; unit++) {
      from[unit - pieceFrom] = e;
      after[unit - pieceFrom] = eEnd;
    }
  }

  /** One unit of the claim is that at a position, and so on. */
  void place(int c, int e, int length) {
    for (int i = 0; i < length; i++) {
      place(c + i, c + i + 1, e + i, e + i + 1);
    }
  }

  /** The first value that the piece may have. */
  int first() {
    return firstEndingAfter(claimed, 0, claimed.count(), claim.start(pieceFrom));
  }

  /** True if a value belongs to the piece. */
  boolean has(int value) {
    return value < claimed.count() && claimed.start(value) < claim.end(pieceAfter - 1);
  }

  /** The kind of the change of a value, or null. */
  @Nullable ChangeKind compare(int value) {
    if (claimed.isLabel(value) || claimed.isWeak(value) || !findPlace(value)) {
      return null;
    }
    int chunk = evidence.chunk(placeFrom);
    Utf8Span there = evidence.text(chunk);
    if (claimed.kind(value) == ValueKind.DATE && hasOtherDigits(there)) {
      return ChangeKind.DATE;
    }
    int startByte = evidence.startByte(placeFrom);
    int endByte = evidence.endByte(placeAfter - 1);
    int end = evidence.afterValue(chunk);
    int at = firstEndingAfter(values, evidence.firstValue(chunk), end, startByte);
    ValueMatch best = ValueMatch.OTHER;
    boolean any = false;
    for (; at < end && values.start(at) < endByte; at++) {
      boolean cut =
          (unitFrom == pieceFrom && values.start(at) < startByte)
              || (unitAfter == pieceAfter && values.end(at) > endByte + 1);
      ValueMatch match = comparison.match(claimed, value, values, at);
      boolean about = match == ValueMatch.BOUND_LOST && values.bound(at) == Values.Bound.ABOUT;
      boolean share =
          comparison.isProportion(claimed, value)
              && values.hasUnit(at)
              && !comparison.isProportion(values, at);
      if (cut || about || share || match.isCarried() || values.isWeak(at)) {
        return null;
      }
      any = true;
      best = match.compareTo(best) < 0 ? match : best;
    }
    boolean quoted = best != ValueMatch.BOUND && isQuoted(value, there);
    return any && !quoted ? kind(best) : null;
  }

  /**
   * True if a value at positions says what one at units of the claim does: two years, 24 months.
   */
  boolean isCarried(int c, int cEnd, int e, int eEnd) {
    return best(c, cEnd, e, eEnd).isCarried();
  }

  /** How a value at positions says best what one at units of the claim does. */
  ValueMatch best(int c, int cEnd, int e, int eEnd) {
    return best(c, cEnd, e, eEnd, /* alike= */ false);
  }

  /** The same of values of one kind and dimension. */
  ValueMatch bestAlike(int c, int cEnd, int e, int eEnd) {
    return best(c, cEnd, e, eEnd, /* alike= */ true);
  }

  private ValueMatch best(int c, int cEnd, int e, int eEnd, boolean alike) {
    ValueMatch best = ValueMatch.OTHER;
    if (c == cEnd || e == eEnd) {
      return best;
    }
    int chunk = evidence.chunk(e);
    int end = evidence.afterValue(chunk);
    int from = firstEndingAfter(values, evidence.firstValue(chunk), end, evidence.startByte(e));
    int value = firstEndingAfter(claimed, 0, claimed.count(), claim.start(c));
    for (; value < claimed.count() && claimed.start(value) < claim.end(cEnd - 1); value++) {
      for (int at = from; at < end && values.start(at) < evidence.endByte(eEnd - 1); at++) {
        ValueMatch match = comparison.match(claimed, value, values, at);
        boolean counts = !alike || comparison.isAlike(claimed, value, values, at);
        best = counts && match.compareTo(best) < 0 ? match : best;
      }
    }
    return best;
  }

  /** True if the evidence has the same bytes in that place, with the one before and behind. */
  private boolean isQuoted(int value, Utf8Span there) {
    int start = Math.max(0, claimed.start(value) - 1);
    int end = Math.min(text.length(), claimed.end(value) + 1);
    int shift = evidence.startByte(placeFrom) - claim.start(unitFrom);
    if (start + shift < 0 || end + shift > there.length()) {
      return false;
    }
    for (int at = start; at < end; at++) {
      if (text.byteAt(at) != there.byteAt(at + shift)) {
        return false;
      }
    }
    return true;
  }

  /**
   * True if a unit of digits stands in the place of one with another number: March 15, March 2012.
   */
  private boolean hasOtherDigits(Utf8Span there) {
    for (int unit = unitFrom; unit < unitAfter; unit++) {
      int at = from[unit - pieceFrom];
      if (at >= 0 && after[unit - pieceFrom] == at + 1) {
        int here = number(text, claim.start(unit), claim.end(unit));
        int other = number(there, evidence.startByte(at), evidence.endByte(at));
        if (here >= 0 && other >= 0 && here != other) {
          return true;
        }
      }
    }
    return false;
  }

  /** The number that a few digits are, or -1. */
  private static int number(Utf8Span text, int start, int end) {
    int number = end - start <= 4 ? 0 : -1;
    for (int at = start; at < end && number >= 0; at++) {
      int digit = text.byteAt(at) - '0';
      number = digit >= 0 && digit <= 9 ? 10 * number + digit : -1;
    }
    return number;
  }

  private static ChangeKind kind(ValueMatch match) {
    return switch (match) {
      case CURRENCY, UNIT -> ChangeKind.UNIT;
      case DATE -> ChangeKind.DATE;
      default -> ChangeKind.VALUE;
    };
  }

  /** The units of the value that was compared last, and the positions in their place. */
  int unitFrom() {
    return unitFrom;
  }

  int unitAfter() {
    return unitAfter;
  }

  int placeFrom() {
    return placeFrom;
  }

  int placeAfter() {
    return placeAfter;
  }

  private boolean findPlace(int value) {
    unitFrom = firstUnit(claimed.start(value));
    unitAfter = unitFrom;
    placeFrom = Integer.MAX_VALUE;
    placeAfter = -1;
    while (unitAfter < pieceAfter && claim.start(unitAfter) < claimed.end(value)) {
      int place = from[unitAfter - pieceFrom];
      if (place >= 0) {
        placeFrom = Math.min(placeFrom, place);
        placeAfter = Math.max(placeAfter, after[unitAfter - pieceFrom]);
      }
      unitAfter++;
    }
    return placeAfter > placeFrom && placeAfter - placeFrom <= GapCheck.MAX_UNITS;
  }

  private int firstUnit(int firstByte) {
    int low = pieceFrom;
    int high = pieceAfter;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (claim.end(middle) <= firstByte) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int firstEndingAfter(Values values, int low, int high, int firstByte) {
    int from = low;
    int to = high;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (values.end(middle) <= firstByte) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
