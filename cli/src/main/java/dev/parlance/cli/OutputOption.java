package dev.parlance.cli;

import picocli.CommandLine.Option;

/** The option {@code -o}, the same everywhere. */
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "json|text",
      description = "how to print: text (default) or json")
  public OutputFormat format = OutputFormat.TEXT;

  /** How a command prints data. */
  public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs: ASCII JSON. */
    JSON
  }
}
