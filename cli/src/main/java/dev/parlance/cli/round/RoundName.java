package dev.parlance.cli.round;

import dev.parlance.cli.TerminalEscaper;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which round, and which epoch of it. */
final class RoundName {
  @Parameters(paramLabel = "ROUND", description = "name of the round")
  String name = "";

  @Option(
      names = "--epoch",
      paramLabel = "N",
      description = "this attempt at it (default: the newest)")
  long epoch;

  /** What is wrong with it, if anything. */
  Optional<String> problem() {
    return problem(name)
        .or(() ->
            epoch < 0
                ? Optional.of("--epoch: expected 1 or more, got " + epoch)
                : Optional.empty());
  }

  /** What is wrong with the name of a round, if anything. */
  static Optional<String> problem(String name) {
    return RoundNames.isName(name) && name.length() <= RoundId.MAX_ROUND_LENGTH
        ? Optional.empty()
        : Optional.of(
            "expected the name of a round, at most "
                + RoundId.MAX_ROUND_LENGTH
                + " letters, digits and ._:/-, got "
                + TerminalEscaper.shortened(name, 80));
  }
}
