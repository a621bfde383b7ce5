package dev.parlance.cli.round;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.RoundInfo;
import dev.parlance.cli.api.RoundServiceCalls;
import dev.parlance.cli.api.VerifyKeyOption;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "show",
    description = {
      "Shows a round: who has proposed, and once it has ended what came of it, how far",
      "each meaning lies from the core, and whether the outcome is signed and follows",
      "from the proposals. Exit status 1 if it is not or does not."
    },
    footer = {"", "Example:", "  parlance round show release/7 --texts"})
final class RoundShowCommand extends ControlPlaneCommand<RoundInfo> {
  @Mixin RoundName round = new RoundName();

  @Option(names = "--texts", description = "also the words of the proposals")
  boolean texts;

  @Mixin VerifyKeyOption verify = new VerifyKeyOption();

  RoundShowCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected Optional<String> problem() {
    return round.problem().or(verify::problem);
  }

  @Override
  protected ControlReply<RoundInfo> ask(ControlClient client) throws IOException {
    return RoundServiceCalls.get(client, round.name, round.epoch, texts, verify.keys(control));
  }

  @Override
  protected void text(RoundInfo found) {
    new RoundText(terminal).print(found);
  }

  @Override
  protected int status(RoundInfo found) {
    return found.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
  }
}
