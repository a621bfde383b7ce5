package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What the top level of a JSON-RPC message says, read from its first bytes: the scan ends as soon
 * as id and kind are known.
 *
 * @param id the id; -1 if there is none or it is no integer of at most 18 digits
 * @param rawId the id as it stands in the text, quotes included; empty if there is none
 * @param kind what the message is
 */
record JsonRpcHead(long id, String rawId, Kind kind) {
  /** What a JSON-RPC message is. */
  enum Kind {
    /** Has {@code method}. */
    CALL,
    /** Has {@code result}. */
    RESULT,
    /** Has {@code error}. */
    ERROR,
    /** Has none of them, or is no JSON object. */
    NEITHER
  }

  /**
   * Reads {@code length} bytes from {@code offset}; broken input gives id -1 and {@code NEITHER}.
   */
  static JsonRpcHead read(ByteBuf in, int offset, int length) {
    int end = offset + length;
    int depth = 0;
    boolean keyNext = false;
    String rawId = "";
    Kind kind = Kind.NEITHER;
    for (int i = offset; i < end && (rawId.isEmpty() || kind == Kind.NEITHER); i++) {
      switch (in.getByte(i)) {
        case '{', '[' -> {
          depth++;
          keyNext = in.getByte(i) == '{';
        }
        case '}', ']' -> depth--;
        case ',' -> keyNext = true;
        case '"' -> {
          int close = closingQuote(in, i + 1, end);
          if (close < 0) {
            return new JsonRpcHead(-1, "", Kind.NEITHER);
          }
          if (depth == 1 && keyNext) {
            String key = in.toString(i + 1, close - i - 1, StandardCharsets.UTF_8);
            switch (key) {
              case "id" -> rawId = value(in, close + 1, end);
              case "method" -> kind = Kind.CALL;
              case "result" -> kind = Kind.RESULT;
              case "error" -> kind = Kind.ERROR;
              default -> {} // jsonrpc, or something that does not matter here
            }
            keyNext = false;
          }
          i = close;
        }
        default -> {} // blanks, colons, literals
      }
    }
    return new JsonRpcHead(number(rawId), rawId, kind);
  }

  private static int closingQuote(ByteBuf in, int from, int end) {
    for (int i = from; i < end; i++) {
      byte b = in.getByte(i);
      if (b == '\\') {
        i++;
      } else if (b == '"') {
        return i;
      }
    }
    return -1;
  }

  /** The scalar after a colon, as text; empty if there is none. */
  private static String value(ByteBuf in, int from, int end) {
    int start = from;
    while (start < end && isBlankOrColon(in.getByte(start))) {
      start++;
    }
    int stop = start;
    if (start < end && in.getByte(start) == '"') {
      stop = closingQuote(in, start + 1, end) + 1;
    } else {
      while (stop < end
          && !isBlankOrColon(in.getByte(stop))
          && in.getByte(stop) != ','
          && in.getByte(stop) != '}') {
        stop++;
      }
    }
    return stop <= start ? "" : in.toString(start, stop - start, StandardCharsets.UTF_8);
  }

  private static boolean isBlankOrColon(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n' || b == ':';
  }

  private static long number(String raw) {
    if (raw.isEmpty() || raw.length() > 18) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < raw.length(); i++) {
      int digit = raw.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
