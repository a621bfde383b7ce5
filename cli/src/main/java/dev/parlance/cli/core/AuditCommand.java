package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TimeText;
import dev.parlance.client.ControlClient;
import dev.parlance.client.MessageSerializer;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.StartAuditRequest;
import java.io.IOException;
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
    subcommands = {AuditCommand.ListAudits.class, AuditCommand.Show.class})
final class AuditCommand {
  @Command(name = "list")
  static final class ListAudits extends ListCommand.Limited<Audit> {
    @Option(names = "--plan", paramLabel = "PLAN", description = "only of this plan")
    String plan = "";

    ListAudits() {
      super("id, plan, kind, state, >started, questions, core, failure", "no audits");
    }

    @Override
    protected List<Audit> ask(ControlClient client) throws IOException {
      var request = ListAuditsRequest.newBuilder().setPlan(plan).setLimit(limit).build();
      return client.certification().ask(stub -> stub.listAudits(request).getAuditsList());
    }

    @Override
    protected Object[] row(Audit audit) {
      return new Object[] {
        audit.getId(),
        audit.getPlan() + " r" + audit.getPlanRevision(),
        MessageSerializer.word(audit.getKind().name()),
        new AuditText(terminal).state(audit),
        TimeText.since(audit.getStartedAtMs(), nowMs),
        AuditText.answered(audit),
        audit.getCoreVersion() == 0 ? "" : "v" + audit.getCoreVersion(),
        audit.getFailure()
      };
    }
  }

  @Command(name = "show")
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
    protected Audit ask(ControlClient client) throws IOException {
      return wait
          ? follow(client, id)
          : client.certification().ask(stub -> stub.getAudit(OneAudit.named(id)));
    }
  }

  /** Asks for one audit and prints it; exit status 1 if it was abandoned. */
  abstract static class OneAudit extends ControlPlaneCommand<Audit> {
    private static final int BAR_WIDTH = 30;

    private AuditState lastState = AuditState.AUDIT_STATE_UNSPECIFIED;

    static GetAuditRequest named(String id) {
      return GetAuditRequest.newBuilder().setId(id).build();
    }

    @Override
    protected void text(Audit audit) {
      new AuditText(terminal).print(audit);
    }

    @Override
    protected int status(Audit audit) {
      return audit.getState() == AuditState.AUDIT_STATE_ABANDONED
          ? ExitStatus.FAILED
          : ExitStatus.OK;
    }

    /** Waits for its end: a moving line on a terminal, else a line for each state. */
    Audit follow(ControlClient client, String id) throws IOException {
      try (var progress = new Terminal.ProgressLine(terminal)) {
        return client
            .certification()
            .follow(
                "audit",
                (stub, _) -> stub.watchAudit(named(id)),
                audit -> {
                  show(audit, progress);
                  return AuditText.hasEnded(audit);
                });
      }
    }

    private void show(Audit audit, Terminal.ProgressLine progress) {
      String state = MessageSerializer.word(audit.getState().name());
      if (terminal.showsProgress()) {
        long done = (long) audit.getAnswered() + audit.getUnanswered();
        int filled =
            audit.getQuestions() == 0
                ? 0
                : Math.clamp(BAR_WIDTH * done / audit.getQuestions(), 0, BAR_WIDTH);
        progress.show(
            String.format(
                Locale.ROOT,
                "%-9s [%s%s] %s",
                state,
                "#".repeat(filled),
                ".".repeat(BAR_WIDTH - filled),
                AuditText.answered(audit)));
      } else if (audit.getState() != lastState) {
        terminal.err().println("  " + state + ", " + AuditText.answered(audit));
      }
      lastState = audit.getState();
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

    private final AuditKind kind;

    private StartAuditCommand(AuditKind kind) {
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
    protected Audit ask(ControlClient client) throws IOException {
      List<String> keys =
          terms.stream().flatMap(term -> TermKey.of(term).stream()).sorted().distinct().toList();
      var request =
          StartAuditRequest.newBuilder().setPlan(plan).setKind(kind).addAllTerms(keys).build();
      Audit started = client.certification().ask(stub -> stub.startAudit(request));
      if (!wait) {
        return started;
      }
      terminal.note("audit " + started.getId());
      return follow(client, started.getId());
    }

    @Override
    protected void text(Audit audit) {
      if (wait) {
        super.text(audit);
      } else {
        terminal.line("audit " + audit.getId() + " has been started");
        terminal.line("  parlance core audit show " + audit.getId() + " --wait");
      }
    }

    @Override
    protected int status(Audit audit) {
      return output.format == OutputOption.OutputFormat.TEXT && !wait
          ? ExitStatus.OK
          : super.status(audit);
    }

    @Command(name = "certify")
    static final class Certify extends StartAuditCommand {
      Certify() {
        super(AuditKind.AUDIT_KIND_CERTIFY);
      }
    }

    @Command(name = "recertify")
    static final class Recertify extends StartAuditCommand {
      Recertify() {
        super(AuditKind.AUDIT_KIND_RECERTIFY);
      }
    }

    @Command(name = "renegotiate")
    static final class Renegotiate extends StartAuditCommand {
      Renegotiate() {
        super(AuditKind.AUDIT_KIND_RENEGOTIATE);
      }
    }
  }
}
