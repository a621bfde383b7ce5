package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;

/**
 * Times as {@link Instant#toString} writes them, in quotes. Lines of one second have all but the
 * milliseconds in common. One thread.
 */
final class LineTime {
  private static final int MS_PER_SECOND = 1000;
  private static final int MS_DIGITS = 3;

  private long second = Long.MIN_VALUE;
  private byte[] upToSecond = {};

  /** Writes a time in milliseconds since the epoch. */
  void write(long ms, JsonBytes out) {
    long secondOfMs = Math.floorDiv(ms, MS_PER_SECOND);
    if (secondOfMs != second) {
      String text = Instant.ofEpochSecond(secondOfMs).toString();
      upToSecond = ('"' + text.substring(0, text.length() - 1)).getBytes(US_ASCII);
      second = secondOfMs;
    }
    out.raw(upToSecond);
    int fraction = Math.floorMod(ms, MS_PER_SECOND);
    if (fraction != 0) {
      out.raw('.').digits(fraction, MS_DIGITS);
    }
    out.raw('Z').raw('"');
  }
}
