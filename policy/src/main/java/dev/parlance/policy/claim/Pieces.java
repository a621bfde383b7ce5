package dev.parlance.policy.claim;

import dev.parlance.policy.claim.Claims.Kind;
import java.util.Arrays;

/** A list of ranges of units, each with its kind, that grows. */
final class Pieces {
  private static final int KEEP = 1 << 14;

  private int count;
  private int[] firsts = new int[64];
  private int[] afters = new int[64];
  private Kind[] kinds = new Kind[64];

  void clear() {
    count = 0;
  }

  void add(Kind kind, int first, int after) {
    if (count == firsts.length) {
      firsts = Arrays.copyOf(firsts, count * 2);
      afters = Arrays.copyOf(afters, count * 2);
      kinds = Arrays.copyOf(kinds, count * 2);
    }
    firsts[count] = first;
    afters[count] = after;
    kinds[count++] = kind;
  }

  int count() {
    return count;
  }

  int first(int piece) {
    return firsts[piece];
  }

  int after(int piece) {
    return afters[piece];
  }

  Kind kind(int piece) {
    return kinds[piece];
  }

  /** Gives arrays back that have grown out of the ordinary. */
  void release() {
    count = 0;
    if (firsts.length > KEEP) {
      firsts = new int[64];
      afters = new int[64];
      kinds = new Kind[64];
    }
  }
}
