package dev.parlance.proxy.trace;

import java.util.Optional;

/**
 * A {@code traceparent} of W3C Trace Context: the trace and the span that asks.
 *
 * <pre>
 * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
 * version-trace id (16 bytes)-span id (8 bytes)-flags
 * </pre>
 *
 * @param traceId 32 lower-case hex digits, not all zero
 * @param spanId 16 lower-case hex digits, not all zero
 * @param flags bit 0: the trace is sampled; bit 1: its id is random
 */
public record TraceContext(String traceId, String spanId, int flags) {
  /** The header field. */
  public static final String FIELD = "traceparent";

  private static final int SAMPLED = 1;

  /** The flags that are handed on; others are not known yet and are cleared. */
  private static final int KNOWN_FLAGS = 0b11;

  private static final int LENGTH = 55;
  private static final int TRACE_ID = 3;
  private static final int SPAN_ID = 36;
  private static final int FLAGS = 53;
  private static final int HEX = 16;

  /**
   * Reads a value. Of a version that is not known yet everything behind the flags is passed over.
   *
   * @return empty if it is malformed, or an id in it is zero
   */
  public static Optional<TraceContext> parse(String value) {
    if (!isWellFormed(value)) {
      return Optional.empty();
    }
    return Optional.of(
        new TraceContext(
            value.substring(TRACE_ID, SPAN_ID - 1),
            value.substring(SPAN_ID, FLAGS - 1),
            Integer.parseInt(value, FLAGS, LENGTH, HEX)));
  }

  /** The trace id of a value; empty where {@link #parse} is. */
  public static Optional<String> traceIdOf(String value) {
    return isWellFormed(value)
        ? Optional.of(value.substring(TRACE_ID, SPAN_ID - 1))
        : Optional.empty();
  }

  private static boolean isWellFormed(String value) {
    int length = value.length();
    return length >= LENGTH
        && isHex(value, 0, 2)
        && !value.startsWith("ff")
        && (length == LENGTH || (!value.startsWith("00") && value.charAt(LENGTH) == '-'))
        && value.charAt(2) == '-'
        && value.charAt(SPAN_ID - 1) == '-'
        && value.charAt(FLAGS - 1) == '-'
        && isId(value, TRACE_ID, SPAN_ID - 1)
        && isId(value, SPAN_ID, FLAGS - 1)
        && isHex(value, FLAGS, LENGTH);
  }

  private static boolean isId(String value, int from, int to) {
    boolean zero = true;
    for (int i = from; i < to; i++) {
      zero &= value.charAt(i) == '0';
    }
    return !zero && isHex(value, from, to);
  }

  private static boolean isHex(String value, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = value.charAt(i);
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
        return false;
      }
    }
    return true;
  }

  /** True if whoever asks records its span. */
  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  /** The same trace, asked for by another span. */
  TraceContext from(String span) {
    return new TraceContext(traceId, span, flags & KNOWN_FLAGS);
  }

  /** The value of the header field. */
  public String value() {
    return "00-" + traceId + "-" + spanId + (flags < HEX ? "-0" : "-") + Integer.toHexString(flags);
  }
}
