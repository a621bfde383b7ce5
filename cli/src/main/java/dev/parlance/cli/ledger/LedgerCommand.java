package dev.parlance.cli.ledger;

import dev.parlance.cli.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Checks and reads ledgers without believing anybody. */
@Command(
    name = "ledger",
    synopsisSubcommandLabel = "COMMAND",
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
final class LedgerCommand implements Runnable {
  private final CommandLine self;

  private LedgerCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine ledger = new LedgerCommand().self;
    ledger.addSubcommand(new LedgerVerifyCommand(terminal));
    ledger.addSubcommand(new LedgerInclusionCommand(terminal));
    ledger.addSubcommand(new LedgerExportCommand(terminal));
    return ledger;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        self, "a command is missing: verify, inclusion or export");
  }
}
