package dev.parlance.cli.core;

import dev.parlance.cli.Colours;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.ReceivedCore;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = {
      "Lists cores with version, age and how many of their terms stand where.",
      "Exit status 1 if one cannot be read or, with --verify-key, is not signed by it."
    },
    footer = {"", "Example:", "  parlance core list --domain license --history"})
final class CoreListCommand extends ControlPlaneCommand<List<ReceivedCore>> {
  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      description = "only cores of exactly these agents; may stand several times")
  List<String> agents = new ArrayList<>();

  @Option(names = "--domain", paramLabel = "DOMAIN", description = "only cores of this domain")
  String domain = "";

  @Option(names = "--history", description = "also the older versions")
  boolean history;

  @Mixin VerifyKeyOption verify = new VerifyKeyOption();

  CoreListCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected Optional<String> problem() {
    for (String agent : agents) {
      if (!Names.isName(agent)) {
        return Optional.of(
            "--agent: not an id of an agent: " + TerminalEscaper.shortened(agent, 80));
      }
    }
    return verify.problem();
  }

  @Override
  protected ControlReply<List<ReceivedCore>> ask(ControlClient client) throws IOException {
    List<String> sorted = agents.stream().sorted().distinct().toList();
    return CertificationCalls.cores(client, sorted, domain, history, verify.keys(control));
  }

  @Override
  protected Object json(List<ReceivedCore> cores) {
    return cores.stream().map(CoreJson::summary).toList();
  }

  @Override
  protected int status(List<ReceivedCore> cores) {
    boolean allRead = cores.stream().noneMatch(ReceivedCore.Bad.class::isInstance);
    return allRead ? ExitStatus.OK : ExitStatus.FAILED;
  }

  @Override
  protected void text(List<ReceivedCore> cores) {
    if (cores.isEmpty()) {
      terminal.out().println("no cores (parlance core certify PLAN makes one)");
      return;
    }
    long nowMs = System.currentTimeMillis();
    var paint = new Colours(terminal);
    var table =
        new TextTable(
            "",
            "core",
            ">version",
            ">age",
            ">certified",
            ">refused",
            ">revoked",
            ">untested",
            "bound",
            "signature");
    for (ReceivedCore look : cores) {
      switch (look) {
        case ReceivedCore.Read read ->
            table.add(
                read.name(),
                read.version(),
                TimeText.since(read.core().issuedAtMs(), nowMs),
                read.count(TermStatus.CERTIFIED),
                read.count(TermStatus.REFUSED),
                read.count(TermStatus.REVOKED),
                read.count(TermStatus.UNTESTED),
                read.core().params().bound().code(),
                switch (read.trust()) {
                  case VERIFIED -> new TextTable.Cell("good", paint::good);
                  case UNCHECKED -> new TextTable.Cell("not checked", paint::warning);
                });
        case ReceivedCore.Bad bad ->
            table.add(
                bad.name(),
                bad.version(),
                "",
                "",
                "",
                "",
                "",
                "",
                new TextTable.Cell(bad.why(), paint::bad));
      }
    }
    table.print(terminal.out());
  }
}
