package dev.parlance.wire.json;

import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads one JSON document (RFC 8259, nothing more lenient) in one pass without recursion, and
 * writes down where everything lies.
 *
 * <p>Stricter than the RFC where receivers are known to disagree: escaped surrogates must pair,
 * member names must differ (see {@link DuplicateNames}), and numbers are bounded in length and
 * exponent, because a receiver that reads {@code 1e999999} exactly needs a megabyte for it. A byte
 * order mark before the document is skipped, as the RFC allows (section 8.1).
 *
 * <p>The same pass checks the encoding: inside strings every byte past ASCII is checked as it is
 * met, and anywhere else such a byte is a fault already. Strings are crossed eight bytes at a time.
 * What a scan needs while it runs belongs to the thread; a document gets a tape of its own.
 */
public final class JsonScanner {
  private static final int MAX_NUMBER_BYTES = 1000;
  private static final int MAX_EXPONENT_DIGITS = 3;
  private static final byte[] NOTHING = {};
  private static final int TAPE_NODES = 256;

  /** Longest tape that a thread keeps, in nodes. */
  private static final int MAX_KEPT_NODES = 8192;

  private static final ThreadLocal<JsonScanner> OF_THREAD =
      ThreadLocal.withInitial(JsonScanner::new);

  /** What came of scanning bytes as JSON. */
  public sealed interface Scan {}

  /**
   * A well-formed document.
   *
   * @param document where everything lies
   */
  public record Scanned(JsonDocument document) implements Scan {}

  /**
   * Not JSON as we accept it.
   *
   * @param fault the kind of fault
   * @param detail for the peer, with a byte offset and never with body text
   */
  public record Refused(WireFault fault, String detail) implements Scan {
    /** The same as the outcome of reading a message. */
    public <V> Reading<V> asReading() {
      return new Reading.Malformed<>(fault, detail);
    }
  }

  /** What may stand next. */
  private enum State {
    VALUE,
    FIRST_VALUE,
    NAME,
    FIRST_NAME,
    COLON,
    SEPARATOR,
    END,
    REFUSED
  }

  private final DuplicateNames names = new DuplicateNames();
  private byte[] body = NOTHING;

  /** Bytes of the body; the array may be longer. */
  private int length;

  private Limits limits = Limits.DEFAULT;
  private int[] tape = new int[TAPE_NODES * JsonDocument.STRIDE];
  private int nodes;
  private int tokens;
  private int[] open = new int[16];
  private int depth;
  private int at;
  private WireFault fault = WireFault.BAD_JSON;
  private String detail = "";

  private JsonScanner() {}

  /** Scans a whole body of bytes that nobody else has; the document keeps the array. */
  public static Scan scan(byte[] body, Limits limits) {
    return scan(PlainBody.of(body), limits);
  }

  /** Scans a whole body; the document keeps it, and has its tape in the memory of it. */
  public static Scan scan(PlainBody body, Limits limits) {
    JsonScanner scanner = OF_THREAD.get();
    scanner.body = body.array();
    scanner.length = body.length();
    scanner.limits = limits;
    try {
      return scanner.run() ? scanner.document(body) : scanner.refusal();
    } finally {
      scanner.clear();
    }
  }

  private Scan document(PlainBody scanned) {
    int[] own = scanned.memory().ints(nodes * JsonDocument.STRIDE);
    System.arraycopy(tape, 0, own, 0, nodes * JsonDocument.STRIDE);
    return new Scanned(new JsonDocument(scanned, own, nodes));
  }

  /** Whatever else is wrong, a body in another encoding is refused for that. */
  private Scan refusal() {
    Optional<String> encoding = Utf8.problem(body, length);
    if (encoding.isEmpty() && length >= 2 && (body[0] == 0 || body[1] == 0)) {
      encoding = Optional.of("UTF-16 or UTF-32; expected UTF-8");
    }
    return encoding.isPresent()
        ? new Refused(WireFault.BAD_ENCODING, encoding.get())
        : new Refused(fault, detail);
  }

