package dev.parlance.proxy.review;

import java.security.SecureRandom;

/**
 * Ids of held messages: {@code r-} and fifteen characters of Crockford's base 32 (no i, l, o, u).
 * Nine of them are milliseconds since the epoch, so ids sort by time; six are random, so nobody who
 * knows when a message was held can guess its id. The time part never repeats and never goes back,
 * whatever the clock does. Used under the queue's lock.
 */
final class ReviewIds {
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final String PREFIX = "r-";
  private static final int TIME_CHARACTERS = 9;
  private static final int RANDOM_CHARACTERS = 6;

  private final SecureRandom random = new SecureRandom();
  private long lastMs;

  String next(long nowMs) {
    lastMs = Math.max(nowMs, lastMs + 1);
    var id = new StringBuilder(PREFIX);
    append(id, lastMs, TIME_CHARACTERS);
    append(id, random.nextLong(), RANDOM_CHARACTERS);
    return id.toString();
  }

  private static void append(StringBuilder id, long bits, int characters) {
    for (int i = characters - 1; i >= 0; i--) {
      id.append(ALPHABET.charAt((int) (bits >>> (5 * i)) & 31));
    }
  }

  /** Makes every further id sort after this one. */
  void follow(String id) {
    if (id.length() == PREFIX.length() + TIME_CHARACTERS + RANDOM_CHARACTERS) {
      long ms = 0;
      for (int i = 0; i < TIME_CHARACTERS; i++) {
        ms = ms << 5 | Math.max(0, ALPHABET.indexOf(id.charAt(PREFIX.length() + i)));
      }
      lastMs = Math.max(lastMs, ms);
    }
  }
}
