package dev.parlance.cli.pact;

import dev.parlance.cli.TextTable;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.PactInfo;
import dev.parlance.cli.api.PactServiceCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Asks a control plane how parties have kept their pacts. */
@Command(
    name = "standing",
    description = {
      "Shows how agents have kept their pacts: scope honesty (share of messages without",
      "violation of scope or action) and reliability (by how their pacts ended), over the",
      "last 100 pacts of each, and who has reported bad faith in negotiations with them,",
      "worked out by a control plane from its ledger alone."
    },
    footer = {"", "Example:", "  parlance pact standing scholar"})
final class PactStandingCommand extends ControlPlaneCommand<List<PactInfo.Score>> {
  @Parameters(paramLabel = "AGENT", arity = "0..*", description = "only these (default: all)")
  List<String> parties = new ArrayList<>();

  @Override
  protected List<PactInfo.Score> ask(ControlClient client) {
    return PactServiceCalls.scores(client, parties);
  }

  @Override
  protected void text(List<PactInfo.Score> scores) {
    if (scores.isEmpty()) {
      terminal.println("no pact has ended yet");
      return;
    }
    var table =
        new TextTable("", "agent, >scope honesty, >reliability, >pacts, bad faith reported by");
    for (PactInfo.Score score : scores) {
      table.add(
          score.party(),
          number(score.scopeHonesty()),
          number(score.reliability()),
          score.counted(),
          String.join(" ", score.badFaithReporters()));
    }
    table.print(terminal.out());
  }

  private static String number(@Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.3f", value);
  }
}
