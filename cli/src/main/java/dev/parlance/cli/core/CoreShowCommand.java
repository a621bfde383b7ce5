package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.offline.TableText;
import dev.parlance.client.ControlClient;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.proto.v1.TermResult;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "show")
final class CoreShowCommand extends ControlPlaneCommand<CoreShowCommand.Shown> {
  /**
   * A core and what it rests on.
   *
   * @param latest the latest decisions on each term
   */
  record Shown(ReceivedCore.Read read, Map<String, List<TermResult>> latest) {}

  @Parameters(paramLabel = "CORE", description = "its agents and its domain: alice+bob/license")
  String name = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "this version of it (default: the newest)")
  long version;

  @Mixin ControlOptions.VerifyKeyOption verify = new ControlOptions.VerifyKeyOption();

  @Override
  protected void check() {
    CoreName.check(name);
    if (version < 0) {
      throw CommandProblem.usage("--version: expected 1 or more, got " + version);
    }
    verify.check();
  }

  @Override
  protected Shown ask(ControlClient client) throws IOException {
    ReceivedCore.Read read = CoreCalls.core(client, name, version, verify.keys(control)).orFail();
    return new Shown(read, CoreCalls.latestDecisions(client, read.core()));
  }

  @Override
  protected Object json(Shown shown) {
    return CoreListCommand.CoreJson.whole(shown.read(), shown.latest());
  }

  @Override
  protected void text(Shown shown) {
    var read = shown.read();
    PrintStream out = terminal.out();
    CertifiedCore core = read.core();
    out.println(TerminalEscaper.line(read.name() + ", version " + read.version()));
    out.println(
        "issued     %s (%s ago)"
            .formatted(
                TimeText.time(core.issuedAtMs()),
                TimeText.since(core.issuedAtMs(), System.currentTimeMillis())));
    out.println("certified  " + core.certified().size() + " of " + core.terms().size() + " terms");
    out.println("by         " + TableText.constants(core.params()));
    out.println("ledger     the first " + core.ledgerSize() + " entries");
    out.println(
        "signature  %s"
            .formatted(
                switch (read.trust()) {
                  case VERIFIED -> "good";
                  case UNCHECKED -> "not checked; name the key with --verify-key";
                }));
    out.println();
    boolean many = core.agents().size() > 2;
    var colours = new AuditText(terminal);
    var table =
        new TextTable(
            "  ",
            "term, status, pair, >n_aud, >k, >c, >coverage, >upper, outcome, reason, >needed, say"
                + " instead");
    for (GovernedTerm term : core.terms()) {
      List<TermResult> results = shown.latest().getOrDefault(term.key(), List.of());
      var status = new TextTable.Cell(term.status().code(), colours.colour(term.status().code()));
      if (results.isEmpty()) {
        table.add(row(term, status, many, Optional.empty(), true));
      }
      boolean first = true;
      for (TermResult result : results) {
        table.add(row(term, status, many, Optional.of(result), first));
        first = false;
      }
    }
    table.print(out);
  }

  private static Object[] row(
      GovernedTerm term,
      TextTable.Cell status,
      boolean many,
      Optional<TermResult> decided,
      boolean first) {
    Function<Function<TermResult, String>, String> of = part -> decided.map(part).orElse("");
    return new Object[] {
      first ? term.key() : "",
      first ? status : "",
      many ? of.apply(result -> String.join("+", result.getAgentsList())) : "",
      of.apply(result -> Integer.toString(result.getAudited())),
      of.apply(result -> Integer.toString(result.getEligible())),
      of.apply(result -> Integer.toString(result.getContradictions())),
      of.apply(result -> TableText.fixed(result.getCoverage(), 3)),
      of.apply(result -> TableText.fixed(result.getUpper(), 4)),
      of.apply(TermResult::getOutcome),
      of.apply(TermResult::getReason),
      of.apply(AuditText::needed),
      first ? term.alternative().orElse("") : "",
    };
  }
}
