package dev.parlance.proxy.wire;

import java.util.Optional;

/**
 * Writes JSON that is ASCII throughout, so that it can be spliced into any UTF-8 body. Adds commas
 * by itself; the caller opens and closes.
 */
final class JsonWriter {
  private static final char REPLACEMENT = '\ufffd';

  private final StringBuilder out = new StringBuilder(256);
  private boolean comma;

  JsonWriter object() {
    return open('{');
  }

  JsonWriter array() {
    return open('[');
  }

  JsonWriter endObject() {
    return close('}');
  }

  JsonWriter endArray() {
    return close(']');
  }

  private JsonWriter open(char bracket) {
    separate();
    out.append(bracket);
    comma = false;
    return this;
  }

  private JsonWriter close(char bracket) {
    out.append(bracket);
    comma = true;
    return this;
  }

  JsonWriter name(String name) {
    separate();
    quote(out, name);
    out.append(':');
    comma = false;
    return this;
  }

  JsonWriter string(String value) {
    separate();
    quote(out, value);
    return this;
  }

  JsonWriter number(long value) {
    separate();
    out.append(value);
    return this;
  }

  /** Writes a number so that it reads back as the same double; it must be finite. */
  JsonWriter number(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has no " + value);
    }
    separate();
    out.append(value);
    return this;
  }

  /** Writes text that is JSON already. */
  JsonWriter raw(String json) {
    separate();
    out.append(json);
    return this;
  }

  JsonWriter member(String name, String value) {
    return name(name).string(value);
  }

  JsonWriter member(String name, long value) {
    return name(name).number(value);
  }

  JsonWriter member(String name, Optional<String> value) {
    value.ifPresent(text -> member(name, text));
    return this;
  }

  private void separate() {
    if (comma) {
      out.append(',');
    }
    comma = true;
  }

  @Override
  public String toString() {
    return out.toString();
  }

  byte[] toBytes() {
    return Texts.utf8(out.toString());
  }

  /** A JSON string literal of a text; unpaired surrogates become U+FFFD. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    quote(out, text);
    return out.toString();
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c >= 0x20 && c < 0x7f) {
            out.append(c);
          } else {
            escape(out, isPaired(text, i) ? c : REPLACEMENT);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isPaired(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }
    return !Character.isLowSurrogate(c) || (i > 0 && Character.isHighSurrogate(text.charAt(i - 1)));
  }

  private static void escape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(Character.forDigit((c >> shift) & 0xf, 16));
    }
  }
}
