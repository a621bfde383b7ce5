package dev.parlance.service.config;

/** Text that somebody else wrote, made fit to stand in a message for people. */
public final class Quoted {
  private static final int CUT_CHARS = 64;
  private static final int LINE_CHARS = 60;

  private Quoted() {}

  /** The text, not longer than a line. */
  public static String cut(String text) {
    return text.length() > CUT_CHARS ? text.substring(0, CUT_CHARS) + "..." : text;
  }

  /** The text on one line, printable, at most {@value #LINE_CHARS} characters. */
  public static String line(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && i < LINE_CHARS; i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || (c >= 0x7f && c <= 0x9f) || Character.isSurrogate(c) ? '?' : c);
    }
    return text.length() > LINE_CHARS ? out.append("...").toString() : out.toString();
  }
}
