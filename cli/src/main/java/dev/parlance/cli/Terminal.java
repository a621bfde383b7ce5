package dev.parlance.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Where a command reads and writes.
 *
 * @param in standard input
 * @param out results; nothing else is written there
 * @param err messages for the person at the terminal
 * @param environment environment variables
 * @param colour true if {@code out} is a terminal that shows colours
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean colour) {
  /** The process's own streams, always UTF-8. */
  // JDK 25 gives no console where the streams are redirected; the check takes 22 to 24 for granted.
  @SuppressWarnings("SystemConsoleNull")
  static Terminal ofProcess() {
    Map<String, String> environment = System.getenv();
    var console = System.console();
    boolean colour =
        console != null
            && console.isTerminal()
            && !environment.containsKey("NO_COLOR")
            && !"dumb".equals(environment.get("TERM"));
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
            false,
            StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        environment,
        colour);
  }

  /** True if {@code err} is a terminal, as the launcher has found it. */
  public boolean showsProgress() {
    return "1".equals(environment.get("PARLANCE_STDERR_IS_TERMINAL"));
  }

  /** True if {@code out} is a terminal at least so many characters wide. */
  public boolean hasRoomFor(int columns) {
    String width = environment.getOrDefault("PARLANCE_COLUMNS", "");
    return width.matches("[1-9][0-9]{0,3}") && Integer.parseInt(width) >= columns;
  }

  /** Green where colours are shown: well. */
  public String good(String text) {
    return paint("32", text);
  }

  /** Red: not well, and somebody should look. */
  public String bad(String text) {
    return paint("31", text);
  }

  /** Yellow: worth a look. */
  public String warning(String text) {
    return paint("33", text);
  }

  /** Grey: beside the point. */
  public String faint(String text) {
    return paint("2", text);
  }

  private String paint(String code, String text) {
    return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /** One line of results; what an agent wrote in it cannot act on the terminal. */
  public void line(String format, Object... values) {
    out.println(TerminalEscaper.line(text(format, values)));
  }

  /** One line of results as it is. */
  public void println(String format, Object... values) {
    out.println(text(format, values));
  }

  /** A label of eleven columns and what it labels, unless that is blank. */
  public void fact(String name, String format, Object... values) {
    String text = text(format, values);
    if (!text.isBlank()) {
      line("%s", label(name) + text);
    }
  }

  /** A label, filled up to eleven columns. */
  public static String label(String name) {
    return name + " ".repeat(Math.max(1, 11 - name.length()));
  }

  /** One result as indented JSON. */
  public void json(Object value) {
    out.println(Json.pretty(value));
  }

  /** One line beside the results, on {@code err}. */
  public void note(String format, Object... values) {
    err.println(TerminalEscaper.line(text(format, values)));
  }

  /** One line on {@code err} about a thing that failed; gives back {@link ExitStatus#FAILED}. */
  public int fail(String format, Object... values) {
    return complain(ExitStatus.FAILED, text(format, values));
  }

  /** One line on {@code err} about a wrong command line; gives back {@link ExitStatus#USAGE}. */
  public int usage(String format, Object... values) {
    return complain(ExitStatus.USAGE, text(format, values));
  }

  /**
   * One line on {@code err}.
   *
   * @return {@code status}, for {@code return terminal.complain(...)}
   */
  public int complain(int status, String message) {
    out.flush();
    err.println("parlance: " + TerminalEscaper.line(message));
    return status;
  }

  /** The format alone is text as it stands. */
  private static String text(String format, Object[] values) {
    return values.length == 0 ? format : String.format(Locale.ROOT, format, values);
  }
}
