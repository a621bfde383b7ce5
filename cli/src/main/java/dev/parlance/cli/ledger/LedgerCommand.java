package dev.parlance.cli.ledger;

import dev.parlance.cli.CommandGroup;
import java.util.Map;
import picocli.CommandLine.Command;

/** Checks and reads ledgers without believing anybody. */
@Command(
    name = "ledger",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LedgerVerifyCommand.class,
      LedgerInclusionCommand.class,
      LedgerExportCommand.class
    },
    description = {
      "Checks, proves and exports ledgers.",
      "Checks a ledger and everything that was decided on it, proves single entries,",
      "exports it. A ledger is a directory, an address of tlog-tiles (--url), or a",
      "control plane's (--control)."
    },
    footer = {
      "",
      "Examples:",
      "  parlance ledger verify parlance-control/ledger --vkey KEY",
      "  parlance ledger inclusion parlance-control/ledger 17",
      "  parlance ledger export --control 127.0.0.1:7070 -o ledger.jsonl"
    })
public final class LedgerCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("ledger", LedgerCommand.class);
  }
}
