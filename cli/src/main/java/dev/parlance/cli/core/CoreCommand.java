package dev.parlance.cli.core;

import dev.parlance.cli.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Everything about certified cores that a control plane is asked for. */
@Command(
    name = "core",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Asks a control plane for certified cores, plans and audits, and starts audits.",
      "A core is named by its agents and its domain: alice+bob/license."
    },
    footer = {
      "",
      "Examples:",
      "  parlance core plan put license.yaml",
      "  parlance core certify license --wait",
      "  parlance core show alice+bob/license",
      "  parlance core diff alice+bob/license 1 2"
    })
final class CoreCommand implements Runnable {
  private final CommandLine self;

  private CoreCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine core = new CoreCommand().self;
    core.addSubcommand(new CoreListCommand(terminal));
    core.addSubcommand(new CoreShowCommand(terminal));
    core.addSubcommand(new CoreDiffCommand(terminal));
    core.addSubcommand(new StartAuditCommand.Certify(terminal));
    core.addSubcommand(new StartAuditCommand.Recertify(terminal));
    core.addSubcommand(new StartAuditCommand.Renegotiate(terminal));
    core.addSubcommand(PlanCommand.commandLine(terminal));
    core.addSubcommand(AuditCommand.commandLine(terminal));
    return core;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        self,
        "a command is missing: list, show, diff, certify, recertify, renegotiate, plan or audit");
  }
}
