package dev.parlance.wire.json;

import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads one JSON document byte by byte, with its encoding checked before: what {@link JsonScanner}
 * has to say of every body.
 */
final class ReferenceScanner {
  private static final int MAX_NUMBER_BYTES = 1000;
  private static final int MAX_EXPONENT_DIGITS = 3;
  private static final boolean[] PLAIN = plainStringBytes();

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

  private final byte[] body;
  private final JsonScanner.Limits limits;
  private final ReferenceNames names;
  private int[] tape = new int[256 * JsonDocument.STRIDE];
  private int nodes;
  private int tokens;
  private int[] open = new int[16];
  private int depth;
  private int at;
  private WireFault fault = WireFault.BAD_JSON;
  private String detail = "";

  private ReferenceScanner(byte[] body, JsonScanner.Limits limits) {
    this.body = body;
    this.limits = limits;
    this.names = new ReferenceNames(body);
  }

  /** Scans a whole body; the document keeps the array. */
  static JsonScanner.Scan scan(byte[] body, JsonScanner.Limits limits) {
    Optional<String> encoding = Utf8.problem(body);
    if (encoding.isEmpty() && body.length >= 2 && (body[0] == 0 || body[1] == 0)) {
      encoding = Optional.of("UTF-16 or UTF-32; expected UTF-8");
    }
    if (encoding.isPresent()) {
      return new JsonScanner.Refused(WireFault.BAD_ENCODING, encoding.get());
    }
    ReferenceScanner scanner = new ReferenceScanner(body, limits);
    return scanner.run()
        ? new JsonScanner.Scanned(new JsonDocument(PlainBody.of(body), scanner.tape, scanner.nodes))
        : new JsonScanner.Refused(scanner.fault, scanner.detail);
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
      int repeated = names.firstRepeated(tape, node, nodes);
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
    return (kind & JsonDocument.KIND_MASK) == JsonDocument.NAME ? State.COLON : afterValue();
  }

  private State string(int kind) {
    int i = at + 1;
    int flags = 0;
    while (true) {
      while (i < body.length && PLAIN[body[i] & 0xff]) {
        i++;
      }
      if (i == body.length) {
        at = i;
        return syntax("unexpected end");
      }
      if (body[i] == '"') {
        return finish(kind | flags, i + 1);
      }
      if (body[i] != '\\') {
        at = i;
        return syntax("control character in a string");
      }
      int length = escapeLength(i);
      if (length < 0) {
        at = i;
        return syntax("bad escape in a string");
      }
      flags = JsonDocument.ESCAPED;
      i += length;
    }
  }

  /** Bytes of the escape that starts at {@code i}, or -1 if there is none that we accept. */
  private int escapeLength(int i) {
    if (i + 1 >= body.length) {
      return -1;
    }
    return switch (body[i + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
      case 'u' -> {
        int unit = JsonStrings.hex4(body, i + 2, body.length);
        if (unit < 0 || Character.isLowSurrogate((char) unit)) {
          yield -1;
        }
        if (!Character.isHighSurrogate((char) unit)) {
          yield 6;
        }
        if (i + 7 >= body.length || body[i + 6] != '\\' || body[i + 7] != 'u') {
          yield -1;
        }
        int second = JsonStrings.hex4(body, i + 8, body.length);
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

  private static boolean[] plainStringBytes() {
    boolean[] plain = new boolean[256];
    Arrays.fill(plain, 0x20, 256, true);
    plain['"'] = false;
    plain['\\'] = false;
    return plain;
  }
}
