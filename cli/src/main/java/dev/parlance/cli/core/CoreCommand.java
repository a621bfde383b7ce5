package dev.parlance.cli.core;

import dev.parlance.cli.CommandGroup;
import java.util.Map;
import picocli.CommandLine.Command;

/** Everything about certified cores that a control plane is asked for. */
@Command(
    name = "core",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CoreListCommand.class,
      CoreShowCommand.class,
      CoreDiffCommand.class,
      AuditCommand.StartAuditCommand.Certify.class,
      AuditCommand.StartAuditCommand.Recertify.class,
      AuditCommand.StartAuditCommand.Renegotiate.class,
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
public final class CoreCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("core", CoreCommand.class);
  }
}
