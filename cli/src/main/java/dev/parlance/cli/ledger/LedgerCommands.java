package dev.parlance.cli.ledger;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** {@code parlance ledger}. */
public final class LedgerCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("ledger", LedgerCommand.class);
  }
}
