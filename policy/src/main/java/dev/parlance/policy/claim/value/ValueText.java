package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Markup;
import dev.parlance.policy.text.Utf8Span;

/**
 * The characters of a text one by one, as the reader of values sees them: entities and escapes are
 * what they stand for, blanks, tags and marks of emphasis are gaps.
 */
final class ValueText {
  static final int GLUED = 0;
  static final int SPACE = 1;

  /** A blank that breaks no line, as it groups digits. */
  static final int NARROW = 2;

  /** A tabulator or several blanks. */
  static final int WIDE = 3;

  static final int LINE = 4;

  private static final int NO_BLANK = -1;

  /** What {@link #kind} says of a byte: not one of those below. */
  static final int OTHER = 0;

  static final int LETTER = 1;
  static final int DIGIT = 2;

  /** A mark that stands for itself and is seen. */
  static final int MARK = 3;

  private static final byte[] KINDS = new byte[256];

  static {
    for (int c = '!'; c <= 0x7F; c++) {
      boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
      boolean digit = c >= '0' && c <= '9';
      KINDS[c] = (byte) (letter ? LETTER : digit ? DIGIT : "`*<\\&".indexOf(c) < 0 ? MARK : OTHER);
    }
  }

  /** What an ASCII byte is by itself; {@link #OTHER} of blanks and where its neighbours tell. */
  static int kind(int b) {
    return KINDS[b & 0xFF];
  }

  byte[] bytes = new byte[0];
  int offset;
  int limit;

  /** The place in the array where reading goes on. */
  int at;

  /** Decoded last: the code point and how many bytes it takes. */
  int codePoint;

  int length;

  private boolean json;

  void start(Utf8Span text) {
    bytes = text.array();
    offset = text.arrayOffset();
    limit = offset + text.length();
    at = offset;
    json = Markup.isJson(bytes, offset, limit);
  }

  /** Decodes what stands at a byte of the array; malformed bytes are the replacement character. */
  void decode(int i) {
    int b = bytes[i];
    length = 1;
    codePoint = b;
    if (b < 0) {
      int decoded = Markup.codePoint(bytes, i, limit);
      codePoint = decoded < 0 ? 0xFFFD : decoded;
      length = decoded < 0 ? 1 : Markup.width(decoded);
    } else if (b == '&' || b == '\\') {
      int coded = b == '&' ? Markup.entity(bytes, i, limit) : Markup.escape(bytes, i, limit, json);
      if (coded != 0) {
        codePoint = coded & 0x1FFFFF;
        length = coded >>> 21;
      }
    }
  }

  /** Goes over blanks and what is not seen; what kind of gap it was. */
  int skipBlanks() {
    int gap = GLUED;
    if (at + 1 < limit && bytes[at] == ' ' && kind(bytes[at + 1]) != OTHER) {
      at++;
      return SPACE;
    }
    if (at < limit && kind(bytes[at]) != OTHER) {
      return GLUED;
    }
    while (at < limit) {
      int b = bytes[at];
      int found = NO_BLANK;
      length = 1;
      if (b == ' ') {
        found = SPACE;
      } else if (b == '`' || (b == '*' && isEmphasis())) {
        found = GLUED;
      } else if (b == '<') {
        int tag = Markup.tagEnd(bytes, at, limit);
        if (tag > 0) {
          found = Markup.isBlock(bytes, at) ? LINE : GLUED;
          length = tag - at;
        }
      } else if (b <= ' ' || b == '\\' || b == '&') {
        decode(at);
        found = blank(codePoint);
      }
      if (found == NO_BLANK) {
        return gap;
      }
      // Two blanks are wide whatever they are.
      gap =
          found == GLUED
              ? gap
              : gap == GLUED ? found : StrictMath.max(StrictMath.max(gap, found), WIDE);
      at += length;
    }
    return gap;
  }

  /** The gap that a character makes; {@link #GLUED} if it is not seen. */
  private static int blank(int c) {
    return switch (c) {
      case 0xA0, 0x202F, 0x2009, 0x2007, 0x2008, 0x200A -> NARROW;
      case ' ', 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x3000 -> SPACE;
      case '\n', '\r', 0x85, 0x2028, 0x2029 -> LINE;
      case 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x61C, 0x2060, 0xFEFF, 0xFE0F -> GLUED;
      default ->
          c < ' '
              ? WIDE
              : (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ? GLUED : NO_BLANK;
    };
  }

  /** True if the asterisk here marks emphasis, not a product or a list item. */
  private boolean isEmphasis() {
    int before = at > offset ? bytes[at - 1] : '\n';
    int after = at + 1 < limit ? bytes[at + 1] : '\n';
    boolean digits = before >= '0' && before <= '9' && after >= '0' && after <= '9';
    return !digits && !(before <= ' ' && before >= 0 && after <= ' ' && after >= 0);
  }
}
