package dev.parlance.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    footer = {"", "Example:", "  source <(parlance completion)"})
final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final CommandLine root;

  CompletionCommand(Terminal terminal, CommandLine root) {
    this.terminal = terminal;
    this.root = root;
  }

  @Override
  public Integer call() {
    terminal.out().print(AutoComplete.bash("parlance", root));
    return ExitStatus.OK;
  }
}
