package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * Writes a text without its markup: entities and escapes as what they stand for, tags as {@link
 * TagText} does, without the marks of emphasis and of code, formulas without the commands of TeX.
 * Code between fences stays as it is. Linear; each mark looks at most {@value #MAX_SPAN_BYTES}
 * bytes ahead, and only once to a line.
 */
final class MarkupText {
  private static final int MAX_SPAN_BYTES = 512;
  private static final int MAX_INFO_BYTES = 24;
  private static final int MAX_COMMAND_BYTES = 16;
  private static final int MAX_PATH_BYTES = 128;

  /** Commands of TeX and what they print. */
  private static final Map<String, String> COMMANDS =
      Map.ofEntries(
          Map.entry("times", "\u00d7"),
          Map.entry("cdot", "\u00b7"),
          Map.entry("div", "\u00f7"),
          Map.entry("pm", "\u00b1"),
          Map.entry("le", "\u2264"),
          Map.entry("leq", "\u2264"),
          Map.entry("ge", "\u2265"),
          Map.entry("geq", "\u2265"),
          Map.entry("ne", "\u2260"),
          Map.entry("neq", "\u2260"),
          Map.entry("lt", "<"),
          Map.entry("gt", ">"),
          Map.entry("approx", "\u2248"),
          Map.entry("sim", "~"),
          Map.entry("infty", "\u221e"),
          Map.entry("to", "\u2192"),
          Map.entry("rightarrow", "\u2192"),
          Map.entry("sqrt", "\u221a"),
          Map.entry("sum", "\u2211"),
          Map.entry("degree", "\u00b0"),
          Map.entry("circ", "\u00b0"),
          Map.entry("celsius", "\u00b0C"),
          Map.entry("mu", "\u00b5"),
          Map.entry("Omega", "\u03a9"),
          Map.entry("Delta", "\u0394"),
          Map.entry("alpha", "\u03b1"),
          Map.entry("beta", "\u03b2"),
          Map.entry("gamma", "\u03b3"),
          Map.entry("delta", "\u03b4"),
          Map.entry("lambda", "\u03bb"),
          Map.entry("pi", "\u03c0"),
          Map.entry("rho", "\u03c1"),
          Map.entry("sigma", "\u03c3"),
          Map.entry("tau", "\u03c4"),
          Map.entry("theta", "\u03b8"),
          Map.entry("nu", "\u03bd"),
          Map.entry("eta", "\u03b7"),
          Map.entry("euro", "\u20ac"),
          Map.entry("quad", " "),
          Map.entry("left", ""),
          Map.entry("right", ""),
          Map.entry("text", ""),
          Map.entry("mathrm", ""),
          Map.entry("textbf", ""),
          Map.entry("mathbf", ""),
          Map.entry("textit", ""),
          Map.entry("rm", ""),
          Map.entry("operatorname", ""),
          Map.entry("frac", ""),
          Map.entry("dfrac", ""),
          Map.entry("displaystyle", ""),
          Map.entry("ldots", "..."),
          Map.entry("dots", "..."));

  private static final Set<String> FRACTIONS = Set.of("frac", "dfrac");

  private final Rewritten out;
  private final TagText tags;
  private byte[] bytes = {};
  private int from;
  private int to;

  /** Where the formula ends that this is in. */
  private int formulaEnd;

  /** Where the backslash stands that closes one. */
  private int formulaClose;

  /** Braces of fractions: where the first one closes. */
  private int numeratorEnd;

  private final Emphasis emphasis = new Emphasis();
  private int copied;
  private boolean changed;

  MarkupText(Rewritten out) {
    this.out = out;
    tags = new TagText(out);
  }

  /** Writes {@code bytes[from, to)}; true if that changed anything. */
  boolean write(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    formulaEnd = from;
    formulaClose = -1;
    numeratorEnd = -1;
    emphasis.begin(from);
    copied = from;
    changed = false;
    tags.begin(bytes, from, to);
    int at = from;
    while (at < to) {
      at +=
          switch (bytes[at]) {
            case '&' -> entity(at);
            case '<' -> tag(at);
            case '-' -> comment(at);
            case '\\' -> backslash(at);
            case '`', '~' -> code(at);
            case '*', '_' -> emphasis(at);
            case '$' -> dollar(at);
            case '{', '}' -> brace(at);
            default -> 1;
          };
    }
    if (changed) {
      copyTo(to);
    }
    this.bytes = Utf8Span.EMPTY.array();
    return changed;
  }

  private void copyTo(int at) {
    if (at > copied) {
      out.copy(bytes, copied, at, copied - from);
    }
    changed = true;
  }

  /** Puts a text in the place of the next {@code width} bytes. */
  private int replace(int at, int width, String text) {
    copyTo(at);
    out.put(text, at - from);
    copied = at + width;
    return width;
  }

  private int entity(int at) {
    int read = Markup.entity(bytes, at, to);
    if (read == 0) {
      return 1;
    }
    int codePoint = read & (1 << 21) - 1;
    return replace(at, read >> 21, codePoint == 0xA0 ? " " : Character.toString(codePoint));
  }

  private int tag(int at) {
    byte next = at + 1 < to ? bytes[at + 1] : (byte) ' ';
    if (next != '/' && next != '!' && next != '?' && !(next > 0 && Character.isLetter(next))) {
      return 1;
    }
    // A tag looks at what is written before it.
    copyTo(at);
    copied = at;
    int width = tags.write(bytes, from, at, to);
    copied = at + width;
    return Math.max(1, width);
  }

  private int comment(int at) {
    boolean ends = at + 2 < to && bytes[at + 1] == '-' && bytes[at + 2] == '>';
    return ends ? replace(at, 3, " ") : 1;
  }

  private int backslash(int at) {
    if (at + 1 >= to) {
      return 1;
    }
    byte next = bytes[at + 1];
    if (at == formulaClose) {
      return replace(at, 2, " ");
    }
    if (Escapes.hex(bytes, at, to) >= 0) {
      copyTo(at);
      copied = at + Escapes.write(bytes, at, to, out, at - from);
      return copied - at;
    }
    if (next == '(' || (next == '[' && at + 2 < to && bytes[at + 2] <= ' ')) {
      int end = formulaEnd(at + 2, next == '(' ? "\\)" : "\\]");
      if (end >= 0) {
        formulaEnd = end;
        formulaClose = end;
        return replace(at, 2, " ");
      }
    }
    if (next >= '!' && next <= '~' && !Character.isLetterOrDigit(next)) {
      boolean space = next == ',' || next == ';' || next == ':' || next == '!';
      if (at < formulaEnd && space) {
        return replace(at, 2, " ");
      }
      if (next == '\\') {
        // A path of Windows begins so, and a line of a formula ends so.
        return at < formulaEnd ? replace(at, 2, " ") : 2;
      }
      replace(at, 1, "");
      return 2;
    }
    String command = command(at + 1);
    if (COMMANDS.containsKey(command) && (at < formulaEnd || !isInPath(at))) {
      return command(at, command);
    }
    boolean blank = next == 'n' || next == 't' || next == 'r';
    return blank && !isInPath(at) ? replace(at, 2, next == 't' ? " " : "\n") : 1;
  }

  private int command(int at, String command) {
    int width = 1 + command.length();
    int open = at + width;
    boolean braced = open < to && bytes[open] == '{';
    int end = braced ? groupEnd(open) : -1;
    if (end >= 0) {
      formulaEnd = Math.max(formulaEnd, end + 1);
      if (FRACTIONS.contains(command) && end + 1 < to && bytes[end + 1] == '{') {
        numeratorEnd = end;
        formulaEnd = Math.max(formulaEnd, Math.max(end, groupEnd(end + 1)) + 1);
      }
    } else if (COMMANDS.getOrDefault(command, "").isEmpty() && at >= formulaEnd) {
      return 1;
    }
    return replace(at, width, COMMANDS.getOrDefault(command, ""));
  }

  private String command(int from) {
    int end = from;
    while (end < to
        && end - from < MAX_COMMAND_BYTES
        && bytes[end] >= 0
        && Character.isLetter(bytes[end])) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.US_ASCII);
  }

  /** True within a word that has a drive, a share or a further backslash that is no escape. */
  private boolean isInPath(int at) {
    int start = at;
    while (start > from
        && at - start < MAX_PATH_BYTES
        && bytes[start - 1] > ' '
        && bytes[start - 1] != '"') {
      start--;
    }
    for (int i = start; i + 1 < at; i++) {
      if (bytes[i + 1] == '\\' && (bytes[i] == ':' || bytes[i] == '\\')) {
        return true;
      }
    }
    return at > from && bytes[at - 1] == ':';
  }

  private int formulaEnd(int start, String close) {
    int most = Math.min(to - 1, start + MAX_SPAN_BYTES);
    for (int i = start; i < most; i++) {
      if (bytes[i] == '\\' && bytes[i + 1] == close.charAt(1)) {
        return i;
      }
      if (bytes[i] == '\\' && bytes[i + 1] == bytes[start - 1]) {
        return -1;
      }
    }
    return -1;
  }

  private int groupEnd(int open) {
    int most = Math.min(to, open + MAX_SPAN_BYTES);
    int depth = 0;
    for (int i = open; i < most; i++) {
      depth += bytes[i] == '{' ? 1 : bytes[i] == '}' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }

  /** Braces of a formula; of a fraction, the bar between the two. */
  private int brace(int at) {
    if (at >= formulaEnd) {
      return 1;
    }
    return replace(at, 1, at == numeratorEnd ? "/" : "");
  }

  /** A formula between dollars, not an amount: it has a command, an exponent or an index. */
  private int dollar(int at) {
    if (at < formulaEnd) {
      return replace(at, 1, "");
    }
    int width = at + 1 < to && bytes[at + 1] == '$' ? 2 : 1;
    int most = Math.min(to, at + MAX_SPAN_BYTES);
    boolean formula = width == 2;
    for (int i = at + width; i < most && bytes[i] != '\n'; i++) {
      if (bytes[i] == '$') {
        if (formula) {
          formulaEnd = i + width;
          return replace(at, width, "");
        }
        return 1;
      }
      formula |= bytes[i] == '\\' || bytes[i] == '^' || bytes[i] == '_';
    }
    return 1;
  }

  /** A fence of code, or the marks round code within a line. */
  private int code(int at) {
    byte mark = bytes[at];
    int width = run(at);
    if (width >= 3 && beginsLine(at)) {
      int line = lineEnd(at);
      int close = fenceEnd(line, mark);
      boolean named = line - at - width <= MAX_INFO_BYTES;
      replace(at, named ? line - at : width, "");
      if (close < 0) {
        return copied - at;
      }
      copyTo(close);
      copied = close + run(close);
      return copied - at;
    }
    if (mark == '~') {
      return width == 2 ? replace(at, 2, "") : width;
    }
    int end = lineEnd(at);
    for (int i = at + width; i < end; i++) {
      if (bytes[i] == '`') {
        if (run(i) != width) {
          return width;
        }
        replace(at, width, "");
        copyTo(i);
        copied = i + width;
        return copied - at;
      }
    }
    return width;
  }

  private int fenceEnd(int line, byte mark) {
    for (int i = line; i + 3 < to; i++) {
      if (bytes[i] == '\n') {
        int first = i + 1;
        while (first < to && bytes[first] == ' ') {
          first++;
        }
        if (first < to && bytes[first] == mark && run(first) >= 3) {
          return first;
        }
      }
    }
    return -1;
  }

  private int emphasis(int at) {
    int width = run(at);
    if (emphasis.closes(at)) {
      return replace(at, width, "");
    }
    if (at < formulaEnd) {
      return bytes[at] == '_' ? replace(at, width, "") : width;
    }
    return emphasis.opens(bytes, from, to, at, width) ? replace(at, width, "") : width;
  }

  private int run(int at) {
    int end = at;
    while (end < to && bytes[end] == bytes[at]) {
      end++;
    }
    return end - at;
  }

  private int lineEnd(int at) {
    int most = Math.min(to, at + MAX_SPAN_BYTES);
    int end = at;
    while (end < most && bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  private boolean beginsLine(int at) {
    int before = at;
    while (before > from && at - before < 8 && bytes[before - 1] == ' ') {
      before--;
    }
    return before == from || bytes[before - 1] == '\n';
  }
}
