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

@Command(
    name = "watch",
    description = {
      "Follows a round until it has ended, and shows it then.",
      "Each change is a line on standard error. A replica that goes away in between is",
      "waited for, because another one ends the round."
    },
    footer = {"", "Example:", "  parlance round watch release/7 -o json"})
final class RoundWatchCommand extends ControlPlaneCommand<RoundInfo> {
  @Mixin RoundName round = new RoundName();
  @Mixin VerifyKeyOption verify = new VerifyKeyOption();

  RoundWatchCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected Optional<String> problem() {
    return round.problem().or(verify::problem);
  }

  @Override
  protected ControlReply<RoundInfo> ask(ControlClient client) throws IOException {
    return RoundServiceCalls.watch(
        client,
        round.name,
        round.epoch,
        verify.keys(control),
        now -> terminal.note("  " + now.state() + ", " + now.progress() + " proposed"));
  }

  @Override
  protected void text(RoundInfo ended) {
    new RoundText(terminal).print(ended);
  }

  @Override
  protected int status(RoundInfo ended) {
    return ended.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
  }
}
