package dev.parlance.policy.claim.value;

import java.util.Arrays;

/**
 * An open hash table of numbers above 0 by keys that are fingerprints already: their bits are taken
 * as they are. Grows; 0 is what a key has that was never put.
 */
final class LongTable {
  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int size;

  int get(long key) {
    return values[slot(key)];
  }

  void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == 0 && ++size > keys.length / 2) {
      grow();
      slot = slot(key);
    }
    keys[slot] = key;
    values[slot] = value;
  }

  /** Forgets everything, and memory that was needed for one long text only. */
  void clear(int keep) {
    if (keys.length > keep) {
      keys = new long[keep];
      values = new int[keep];
    } else if (size > 0) {
      Arrays.fill(values, 0);
    }
    size = 0;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key ^ key >>> 32) & mask;
    while (values[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
