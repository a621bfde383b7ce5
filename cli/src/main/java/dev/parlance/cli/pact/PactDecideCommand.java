package dev.parlance.cli.pact;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.PactInfo;
import dev.parlance.cli.api.PactServiceCalls;
import dev.parlance.policy.pact.PactScore.Ending;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Decides a disputed pact, as its arbiter. */
@Command(
    name = "decide",
    description = {
      "Decides a disputed pact at a control plane: which ending it shall have, and who",
      "answers for it. The first decision counts, and stands on the ledger."
    },
    footer = {
      "",
      "Example:",
      "  parlance pact decide p-7kq2 --ending violated --responsible scholar --who board-1"
    })
final class PactDecideCommand extends ControlPlaneCommand<PactInfo> {
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
      names = "--who",
      paramLabel = "NAME",
      description = "who decides (default: the user's name)")
  Optional<String> who = Optional.empty();

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
    if (person().isEmpty()) {
      throw CommandProblem.usage("who decides? $USER is empty; name the person with --who");
    }
  }

  private String person() {
    return who.orElse(terminal.environment().getOrDefault("USER", "")).strip();
  }

  @Override
  protected PactInfo ask(ControlClient client) {
    return PactServiceCalls.decide(client, id, person(), ending, responsible);
  }

  @Override
  protected void text(PactInfo pact) {
    PactShowCommand.print(terminal, pact);
  }
}
