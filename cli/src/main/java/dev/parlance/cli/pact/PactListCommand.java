package dev.parlance.cli.pact;

import dev.parlance.cli.ListCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.ControlClient;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Observation;
import dev.parlance.proto.v1.Pact;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the pacts of a control plane. */
@Command(name = "list")
final class PactListCommand extends ListCommand.Limited<Pact> {
  @Option(names = "--party", paramLabel = "AGENT", description = "only pacts of this agent")
  String party = "";

  @Option(names = "--unfinished", description = "only pacts that hold or are disputed")
  boolean unfinished;

  PactListCommand() {
    super(
        "pact, parties, state, >attested, ending, responsible, >messages, >bad",
        "no pacts (routes with `pact: required` make them)");
  }

  @Override
  protected List<Pact> ask(ControlClient client) throws IOException {
    var request =
        ListPactsRequest.newBuilder()
            .setParty(party)
            .setUnfinished(unfinished)
            .setLimit(limit)
            .build();
    return client.pacts().ask(stub -> stub.listPacts(request).getPactsList());
  }

  @Override
  protected Object[] row(Pact pact) {
    List<Observation> seen = pact.getObservationsList();
    return new Object[] {
      pact.getPact(),
      String.join(" -> ", pact.getPartiesList()),
      new TextTable.Cell(pact.getState(), PactShowCommand.colour(terminal, pact.getState())),
      TimeText.since(pact.getAttestedAtMs(), nowMs),
      pact.getReason(),
      pact.getResponsible(),
      seen.stream().mapToLong(Observation::getMessages).sum(),
      seen.stream()
          .flatMap(one -> one.getViolationsMap().values().stream())
          .mapToLong(Long::longValue)
          .sum()
    };
  }
}
