package dev.parlance.cli;

import picocli.CommandLine.Option;

/** The option {@code -o}, the same everywhere. */
final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "json|text",
      description = "how to print: text (default) or json")
  OutputFormat format = OutputFormat.TEXT;
}
