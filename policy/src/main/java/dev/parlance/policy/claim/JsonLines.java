package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the JSON in a text as lines of fields: a line for each object, {@code part: impeller;
 * interval: 2000 hours}, with the objects that are members of it; objects of arrays and long texts
 * have lines of their own, behind it. What is no JSON stays as it is.
 *
 * <p>A value is looked for where a line begins with a brace or bracket. Each byte is tried at most
 * {@value #MAX_TRIES} times on average, so the time is linear.
 */
final class JsonLines {
  private static final int MAX_TRIES = 2;

  /** A string that is longer, or has lines, is no field of a row but a text. */
  private static final int MAX_FIELD_BYTES = 200;

  private static final int MAX_NAME = 256;
  private static final int MAX_NAMES = 256;

  /** Past so many times the text, values are written without their names. */
  private static final int MAX_GROWTH = 4;

  private final JsonTokens tokens = new JsonTokens();
  private final Rewritten unescaped = new Rewritten();
  private final Map<String, Fields.Name> names = new HashMap<>();
  private byte[] bytes = {};
  private int from;
  private Rewritten out = unescaped;
  private long mostNamed;
  private boolean begun;

  /** Writes {@code bytes[from, to)}; true if it has JSON. */
  boolean write(byte[] bytes, int from, int to, Rewritten out) {
    this.bytes = bytes;
    this.from = from;
    this.out = out;
    mostNamed = MAX_GROWTH * (long) (to - from) + MAX_NAME;
    long budget = (long) MAX_TRIES * (to - from) + MAX_TRIES;
    boolean any = false;
    int copied = from;
    for (int at = from; at < to && budget > 0; at++) {
      if ((bytes[at] == '{' || bytes[at] == '[') && beginsLine(at)) {
        boolean read = tokens.read(bytes, at, to);
        budget -= tokens.reached() - at + 1;
        if (read && isRecord() && endsLine(tokens.reached(), to)) {
          out.copy(bytes, copied, at, copied - from);
          out.line(at - from);
          value(0, "");
          copied = tokens.reached();
          at = copied - 1;
          any = true;
        }
      }
    }
    if (any) {
      out.copy(bytes, copied, to, copied - from);
    }
    tokens.release();
    names.clear();
    unescaped.clear();
    this.bytes = Utf8Span.EMPTY.array();
    return any;
  }

  private boolean beginsLine(int at) {
    int before = at - 1;
    while (before >= from && at - before < 64 && (bytes[before] == ' ' || bytes[before] == '\t')) {
      before--;
    }
    return before < from || bytes[before] == '\n';
  }

  private boolean endsLine(int at, int to) {
    int behind = at;
    while (behind < to && (bytes[behind] == ' ' || bytes[behind] == '\r' || bytes[behind] == ',')) {
      behind++;
    }
    // A marker may follow.
    return behind == to || bytes[behind] == '\n' || bytes[behind] == '[' || bytes[behind] == '(';
  }

  /** True if there is an object in it: anything else is said as well without being rewritten. */
  private boolean isRecord() {
    for (int token = 0; token < tokens.count(); token++) {
      if (tokens.kind(token) == JsonTokens.OBJECT) {
        return tokens.count() > 1;
      }
    }
    return false;
  }

  /** A value that is not a field: an object as a row, an array as rows. */
  private void value(int token, String prefix) {
    switch (tokens.kind(token)) {
      case JsonTokens.OBJECT -> {
        begun = false;
        fields(token, prefix);
        end(token);
        rest(token, prefix);
      }
      case JsonTokens.ARRAY -> {
        for (int entry = token + 1; entry < tokens.next(token); entry = tokens.next(entry)) {
          value(entry, prefix);
        }
      }
      default -> {
        begun = false;
        field(token, prefix, tokens.start(token) - from);
        end(token);
      }
    }
  }

  /** A row is a paragraph: a line might be taken for one that goes on. */
  private void end(int token) {
    if (begun) {
      out.put("\n\n", tokens.start(token) - from);
    }
  }

  /** The fields of a row. */
  private void fields(int object, String prefix) {
    for (int name = object + 1; name < tokens.next(object); name = tokens.next(name + 1)) {
      int value = name + 1;
      if (tokens.kind(value) == JsonTokens.OBJECT) {
        fields(value, under(prefix, name));
      } else if (isField(value)) {
        field(value, under(prefix, name), tokens.start(name) - from);
      }
    }
  }

  /** What is behind a row: its arrays of objects and its texts. */
  private void rest(int object, String prefix) {
    for (int name = object + 1; name < tokens.next(object); name = tokens.next(name + 1)) {
      int value = name + 1;
      if (tokens.kind(value) == JsonTokens.OBJECT) {
        rest(value, under(prefix, name));
      } else if (!isField(value)) {
        value(value, under(prefix, name));
      }
    }
  }

  private boolean isField(int value) {
    if (tokens.kind(value) == JsonTokens.ARRAY) {
      for (int entry = value + 1; entry < tokens.next(value); entry = tokens.next(entry)) {
        byte kind = tokens.kind(entry);
        if (kind == JsonTokens.OBJECT || kind == JsonTokens.ARRAY || !isShort(entry)) {
          return false;
        }
      }
      return true;
    }
    return isShort(value);
  }

  private boolean isShort(int value) {
    if (tokens.end(value) - tokens.start(value) > MAX_FIELD_BYTES) {
      return false;
    }
    for (int i = tokens.start(value); i < tokens.end(value) - 1; i++) {
      if (bytes[i] == '\\' && bytes[++i] == 'n') {
        return false;
      }
    }
    return true;
  }

  private String under(String prefix, int name) {
    int start = tokens.start(name) + 1;
    int end = Math.min(tokens.end(name) - 1, start + MAX_NAME);
    String own = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    return prefix.isEmpty() || prefix.length() > MAX_NAME ? own : Fields.words(prefix) + " " + own;
  }

  private void field(int value, String name, int nameOrigin) {
    if (tokens.kind(value) != JsonTokens.ARRAY) {
      one(value, name, nameOrigin, "; ");
      return;
    }
    if (tokens.next(value) == value + 1) {
      nothing(name, nameOrigin);
    }
    String label = name;
    for (int entry = value + 1; entry < tokens.next(value); entry = tokens.next(entry)) {
      one(entry, label, nameOrigin, label.isEmpty() ? ", " : "; ");
      label = "";
    }
  }

  private void one(int value, String name, int nameOrigin, String separator) {
    int start = tokens.start(value);
    int end = tokens.end(value);
    boolean string = tokens.kind(value) == JsonTokens.STRING;
    if (string ? end - start == 2 : bytes[start] == 'n') {
      if (!string) {
        nothing(name, nameOrigin);
      }
      return;
    }
    if (begun) {
      out.put(separator, nameOrigin);
    }
    begun = true;
    byte[] source = bytes;
    int origin = start - from;
    if (string) {
      start++;
      end--;
      origin++;
      if (hasEscape(start, end)) {
        unescape(start, end);
        text(name, nameOrigin, start);
        return;
      }
    }
    if (name.isEmpty() || out.size() > mostNamed) {
      out.copy(source, start, end, origin);
    } else {
      Fields.write(out, known(name), nameOrigin, source, start, end, origin);
    }
  }

  /** A field that holds nothing: {@code alerts: no}. */
  private void nothing(String name, int nameOrigin) {
    if (name.isEmpty() || out.size() > mostNamed) {
      return;
    }
    if (begun) {
      out.put("; ", nameOrigin);
    }
    begun = true;
    out.put(known(name).words() + ": no", nameOrigin);
  }

  private Fields.Name known(String name) {
    if (names.size() >= MAX_NAMES) {
      names.clear();
    }
    return names.computeIfAbsent(name, Fields.Name::of);
  }

  private boolean hasEscape(int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\\') {
        return true;
      }
    }
    return false;
  }

  /** A string that had escapes. */
  private void text(String name, int nameOrigin, int start) {
    if (!name.isEmpty() && out.size() <= mostNamed) {
      out.put(known(name).words() + ": ", nameOrigin);
    }
    out.append(unescaped, start - from);
  }

  private void unescape(int start, int end) {
    unescaped.clear();
    int copied = start;
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\\') {
        unescaped.copy(bytes, copied, i, copied - start);
        int width = Escapes.write(bytes, i, end, unescaped, i - start);
        i += width - 1;
        copied = i + 1;
      }
    }
    unescaped.copy(bytes, copied, end, copied - start);
  }
}
