package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.CoreName;
import dev.parlance.cli.api.ReceivedCore;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
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
   * @param latest the latest decisions on each term
   */
  record Shown(ReceivedCore.Read read, Map<String, List<AuditInfo.Result>> latest) {}

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
    ReceivedCore.Read read =
        CertificationCalls.core(client, name, version, verify.keys(control)).orFail();
    return new Shown(read, CertificationCalls.latestDecisions(client, read.core()));
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
      List<AuditInfo.Result> results = shown.latest().getOrDefault(term.key(), List.of());
      var status = new TextTable.Cell(term.status().code(), colours.colour(term.status().code()));
      if (results.isEmpty()) {
        table.add(row(term, status, many, Optional.empty(), true));
      }
      boolean first = true;
      for (AuditInfo.Result result : results) {
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
      Optional<AuditInfo.Result> decided,
      boolean first) {
    Function<Function<AuditInfo.Result, String>, String> of = part -> decided.map(part).orElse("");
    return new Object[] {
      first ? term.key() : "",
      first ? status : "",
      many ? of.apply(result -> String.join("+", result.agents())) : "",
      of.apply(result -> Integer.toString(result.audited())),
      of.apply(result -> Integer.toString(result.eligible())),
      of.apply(result -> Integer.toString(result.contradictions())),
      of.apply(result -> TableText.fixed(result.coverage(), 3)),
      of.apply(result -> TableText.fixed(result.upper(), 4)),
      of.apply(AuditInfo.Result::outcome),
      of.apply(AuditInfo.Result::reason),
      of.apply(AuditText::needed),
      first ? term.alternative().orElse("") : "",
    };
  }
}
