package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The names in JSON that stands in texts: one that is JSON as a whole, a line of it, or what stands
 * in its fences, and in the strings of that as a whole or line by line.
 */
final class NamesWithin {
  /** How often JSON may stand in a string of JSON. */
  private static final int MOST_WITHIN = 4;

  private static final String FENCE = "```";

  private final List<String> names = new ArrayList<>(0);
  private boolean isRead = true;

  /** Forgets all. */
  void clear() {
    names.clear();
    isRead = true;
  }

  /** False if there was JSON that is too large or too deep, or says a name twice. */
  boolean isRead() {
    return isRead;
  }

  /** The first name that is listed, or is not, against what is wanted; nothing if there is none. */
  String broken(boolean has, NameSet listed) {
    for (int i = 0; i < names.size(); i++) {
      if (listed.has(names.get(i)) != has) {
        return names.get(i);
      }
    }
    return "";
  }

  /**
   * Takes the names of a text.
   *
   * @param words whether it may be words with JSON in them
   */
  void text(String text, boolean words) {
    lines(text, 1);
    if (words && text.contains(FENCE)) {
      for (String piece : AnswerData.inFences(text)) {
        boolean _ = isJson(piece, 1);
      }
    }
  }

  /** Takes the names of a text that is JSON, as a whole or line by line. */
  private void lines(String text, int depth) {
    if (!isJson(text, depth) && (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0)) {
      text.lines().forEach(line -> isJson(line, depth));
    }
  }

  /** Takes the names of a text that is JSON as a whole; false if it is none. */
  boolean isJson(String text) {
    return isJson(text, 1);
  }

  private boolean isJson(String text, int depth) {
    String bare = strip(text);
    if (!bare.startsWith("{") && !bare.startsWith("[")) {
      return false;
    }
    if (depth > MOST_WITHIN) {
      isRead = false;
      return true;
    }
    switch (JsonScanner.scan(bare.getBytes(StandardCharsets.UTF_8), JsonScanner.Limits.DEFAULT)) {
      case JsonScanner.Scanned(JsonDocument inner) -> {
        for (int node = inner.root(); node < inner.nodes(); node++) {
          if (inner.isName(node)) {
            names.add(inner.string(node));
          } else if (inner.isString(node)) {
            lines(inner.string(node), depth + 1);
          }
        }
        return true;
      }
      case JsonScanner.Refused(WireFault fault, _) -> {
        // What is not JSON is words. JSON that is too large or says a name twice is not known.
        isRead &= fault == WireFault.BAD_JSON;
        return false;
      }
    }
  }

  /** Without what readers take for blanks at its ends: more than JSON allows. */
  private static String strip(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isSpace(text.charAt(from))) {
      from++;
    }
    while (to > from && isSpace(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || Character.isISOControl(c)
        || Character.getType(c) == Character.FORMAT;
  }
}
