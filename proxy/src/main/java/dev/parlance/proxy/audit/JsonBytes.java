package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Optional;

/**
 * JSON as it is written, in a buffer that is used again. Only ASCII comes out: other characters,
 * control characters, quotes and backslashes are escaped. One thread.
 */
final class JsonBytes {
  private static final int FIRST_BYTES = 4096;

  /** A buffer that one large line has made larger than this is not kept. */
  private static final int KEPT_BYTES = 64 * 1024;

  /** Most bytes that one character can take. */
  private static final int ESCAPE_BYTES = 6;

  private static final int LONGEST_NUMBER = 20;
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);
  private static final byte[] CUT = "...".getBytes(US_ASCII);

  /** For each ASCII character 0 if it stands for itself, 'u' or the letter behind its backslash. */
  private static final byte[] ESCAPES = escapes();

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** Doubles are printed here: appending one makes no garbage. */
  private final StringBuilder number = new StringBuilder(32);

  private static byte[] escapes() {
    byte[] escapes = new byte[128];
    Arrays.fill(escapes, 0, ' ', (byte) 'u');
    escapes['\b'] = 'b';
    escapes['\t'] = 't';
    escapes['\n'] = 'n';
    escapes['\f'] = 'f';
    escapes['\r'] = 'r';
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    return escapes;
  }

  /** Forgets what was written. */
  void clear() {
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
    size = 0;
  }

  /** What was written, in its first {@link #size} bytes; changes with the next write. */
  byte[] array() {
    return bytes;
  }

  int size() {
    return size;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  /** Bytes that are JSON already. */
  JsonBytes raw(byte[] json) {
    reserve(json.length);
    System.arraycopy(json, 0, bytes, size, json.length);
    size += json.length;
    return this;
  }

  JsonBytes raw(char ascii) {
    reserve(1);
    bytes[size++] = (byte) ascii;
    return this;
  }

  /** A comma, unless what comes now is the first of its object or list or has one already. */
  JsonBytes next() {
    byte last = bytes[size - 1];
    return last == '{' || last == '[' || last == ',' ? this : raw(',');
  }

  /** The name of the next member: ASCII that needs no escape. */
  @SuppressWarnings("deprecation") // the one way to copy ASCII without garbage
  JsonBytes name(String name) {
    next().raw('"');
    int length = name.length();
    reserve(length + 2);
    name.getBytes(0, length, bytes, size);
    size += length;
    return raw('"').raw(':');
  }

  /** Begins an object as the next member; it ends with a brace. */
  JsonBytes begin(String name) {
    return name(name).raw('{');
  }

  /** A text from anywhere, cut where it is too long. */
  JsonBytes member(String name, String text) {
    return name(name).text(text, AuditJson.TEXT_CHARACTERS);
  }

  JsonBytes member(String name, Optional<String> text) {
    return text.isPresent() ? member(name, text.get()) : this;
  }

  /** A text of ours. */
  JsonBytes whole(String name, String text) {
    return name(name).text(text);
  }

  JsonBytes member(String name, long value) {
    return name(name).number(value);
  }

  JsonBytes member(String name, double value) {
    return name(name).number(value);
  }

  JsonBytes member(String name, boolean value) {
    return name(name).bool(value);
  }

  /** A text in quotes. */
  JsonBytes text(String text) {
    return quoted(text, text.length(), false);
  }

  /** A text in quotes, cut to so many characters with three dots behind it. */
  JsonBytes text(String text, int most) {
    return text.length() <= most ? text(text) : quoted(text, most, true);
  }

  private JsonBytes quoted(String text, int length, boolean cut) {
    reserve(length * ESCAPE_BYTES + 2 + CUT.length);
    byte[] to = bytes;
    int at = size;
    to[at++] = '"';
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < ESCAPES.length && ESCAPES[c] == 0) {
        to[at++] = (byte) c;
      } else {
        at = escaped(c, to, at);
      }
    }
    size = at;
    if (cut) {
      raw(CUT);
    }
    bytes[size++] = '"';
    return this;
  }

  private static int escaped(char c, byte[] to, int start) {
    int at = start;
    to[at++] = '\\';
    if (c < ESCAPES.length && ESCAPES[c] != 'u') {
      to[at++] = ESCAPES[c];
      return at;
    }
    to[at++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      to[at++] = HEX[(c >> shift) & 0xf];
    }
    return at;
  }

  JsonBytes bool(boolean value) {
    return raw(value ? TRUE : FALSE);
  }

  JsonBytes number(long value) {
    if (value < 0) {
      return raw(Long.toString(value).getBytes(US_ASCII));
    }
    reserve(LONGEST_NUMBER);
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    digits(value, digits);
    return this;
  }

  /** So many decimal digits of a number of 0 or more, with zeros in front. */
  JsonBytes digits(long value, int digits) {
    reserve(digits);
    long rest = value;
    for (int at = size + digits - 1; at >= size; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
    return this;
  }

  /** As {@link Double#toString}; what is not finite is a text. */
  JsonBytes number(double value) {
    if (!Double.isFinite(value)) {
      return text(Double.toString(value));
    }
    number.setLength(0);
    number.append(value);
    int length = number.length();
    reserve(length);
    for (int i = 0; i < length; i++) {
      bytes[size++] = (byte) number.charAt(i);
    }
    return this;
  }
}
