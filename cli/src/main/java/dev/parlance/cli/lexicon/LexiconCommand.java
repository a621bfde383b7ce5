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
    })
public final class LexiconCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("lexicon", LexiconCommand.class);
  }
}
