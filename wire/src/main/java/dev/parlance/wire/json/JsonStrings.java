package dev.parlance.wire.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Scanning and unescaping of the content of JSON strings. Plain text is crossed eight bytes at a
 * time.
 */
final class JsonStrings {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Each of these holds one byte eight times. */
  private static final long ONES = 0x0101010101010101L;

  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long SPACES = ' ' * ONES;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private JsonStrings() {}

  /**
   * Where the next byte stands that is a quote, a backslash, a control character or past ASCII.
   *
   * <p>Of each byte one is taken (a space, for control characters), after a quote and a backslash
   * have been turned into 0; what falls below 0 gets its high bit set. A byte can borrow from the
   * next one only where it is itself found, so the lowest bit that is set tells the truth.
   *
   * @param to where the bytes end
   */
  static int afterPlain(byte[] bytes, int from, int to) {
    int i = from;
    int last = to - Long.BYTES;
    while (i <= last - Long.BYTES) {
      long found = notPlain((long) LONGS.get(bytes, i));
      long later = notPlain((long) LONGS.get(bytes, i + Long.BYTES));
      if ((found | later) != 0) {
        return found != 0
            ? i + (Long.numberOfTrailingZeros(found) >>> 3)
            : i + Long.BYTES + (Long.numberOfTrailingZeros(later) >>> 3);
      }
      i += 2 * Long.BYTES;
    }
    if (i <= last) {
      long found = notPlain((long) LONGS.get(bytes, i));
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      i += Long.BYTES;
    }
    while (i < to && isPlain(bytes[i])) {
      i++;
    }
    return i;
  }

  private static long notPlain(long word) {
    return (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES) | word)
        & HIGH_BITS;
  }

  private static boolean isPlain(byte b) {
    return b >= ' ' && b != '"' && b != '\\';
  }

  /**
   * Bytes of the escape that starts at {@code i} and ends before {@code to}, or -1 if there is none
   * that we accept.
   */
  static int escapeLength(byte[] body, int i, int to) {
    if (i + 1 >= to) {
      return -1;
    }
    return switch (body[i + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
      case 'u' -> {
        int unit = hex4(body, i + 2, to);
        if (unit < 0 || Character.isLowSurrogate((char) unit)) {
          yield -1;
        }
        if (!Character.isHighSurrogate((char) unit)) {
          yield 6;
        }
        if (i + 7 >= to || body[i + 6] != '\\' || body[i + 7] != 'u') {
          yield -1;
        }
        int second = hex4(body, i + 8, to);
        yield second >= 0 && Character.isLowSurrogate((char) second) ? 12 : -1;
      }
      default -> -1;
    };
  }

  /** Decodes the escapes between two offsets of a string that has been scanned. */
  static byte[] unescape(byte[] body, int from, int to) {
    byte[] out = new byte[to - from];
    return Arrays.copyOf(out, unescape(body, from, to, out, 0));
  }

  /** As above, into an array that is long enough, from an offset on; gives the offset behind it. */
  static int unescape(byte[] body, int from, int to, byte[] out, int offset) {
    int length = offset;
    int at = from;
    while (at < to) {
      // Sixteen bytes at a time where there is none, else eight; what is copied from the backslash
      // on is written over.
      while (at <= to - 2 * Long.BYTES) {
        long word = (long) LONGS.get(body, at);
        long later = (long) LONGS.get(body, at + Long.BYTES);
        if ((backslashes(word) | backslashes(later)) != 0) {
          break;
        }
        LONGS.set(out, length, word);
        LONGS.set(out, length + Long.BYTES, later);
        at += 2 * Long.BYTES;
        length += 2 * Long.BYTES;
      }
      while (at <= to - Long.BYTES) {
        long word = (long) LONGS.get(body, at);
        LONGS.set(out, length, word);
        long found = backslashes(word);
        int plain = found == 0 ? Long.BYTES : Long.numberOfTrailingZeros(found) >>> 3;
        at += plain;
        length += plain;
        if (plain < Long.BYTES) {
          break;
        }
      }
      while (at < to && body[at] != '\\') {
        out[length++] = body[at++];
      }
      if (at == to) {
        break;
      }
      if (body[at + 1] != 'u') {
        out[length++] = simpleEscape(body[at + 1]);
        at += 2;
      } else {
        int codePoint = hex4(body, at + 2, to);
        at += 6;
        if (Character.isHighSurrogate((char) codePoint)) {
          codePoint = Character.toCodePoint((char) codePoint, (char) hex4(body, at + 2, to));
          at += 6;
        }
        length = encode(codePoint, out, length);
      }
    }
    return length;
  }

  /** A high bit where a backslash is; up to the lowest one it tells the truth. */
  private static long backslashes(long word) {
    return (word ^ BACKSLASHES) - ONES & ~(word ^ BACKSLASHES) & HIGH_BITS;
  }

  /**
   * Where in the content of a string, as it was sent, the character begins that is unescaped to the
   * byte {@code unescaped}; {@code to} if there are not as many.
   */
  static int offsetOf(byte[] body, int from, int to, int unescaped) {
    int at = from;
    int length = 0;
    while (at < to && length < unescaped) {
      if (body[at] != '\\') {
        at++;
        length++;
      } else {
        int escape = escapeLength(body, at, to);
        length += escape == 2 ? 1 : utf8Length(hex4(body, at + 2, to), escape);
        at += escape;
      }
    }
    return at;
  }

  private static int utf8Length(int unit, int escape) {
    if (escape == 12) {
      return 4;
    }
    if (unit < 0x80) {
      return 1;
    }
    return unit < 0x800 ? 2 : 3;
  }

  private static byte simpleEscape(byte letter) {
    return switch (letter) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> letter;
    };
  }

  private static int encode(int codePoint, byte[] out, int at) {
    int length = at;
    if (codePoint < 0x80) {
      out[length++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      out[length++] = (byte) (0xc0 | codePoint >> 6);
      out[length++] = (byte) (0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      out[length++] = (byte) (0xe0 | codePoint >> 12);
      out[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      out[length++] = (byte) (0x80 | (codePoint & 0x3f));
    } else {
      out[length++] = (byte) (0xf0 | codePoint >> 18);
      out[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
      out[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      out[length++] = (byte) (0x80 | (codePoint & 0x3f));
    }
    return length;
  }

  /** Four hex digits at an offset, all before {@code to}, or -1. */
  static int hex4(byte[] body, int at, int to) {
    if (at + 4 > to) {
      return -1;
    }
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = Character.digit(body[i], 16);
      if (body[i] < 0 || digit < 0) {
        return -1;
      }
      value = (value << 4) | digit;
    }
    return value;
  }
}
