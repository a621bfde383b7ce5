package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * Says whether words of a claim or of the evidence negate.
 *
 * <p>"No" does not before a number, where it is short for number, nor in Portuguese, where it is
 * "in the"; "not hotter than 5" is a bound. For one thread; nothing is allocated.
 */
final class Negations {
  /** So far behind a negation "than" stands in "not hotter than". */
  private static final int THAN = 2;

  /** So many bytes around a "no" tell its language. */
  private static final int AROUND = 160;

  /** What makes a bound of a negation before it and a number behind it. */
  private static final String[] COMPARING = {
    "oltre",
    "più",
    "meno",
    "superiore",
    "inferiore",
    "más",
    "menos",
    "mais",
    "plus",
    "moins",
    "mehr",
    "weniger",
    "meer",
    "minder",
    "mer",
    "fler",
    "mindre",
    "mere",
    "flere",
    "więcej",
    "mniej",
    "później",
    "dłużej",
    "более",
    "менее",
    "больше",
    "меньше",
    "позднее",
    "позже",
    "дольше",
    "يزيد",
    "يقل",
    "يتجاوز",
    "تزيد",
    "تقل",
    "تتجاوز"
  };

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;

  private final long no;
  private final long rather;
  private final long than;
  private final long instead;
  private final long of;
  private final long under;
  private final long[] comparing;

  private Utf8Span text = Utf8Span.EMPTY;

  Negations(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    no = claim.keyOf("no");
    rather = claim.keyOf("rather");
    than = claim.keyOf("than");
    instead = claim.keyOf("instead");
    of = claim.keyOf("of");
    under = claim.keyOf("دون");
    comparing = Arrays.stream(COMPARING).mapToLong(claim::keyOf).toArray();
  }

  /** The text whose units are asked for. */
  void read(Utf8Span claimText) {
    text = claimText;
  }

  /** True if one of these units of the claim negates. */
  boolean said(int c, int cEnd) {
    for (int unit = c; unit < cEnd; unit++) {
      if (isSaid(unit)) {
        return true;
      }
    }
    return false;
  }

  /** True if a unit of the claim negates. */
  boolean isSaid(int unit) {
    long key = claim.key(unit);
    return PairIndex.negates(claim, unit, text)
        || isInstead(key, keyOfClaim(unit + 1))
        || (words.is(key, WordClass.NEGATION)
            && !(key == no && isOtherNo(unit))
            && !(keyOfClaim(unit + THAN) == than && hasDigits(unit + THAN + 1))
            && !isOfBound(unit));
  }

  /** True if one of these positions of the evidence negates. */
  boolean there(int e, int eEnd) {
    for (int position = e; position < eEnd; position++) {
      if (isThere(position)) {
        return true;
      }
    }
    return false;
  }

  /** True if a position of the evidence negates. */
  boolean isThere(int position) {
    long key = evidence.key(position);
    return (evidence.flags(position) & PairIndex.NEGATES) != 0
        || isInstead(key, keyOfEvidence(position + 1))
        || (words.is(key, WordClass.NEGATION)
            && !(key == no && isOtherNoThere(position))
            && !(keyOfEvidence(position + THAN) == than && hasDigitsThere(position + THAN + 1))
            && !isOfBoundThere(position));
  }

  /** True if units of the claim have the first negation of positions before the same word. */
  boolean isSaidOf(int first, int after, int e, int eEnd) {
    int at = e;
    while (at < eEnd && !isThere(at)) {
      at++;
    }
    for (int unit = first; unit + 1 < after && at + 1 < eEnd; unit++) {
      if (claim.key(unit) == evidence.key(at) && claim.key(unit + 1) == evidence.key(at + 1)) {
        return true;
      }
    }
    return false;
  }

  /** True of the "non" of "non oltre 30 giorni", and of an Arabic "without" before a number. */
  private boolean isOfBound(int unit) {
    long key = claim.key(unit);
    return key == under
        ? hasDigits(unit + 1)
        : isComparing(keyOfClaim(unit + 1)) && (hasDigits(unit + 2) || hasDigits(unit + 3));
  }

  private boolean isOfBoundThere(int position) {
    long key = evidence.key(position);
    return key == under
        ? hasDigitsThere(position + 1)
        : isComparing(keyOfEvidence(position + 1))
            && (hasDigitsThere(position + 2) || hasDigitsThere(position + 3));
  }

  private boolean isComparing(long key) {
    boolean is = false;
    for (long word : comparing) {
      is |= word == key;
    }
    return is;
  }

  private boolean isOtherNo(int unit) {
    return hasDigits(unit + 1) || isInPortuguese(text, claim.start(unit));
  }

  private boolean isOtherNoThere(int position) {
    return hasDigitsThere(position + 1)
        || isInPortuguese(evidence.text(evidence.chunk(position)), evidence.startByte(position));
  }

  /** True if letters stand near a byte that have no like in Spanish and Catalan, or a lone é. */
  private static boolean isInPortuguese(Utf8Span text, int near) {
    int to = Math.min(text.length() - 1, near + AROUND);
    for (int at = Math.max(0, near - AROUND); at < to; at++) {
      if ((text.byteAt(at) & 0xFF) != 0xC3) {
        continue;
      }
      boolean begins = at > 0 && text.byteAt(at - 1) == ' ';
      int next = at + 2 < text.length() ? text.byteAt(at + 2) : ' ';
      boolean found =
          switch (text.byteAt(at + 1) & 0xFF) {
            // â ã ê ô õ
            case 0xA2, 0xA3, 0xAA, 0xB4, 0xB5 -> true;
            // à às é
            case 0xA0 -> begins && (next == 's' || next == ' ');
            case 0xA9 -> begins && next == ' ';
            default -> false;
          };
      if (found) {
        return true;
      }
    }
    return false;
  }

  /** True of "rather than" and "instead of": what follows is not so. */
  private boolean isInstead(long key, long next) {
    return (key == rather && next == than) || (key == instead && next == of);
  }

  private long keyOfClaim(int unit) {
    return unit < claim.count() ? claim.key(unit) : 0;
  }

  private long keyOfEvidence(int position) {
    return position < evidence.count() ? evidence.key(position) : 0;
  }

  private boolean hasDigits(int unit) {
    return unit < claim.count() && (claim.flags(unit) & Units.DIGITS) != 0;
  }

  private boolean hasDigitsThere(int position) {
    return position < evidence.count() && (evidence.flags(position) & Units.DIGITS) != 0;
  }
}
