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

  /** The text on one line, without control characters. */
  public static String line(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return line.length() > LINE_CHARS ? line.substring(0, LINE_CHARS) + "..." : line;
  }
}
