package dev.parlance.policy.claim.support;

/** A set of lemmas that is emptied in no time. For one thread. */
final class LemmaSet {
  private long[] lemmas = new long[512];
  private int[] stamps = new int[512];
  private int stamp;
  private int size;

  void clear() {
    size = 0;
    if (++stamp == Integer.MAX_VALUE || lemmas.length > 1 << 14) {
      lemmas = new long[512];
      stamps = new int[512];
      stamp = 1;
    }
  }

  boolean add(long lemma) {
    if (2 * size >= lemmas.length) {
      grow();
    }
    return put(lemma);
  }

  boolean has(long lemma) {
    int mask = lemmas.length - 1;
    int slot = slot(lemma, mask);
    while (stamps[slot] == stamp) {
      if (lemmas[slot] == lemma) {
        return true;
      }
      slot = slot + 1 & mask;
    }
    return false;
  }

  private static int slot(long lemma, int mask) {
    return (int) ((lemma * 0x9e3779b97f4a7c15L) >>> 20) & mask;
  }

  private boolean put(long lemma) {
    int mask = lemmas.length - 1;
    int slot = slot(lemma, mask);
    while (stamps[slot] == stamp) {
      if (lemmas[slot] == lemma) {
        return false;
      }
      slot = slot + 1 & mask;
    }
    stamps[slot] = stamp;
    lemmas[slot] = lemma;
    size++;
    return true;
  }

  private void grow() {
    long[] old = lemmas;
    int[] oldStamps = stamps;
    lemmas = new long[2 * old.length];
    stamps = new int[lemmas.length];
    size = 0;
    for (int i = 0; i < old.length; i++) {
      if (oldStamps[i] == stamp) {
        put(old[i]);
      }
    }
  }
}
