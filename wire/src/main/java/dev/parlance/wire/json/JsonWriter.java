package dev.parlance.wire.json;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Texts;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Writes JSON that is ASCII throughout, so that it can be spliced into any UTF-8 body; only texts
 * that are {@linkplain #utf8 given as UTF-8} stay so. Adds commas by itself; the caller opens and
 * closes.
 */
public final class JsonWriter {
  private static final char REPLACEMENT = '\ufffd';
  private static final int FIRST_BYTES = 256;
  private static final int MAX_KEPT_BYTES = 16 * 1024;
  private static final byte[] HEX = Texts.utf8("0123456789abcdef");
  private static final ThreadLocal<JsonWriter> OF_THREAD = ThreadLocal.withInitial(JsonWriter::new);

  private byte[] out = new byte[FIRST_BYTES];

  /** Doubles are printed here: appending one makes no garbage. */
  private final StringBuilder number = new StringBuilder(0);

  private int length;
  private boolean comma;

  /**
   * The thread's own writer, empty: for JSON that is written in one go without another of these
   * being asked for in between, and taken with {@link #toBytes()}.
   */
  public static JsonWriter ofThread() {
    JsonWriter writer = OF_THREAD.get();
    writer.length = 0;
    writer.comma = false;
    if (writer.out.length > MAX_KEPT_BYTES) {
      writer.out = new byte[FIRST_BYTES];
    }
    return writer;
  }

  /** A member name as it stands in front of its value, to be written often. */
  public static byte[] key(String name) {
    return Texts.utf8(quoted(name) + ":");
  }

  public JsonWriter object() {
    return open('{');
  }

  public JsonWriter array() {
    return open('[');
  }

  public JsonWriter endObject() {
    return close('}');
  }

  public JsonWriter endArray() {
    return close(']');
  }

  private JsonWriter open(char bracket) {
    separate();
    put(bracket);
    comma = false;
    return this;
  }

  private JsonWriter close(char bracket) {
    put(bracket);
    comma = true;
    return this;
  }

  public JsonWriter name(String name) {
    separate();
    quote(name);
    put(':');
    comma = false;
    return this;
  }

  /** As {@link #name(String)}, of a {@link #key}. */
  public JsonWriter name(byte[] key) {
    separate();
    put(key);
    comma = false;
    return this;
  }

  /** A comma even in front of what stands first: for members that follow others elsewhere. */
  public JsonWriter afterOthers() {
    comma = true;
    return this;
  }

  public JsonWriter string(String value) {
    separate();
    quote(value);
    return this;
  }

  /** A string as UTF-8, with nothing escaped but what has to be. */
  public JsonWriter utf8(Utf8Span value) {
    separate();
    quoteUtf8(value);
    return this;
  }

  /** As {@link #name(String)}, written like {@link #utf8}. */
  public JsonWriter nameUtf8(Utf8Span name) {
    separate();
    quoteUtf8(name);
    put(':');
    comma = false;
    return this;
  }

  public JsonWriter number(long value) {
    separate();
    if (value >= 0 && value <= 9) {
      put((char) ('0' + value));
    } else {
      ascii(Long.toString(value));
    }
    return this;
  }

  /** Writes a number so that it reads back as the same double; it must be finite. */
  public JsonWriter number(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has no " + value);
    }
    separate();
    number.setLength(0);
    number.append(value);
    ascii(number);
    return this;
  }

  /** Writes text that is JSON already. */
  public JsonWriter raw(String json) {
    separate();
    put(Texts.utf8(json));
    return this;
  }

  public JsonWriter member(String name, String value) {
    return name(name).string(value);
  }

  public JsonWriter member(String name, long value) {
    return name(name).number(value);
  }

  public JsonWriter member(byte[] key, String value) {
    return name(key).string(value);
  }

  public JsonWriter member(byte[] key, long value) {
    return name(key).number(value);
  }

  public JsonWriter member(String name, Optional<String> value) {
    value.ifPresent(text -> member(name, text));
    return this;
  }

  private void separate() {
    if (comma) {
      put(',');
    }
    comma = true;
  }

  @Override
  public String toString() {
    return new String(out, 0, length, StandardCharsets.UTF_8);
  }

  /** What was written, in an array of its own. */
  public byte[] toBytes() {
    return Arrays.copyOf(out, length);
  }

  /** A JSON string literal of a text; unpaired surrogates become U+FFFD. */
  public static String quoted(String text) {
    JsonWriter writer = new JsonWriter();
    writer.quote(text);
    return writer.toString();
  }

  private void room(int more) {
    int needed = Math.addExact(length, more);
    if (needed > out.length) {
      out = Arrays.copyOf(out, Math.max(needed, out.length + (out.length >> 1)));
    }
  }

  private void put(char c) {
    room(1);
    out[length++] = (byte) c;
  }

  private void put(byte[] bytes) {
    put(bytes, 0, bytes.length);
  }

  private void put(byte[] bytes, int from, int to) {
    room(to - from);
    System.arraycopy(bytes, from, out, length, to - from);
    length += to - from;
  }

  private void ascii(CharSequence text) {
    int chars = text.length();
    room(chars);
    for (int i = 0; i < chars; i++) {
      out[length + i] = (byte) text.charAt(i);
    }
    length += chars;
  }

  private void quote(String text) {
    int chars = text.length();
    room(chars + 2);
    out[length++] = '"';
    int plain = 0;
    while (plain < chars && isPlain(text.charAt(plain))) {
      out[length++] = (byte) text.charAt(plain);
      plain++;
    }
    for (int i = plain; i < chars; i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        put(c);
      } else {
        escape(isPaired(text, i) ? c : REPLACEMENT);
      }
    }
    put('"');
  }

  private void quoteUtf8(Utf8Span text) {
    byte[] bytes = text.array();
    int kept = text.arrayOffset();
    int end = kept + text.length();
    room(text.length() + 2);
    put('"');
    for (int at = kept; at < end; at++) {
      byte b = bytes[at];
      if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
        put(bytes, kept, at);
        kept = at + 1;
        put('\\');
        if (b < 0x20) {
          hex((char) b);
        } else {
          put((char) b);
        }
      }
    }
    put(bytes, kept, end);
    put('"');
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  }

  private static boolean isPaired(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }
    return !Character.isLowSurrogate(c) || (i > 0 && Character.isHighSurrogate(text.charAt(i - 1)));
  }

  private void escape(char c) {
    put('\\');
    switch (c) {
      case '"', '\\' -> put(c);
      case '\n' -> put('n');
      case '\r' -> put('r');
      case '\t' -> put('t');
      default -> hex(c);
    }
  }

  private void hex(char c) {
    put('u');
    for (int shift = 12; shift >= 0; shift -= 4) {
      put((char) HEX[(c >> shift) & 0xf]);
    }
  }
}
