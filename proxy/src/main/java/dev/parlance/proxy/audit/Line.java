package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * One line in memory, without its line break.
 *
 * @param bytes of it and its neighbours
 * @param from first byte
 * @param to behind its last one
 * @param verified false if it may be torn
 */
@SuppressWarnings("ArrayRecordComponent") // a view, never compared
record Line(byte[] bytes, int from, int to, boolean verified) {
  int length() {
    return to - from;
  }

  /** True if these bytes occur in it. */
  boolean contains(byte[] part) {
    for (int at = from; at <= to - part.length; at++) {
      int same = 0;
      while (same < part.length && bytes[at + same] == part[same]) {
        same++;
      }
      if (same == part.length) {
        return true;
      }
    }
    return false;
  }

  /** One byte is one character: a torn line can hold anything. */
  @Override
  public String toString() {
    return new String(bytes, from, to - from, ISO_8859_1);
  }
}
