package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;

/**
 * A text as plain lines of words, whatever machines wrote it for: JSON and tables as fields by
 * name, one paragraph a record ({@link JsonLines}, {@link TableLines}), HTML, XML, entities,
 * escapes, Markdown and formulas as what they say ({@link MarkupText}). Prose is not touched.
 *
 * <p>Each byte knows the byte of the given text that it comes from. The time and the length are
 * linear in the text: at most {@value #MAX_GROWTH} times as long, and else the text itself.
 * Reusable scratch, for one thread; what {@link #text} says holds until the next one is read.
 */
public final class PlainText {
  /** How many times longer than the text given what is written may be. */
  static final int MAX_GROWTH = 8;

  private static final int FREE_BYTES = 1 << 16;

  /** What begins JSON, markup or a further line of a table, without which there is none. */
  private static final int[] MARKS_OF_STAGES = {1, 2, 4};

  private static final byte[] MARKS = new byte[256];

  static {
    "{[".chars().forEach(c -> MARKS[c] = 1);
    "&<>\\`~*_$".chars().forEach(c -> MARKS[c] = 2);
    MARKS['\n'] = 4;
  }

  private final Rewritten[] written = {new Rewritten(), new Rewritten(), new Rewritten()};
  private final JsonLines json = new JsonLines();
  private final MarkupText markup = new MarkupText(written[1]);
  private final TableLines tables = new TableLines();
  private final Rewritten[] stages = new Rewritten[written.length];
  private int count;
  private Utf8Span text = Utf8Span.EMPTY;
  private int length;

  /** Reads a text, which must not change while this is in use. */
  public void read(Utf8Span given) {
    count = 0;
    text = given;
    length = given.length();
    int marks = marks(given);
    long most = (long) MAX_GROWTH * given.length() + FREE_BYTES;
    for (int stage = 0; stage < written.length; stage++) {
      Rewritten out = written[stage];
      out.clear();
      if ((marks & MARKS_OF_STAGES[stage]) != 0 && write(stage, out) && out.size() <= most) {
        stages[count++] = out;
        text = out.text();
        marks = marks(text);
      }
    }
  }

  /** Which stages have something to look at: bits of all marks that there are. */
  private static int marks(Utf8Span text) {
    byte[] bytes = text.array();
    int to = text.arrayOffset() + text.length();
    int marks = 0;
    for (int i = text.arrayOffset(); i < to; i++) {
      marks |= MARKS[bytes[i] & 0xFF];
    }
    return marks;
  }

  private boolean write(int stage, Rewritten out) {
    byte[] bytes = text.array();
    int from = text.arrayOffset();
    int to = from + text.length();
    return switch (stage) {
      case 0 -> json.write(bytes, from, to, out);
      case 1 -> markup.write(bytes, from, to);
      default -> tables.write(bytes, from, to, out);
    };
  }

  /** What it says. */
  public Utf8Span text() {
    return text;
  }

  /** True if it is not what was given. */
  public boolean isChanged() {
    return count > 0;
  }

  /** True if it has rows of tables or fields of JSON, a paragraph each. */
  public boolean hasRecords() {
    return count > 0 && (stages[0] == written[0] || stages[count - 1] == written[2]);
  }

  /** Offset in the text given of the byte that a byte of {@link #text} comes from. */
  public int origin(int offset) {
    int at = offset;
    for (int stage = count - 1; stage >= 0; stage--) {
      at = stages[stage].origin(at);
    }
    return Math.max(0, Math.min(at, length - 1));
  }

  /** Offset in the text given after the last of the bytes that end before {@code offset}. */
  public int originEnd(int offset) {
    return offset == 0 ? 0 : origin(offset - 1) + 1;
  }

  /** Lets go of the text. */
  public void release() {
    count = 0;
    text = Utf8Span.EMPTY;
    for (Rewritten out : written) {
      out.clear();
    }
  }
}
