package dev.parlance.cli;

import java.util.Locale;

/**
 * Makes text of agents harmless on a terminal. Control and escape characters, bidirectional
 * overrides, zero-width and other format characters, private-use and unassigned code points, and
 * lone surrogates are shown as {@code \}{@code u{202E}}, so that nothing an agent writes can move
 * the cursor, change what was printed before, or look like something else.
 */
public final class TerminalEscaper {
  private TerminalEscaper() {}

  /** For one line: line feeds and tabs are shown as codes too. */
  public static String line(String text) {
    return neutralise(text, false);
  }

  /** For a block: line feeds stay, a tab becomes a blank. */
  public static String block(String text) {
    return neutralise(text, true);
  }

  /** A line of at most {@code maxCodePoints}, with an ellipsis where something was left out. */
  public static String shortened(String text, int maxCodePoints) {
    String line = line(text.replace('\n', ' ').replace('\t', ' '));
    if (line.codePointCount(0, line.length()) <= maxCodePoints) {
      return line;
    }
    return line.substring(0, line.offsetByCodePoints(0, maxCodePoints - 1)) + "\u2026";
  }

  private static String neutralise(String text, boolean keepLineFeeds) {
    var inert = new StringBuilder(text.length());
    text.codePoints()
        .forEach(codePoint -> {
          if (keepLineFeeds && codePoint == '\n') {
            inert.append('\n');
          } else if (keepLineFeeds && codePoint == '\t') {
            inert.append(' ');
          } else if (isHarmless(codePoint)) {
            inert.appendCodePoint(codePoint);
          } else {
            inert.append("\\u{").append(String.format(Locale.ROOT, "%02X", codePoint)).append('}');
          }
        });
    return inert.toString();
  }

  private static boolean isHarmless(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
