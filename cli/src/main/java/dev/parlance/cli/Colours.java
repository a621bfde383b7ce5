package dev.parlance.cli;

/** Colours of words that say how something stands; none where the output is no terminal. */
public final class Colours {
  private static final String RESET = "\u001b[0m";

  private final boolean colour;

  public Colours(Terminal terminal) {
    this.colour = terminal.colour();
  }

  /** Well. */
  public String good(String text) {
    return paint("32", text);
  }

  /** Not well, and somebody should look. */
  public String bad(String text) {
    return paint("31", text);
  }

  /** Worth a look. */
  public String warning(String text) {
    return paint("33", text);
  }

  /** Beside the point. */
  public String faint(String text) {
    return paint("2", text);
  }

  private String paint(String code, String text) {
    return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + RESET : text;
  }
}
