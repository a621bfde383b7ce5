package dev.parlance.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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

  /** One line of results; what an agent wrote in it cannot act on the terminal. */
  public void line(String text) {
    out.println(TerminalEscaper.line(text));
  }

  /** One result as indented JSON. */
  public void json(Object value) {
    out.println(Json.pretty(value));
  }

  /** One line beside the results, on {@code err}. */
  public void note(String text) {
    err.println(TerminalEscaper.line(text));
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
}
