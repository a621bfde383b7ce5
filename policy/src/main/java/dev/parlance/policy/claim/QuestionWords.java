package dev.parlance.policy.claim;

import java.util.Arrays;

/** The set of fingerprints of the words of a question, with and without inflection. */
final class QuestionWords {
  private static final int KEEP = 1 << 14;

  private long[] table = new long[64];

  void read(Units question) {
    int size = Math.max(64, Integer.highestOneBit(question.count() + 1) * 8);
    if (table.length < size || table.length > KEEP) {
      table = new long[size];
    } else {
      Arrays.fill(table, 0);
    }
    for (int i = 0; i < question.count(); i++) {
      add(question.key(i));
      add(question.stem(i));
    }
  }

  boolean has(long key) {
    return table[slot(key)] != 0;
  }

  private void add(long key) {
    table[slot(key)] = key;
  }

  private int slot(long key) {
    int slot = (int) (key >>> 32) & (table.length - 1);
    while (table[slot] != 0 && table[slot] != key) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }
}
