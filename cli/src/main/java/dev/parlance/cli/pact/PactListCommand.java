package dev.parlance.cli.pact;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.PactInfo;
import dev.parlance.cli.api.PactServiceCalls;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the pacts of a control plane. */
@Command(
    name = "list",
    description = "Lists attested pacts, newest first.",
    footer = {"", "Example:", "  parlance pact list --party support --unfinished -o json"})
final class PactListCommand extends ControlPlaneCommand<List<PactInfo>> {
  @Option(names = "--party", paramLabel = "AGENT", description = "only pacts of this agent")
  String party = "";

  @Option(names = "--unfinished", description = "only pacts that hold or are disputed")
  boolean unfinished;

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
  protected List<PactInfo> ask(ControlClient client) {
    return PactServiceCalls.list(client, party, unfinished, limit);
  }

  @Override
  protected void text(List<PactInfo> pacts) {
    if (pacts.isEmpty()) {
      terminal.println("no pacts (routes with `pact: required` make them)");
      return;
    }
    long nowMs = System.currentTimeMillis();
    var table =
        new TextTable("", "pact, parties, state, >attested, ending, responsible, >messages, >bad");
    for (PactInfo pact : pacts) {
      table.add(
          pact.pact(),
          String.join(" -> ", pact.parties()),
          new TextTable.Cell(pact.state(), PactShowCommand.colour(terminal, pact.state())),
          TimeText.since(pact.attestedAtMs(), nowMs),
          pact.reason() == null ? "" : pact.reason(),
          pact.responsible() == null ? "" : pact.responsible(),
          pact.observations().stream().mapToLong(PactInfo.Observed::messages).sum(),
          pact.observations().stream().mapToLong(PactInfo.Observed::violated).sum());
    }
    table.print(terminal.out());
  }
}
