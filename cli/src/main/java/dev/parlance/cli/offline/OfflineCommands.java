package dev.parlance.cli.offline;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** Commands that work on files alone. */
public final class OfflineCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of(
        "score", terminal -> new CommandLine(new ScoreCommand(terminal)),
        "certify", terminal -> new CommandLine(new CertifyCommand(terminal)),
        "commit", terminal -> new CommandLine(new CommitCommand(terminal)),
        "encoder", EncoderCommand::commandLine);
  }
}
