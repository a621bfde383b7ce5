package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Finds claims in scripts without blanks that have the characters of a sentence, two parts of which
 * stand in each other's place: 乙方应向甲方支付 of 甲方应向乙方支付. All of its pairs of characters but few are
 * there, so that nothing else tells.
 *
 * <p>Two parts with no more than "and" between them say the same in either order. Linear in the
 * sentence, the first {@value #MAX_SENTENCE} bytes of which are looked at: only where its bytes are
 * those of the claim in some order are these compared, and of such places {@value #MAX_PLACES}.
 * Quadratic in the bytes of a claim, of which there are at most {@value #MAX_BYTES}; for one
 * thread; nothing is allocated.
 */
final class OrderCheck {
  private static final int MAX_BYTES = 384;
  private static final int MAX_SENTENCE = 1 << 14;
  private static final int MAX_PLACES = 16;

  /** Spreads bytes, so that equal sums are nearly always those of the same bytes. */
  private static final long[] WEIGHTS = new long[256];

  static {
    Arrays.setAll(
        WEIGHTS,
        i -> {
          long mixed = (i + 1) * 0x9e3779b97f4a7c15L;
          return (mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L;
        });
  }

  /** What two equals are joined by. */
  private static final byte[][] JOINS =
      Stream.of(
              "和", "与", "與", "及", "跟", "同", "、", "，", "或", "や", "と", "か", "または", "および", "及び", "・",
              "·", "/")
          .map(join -> Utf8Span.of(join).toByteArray())
          .toArray(byte[][]::new);

  private final Units claim;
  private final PairIndex evidence;

  // The claim and the part of the sentence that it is held against.
  private Utf8Span here = Utf8Span.EMPTY;
  private Utf8Span there = Utf8Span.EMPTY;

  OrderCheck(Units claim, PairIndex evidence) {
    this.claim = claim;
    this.evidence = evidence;
  }

  /**
   * Looks for the two parts.
   *
   * @param text of the answer
   * @param from the first position of the sentence
   * @param to the one after its last
   */
  void find(Utf8Span text, int first, int after, int from, int to, FoundChanges changes) {
    if (from >= to || (claim.flags(first) & evidence.flags(from) & Units.GRAM) == 0) {
      return;
    }
    here = text;
    there = evidence.text(evidence.chunk(from));
    int start = claim.start(first);
    int length = claim.end(after - 1) - start;
    int begin = evidence.startByte(from);
    int end = Math.min(evidence.endByte(to - 1), begin + MAX_SENTENCE);
    if (length > MAX_BYTES || begin + length > end) {
      return;
    }
    long sum = sum(here, start, length);
    long window = sum(there, begin, length);
    boolean exchanged = false;
    boolean equal = false;
    int places = 0;
    for (int at = begin; !equal; at++) {
      if (window == sum && isCharacter(there, at)) {
        equal = isSame(start, at, length);
        exchanged |= !equal && places++ < MAX_PLACES && isExchanged(start, at, length);
      }
      if (at + length == end) {
        break;
      }
      window += weight(there, at + length) - weight(there, at);
    }
    exchanged &= !equal;
    if (exchanged) {
      changes.add(ChangeKind.ROLES, first, after, from, to);
    }
    here = Utf8Span.EMPTY;
    there = Utf8Span.EMPTY;
  }

  /** True if a character begins at a byte. */
  private static boolean isCharacter(Utf8Span text, int at) {
    return at >= text.length() || (text.byteAt(at) & 0xC0) != 0x80;
  }

  private static long weight(Utf8Span text, int at) {
    return WEIGHTS[text.byteAt(at) & 0xFF];
  }

  private static long sum(Utf8Span text, int from, int length) {
    long sum = 0;
    for (int i = from; i < from + length; i++) {
      sum += weight(text, i);
    }
    return sum;
  }

  /** True if the claim is B M A where the sentence is A M B, between a common begin and end. */
  private boolean isExchanged(int start, int at, int length) {
    int before = 0;
    while (before < length && here.byteAt(start + before) == there.byteAt(at + before)) {
      before++;
    }
    while (before > 0 && !isCharacter(here, start + before)) {
      before--;
    }
    int behind = 0;
    while (behind < length - before
        && here.byteAt(start + length - behind - 1) == there.byteAt(at + length - behind - 1)) {
      behind++;
    }
    while (behind > 0 && !isCharacter(here, start + length - behind)) {
      behind--;
    }
    int claimed = start + before;
    int found = at + before;
    int middle = length - before - behind;
    for (int a = 1; a < middle; a++) {
      // the sentence begins with what the claim ends with
      if (!isCharacter(there, found + a) || !isSame(claimed + middle - a, found, a)) {
        continue;
      }
      for (int b = 1; a + b < middle; b++) {
        if (isCharacter(here, claimed + b)
            && isSame(claimed, found + middle - b, b)
            && isSame(claimed + b, found + a, middle - a - b)) {
          return !isJoin(found + a, middle - a - b);
        }
      }
    }
    return false;
  }

  private boolean isSame(int claimed, int found, int length) {
    int same = 0;
    while (same < length && here.byteAt(claimed + same) == there.byteAt(found + same)) {
      same++;
    }
    return same == length;
  }

  /** True if some bytes are "and", or end with it. */
  private boolean isJoin(int from, int length) {
    boolean is = false;
    for (byte[] join : JOINS) {
      is |= isAt(from + length - join.length, length, join);
    }
    return is;
  }

  private boolean isAt(int from, int length, byte[] join) {
    int same = join.length > length || from < 0 ? join.length + 1 : 0;
    while (same < join.length && there.byteAt(from + same) == join[same]) {
      same++;
    }
    return same == join.length;
  }
}
