package dev.parlance.cli.core;

import dev.parlance.cli.Colours;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.ListCoresRequest;
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
final class CoreListCommand extends ControlPlaneCommand<List<CoreLook>> {
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
  protected ControlReply<List<CoreLook>> ask(ControlClient client) throws IOException {
    List<VerifierKey> keys = verify.keys(control);
    var request =
        ListCoresRequest.newBuilder()
            .addAllAgents(agents.stream().sorted().distinct().toList())
            .setDomain(domain)
            .setHistory(history);
    return client.ask(stub ->
        stub.listCores(request.build()).getCoresList().stream()
            .map(core -> CoreLook.at(core, keys))
            .toList());
  }

  @Override
  protected int print(List<CoreLook> cores) {
    switch (output.format) {
      case JSON ->
          terminal.out().println(Json.pretty(cores.stream().map(CoreJson::summary).toList()));
      case TEXT -> {
        if (cores.isEmpty()) {
          terminal.out().println("no cores (parlance core certify PLAN makes one)");
        } else {
          print(cores, System.currentTimeMillis());
        }
      }
    }
    return cores.stream().anyMatch(CoreLook.Bad.class::isInstance)
        ? ExitStatus.FAILED
        : ExitStatus.OK;
  }

  private void print(List<CoreLook> cores, long nowMs) {
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
    for (CoreLook look : cores) {
      switch (look) {
        case CoreLook.Read read ->
            table.add(
                TextTable.Cell.of(read.name()),
                TextTable.Cell.of(read.version()),
                TextTable.Cell.of(TimeText.since(read.core().issuedAtMs(), nowMs)),
                TextTable.Cell.of(read.count(TermStatus.CERTIFIED)),
                TextTable.Cell.of(read.count(TermStatus.REFUSED)),
                TextTable.Cell.of(read.count(TermStatus.REVOKED)),
                TextTable.Cell.of(read.count(TermStatus.UNTESTED)),
                TextTable.Cell.of(read.core().params().bound().code()),
                switch (read.trust()) {
                  case VERIFIED -> new TextTable.Cell("good", paint::good);
                  case UNCHECKED -> new TextTable.Cell("not checked", paint::warning);
                });
        case CoreLook.Bad bad ->
            table.add(
                TextTable.Cell.of(bad.name()),
                TextTable.Cell.of(bad.version()),
                TextTable.Cell.of(""),
                TextTable.Cell.of(""),
                TextTable.Cell.of(""),
                TextTable.Cell.of(""),
                TextTable.Cell.of(""),
                TextTable.Cell.of(""),
                new TextTable.Cell(bad.why(), paint::bad));
      }
    }
    table.print(terminal.out());
  }
}
