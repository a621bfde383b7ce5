package dev.parlance.policy.claim;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The tokens of one JSON value in a text, in their order: objects, arrays, names and scalars, each
 * with its range and the token after all that it holds. Strict (RFC 8259), one pass, of bounded
 * depth. Reusable scratch, for one thread.
 */
final class JsonTokens {
  private static final Pattern NUMBER =
      Pattern.compile("-?\\d{1,40}(?:\\.\\d{1,40})?(?:[eE][+-]?\\d{1,4})?");

  static final byte OBJECT = '{';
  static final byte ARRAY = '[';
  static final byte NAME = 'n';
  static final byte STRING = '"';
  static final byte SCALAR = '0';

  static final int MAX_DEPTH = 64;
  static final int MAX_TOKENS = 1 << 20;

  private byte[] kinds = new byte[64];
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int[] nexts = new int[64];
  private final int[] open = new int[MAX_DEPTH];
  private int count;
  private int reached;

  /**
   * Reads a value that begins at {@code from}.
   *
   * @return true if one does; {@link #reached} says where it ends, or where it is broken
   */
  boolean read(byte[] bytes, int from, int to) {
    count = 0;
    int depth = 0;
    int at = from;
    boolean value = true;
    while (true) {
      at = blanks(bytes, at, to);
      reached = at;
      if (at >= to || count >= MAX_TOKENS) {
        return false;
      }
      byte b = bytes[at];
      if (value) {
        boolean inObject = depth > 0 && kinds[open[depth - 1]] == OBJECT;
        boolean empty = depth > 0 && open[depth - 1] == count - 1;
        if (empty && b == (inObject ? '}' : ']')) {
          value = false;
          continue;
        }
        if (inObject) {
          int end = b == '"' ? stringEnd(bytes, at, to) : -1;
          if (end < 0) {
            return false;
          }
          add(NAME, at, end);
          nexts[count - 1] = count;
          at = blanks(bytes, end, to);
          if (at >= to || bytes[at] != ':') {
            return false;
          }
          at = blanks(bytes, at + 1, to);
          if (at >= to) {
            return false;
          }
          b = bytes[at];
        }
        if (b == '{' || b == '[') {
          if (depth == MAX_DEPTH) {
            return false;
          }
          open[depth++] = count;
          add(b, at, at);
          at++;
          continue;
        }
        int end = b == '"' ? stringEnd(bytes, at, to) : scalarEnd(bytes, at, to);
        if (end < 0) {
          return false;
        }
        add(b == '"' ? STRING : SCALAR, at, end);
        nexts[count - 1] = count;
        at = end;
        value = false;
      } else if (depth > 0 && b == ',') {
        at++;
        value = true;
        // A comma is followed by a value: nothing is empty any more.
        int first = blanks(bytes, at, to);
        if (first < to && (bytes[first] == '}' || bytes[first] == ']')) {
          return false;
        }
      } else if (depth > 0 && b == (kinds[open[depth - 1]] == OBJECT ? '}' : ']')) {
        depth--;
        ends[open[depth]] = at + 1;
        nexts[open[depth]] = count;
        at++;
      } else {
        return false;
      }
      if (!value && depth == 0) {
        reached = at;
        return true;
      }
    }
  }

  private static int blanks(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
      at++;
    }
    return at;
  }

  private static int stringEnd(byte[] bytes, int quote, int to) {
    for (int i = quote + 1; i < to; i++) {
      byte b = bytes[i];
      if (b == '"') {
        return i + 1;
      }
      if (b == '\\') {
        i++;
      } else if (b >= 0 && b < 0x20) {
        return -1;
      }
    }
    return -1;
  }

  private static int scalarEnd(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && end - from < 64 && "+-.eE0123456789truefalsnul".indexOf(bytes[end]) >= 0) {
      end++;
    }
    String text = new String(bytes, from, end - from, java.nio.charset.StandardCharsets.ISO_8859_1);
    boolean fits =
        text.equals("true")
            || text.equals("false")
            || text.equals("null")
            || NUMBER.matcher(text).matches();
    return fits ? end : -1;
  }

  private void add(byte kind, int start, int end) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      nexts = Arrays.copyOf(nexts, 2 * count);
    }
    kinds[count] = kind;
    starts[count] = start;
    ends[count++] = end;
  }

  /** Where the value ends, or is broken. */
  int reached() {
    return reached;
  }

  int count() {
    return count;
  }

  byte kind(int token) {
    return kinds[token];
  }

  int start(int token) {
    return starts[token];
  }

  int end(int token) {
    return ends[token];
  }

  /** The token after all that {@code token} holds. */
  int next(int token) {
    return nexts[token];
  }

  /** Lets go of memory out of the ordinary. */
  void release() {
    if (kinds.length > 1 << 14) {
      kinds = new byte[64];
      starts = new int[64];
      ends = new int[64];
      nexts = new int[64];
    }
  }
}
