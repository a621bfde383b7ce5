package dev.parlance.policy.claim;

/** A set of fingerprints or lemmas that is emptied in no time. For one thread. */
public final class KeySet {
  private long[] keys = new long[512];
  private int[] stamps = new int[512];
  private int stamp;
  private int size;

  public void clear() {
    size = 0;
    if (++stamp == Integer.MAX_VALUE || keys.length > 1 << 15) {
      keys = new long[512];
      stamps = new int[512];
      stamp = 1;
    }
  }

  /** Adds a key; false if it was there. */
  public boolean add(long key) {
    if (2 * size >= keys.length) {
      grow();
    }
    return put(key);
  }

  public boolean has(long key) {
    int mask = keys.length - 1;
    int slot = slot(key, mask);
    while (stamps[slot] == stamp) {
      if (keys[slot] == key) {
        return true;
      }
      slot = slot + 1 & mask;
    }
    return false;
  }

  private static int slot(long key, int mask) {
    return (int) ((key * 0x9e3779b97f4a7c15L) >>> 20) & mask;
  }

  private boolean put(long key) {
    int mask = keys.length - 1;
    int slot = slot(key, mask);
    while (stamps[slot] == stamp) {
      if (keys[slot] == key) {
        return false;
      }
      slot = slot + 1 & mask;
    }
    stamps[slot] = stamp;
    keys[slot] = key;
    size++;
    return true;
  }

  private void grow() {
    long[] old = keys;
    int[] oldStamps = stamps;
    keys = new long[2 * old.length];
    stamps = new int[keys.length];
    size = 0;
    for (int i = 0; i < old.length; i++) {
      if (oldStamps[i] == stamp) {
        put(old[i]);
      }
    }
  }
}
