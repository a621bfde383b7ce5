package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.json.JsonDocument;
import java.nio.charset.StandardCharsets;

/**
 * Names in quotes before a colon, in the strings of a document: JSON and what looks like it, whole
 * or in the middle of words, however often it was escaped. Finds what a reader of JSON cannot, and
 * says nothing of what stands there besides.
 */
final class QuotedNames {
  private QuotedNames() {}

  /** True if one of the names stands in quotes before a colon, in any string, however escaped. */
  static boolean isAny(JsonDocument json, NameSet listed) {
    byte[] bytes = json.body().array();
    for (int node = json.root(); node < json.nodes(); node++) {
      if (json.isString(node)) {
        if (isAny(bytes, json.start(node) + 1, json.end(node) - 1, listed)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The same of a text that stands in no document. */
  static boolean isAny(byte[] bytes, int from, int to, NameSet listed) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == ':' && isQuotedBefore(bytes, from, i, listed)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isQuotedBefore(byte[] bytes, int from, int colon, NameSet listed) {
    int end = colon;
    while (end > from && isBlank(bytes, from, end)) {
      end--;
    }
    if (end == from || (bytes[end - 1] != '"' && bytes[end - 1] != '\'')) {
      return false;
    }
    byte quote = bytes[--end];
    while (end > from && bytes[end - 1] == '\\') {
      end--;
    }
    int start = end;
    boolean escaped = false;
    while (start > from && bytes[start - 1] != quote) {
      escaped |= bytes[--start] == '\\';
    }
    return start > from
        && (escaped
            ? listed.has(unescaped(new String(bytes, start, end - start, StandardCharsets.UTF_8)))
            : listed.has(bytes, start, end));
  }

  /** True if the byte before this place is blank, or of the escape of a blank. */
  private static boolean isBlank(byte[] bytes, int from, int end) {
    byte last = bytes[end - 1];
    return isBlank(last)
        || (last == '\\' && end < bytes.length && isLetterOfBlank(bytes[end]))
        || (isLetterOfBlank(last) && end - 1 > from && bytes[end - 2] == '\\');
  }

  /** True for the letter behind the backslash that stands for a blank. */
  static boolean isLetterOfBlank(byte one) {
    return one == 'n' || one == 't' || one == 'r';
  }

  /** Without its escapes of characters, however often those were escaped. */
  private static String unescaped(String name) {
    StringBuilder plain = new StringBuilder();
    int i = 0;
    while (i < name.length()) {
      int u = i;
      while (u < name.length() && name.charAt(u) == '\\') {
        u++;
      }
      if (u > i && u + 4 < name.length() && name.charAt(u) == 'u' && isHex(name, u + 1)) {
        plain.append((char) Integer.parseInt(name, u + 1, u + 5, 16));
        i = u + 5;
      } else if (u > i) {
        i = u;
      } else {
        plain.append(name.charAt(i++));
      }
    }
    return plain.toString();
  }

  private static boolean isHex(String name, int from) {
    for (int i = from; i < from + 4; i++) {
      if (Character.digit(name.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }

  static boolean isBlank(byte one) {
    return one == ' ' || one == '\n' || one == '\r' || one == '\t';
  }
}
