package dev.parlance.cli.pact;

import dev.parlance.cli.ListCommand;
import dev.parlance.cli.offline.TableText;
import dev.parlance.client.ControlClient;
import dev.parlance.proto.v1.PartyScore;
import dev.parlance.proto.v1.ScorePartiesRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Asks a control plane how parties have kept their pacts. */
@Command(name = "standing")
final class PactStandingCommand extends ListCommand<PartyScore> {
  @Parameters(paramLabel = "AGENT", arity = "0..*", description = "only these (default: all)")
  List<String> parties = new ArrayList<>();

  PactStandingCommand() {
    super(
        "agent, >scope honesty, >reliability, >pacts, bad faith reported by",
        "no pact has ended yet");
  }

  @Override
  protected List<PartyScore> ask(ControlClient client) throws IOException {
    var request = ScorePartiesRequest.newBuilder().addAllParties(parties).build();
    return client.pacts().ask(stub -> stub.scoreParties(request).getScoresList());
  }

  @Override
  protected Object[] row(PartyScore score) {
    return new Object[] {
      score.getParty(),
      score.hasScopeHonesty() ? TableText.fixed(score.getScopeHonesty(), 3) : "-",
      score.hasReliability() ? TableText.fixed(score.getReliability(), 3) : "-",
      score.getCounted(),
      String.join(" ", score.getBadFaithReportersList())
    };
  }
}
