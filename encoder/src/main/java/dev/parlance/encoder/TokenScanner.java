package dev.parlance.encoder;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts a text into words, numbers and signs.
 *
 * <p>The text is brought to NFKC and lower case. A word is a run of letters, digits and marks of at
 * most 64 code points; an apostrophe between letters belongs to it and is then taken apart ({@code
 * don't} is "do not"). A run of digits, with commas and points between digits and perhaps an
 * English ordinal's ending, is a number without its commas and without zeros that say nothing.
 * Percent, currency and section signs are words.
 */
final class TokenScanner {
  /** Longest text read, before and after normalisation, in UTF-16 units. */
  static final int MAX_CHARS = 65_536;

  private static final int MAX_WORD = 64;
  private static final String ENDS = ".;:!?\u3002";
  private static final String PAUSES = ",()[]{}\u2013\u2014\u3001";
  private static final String QUOTES = "\"')]}\u2019\u201d";

  private final String text;
  private final int maxTokens;
  private final List<Token> tokens = new ArrayList<>();
  private int words;
  private int at;

  private TokenScanner(String text, int maxTokens) {
    this.text = text;
    this.maxTokens = maxTokens;
  }

  /** The tokens of a text, up to the last word that is read. */
  static List<Token> scan(String text, int maxTokens) {
    String normal = Normalizer.normalize(cut(text), Normalizer.Form.NFKC);
    TokenScanner scanner = new TokenScanner(cut(normal).toLowerCase(Locale.ROOT), maxTokens);
    scanner.run();
    return scanner.tokens;
  }

  private static String cut(String text) {
    if (text.length() <= MAX_CHARS) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS;
    return text.substring(0, end);
  }

  private void run() {
    while (at < text.length() && words < maxTokens) {
      int c = text.codePointAt(at);
      if (isWordPart(c)) {
        word();
      } else {
        sign(c);
        at += Character.charCount(c);
      }
    }
  }

  private void sign(int c) {
    if (ENDS.indexOf(c) >= 0) {
      if (endsHere(at + 1)) {
        tokens.add(c == ':' ? Token.SAYING : Token.BREAK);
      }
    } else if (PAUSES.indexOf(c) >= 0) {
      tokens.add(Token.COMMA);
    } else if (c == '-' && blankAt(at - 1) && blankAt(at + 1)) {
      tokens.add(Token.COMMA);
    } else if (c == '\n' && blankLine()) {
      tokens.add(Token.BREAK);
    } else {
      String name =
          switch (c) {
            case '%' -> "percent";
            case '$' -> "dollar";
            case '\u20ac' -> "euro";
            case '\u00a3' -> "pound";
            case '\u00a7' -> "section";
            default -> "";
          };
      if (!name.isEmpty()) {
        add(Token.word(name));
      }
    }
  }

  /** A point inside "example.org" or "10:30" ends nothing. */
  private boolean endsHere(int next) {
    return next >= text.length()
        || blankAt(next)
        || QUOTES.indexOf(text.charAt(next)) >= 0
        || ENDS.indexOf(text.charAt(next)) >= 0;
  }

  private boolean blankAt(int index) {
    return index < 0 || index >= text.length() || Character.isWhitespace(text.charAt(index));
  }

  private boolean blankLine() {
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        return true;
      }
      if (c != ' ' && c != '\t' && c != '\r') {
        return false;
      }
    }
    return false;
  }

  private void word() {
    int start = at;
    int length = 0;
    int apostrophe = -1;
    boolean number = true;
    while (at < text.length() && length < MAX_WORD) {
      int c = text.codePointAt(at);
      if (isDigit(c)) {
        at++;
      } else if (isWordPart(c)) {
        number = false;
        at += Character.charCount(c);
      } else if ((c == ',' || c == '.') && number && digitAt(at + 1)) {
        at++;
      } else if ((c == '\'' || c == '\u2019') && apostrophe < 0 && letterAt(at + 1)) {
        apostrophe = at;
        number = false;
        at++;
      } else {
        break;
      }
      length++;
    }
    String run = text.substring(start, at);
    int digits = ordinalDigits(run);
    if (number) {
      add(Token.number(plainNumber(run)));
    } else if (digits > 0) {
      add(Token.number(plainNumber(run.substring(0, digits))));
    } else if (apostrophe >= 0) {
      contraction(run.substring(0, apostrophe - start), run.substring(apostrophe - start + 1));
    } else if (run.equals("cannot")) {
      add(Token.word("can"));
      add(Token.word("not"));
    } else {
      add(Token.word(run));
    }
  }

  private void contraction(String head, String tail) {
    if (tail.equals("t") && head.endsWith("n")) {
      add(
          Token.word(
              switch (head) {
                case "can" -> "can";
                case "won" -> "will";
                case "shan" -> "shall";
                default -> head.substring(0, head.length() - 1);
              }));
      add(Token.word("not"));
      return;
    }
    switch (tail) {
      case "s", "d", "m" -> add(Token.word(head));
      case "re" -> {
        add(Token.word(head));
        add(Token.word("are"));
      }
      case "ve" -> {
        add(Token.word(head));
        add(Token.word("have"));
      }
      case "ll" -> {
        add(Token.word(head));
        add(Token.word("will"));
      }
      default -> add(Token.word(head + tail));
    }
  }

  private void add(Token token) {
    if (!token.text().isEmpty() && words < maxTokens) {
      tokens.add(token);
      words++;
    }
  }

  /** Number of digits before an ordinal's ending, or 0. */
  private static int ordinalDigits(String run) {
    int digits = 0;
    while (digits < run.length() && isDigit(run.charAt(digits))) {
      digits++;
    }
    String ending = run.substring(digits);
    return switch (ending) {
      case "st", "nd", "rd", "th" -> digits;
      default -> 0;
    };
  }

  /** "1,000.50" is "1000.5", "007" is "7". */
  static String plainNumber(String run) {
    String digits = run.replace(",", "");
    if (digits.indexOf('.') >= 0 && digits.indexOf('.') == digits.lastIndexOf('.')) {
      digits = digits.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
    String plain = digits.replaceAll("^0+(?=\\d)", "");
    return plain.isEmpty() ? "0" : plain;
  }

  private boolean digitAt(int index) {
    return index < text.length() && isDigit(text.charAt(index));
  }

  private boolean letterAt(int index) {
    return index < text.length() && Character.isLetter(text.codePointAt(index));
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWordPart(int c) {
    int type = Character.getType(c);
    return Character.isLetterOrDigit(c)
        || type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK;
  }
}
