package dev.parlance.loadtest;

import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Option of the commands that print tables. */
final class FormOption {
  @Option(
      names = {"-o", "--output"},
      description = "text or markdown (default: ${DEFAULT-VALUE}).")
  private GuardCommand.Form form = GuardCommand.Form.TEXT;

  /** The table in that form. */
  String of(Table table) {
    return form == GuardCommand.Form.MARKDOWN ? table.markdown() : table.text();
  }

  /** Prints a table. */
  void print(PrintWriter out, Table table) {
    out.println(of(table));
    out.flush();
  }
}
