package dev.parlance.cli.lexicon;

import dev.parlance.cli.CommandGroup;
import java.util.Map;
import picocli.CommandLine.Command;

/** Everything about coined terms. */
@Command(
    name = "lexicon",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BoardCommands.BoardListCommand.class,
      BoardCommands.BoardShowCommand.class,
      BoardCommands.BoardWatchCommand.class,
      BoardCommands.TermShareCommand.class,
      BoardCommands.TermPromoteCommand.class,
      BoardCommands.TermRetireCommand.class,
      BoardCommands.BoardExportCommand.class,
      LexiconReplayCommand.class,
      LexiconWireCommand.class
    },
    description = {
      "Shows, measures and decides about terms that agents coin for each other.",
      "replay and wire work on files alone: JSON Lines in, JSON Lines out, in the same",
      "order and number. A malformed line gives {\"id\":..,\"error\":{\"code\",\"message\"}};",
      "the others go on, and the exit status is 1 at the end."
    },
    footer = {
      "",
      "Examples:",
      "  parlance lexicon list",
      "  parlance lexicon replay conversations.jsonl",
      "  parlance lexicon wire turns.jsonl > judged.jsonl"
    })
public final class LexiconCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("lexicon", LexiconCommand.class);
  }
}
