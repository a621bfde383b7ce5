package dev.parlance.cli;

import dev.parlance.service.IoWords;
import dev.parlance.service.OpenFiles;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Map;
import org.slf4j.LoggerFactory;

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

  /** Does something once {@code in} has ended or broken. */
  public void whenInputEnds(Runnable then) {
    Thread.ofPlatform()
        .daemon()
        .name("stdin")
        .start(() -> {
          try {
            in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException e) {
            LoggerFactory.getLogger(Terminal.class)
                .warn("standard input broke, stopping: {}", e.getMessage());
          }
          then.run();
        });
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

  /**
   * One line on {@code err} about a command that failed.
   *
   * @param command its name, without {@code parlance}
   * @param verbose whether a stack trace was asked for
   * @return the exit status
   */
  public int fail(String command, Exception problem, boolean verbose) {
    if (OpenFiles.areUsedUp(problem)) {
      return fail(
          "%s: this process may open no further files and sockets (ulimit -n); raise the limit",
          command);
    }
    if (!(problem instanceof IOException || problem instanceof UncheckedIOException)) {
      return fail(
          "%s: this is a bug in Parlance: %s%s",
          command, problem, verbose ? "" : " (--verbose prints where)");
    }
    String message = problem.getMessage();
    boolean isOurs =
        problem.getClass() == IOException.class
            || problem.getClass().getName().startsWith("dev.parlance.");
    if (message != null && isOurs) {
      return fail("%s: %s", command, message); // which says everything
    }
    if (problem instanceof FileSystemException file && file.getFile() != null) {
      return fail("%s: %s: %s", command, file.getFile(), IoWords.why(file));
    }
    return fail("%s: %s", command, IoWords.why(problem));
  }

  /** The format alone is text as it stands. */
  private static String text(String format, Object[] values) {
    return values.length == 0 ? format : String.format(Locale.ROOT, format, values);
  }

  /**
   * A line on standard error that says how far a command is, renewed a few times a second; nothing
   * at all where standard error is no terminal. Close it to wipe the line.
   */
  public static final class ProgressLine implements AutoCloseable {
    private static final long INTERVAL_NS = 200_000_000;

    private final PrintStream err;
    private final boolean shown;
    private long lastNs = System.nanoTime();
    private boolean dirty;

    public ProgressLine(Terminal terminal) {
      this.err = terminal.err();
      this.shown = terminal.showsProgress();
    }

    /** True if it is time to say something new; cheap enough to be asked for every line. */
    public boolean isDue() {
      return shown && System.nanoTime() - lastNs >= INTERVAL_NS;
    }

    /** Replaces the line; {@code text} is shown as it is. */
    public void show(String text) {
      if (shown) {
        lastNs = System.nanoTime();
        dirty = true;
        err.print("\r\u001b[K  " + text);
        err.flush();
      }
    }

    @Override
    public void close() {
      if (dirty) {
        err.print("\r\u001b[K");
        err.flush();
        dirty = false;
      }
    }
  }
}
