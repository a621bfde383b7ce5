package dev.parlance.cli.ledger;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code parlance ledger}. */
public final class LedgerCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of("ledger", LedgerCommand::commandLine);
  }
}
