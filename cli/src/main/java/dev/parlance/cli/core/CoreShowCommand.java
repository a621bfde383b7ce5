package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.CoreName;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.cli.offline.TableText;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.GovernedTerm;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.TermResult;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = {
      "Shows a core and what it rests on.",
      "Every term: where it stands, the numbers of the latest decision on it, what to",
      "say instead. Exit status 1 if a named key has not signed it."
    },
    footer = {"", "Example:", "  parlance core show alice+bob/license --verify-key VKEY"})
final class CoreShowCommand extends ControlPlaneCommand<CoreShowCommand.Shown> {
  /**
   * A core and what it rests on.
   *
   * @param latest empty if the core cannot be read
   */
  record Shown(CoreLook look, Optional<LatestResults> latest) {}

  @Parameters(paramLabel = "CORE", description = "its agents and its domain: alice+bob/license")
  String name = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "this version of it (default: the newest)")
  long version;

  @Mixin VerifyKeyOption verify = new VerifyKeyOption();

  CoreShowCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected Optional<String> problem() {
    if (CoreName.readings(name).isEmpty()) {
      return Optional.of(
          "expected the name of a core like alice+bob/license, got "
              + TerminalEscaper.shortened(name, 80));
    }
    return version < 0
        ? Optional.of("--version: expected 1 or more, got " + version)
        : verify.problem();
  }

  @Override
  protected ControlReply<Shown> ask(ControlClient client) throws IOException {
    List<VerifierKey> keys = verify.keys(control);
    return switch (CoreName.fetch(client, name, version)) {
      case ControlReply.Failed<SignedCore>(Status.Code code, String message) ->
          new ControlReply.Failed<>(code, message);
      case ControlReply.Answered<SignedCore>(SignedCore signed) ->
          switch (CoreLook.at(signed, keys)) {
            case CoreLook.Bad bad -> new ControlReply.Answered<>(new Shown(bad, Optional.empty()));
            case CoreLook.Read read ->
                switch (LatestResults.of(
                    client,
                    signed.getId(),
                    read.version(),
                    read.core().terms().stream().map(GovernedTerm::key).toList())) {
                  case ControlReply.Failed<LatestResults>(Status.Code code, String message) ->
                      new ControlReply.Failed<>(code, message);
                  case ControlReply.Answered<LatestResults>(LatestResults latest) ->
                      new ControlReply.Answered<>(new Shown(read, Optional.of(latest)));
                };
          };
    };
  }

  @Override
  protected int print(Shown shown) {
    return switch (shown.look()) {
      case CoreLook.Bad bad ->
          terminal.complain(
              ExitStatus.FAILED,
              bad.name() + " version " + bad.version() + " is refused: " + bad.why());
      case CoreLook.Read read -> {
        LatestResults latest = shown.latest().orElseGet(LatestResults::new);
        switch (output.format) {
          case JSON -> terminal.out().println(Json.pretty(CoreJson.whole(read, latest)));
          case TEXT -> print(read, latest);
        }
        yield ExitStatus.OK;
      }
    };
  }

  private void print(CoreLook.Read read, LatestResults latest) {
    PrintStream out = terminal.out();
    CertifiedCore core = read.core();
    out.println(TerminalEscaper.line(read.name() + ", version " + read.version()));
    out.println(
        "issued     "
            + TimeText.time(core.issuedAtMs())
            + " ("
            + TimeText.since(core.issuedAtMs(), System.currentTimeMillis())
            + " ago)");
    out.println("certified  " + core.certified().size() + " of " + core.terms().size() + " terms");
    out.println("by         " + TableText.constants(core.params()));
    out.println("ledger     the first " + core.ledgerSize() + " entries");
    out.println(
        "signature  "
            + switch (read.trust()) {
              case VERIFIED -> "good";
              case UNCHECKED -> "not checked; name the key with --verify-key";
            });
    out.println();
    boolean many = core.agents().size() > 2;
    var colours = new AuditText(terminal);
    var table =
        new TextTable(
            "  ",
            "term",
            "status",
            "pair",
            ">n_aud",
            ">k",
            ">c",
            ">coverage",
            ">upper",
            "outcome",
            "reason",
            ">needed",
            "say instead");
    for (GovernedTerm term : core.terms()) {
      List<TermResult> results = latest.of(term.key());
      var status = new TextTable.Cell(term.status().code(), colours.colour(term.status().code()));
      if (results.isEmpty()) {
        table.add(row(term, status, many, TermResult.getDefaultInstance(), true));
      }
      boolean first = true;
      for (TermResult result : results) {
        table.add(row(term, status, many, result, first));
        first = false;
      }
    }
    table.print(out);
  }

  private static TextTable.Cell[] row(
      GovernedTerm term, TextTable.Cell status, boolean many, TermResult result, boolean first) {
    boolean decided = !result.getOutcome().isEmpty();
    return new TextTable.Cell[] {
      TextTable.Cell.of(first ? term.key() : ""),
      first ? status : TextTable.Cell.of(""),
      TextTable.Cell.of(many ? String.join("+", result.getAgentsList()) : ""),
      TextTable.Cell.of(decided ? Integer.toString(result.getAudited()) : ""),
      TextTable.Cell.of(decided ? Integer.toString(result.getEligible()) : ""),
      TextTable.Cell.of(decided ? Integer.toString(result.getContradictions()) : ""),
      TextTable.Cell.of(decided ? TableText.fixed(result.getCoverage(), 3) : ""),
      TextTable.Cell.of(decided ? TableText.fixed(result.getUpper(), 4) : ""),
      TextTable.Cell.of(result.getOutcome()),
      TextTable.Cell.of(result.getReason()),
      TextTable.Cell.of(AuditText.needed(result)),
      TextTable.Cell.of(first ? term.alternative().orElse("") : ""),
    };
  }
}
