package dev.parlance.cli.pact;

import dev.parlance.cli.CommandGroup;
import java.util.Map;
import picocli.CommandLine.Command;

/** Everything about pacts. */
@Command(
    name = "pact",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PactReplayCommand.class,
      PactValidateCommand.class,
      PactScoreCommand.class,
      PactVerifyCommand.class,
      PactListCommand.class,
      PactShowCommand.class,
      PactStandingCommand.class,
      PactDecideCommand.class,
      PactCaseCommand.class,
      PactDissolveCommand.class,
      PactTemplateCommand.class
    },
    description = {
      "Replays, validates, scores and verifies pacts between agents; lists and decides them.",
      "replay, validate, score and verify work on files alone: JSON Lines in, JSON Lines",
      "out, in the same order and number. A malformed line gives",
      "{\"id\":..,\"error\":{\"code\",\"message\"}}; the others go on, and the exit status is",
      "1 at the end. The others ask a control plane;",
      "dissolve asks a sidecar."
    },
    footer = {
      "",
      "Examples:",
      "  parlance pact validate bodies.jsonl",
      "  parlance pact verify notes.jsonl > answers.jsonl",
      "  parlance pact list --unfinished"
    })
public final class PactCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("pact", PactCommand.class);
  }
}
