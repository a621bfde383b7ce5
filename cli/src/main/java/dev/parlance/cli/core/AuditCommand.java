package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputFormat;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.ListAuditsRequest;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at audits. */
@Command(
    name = "audit",
    synopsisSubcommandLabel = "COMMAND",
    description = "Lists and shows audits.",
    footer = {"", "Example:", "  parlance core audit list --plan license"})
final class AuditCommand implements Runnable {
  private final CommandLine self;

  private AuditCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine audit = new AuditCommand().self;
    audit.addSubcommand(new ListAudits(terminal));
    audit.addSubcommand(new Show(terminal));
    return audit;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(self, "a command is missing: list or show");
  }

  @Command(
      name = "list",
      description = "Lists audits, newest first.",
      footer = {"", "Example:", "  parlance core audit list --limit 10 -o json"})
  private static final class ListAudits extends ControlPlaneCommand<List<Audit>> {
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
    protected ControlReply<List<Audit>> ask(ControlClient client) {
      return client.ask(stub ->
          stub.listAudits(ListAuditsRequest.newBuilder().setPlan(plan).setLimit(limit).build())
              .getAuditsList());
    }

    @Override
    protected int print(List<Audit> audits) {
      switch (output.format) {
        case TEXT -> new AuditText(terminal).printList(audits, System.currentTimeMillis());
        case JSON ->
            terminal.out().println(Json.pretty(audits.stream().map(AuditView::of).toList()));
      }
      return ExitStatus.OK;
    }
  }

  @Command(
      name = "show",
      description = {
        "Shows one audit with its decisions; with --wait, once it has ended.",
        "Exit status 1 if it was abandoned."
      },
      footer = {"", "Example:", "  parlance core audit show ID --wait"})
  private static final class Show extends ControlPlaneCommand<Audit> {
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
    protected ControlReply<Audit> ask(ControlClient client) {
      return wait
          ? new AuditProgress(terminal).follow(client, id)
          : client.ask(stub -> stub.getAudit(GetAuditRequest.newBuilder().setId(id).build()));
    }

    @Override
    protected int print(Audit audit) {
      return printOne(terminal, output.format, audit);
    }
  }

  /** Prints an audit; exit status 1 if it was abandoned. */
  static int printOne(Terminal terminal, OutputFormat format, Audit audit) {
    switch (format) {
      case TEXT -> new AuditText(terminal).print(audit);
      case JSON -> terminal.out().println(Json.pretty(AuditView.of(audit)));
    }
    return audit.getState() == AuditState.AUDIT_STATE_ABANDONED ? ExitStatus.FAILED : ExitStatus.OK;
  }
}
