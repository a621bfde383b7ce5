package dev.parlance.cli;

import picocli.CommandLine.Option;

/** The option {@code -o}, the same everywhere. */
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "json|text",
      description = "how to print: text (default) or json")
  public OutputFormat format = OutputFormat.TEXT;

  /** Prints in the form that was asked for. */
  public void print(Terminal terminal, Object json, Runnable text) {
    switch (format) {
      case JSON -> terminal.json(json);
      case TEXT -> text.run();
    }
  }

  /** How a command prints data. */
  public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs: ASCII JSON. */
    JSON
  }
}
