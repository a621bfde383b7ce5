package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    @Override
    protected void check() {
      CommandProblem.checkRange("--limit", limit, 1, 1000);
    }

    @Override
    protected List<AuditInfo> ask(ControlClient client) {
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

    @Override
    protected void check() {
      if (!Names.isName(id)) {
        throw CommandProblem.usage("not an id of an audit: " + TerminalEscaper.shortened(id, 80));
      }
    }

    @Override
    protected AuditInfo ask(ControlClient client) {
      return wait ? follow(client, id) : CertificationCalls.audit(client, id);
    }
  }

  /** Asks for one audit and prints it; exit status 1 if it was abandoned. */
  abstract static class OneAudit extends ControlPlaneCommand<AuditInfo> {
    private static final int BAR_WIDTH = 30;

    private String lastState = "";

    @Override
    protected void text(AuditInfo audit) {
      new AuditText(terminal).print(audit);
    }

    @Override
    protected int status(AuditInfo audit) {
      return audit.state().equals(AuditInfo.ABANDONED) ? ExitStatus.FAILED : ExitStatus.OK;
    }

    /** Waits for its end: a moving line on a terminal, else a line for each state. */
    AuditInfo follow(ControlClient client, String id) {
      try (var progress = new Terminal.ProgressLine(terminal)) {
        return CertificationCalls.watchAudit(client, id, audit -> show(audit, progress));
      }
    }

    private void show(AuditInfo audit, Terminal.ProgressLine progress) {
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

  /** Starts an audit of a plan and, if asked to, follows it to its end. */
  abstract static class StartAuditCommand extends AuditCommand.OneAudit {
    @Parameters(paramLabel = "PLAN", description = "name of the plan")
    String plan = "";

    @Option(
        names = "--term",
        paramLabel = "TERM",
        description = "only this term; may stand several times")
    List<String> terms = new ArrayList<>();

    @Option(
        names = "--wait",
        description =
            "follow the audit and print its decisions; exit status 1 if it is abandoned. "
                + "Ctrl-C stops the watching, not the audit")
    boolean wait;

    private final String kind;

    private StartAuditCommand(String kind) {
      this.kind = kind;
    }

    @Override
    protected void check() {
      if (!Names.isName(plan)) {
        throw CommandProblem.usage(
            "not the name of a plan: " + TerminalEscaper.shortened(plan, 80));
      }
      for (String term : terms) {
        if (TermKey.of(term).isEmpty()) {
          throw CommandProblem.usage(
              "--term: expected 1 to %s words, got %s"
                  .formatted(TermKey.MAX_TOKENS, TerminalEscaper.shortened(term, 80)));
        }
      }
    }

    @Override
    protected AuditInfo ask(ControlClient client) {
      List<String> keys =
          terms.stream().flatMap(term -> TermKey.of(term).stream()).sorted().distinct().toList();
      AuditInfo started = CertificationCalls.startAudit(client, plan, kind, keys);
      if (!wait) {
        return started;
      }
      terminal.note("audit " + started.id());
      return follow(client, started.id());
    }

    @Override
    protected void text(AuditInfo audit) {
      if (wait) {
        super.text(audit);
      } else {
        terminal.line("audit " + audit.id() + " has been started");
        terminal.line("  parlance core audit show " + audit.id() + " --wait");
      }
    }

    @Override
    protected int status(AuditInfo audit) {
      return output.format == OutputOption.OutputFormat.TEXT && !wait
          ? ExitStatus.OK
          : super.status(audit);
    }

    @Command(
        name = "certify",
        description = "Starts an audit of all terms of a plan.",
        footer = {"", "Example:", "  parlance core certify license --wait"})
    static final class Certify extends StartAuditCommand {
      Certify() {
        super("certify");
      }
    }

    @Command(
        name = "recertify",
        description = {
          "Starts an audit of a plan's certified terms on fresh events.",
          "A term that fails is revoked in every attached sidecar."
        },
        footer = {"", "Example:", "  parlance core recertify license --wait"})
    static final class Recertify extends StartAuditCommand {
      Recertify() {
        super("recertify");
      }
    }

    @Command(
        name = "renegotiate",
        description = {
          "Starts a renegotiation: one agent's use of terms is offered to the other.",
          "The more entrenched agent's use is offered; if the other one adopts it, the",
          "terms are tested again on fresh events. Two agents only."
        },
        footer = {"", "Example:", "  parlance core renegotiate license --term notice --wait"})
    static final class Renegotiate extends StartAuditCommand {
      Renegotiate() {
        super("renegotiate");
      }
    }
  }
}
