package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.ProgressLine;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.policy.core.Names;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at audits. */
@Command(
    name = "audit",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {AuditCommand.ListAudits.class, AuditCommand.Show.class},
    description = "Lists and shows audits.",
    footer = {"", "Example:", "  parlance core audit list --plan license"})
final class AuditCommand {
  @Command(
      name = "list",
      description = "Lists audits, newest first.",
      footer = {"", "Example:", "  parlance core audit list --limit 10 -o json"})
  static final class ListAudits extends ControlPlaneCommand<List<AuditInfo>> {
    @Option(names = "--plan", paramLabel = "PLAN", description = "only of this plan")
    String plan = "";

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    int limit = 100;

    ListAudits(Terminal terminal) {
      super(terminal);
    }

    @Override
    protected Optional<String> problem() {
      return limit < 1 || limit > 1000
          ? Optional.of("--limit: expected a number from 1 to 1000, got " + limit)
          : Optional.empty();
    }

    @Override
    protected ControlReply<List<AuditInfo>> ask(ControlClient client) {
      return CertificationCalls.audits(client, plan, limit);
    }

    @Override
    protected void text(List<AuditInfo> audits) {
      new AuditText(terminal).printList(audits, System.currentTimeMillis());
    }
  }

  @Command(
      name = "show",
      description = {
        "Shows one audit with its decisions; with --wait, once it has ended.",
        "Exit status 1 if it was abandoned."
      },
      footer = {"", "Example:", "  parlance core audit show ID --wait"})
  static final class Show extends OneAudit {
    @Parameters(paramLabel = "ID", description = "id from `parlance core audit list`")
    String id = "";

    @Option(names = "--wait", description = "follow it until it has ended")
    boolean wait;

    Show(Terminal terminal) {
      super(terminal);
    }

    @Override
    protected Optional<String> problem() {
      return Names.isName(id)
          ? Optional.empty()
          : Optional.of("not an id of an audit: " + TerminalEscaper.shortened(id, 80));
    }

    @Override
    protected ControlReply<AuditInfo> ask(ControlClient client) {
      return wait ? follow(client, id) : CertificationCalls.audit(client, id);
    }
  }

  /** Asks for one audit and prints it; exit status 1 if it was abandoned. */
  abstract static class OneAudit extends ControlPlaneCommand<AuditInfo> {
    private static final int BAR_WIDTH = 30;

    private String lastState = "";

    OneAudit(Terminal terminal) {
      super(terminal);
    }

    @Override
    protected void text(AuditInfo audit) {
      new AuditText(terminal).print(audit);
    }

    @Override
    protected int status(AuditInfo audit) {
      return audit.state().equals(AuditInfo.ABANDONED) ? ExitStatus.FAILED : ExitStatus.OK;
    }

    /** Waits for its end: a moving line on a terminal, else a line for each state. */
    ControlReply<AuditInfo> follow(ControlClient client, String id) {
      try (var progress = new ProgressLine(terminal)) {
        return CertificationCalls.watchAudit(client, id, audit -> show(audit, progress));
      }
    }

    private void show(AuditInfo audit, ProgressLine progress) {
      if (terminal.showsProgress()) {
        long done = (long) audit.answered() + audit.unanswered();
        int filled =
            audit.questions() == 0
                ? 0
                : Math.clamp(BAR_WIDTH * done / audit.questions(), 0, BAR_WIDTH);
        progress.show(
            String.format(
                Locale.ROOT,
                "%-9s [%s%s] %s",
                audit.state(),
                "#".repeat(filled),
                ".".repeat(BAR_WIDTH - filled),
                AuditText.answered(audit)));
      } else if (!audit.state().equals(lastState)) {
        terminal.err().println("  " + audit.state() + ", " + AuditText.answered(audit));
      }
      lastState = audit.state();
    }
  }
}
