package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputFormat;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts an audit of a plan and, if asked to, follows it to its end. */
abstract class StartAuditCommand extends AuditCommand.OneAudit {
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

  private StartAuditCommand(Terminal terminal, String kind) {
    super(terminal);
    this.kind = kind;
  }

  @Override
  protected Optional<String> problem() {
    if (!Names.isName(plan)) {
      return Optional.of("not the name of a plan: " + TerminalEscaper.shortened(plan, 80));
    }
    return terms.stream()
        .filter(term -> TermKey.of(term).isEmpty())
        .findFirst()
        .map(term ->
            "--term: expected 1 to "
                + TermKey.MAX_TOKENS
                + " words, got "
                + TerminalEscaper.shortened(term, 80));
  }

  @Override
  protected ControlReply<AuditInfo> ask(ControlClient client) {
    List<String> keys =
        terms.stream().flatMap(term -> TermKey.of(term).stream()).sorted().distinct().toList();
    ControlReply<AuditInfo> started = CertificationCalls.startAudit(client, plan, kind, keys);
    return wait
        ? started.then(audit -> {
          terminal.note("audit " + audit.id());
          return follow(client, audit.id());
        })
        : started;
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
    return output.format == OutputFormat.TEXT && !wait ? ExitStatus.OK : super.status(audit);
  }

  @Command(
      name = "certify",
      description = "Starts an audit of all terms of a plan.",
      footer = {"", "Example:", "  parlance core certify license --wait"})
  static final class Certify extends StartAuditCommand {
    Certify(Terminal terminal) {
      super(terminal, "certify");
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
    Recertify(Terminal terminal) {
      super(terminal, "recertify");
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
    Renegotiate(Terminal terminal) {
      super(terminal, "renegotiate");
    }
  }
}
