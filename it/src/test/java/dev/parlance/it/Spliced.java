package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Takes the verdict out of a body again, byte by byte and without a JSON library: what is left must
 * be what its author wrote.
 */
final class Spliced {
  private static final String NAME = "\"" + A2a.VERDICT + "\"";

  private Spliced() {}

  /** True if the body carries a verdict. */
  static boolean isIn(byte[] body) {
    return new String(body, ISO_8859_1).contains(NAME + ":{");
  }

  /**
   * Every body that becomes this one by writing verdicts into it: where nothing but the verdict
   * stands in {@code metadata} or {@code extensions}, its author may have left that empty, null, or
   * out.
   */
  static Set<String> origins(byte[] body) {
    String plain = withoutEntries(withoutMembers(new String(body, ISO_8859_1)));
    Set<String> origins = new LinkedHashSet<>();
    for (String metadata : emptied(plain, "\"metadata\":", "{}")) {
      origins.addAll(emptied(metadata, "\"extensions\":", "[]"));
    }
    return origins;
  }

  /** The body as bytes that stand in {@link #origins}. */
  static String asWritten(byte[] body) {
    return new String(body, ISO_8859_1);
  }

  private static String withoutMembers(String body) {
    String left = body;
    int start = left.indexOf(NAME + ":{");
    while (start >= 0) {
      left = cut(left, start, endOfObject(left, start + NAME.length() + 1));
      start = left.indexOf(NAME + ":{");
    }
    return left;
  }

  private static String withoutEntries(String body) {
    String left = body;
    int start = left.indexOf(NAME);
    while (start >= 0) {
      left = cut(left, start, start + NAME.length());
      start = left.indexOf(NAME);
    }
    return left;
  }

  /** Cuts a range and the one comma that came with it. */
  private static String cut(String text, int start, int end) {
    if (text.charAt(start - 1) == ',') {
      return text.substring(0, start - 1) + text.substring(end);
    }
    return text.substring(0, start) + text.substring(text.charAt(end) == ',' ? end + 1 : end);
  }

  private static int endOfObject(String text, int open) {
    int depth = 0;
    boolean inString = false;
    for (int i = open; i < text.length(); i++) {
      char c = text.charAt(i);
      if (inString) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          inString = false;
        }
      } else if (c == '"') {
        inString = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}') {
        depth--;
        if (depth == 0) {
          return i + 1;
        }
      }
    }
    throw new IllegalStateException("the verdict has no end");
  }

  private static Set<String> emptied(String body, String name, String empty) {
    Set<String> all = new LinkedHashSet<>();
    all.add(body);
    all.add(body.replace(name + empty, name + "null"));
    all.add(body.replaceAll("," + Pattern.quote(name + empty), ""));
    all.add(body.replaceAll(Pattern.quote(name + empty) + ",", ""));
    return all;
  }
}
