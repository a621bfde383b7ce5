package dev.parlance.cli.round;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputFormat;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.proto.v1.Round;
import java.io.IOException;
import java.util.List;
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
final class RoundShowCommand extends ControlPlaneCommand<RoundLook> {
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
  protected ControlReply<RoundLook> ask(ControlClient client) throws IOException {
    List<VerifierKey> keys = verify.keys(control);
    ControlReply<Round> reply = client.askRounds(stub -> stub.getRound(round.request(texts)));
    return looked(reply, keys);
  }

  static ControlReply<RoundLook> looked(ControlReply<Round> reply, List<VerifierKey> keys) {
    return switch (reply) {
      case ControlReply.Answered<Round>(Round found) ->
          new ControlReply.Answered<>(RoundLook.at(found, keys));
      case ControlReply.Failed<Round>(var code, String message) ->
          new ControlReply.Failed<>(code, message);
    };
  }

  @Override
  protected int print(RoundLook look) {
    return print(terminal, output.format, look);
  }

  /** Prints a round; exit status 1 if something speaks against it. */
  static int print(Terminal terminal, OutputFormat format, RoundLook look) {
    switch (format) {
      case JSON -> terminal.out().println(Json.pretty(RoundView.whole(look)));
      case TEXT -> new RoundText(terminal).print(look);
    }
    return look.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
  }
}
