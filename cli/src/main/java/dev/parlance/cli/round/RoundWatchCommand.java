package dev.parlance.cli.round;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.Round;
import io.grpc.Status;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
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
final class RoundWatchCommand extends ControlPlaneCommand<RoundLook> {
  private static final int RETRIES_MAX = 60;
  private static final long RETRY_MS = 500;

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
  protected ControlReply<RoundLook> ask(ControlClient client) throws IOException {
    List<VerifierKey> keys = verify.keys(control);
    return RoundShowCommand.looked(follow(client), keys);
  }

  private ControlReply<Round> follow(ControlClient client) {
    GetRoundRequest request = round.request(false);
    Shown shown = new Shown();
    for (int failures = 0; failures <= RETRIES_MAX; failures++) {
      GetRoundRequest asked = request;
      ControlReply<Optional<Round>> reply =
          client.watchRounds(stub -> {
            Iterator<Round> changes = stub.watchRound(asked);
            while (changes.hasNext()) {
              shown.show(changes.next());
            }
            return shown.last;
          });
      if (reply instanceof ControlReply.Failed<Optional<Round>>(Status.Code code, String message)
          && code != Status.Code.UNAVAILABLE) {
        return new ControlReply.Failed<>(code, message);
      }
      if (shown.last.isPresent() && shown.last.get().hasResult()) {
        return new ControlReply.Answered<>(shown.last.get());
      }
      // Whichever epoch it was, that one is watched on.
      request =
          shown
              .last
              .map(last -> asked.toBuilder().setEpoch(last.getEpoch()).build())
              .orElse(request);
      try {
        Thread.sleep(RETRY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ControlReply.Failed<>(Status.Code.CANCELLED, "interrupted");
      }
    }
    return new ControlReply.Failed<>(
        Status.Code.UNAVAILABLE, "the control plane does not say how the round goes on");
  }

  /** What the person has been shown. */
  private final class Shown {
    private Optional<Round> last = Optional.empty();

    private void show(Round now) {
      last = Optional.of(now);
      terminal
          .err()
          .println(
              TerminalEscaper.line(
                  "  " + now.getState() + ", " + RoundText.proposed(now) + " proposed"));
    }
  }

  @Override
  protected int print(RoundLook look) {
    return RoundShowCommand.print(terminal, output.format, look);
  }
}
