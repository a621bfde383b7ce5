package dev.parlance.proxy.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads one JSON document (RFC 8259, nothing more lenient) in one pass without recursion, and
 * writes down where everything lies.
 *
 * <p>Stricter than the RFC where receivers are known to disagree: escaped surrogates must pair,
 * member names must differ (see {@link MemberNames}), and numbers are bounded in length and
 * exponent, because a receiver that reads {@code 1e999999} exactly needs a megabyte for it.
 *
 * <p>The same pass checks the encoding: inside strings every byte past ASCII is checked as it is
 * met, and anywhere else such a byte is a fault already. Strings are crossed eight bytes at a time.
 * What a scan needs while it runs belongs to the thread; a document gets a tape of its own, cut to
 * length.
 */
final class JsonScanner {
  private static final int MAX_NUMBER_BYTES = 1000;
  private static final int MAX_EXPONENT_DIGITS = 3;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x80 * ONES;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;
  private static final long SPACES = ' ' * ONES;
  private static final byte[] NOTHING = {};
  private static final int TAPE_NODES = 256;

  /** Longest tape that a thread keeps, in nodes. */
  private static final int MAX_KEPT_NODES = 8192;

  private static final ThreadLocal<JsonScanner> OF_THREAD =
      ThreadLocal.withInitial(JsonScanner::new);

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

  private final MemberNames names = new MemberNames();
  private byte[] body = NOTHING;
  private JsonLimits limits = JsonLimits.DEFAULT;
  private int[] tape = new int[TAPE_NODES * JsonDocument.STRIDE];
  private int nodes;
  private int tokens;
  private int[] open = new int[16];
  private int depth;
  private int at;
  private WireFault fault = WireFault.BAD_JSON;
  private String detail = "";

  private JsonScanner() {}

  /** Scans a whole body; the document keeps the array. */
  static JsonScan scan(byte[] body, JsonLimits limits) {
    JsonScanner scanner = OF_THREAD.get();
    scanner.body = body;
    scanner.limits = limits;
    try {
      return scanner.run() ? scanner.document() : scanner.refusal();
    } finally {
      scanner.clear();
    }
  }

  private JsonScan document() {
    int[] own = Arrays.copyOf(tape, nodes * JsonDocument.STRIDE);
    return new JsonScan.Scanned(new JsonDocument(body, own, nodes));
  }

  /** Whatever else is wrong, a body in another encoding is refused for that. */
  private JsonScan refusal() {
    Optional<String> encoding = Utf8.problem(body);
    if (encoding.isEmpty() && body.length >= 2 && (body[0] == 0 || body[1] == 0)) {
      encoding = Optional.of("UTF-16 or UTF-32; expected UTF-8");
    }
    return encoding.isPresent()
        ? new JsonScan.Refused(WireFault.BAD_ENCODING, encoding.get())
        : new JsonScan.Refused(fault, detail);
  }

  private void clear() {
    body = NOTHING;
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
    while (state != State.REFUSED) {
      skipWhitespace();
      if (at == body.length) {
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
    while (at < body.length) {
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
      int repeated = names.firstRepeated(body, tape, node, nodes);
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
    if (end > body.length) {
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
        flags == 0 ? Member.codeOf(body, from, end - 1) : JsonDocument.codeOf(body, from, end - 1);
    if (!add(JsonDocument.NAME | flags | code << JsonDocument.CODE_SHIFT, at, end)) {
      return State.REFUSED;
    }
    at = end;
    if (at < body.length && body[at] == ':') {
      at++;
      return State.VALUE;
    }
    return State.COLON;
  }

  private State string(int kind) {
    int i = at + 1;
    int flags = 0;
    while (true) {
      i = afterPlain(i);
      if (i == body.length) {
        at = i;
        return syntax("unexpected end");
      }
      byte b = body[i];
      if (b == '"') {
        return kind == JsonDocument.NAME ? finishName(flags, i + 1) : finish(kind | flags, i + 1);
      }
      int length;
      if (b == '\\') {
        length = escapeLength(i);
        flags |= JsonDocument.ESCAPED;
      } else if (b < 0) {
        length = Utf8.sequenceLength(body, i, body.length);
        flags |= JsonDocument.BEYOND_ASCII;
      } else {
        at = i;
        return syntax("control character in a string");
      }
      if (length < 0) {
        at = i;
        return syntax(b < 0 ? "invalid UTF-8" : "bad escape in a string");
      }
      i += length;
    }
  }

  /**
   * Where the next byte stands that is a quote, a backslash, a control character or past ASCII.
   *
   * <p>Of each byte one is taken (a space, for control characters), after a quote and a backslash
   * have been turned into 0; what falls below 0 gets its high bit set. A byte can borrow from the
   * next one only where it is itself found, so the lowest bit that is set tells the truth.
   */
  private int afterPlain(int from) {
    byte[] bytes = body;
    int i = from;
    int last = bytes.length - Long.BYTES;
    while (i <= last - Long.BYTES) {
      long found = notPlain((long) LONGS.get(bytes, i));
      long later = notPlain((long) LONGS.get(bytes, i + Long.BYTES));
      if ((found | later) != 0) {
        return found != 0
            ? i + (Long.numberOfTrailingZeros(found) >>> 3)
            : i + Long.BYTES + (Long.numberOfTrailingZeros(later) >>> 3);
      }
      i += 2 * Long.BYTES;
    }
    if (i <= last) {
      long found = notPlain((long) LONGS.get(bytes, i));
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      i += Long.BYTES;
    }
    while (i < bytes.length && isPlain(bytes[i])) {
      i++;
    }
    return i;
  }

  private static long notPlain(long word) {
    return (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES) | word)
        & HIGH_BITS;
  }

  private static boolean isPlain(byte b) {
    return b >= ' ' && b != '"' && b != '\\';
  }

  /** Bytes of the escape that starts at {@code i}, or -1 if there is none that we accept. */
  private int escapeLength(int i) {
    if (i + 1 >= body.length) {
      return -1;
    }
    return switch (body[i + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
      case 'u' -> {
        int unit = JsonDocument.hex4(body, i + 2);
        if (unit < 0 || Character.isLowSurrogate((char) unit)) {
          yield -1;
        }
        if (!Character.isHighSurrogate((char) unit)) {
          yield 6;
        }
        if (i + 7 >= body.length || body[i + 6] != '\\' || body[i + 7] != 'u') {
          yield -1;
        }
        int second = JsonDocument.hex4(body, i + 8);
        yield second >= 0 && Character.isLowSurrogate((char) second) ? 12 : -1;
      }
      default -> -1;
    };
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
    if (i < body.length && body[i] == '.') {
      int fraction = i + 1;
      i = digits(fraction);
      if (i == fraction) {
        return syntax("malformed number");
      }
    }
    if (i < body.length && (body[i] | 0x20) == 'e') {
      i++;
      if (i < body.length && (body[i] == '+' || body[i] == '-')) {
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
    while (i < body.length && body[i] >= '0' && body[i] <= '9') {
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
}