  private void clear() {
    body = NOTHING;
    length = 0;
    nodes = 0;
    tokens = 0;
    depth = 0;
    at = 0;
    if (tape.length > MAX_KEPT_NODES * JsonDocument.STRIDE) {
      tape = new int[TAPE_NODES * JsonDocument.STRIDE];
    }
    names.clear();
  }

  private boolean run() {
    State state = State.VALUE;
    at = Utf8.markBytes(body, length);
    while (state != State.REFUSED) {
      skipWhitespace();
      if (at == length) {
        if (state == State.END) {
          return true;
        }
        state = syntax("unexpected end");
      } else {
        byte b = body[at];
        state =
            switch (state) {
              case VALUE -> value(b);
              case FIRST_VALUE -> b == ']' ? close() : value(b);
              case NAME -> name(b);
              case FIRST_NAME -> b == '}' ? close() : name(b);
              case COLON -> colon(b);
              case SEPARATOR -> separator(b);
              case END -> syntax("bytes after the document");
              case REFUSED -> State.REFUSED;
            };
      }
    }
    return false;
  }

  private void skipWhitespace() {
    while (at < length) {
      byte b = body[at];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return;
      }
      at++;
    }
  }

  private State value(byte b) {
    return switch (b) {
      case '{' -> open(JsonDocument.OBJECT, State.FIRST_NAME);
      case '[' -> open(JsonDocument.ARRAY, State.FIRST_VALUE);
      case '"' -> string(JsonDocument.STRING);
      case 't' -> literal("true", JsonDocument.TRUE);
      case 'f' -> literal("false", JsonDocument.FALSE);
      case 'n' -> literal("null", JsonDocument.NULL);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> syntax("expected a value");
    };
  }

  private State name(byte b) {
    return b == '"' ? string(JsonDocument.NAME) : syntax("expected a member name");
  }

  private State colon(byte b) {
    if (b != ':') {
      return syntax("expected ':'");
    }
    at++;
    return State.VALUE;
  }

  private State separator(byte b) {
    boolean inObject = tape[open[depth - 1] * JsonDocument.STRIDE] == JsonDocument.OBJECT;
    if (b == ',') {
      at++;
      return inObject ? State.NAME : State.VALUE;
    }
    return b == (inObject ? '}' : ']')
        ? close()
        : syntax("expected ',' or the end of the container");
  }

  private State open(int kind, State next) {
    if (depth == limits.depth()) {
      return limit("nested deeper than " + limits.depth());
    }
    if (depth == open.length) {
      open = Arrays.copyOf(open, depth * 2);
    }
    open[depth++] = nodes;
    if (!add(kind, at, at + 1)) {
      return State.REFUSED;
    }
    at++;
    return next;
  }

  private State close() {
    if (!countToken()) {
      return State.REFUSED;
    }
    int node = open[--depth];
    int base = node * JsonDocument.STRIDE;
    at++;
    tape[base + JsonDocument.END] = at;
    tape[base + JsonDocument.SKIP] = nodes;
    if (tape[base] == JsonDocument.OBJECT) {
      int repeated = names.firstRepeated(body, tape, node, nodes, open, depth);
      if (repeated != JsonDocument.NONE) {
        int start = tape[repeated * JsonDocument.STRIDE + JsonDocument.START];
        fault = WireFault.DUPLICATE_KEY;
        detail =
            "member name repeated in one object, at byte " + start + "; expected distinct names";
        return State.REFUSED;
      }
    }
    return afterValue();
  }

  private State afterValue() {
    return depth == 0 ? State.END : State.SEPARATOR;
  }

  private State literal(String word, int kind) {
    int end = at + word.length();
    if (end > length) {
      return syntax("expected a value");
    }
    for (int i = 0; i < word.length(); i++) {
      if (body[at + i] != word.charAt(i)) {
        return syntax("expected a value");
      }
    }
    return finish(kind, end);
  }

  private State finish(int kind, int end) {
    if (!add(kind, at, end)) {
      return State.REFUSED;
    }
    at = end;
    return afterValue();
  }

  private State finishName(int flags, int end) {
    int from = at + 1;
    int code =
        flags == 0
            ? MemberName.codeOf(body, from, end - 1)
            : JsonDocument.codeOf(body, from, end - 1);
    if (!add(JsonDocument.NAME | flags | code << JsonDocument.CODE_SHIFT, at, end)) {
      return State.REFUSED;
    }
    at = end;
    if (at < length && body[at] == ':') {
      at++;
      return State.VALUE;
    }
    return State.COLON;
  }

  private State string(int kind) {
    int i = at + 1;
    int flags = 0;
    while (true) {
      i = JsonStrings.afterPlain(body, i, length);
      if (i == length) {
        at = i;
        return syntax("unexpected end");
      }
      byte b = body[i];
      if (b == '"') {
        return kind == JsonDocument.NAME ? finishName(flags, i + 1) : finish(kind | flags, i + 1);
      }
      int bytes;
      if (b == '\\') {
        bytes = JsonStrings.escapeLength(body, i, length);
        flags |= JsonDocument.ESCAPED;
      } else if (b < 0) {
        bytes = Utf8.sequenceLength(body, i, length);
        flags |= JsonDocument.BEYOND_ASCII;
      } else {
        at = i;
        return syntax("control character in a string");
      }
      if (bytes < 0) {
        at = i;
        return syntax(b < 0 ? "invalid UTF-8" : "bad escape in a string");
      }
      i += bytes;
    }
  }

  private State number() {
    int i = at;
    if (body[i] == '-') {
      i++;
    }
    int integer = i;
    i = digits(i);
    if (i == integer || (body[integer] == '0' && i > integer + 1)) {
      return syntax("malformed number");
    }
    if (i < length && body[i] == '.') {
      int fraction = i + 1;
      i = digits(fraction);
      if (i == fraction) {
        return syntax("malformed number");
      }
    }
    if (i < length && (body[i] | 0x20) == 'e') {
      i++;
      if (i < length && (body[i] == '+' || body[i] == '-')) {
        i++;
      }
      int exponent = i;
      i = digits(exponent);
      if (i == exponent) {
        return syntax("malformed number");
      }
      while (exponent < i && body[exponent] == '0') {
        exponent++;
      }
      if (i - exponent > MAX_EXPONENT_DIGITS) {
        return limit("exponent of more than " + MAX_EXPONENT_DIGITS + " digits");
      }
    }
    return i - at > MAX_NUMBER_BYTES
        ? limit("number longer than " + MAX_NUMBER_BYTES + " bytes")
        : finish(JsonDocument.NUMBER, i);
  }

  private int digits(int from) {
    int i = from;
    while (i < length && body[i] >= '0' && body[i] <= '9') {
      i++;
    }
    return i;
  }

  private boolean countToken() {
    if (tokens == limits.tokens()) {
      limit("more than " + limits.tokens() + " tokens");
      return false;
    }
    tokens++;
    return true;
  }

  private boolean add(int kind, int start, int end) {
    if (!countToken()) {
      return false;
    }
    int base = nodes * JsonDocument.STRIDE;
    if (base == tape.length) {
      tape = Arrays.copyOf(tape, base * 2);
    }
    nodes++;
    tape[base] = kind;
    tape[base + JsonDocument.START] = start;
    tape[base + JsonDocument.END] = end;
    tape[base + JsonDocument.SKIP] = nodes;
    return true;
  }

  private State syntax(String what) {
    fault = WireFault.BAD_JSON;
    detail = what + " at byte " + at + "; expected one JSON document (RFC 8259)";
    return State.REFUSED;
  }

  private State limit(String what) {
    fault = WireFault.JSON_LIMIT;
    detail = what + " at byte " + at;
    return State.REFUSED;
  }

  /**
   * Bounds of one JSON document.
   *
   * @param depth deepest nesting of objects and arrays, 1 or more
   * @param tokens most tokens (names, values, brackets), 1 or more
   */
  public record Limits(int depth, int tokens) {
    /** The defaults of docs/limits.md. */
    public static final Limits DEFAULT = new Limits(64, 100_000);

    /** Refuses bounds below 1. */
    public Limits {
      if (depth < 1 || tokens < 1) {
        throw new IllegalArgumentException(
            "expected bounds of at least 1, got depth " + depth + ", tokens " + tokens);
      }
    }
  }
}
