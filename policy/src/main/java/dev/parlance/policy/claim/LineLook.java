package dev.parlance.policy.claim;

import dev.parlance.policy.claim.Phrases.Source;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** What the layout round some units says of them: titles, rows, numbers of items, fences. */
final class LineLook {
  /** So far an item's number, a title's sign, a file's ending may reach. */
  private static final int REACH = 24;

  private static final Set<String> FILES =
      Set.of(
          "pdf", "md", "txt", "doc", "docx", "html", "htm", "json", "csv", "xml", "yaml", "yml",
          "py", "java", "js", "ts", "sh", "xls", "xlsx", "ppt", "pptx", "log", "rst", "sql");

  private final Units units;
  private final byte[] bytes;
  private final int base;
  private final int to;

  LineLook(Source source) {
    units = source.units();
    bytes = source.bytes();
    base = source.base();
    to = base + source.length();
  }

  private int start(int unit) {
    return base + units.start(unit);
  }

  private int end(int unit) {
    return base + units.end(unit);
  }

  private int gapEnd(int unit) {
    return unit < units.count() ? start(unit) : to;
  }

  /** True if a unit is the language behind the fence of a code block. */
  boolean isFence(int unit) {
    int at = start(unit);
    return at - 3 >= base && bytes[at - 1] == '`' && bytes[at - 2] == '`' && bytes[at - 3] == '`';
  }

  /** True if a unit is a raised number behind a word or stop. */
  boolean isFootnote(int unit) {
    if ((units.flags(unit) & Units.SYMBOL) == 0) {
      return false;
    }
    int codePoint = Markup.codePoint(bytes, start(unit), to);
    return Folding.kind(Folding.of(Math.max(0, codePoint))) == Folding.RAISED;
  }

  /** True if a unit numbers what follows: {@code 1.}, {@code a)}, {@code (2)}, {@code IV.}. */
  boolean isNumber(int unit, boolean labelled) {
    int length = end(unit) - start(unit);
    int flags = units.flags(unit);
    boolean digits = (flags & Units.DIGITS) != 0;
    if (length > 3 || (!digits && length > 1 && !isRoman(unit) && (flags & Units.SYMBOL) == 0)) {
      return false;
    }
    if (unit + 1 == units.count() || !(digits || (flags & Units.WORD) != 0)) {
      return false;
    }
    int behind = end(unit);
    byte sign = behind < to ? bytes[behind] : 0;
    boolean blank =
        behind + 1 < to
            && (bytes[behind + 1] == ' ' || bytes[behind + 1] == '\t' || bytes[behind + 1] == '*');
    if (labelled) {
      return digits || length == 1;
    }
    boolean open = start(unit) > base && bytes[start(unit) - 1] == '(';
    return startsLine(unit)
        && blank
        && (sign == ')' || (sign == '.' && !open) || (sign == ':' && digits));
  }

  private boolean isRoman(int unit) {
    for (int i = start(unit); i < end(unit); i++) {
      if ("ivxIVX".indexOf(bytes[i]) < 0) {
        return false;
      }
    }
    return true;
  }

  /** True if only signs stand before the unit in its line. */
  private boolean startsLine(int unit) {
    return startsLine(unit, false);
  }

  /** The same; {@code numbered}: digits are signs, too. */
  private boolean startsLine(int unit, boolean numbered) {
    for (int i = start(unit) - 1; i >= base && i > start(unit) - REACH; i--) {
      if (bytes[i] == '\n') {
        return true;
      }
      boolean digit = bytes[i] >= '0' && bytes[i] <= '9';
      if (bytes[i] >= 0
          && !(digit && numbered)
          && (Folding.ASCII_LOWER[bytes[i]] != 0 || bytes[i] == ',')) {
        return false;
      }
    }
    return unit == 0 || start(unit) - base < REACH;
  }

  /** True if a unit only ends the label before it: the 步 of 第1步. */
  boolean isLabelTail(int unit) {
    boolean one = (units.flags(unit) & Units.GRAM) != 0 && end(unit) - start(unit) == 3;
    return one
        && start(unit) == end(unit - 1)
        && (unit + 1 == units.count() || start(unit + 1) > end(unit));
  }

