package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Output;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Writes to the reader: a few sentences, and where details are asked for, the tables as well. */
final class Narrator {
  static final String GREEN = "32";
  static final String YELLOW = "33";
  static final String RED = "31";
  static final String BOLD = "1";
  static final String FAINT = "2";

  private final DemoOptions options;
  private final PrintStream sentences;
  private final PrintStream details;

  Narrator(DemoOptions options, PrintStream out) {
    this.options = options;
    PrintStream nobody = new PrintStream(OutputStream.nullOutputStream(), false);
    this.sentences = options.output() == Output.JSON ? nobody : out;
    this.details = options.output() == Output.TEXT ? out : nobody;
  }

  DemoOptions options() {
    return options;
  }

  /** True if tables are written. */
  boolean detailed() {
    return options.output() == Output.TEXT;
  }

  /** Writes what every reader is told. */
  void say(String format, Object... arguments) {
    write(sentences, format, arguments);
  }

  /** Writes what only a reader of the short form is told. */
  void summarize(String format, Object... arguments) {
    if (!detailed()) {
      say(format, arguments);
    }
  }

  /** Writes what only a reader who asks for details is told. */
  void detail(String format, Object... arguments) {
    write(details, format, arguments);
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency for one method
  private static void write(PrintStream out, String format, Object... arguments) {
    out.printf(Locale.ROOT, format, arguments);
    out.flush();
  }

  /** Something is not as expected. */
  void warn(String otherwise) {
    say("%n%s%n", "!! " + otherwise);
  }

  /** Says how it ended. */
  void end(List<String> problems, String allIsWell) {
    if (problems.isEmpty()) {
      say("%n%s%n", emphasise(allIsWell, GREEN));
    } else {
      say("%n%s%n", emphasise("Not as expected:", RED));
      problems.forEach(problem -> say("  %s%n", problem));
      say("Logs and configurations are in %s%n", options.workDir());
    }
  }

  String emphasise(String text, String ansiCode) {
    return options.colour() ? "\u001b[" + ansiCode + "m" + text + "\u001b[0m" : text;
  }

  static String cut(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.length() <= chars ? line : line.substring(0, chars - 3).stripTrailing() + "...";
  }
}
