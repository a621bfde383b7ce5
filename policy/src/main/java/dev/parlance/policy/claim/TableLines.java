package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes tables as a paragraph of fields for each row, {@code model: X200; price: 340 EUR}: tables
 * of Markdown, records with a head whose fields are parted by tabs, semicolons, bars or commas, and
 * columns of at least three names below each other, parted by two blanks or more. So no value can
 * be read as that of another row. Lines without a head stay as they are.
 *
 * <p>The names of a head are written for each row; past {@value #MAX_GROWTH} times the text rows
 * are written without them. Linear.
 */
final class TableLines {
  private static final int MAX_GROWTH = 4;
  private static final int MAX_HEAD_BYTES = 2000;
  private static final int MAX_NAME_BYTES = 60;

  /** Least lines of a table whose fields are parted by commas, which prose has, too. */
  private static final int MIN_COMMA_LINES = 3;

  /** Two blanks or more, in a table whose columns stand below each other: what programs print. */
  private static final byte BLANKS = 1;

  private static final int MIN_ALIGNED_FIELDS = 3;
  private static final byte[] SEPARATORS = {'\t', ';', '|', ',', BLANKS};

  /** A bit for each of them. */
  private static final byte[] SEPARATING = new byte[128];

  static {
    for (int i = 0; i < SEPARATORS.length; i++) {
      SEPARATING[SEPARATORS[i]] = (byte) (1 << i);
    }
  }

  private final List<String> names = new ArrayList<>();
  private final List<Fields.Name> columns = new ArrayList<>();
  private byte[] bytes = {};
  private int from;
  private int to;
  private Rewritten out = new Rewritten();

  /** Writes {@code bytes[from, to)}; true if it has a table. */
  boolean write(byte[] bytes, int from, int to, Rewritten out) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.out = out;
    boolean any = false;
    int copied = from;
    int line = from;
    while (line < to) {
      int end = lineEnd(line);
      byte separator = separator(line, end);
      if (separator != 0) {
        out.copy(bytes, copied, line, copied - from);
        line = table(line, end, separator);
        copied = line;
        any = true;
      } else {
        line = end + 1;
      }
    }
    if (any) {
      out.copy(bytes, copied, to, copied - from);
    }
    this.bytes = Utf8Span.EMPTY.array();
    names.clear();
    columns.clear();
    return any;
  }

  private int lineEnd(int line) {
    int end = line;
    while (end < to && bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  /** What parts the fields of a line that is the head of a table; 0 if it is none. */
  private byte separator(int line, int end) {
    if (end - line > MAX_HEAD_BYTES || end >= to) {
      return 0;
    }
    int there = separators(line, end);
    if (there == 0) {
      return 0;
    }
    int second = end + 1;
    int secondEnd = lineEnd(second);
    for (byte separator : SEPARATORS) {
      if ((there & SEPARATING[separator]) == 0) {
        continue;
      }
      int fields = fields(line, end, separator);
      if (fields >= 2) {
        if (separator == '|' && isRule(second, secondEnd)) {
          return head(line, end, separator) ? separator : 0;
        }
        boolean alike =
            secondEnd - second <= MAX_HEAD_BYTES && fields(second, secondEnd, separator) == fields;
        if (alike && separator == ',') {
          int third = Math.min(to, secondEnd + 1);
          alike =
              fields >= MIN_COMMA_LINES
                  || fields(third, Math.min(lineEnd(third), third + MAX_HEAD_BYTES), separator)
                      == fields;
        }
        if (separator == BLANKS) {
          alike &= fields >= MIN_ALIGNED_FIELDS && isAligned(line, end, second, secondEnd);
        }
        if (alike && head(line, end, separator) && isHead()) {
          return separator;
        }
      }
    }
    return 0;
  }

  /**
   * Which separators a line has, as bits of {@link #SEPARATING}; no comma if a blank follows one.
   */
  private int separators(int line, int end) {
    int there = 0;
    boolean tight = true;
    for (int i = line; i < end; i++) {
      byte b = bytes[i];
      if (b == ' ') {
        there |= i > line && bytes[i - 1] == ' ' ? SEPARATING[BLANKS] : 0;
      } else if (b > BLANKS && SEPARATING[b] != 0) {
        there |= SEPARATING[b];
        tight &= b != ',' || i + 1 == end || bytes[i + 1] != ' ';
      }
    }
    return tight ? there : there & ~SEPARATING[','];
  }

  /** Number of fields of a line. */
  private int fields(int line, int end, byte separator) {
    int count = 0;
    int at = separator == BLANKS ? first(line, end) : line;
    int stop = separator == BLANKS ? last(line, end) : end;
    while (at <= stop && line < end) {
      at = fieldEnd(at, stop, separator) + 1;
      count++;
    }
    return separator == '|' ? count - edges(line, end) : count;
  }

  /** Bars at the edges of a row of Markdown, outside of which there is no field. */
  private int edges(int line, int end) {
    return (first(line, end) < end && bytes[first(line, end)] == '|' ? 1 : 0)
        + (last(line, end) > line && bytes[last(line, end) - 1] == '|' ? 1 : 0);
  }

  private int first(int line, int end) {
    int first = line;
    while (first < end && (bytes[first] == ' ' || bytes[first] == '\t')) {
      first++;
    }
    return first;
  }

  private int last(int line, int end) {
    int last = end;
    while (last > line && (bytes[last - 1] == ' ' || bytes[last - 1] == '\r')) {
      last--;
    }
    return last;
  }

  /** True if each field of two lines begins, or ends, in the same column. */
  private boolean isAligned(int line, int end, int second, int secondEnd) {
    int at = first(line, end);
    int below = first(second, secondEnd);
    int stop = last(line, end);
    int stopBelow = last(second, secondEnd);
    boolean aligned = true;
    while (aligned && at <= stop && below <= stopBelow) {
      int next = fieldEnd(at, stop, BLANKS);
      int nextBelow = fieldEnd(below, stopBelow, BLANKS);
      aligned =
          at - line == below - second || last(at, next) - line == last(below, nextBelow) - second;
      at = next + 1;
      below = nextBelow + 1;
    }
    return aligned;
  }

  /** Index of the last of the blanks behind a field. */
  private int blanksEnd(int start, int end) {
    int at = start;
    while (at < end && !(bytes[at] == ' ' && at + 1 < end && bytes[at + 1] == ' ')) {
      at++;
    }
    while (at + 1 < end && bytes[at] == ' ' && bytes[at + 1] == ' ') {
      at++;
    }
    return at;
  }

  private int fieldEnd(int start, int end, byte separator) {
    if (separator == BLANKS) {
      return blanksEnd(start, end);
    }
    int at = start;
    if (at < end && bytes[at] == '"') {
      do {
        at++;
        if (at + 1 < end && bytes[at] == '"' && bytes[at + 1] == '"') {
          at += 2;
        }
      } while (at < end && bytes[at] != '"');
    }
    while (at < end && bytes[at] != separator) {
      at++;
    }
    return at;
  }

  /** The line under the head of a table of Markdown. */
  private boolean isRule(int line, int end) {
    boolean any = false;
    for (int i = line; i < end; i++) {
      if ("|:- \r".indexOf(bytes[i]) < 0) {
        return false;
      }
      any |= bytes[i] == '-';
    }
    return any;
  }

  /** Takes up the names of a head. */
  private boolean head(int line, int end, byte separator) {
    names.clear();
    row(
        line,
        end,
        separator,
        (start, stop) -> names.add(new String(bytes, start, stop - start, StandardCharsets.UTF_8)));
    return true;
  }

  /** True if each field is a name: short, with a letter, no sentence, and not twice. */
  private boolean isHead() {
    Set<String> different = new HashSet<>();
    for (String name : names) {
      boolean letter = name.chars().anyMatch(Character::isLetter);
      boolean text = name.chars().anyMatch(c -> ".!?:".indexOf(c) >= 0);
      if (!letter
          || text
          || name.length() > MAX_NAME_BYTES
          || Character.isDigit(name.charAt(0))
          || !different.add(name)) {
        return false;
      }
    }
    return true;
  }

  /** What is done with a field, without blanks and quotes round it. */
  private interface Field {
    void take(int start, int stop);
  }

  private void row(int line, int end, byte separator, Field field) {
    int last = last(line, end);
    int at = separator == '|' || separator == BLANKS ? first(line, end) : line;
    if (separator == '|') {
      at += at < last && bytes[at] == '|' ? 1 : 0;
      last -= last > at && bytes[last - 1] == '|' ? 1 : 0;
    }
    while (at <= last) {
      int stop = fieldEnd(at, last, separator);
      int start = first(at, stop);
      int trimmed = last(start, stop);
      if (trimmed - start >= 2 && bytes[start] == '"' && bytes[trimmed - 1] == '"') {
        start++;
        trimmed--;
      }
      field.take(start, trimmed);
      at = stop + 1;
    }
  }

  /** Writes the rows; the line after the last one. */
  private int table(int head, int headEnd, byte separator) {
    columns.clear();
    names.forEach(name -> columns.add(Fields.Name.of(name)));
    int line = headEnd + 1;
    boolean rows = false;
    out.line(head - from);
    while (line < to) {
      int end = lineEnd(line);
      if (separator == '|' && isRule(line, end)) {
        line = Math.min(to, end + 1);
        continue;
      }
      int fields = fields(line, end, separator);
      if (fields != columns.size() && !(separator == '|' && fields >= 2)) {
        break;
      }
      write(line, end, separator, head);
      rows = true;
      line = Math.min(to, end + 1);
    }
    if (!rows) {
      out.copy(bytes, head, headEnd, head - from);
      out.put("\n", headEnd - from);
    }
    return line;
  }

  private void write(int line, int end, byte separator, int head) {
    boolean named = out.size() < MAX_GROWTH * (long) (to - from) + MAX_HEAD_BYTES;
    int[] column = {0};
    row(
        line,
        end,
        separator,
        (start, stop) -> {
          int place = column[0]++;
          if (start < stop) {
            if (out.last() != '\n') {
              out.put("; ", start - from);
            }
            if (named && place < columns.size() && !columns.get(place).words().isEmpty()) {
              Fields.write(out, columns.get(place), head - from, bytes, start, stop, start - from);
            } else {
              out.copy(bytes, start, stop, start - from);
            }
          }
        });
    // A paragraph: a line might be taken for one that goes on.
    out.line(end - from);
    out.put("\n", end - from);
  }
}
