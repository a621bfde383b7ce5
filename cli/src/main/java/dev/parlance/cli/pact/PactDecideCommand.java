package dev.parlance.cli.pact;

import com.google.protobuf.ByteString;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactStatement.Decision;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.Pact;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Decides a disputed pact, as its arbiter. */
@Command(name = "decide")
final class PactDecideCommand extends ControlPlaneCommand<Pact> {
  @Parameters(paramLabel = "PACT", description = "id of the pact")
  String id = "";

  @Option(
      names = "--ending",
      required = true,
      paramLabel = "ENDING",
      description =
          "work_completed, work_failed, validity_expired, party_withdrew, violated or timeout")
  String ending = "";

  @Option(
      names = "--responsible",
      paramLabel = "PARTY",
      description = "who answers for it; needed with the last three endings")
  String responsible = "";

  @Option(
      names = "--key",
      required = true,
      paramLabel = "FILE",
      description = "the arbiter's key (parlance pact template key NAME)")
  Path key = Path.of("");

  @Override
  protected void check() {
    Ending known =
        Ending.ofCode(ending)
            .filter(one -> one != Ending.DISPUTE_ESCALATED)
            .orElseThrow(() -> CommandProblem.usage("--ending: there is no ending " + ending));
    if (known.blames() == responsible.isEmpty()) {
      throw CommandProblem.usage(
          "--responsible: expected the party exactly for party_withdrew, violated and timeout");
    }
  }

  @Override
  protected Pact ask(ControlClient client) throws IOException {
    SignerKey arbiter = PactTemplateCommand.key(key);
    PactTemplateCommand.registerIfUnknown(client, arbiter);
    Decision said =
        new Decision(
            id,
            arbiter.name(),
            Ending.ofCode(ending).orElseThrow(),
            Optional.of(responsible).filter(who -> !who.isEmpty()),
            System.currentTimeMillis());
    var request =
        DecideRequest.newBuilder()
            .setNote(ByteString.copyFrom(PactStatementNote.sign(said, arbiter)))
            .build();
    return client.pacts().ask(stub -> stub.decide(request));
  }

  @Override
  protected void text(Pact pact) {
    PactShowCommand.print(terminal, pact);
  }
}