  /** True if these units are all of a line, signs apart. */
  boolean isLine(int first, int after) {
    return startsLine(first, true) && endsLine(after);
  }

  private boolean endsLine(int after) {
    for (int i = end(after - 1); i < gapEnd(after); i++) {
      if (bytes[i] == '\n') {
        return true;
      }
    }
    return after == units.count();
  }

  /** True if these units are a line that layout shows as a title. */
  boolean isTitle(int first, int after) {
    if (!isLine(first, after)) {
      return false;
    }
    for (int i = start(first) - 1; i >= base && bytes[i] != '\n' && i > start(first) - REACH; i--) {
      if (bytes[i] == '#') {
        return true;
      }
    }
    boolean bold =
        start(first) - 2 >= base
            && bytes[start(first) - 1] == '*'
            && bytes[start(first) - 2] == '*';
    boolean ended = false;
    int lines = 0;
    for (int i = end(after - 1); i < gapEnd(after) && i < end(after - 1) + REACH; i++) {
      byte b = bytes[i];
      lines += b == '\n' ? 1 : 0;
      if (lines == 0) {
        ended |= b == ':' || (bold && b == '*') || (b == (byte) 0xEF && isWideColon(i));
      } else if (lines == 1
          && (b == '=' || b == '-')
          && i + 2 < to
          && bytes[i + 1] == b
          && bytes[i + 2] == b) {
        return true;
      }
    }
    return ended;
  }

  private boolean isWideColon(int at) {
    return Markup.codePoint(bytes, at, to) == 0xFF1A;
  }

  /** True if these units are a line that is the name of a file. */
  boolean isFileName(int first, int after) {
    if (after - first < 2 || !isLine(first, after)) {
      return false;
    }
    int last = after - 1;
    for (int i = start(first); i < end(last); i++) {
      if (bytes[i] == ' ') {
        return false;
      }
    }
    String ending = new String(bytes, start(last), end(last) - start(last), StandardCharsets.UTF_8);
    return bytes[start(last) - 1] == '.' && FILES.contains(ending.toLowerCase(Locale.ROOT));
  }

  /** True if a question mark stands behind the sentence that ends before this unit. */
  boolean isAsked(int after) {
    for (int i = end(after - 1); i < gapEnd(after); i++) {
      if (bytes[i] == '?') {
        return true;
      }
      if (bytes[i] < 0) {
        int codePoint = Markup.codePoint(bytes, i, to);
        if (codePoint == 0xFF1F || codePoint == 0x61F) {
          return true;
        }
      }
    }
    return false;
  }

  /** True if a comma, a colon or a dash stands before this unit. */
  boolean isParted(int unit) {
    for (int i = end(unit - 1); i < start(unit); i++) {
      byte b = bytes[i];
      if (b == ','
          || b == ';'
          || b == ':'
          || b == '-'
          || b == '('
          || b == (byte) 0xE2
          || b == (byte) 0xD8
          || b == (byte) 0xEF
          || b == (byte) 0xE3) {
        return true;
      }
    }
    return false;
  }

  /** True if a unit begins a row of a table. */
  boolean isRow(int first) {
    for (int i = start(first) - 1; i >= base && bytes[i] != '\n' && i > start(first) - REACH; i--) {
      if (bytes[i] == '|') {
        return true;
      }
    }
    return false;
  }

  /** True if the line before this unit is the rule under the head of a table. */
  boolean isTableHead(int next) {
    int rule = 0;
    for (int i = end(next - 1); i < gapEnd(next); i++) {
      rule = bytes[i] == '-' ? rule + 1 : 0;
      if (rule == 2) {
        return next < units.count();
      }
    }
    return false;
  }

  /** True if a cell of a table ends before this unit. */
  boolean isCellEnd(int unit) {
    for (int i = end(unit - 1); i < gapEnd(unit); i++) {
      if (bytes[i] == '|') {
        return true;
      }
    }
    return false;
  }
}
