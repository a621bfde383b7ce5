package dev.parlance.cli.core;

import picocli.CommandLine.Command;

/** Everything about certified cores that a control plane is asked for. */
@Command(
    name = "core",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CoreListCommand.class,
      CoreShowCommand.class,
      CoreDiffCommand.class,
      StartAuditCommand.Certify.class,
      StartAuditCommand.Recertify.class,
      StartAuditCommand.Renegotiate.class,
      PlanCommand.class,
      AuditCommand.class
    },
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
final class CoreCommand {}
