package dev.parlance.cli.offline;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** Commands that work on files alone. */
public final class OfflineCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of(
        "score", ScoreCommand.class,
        "calibrate", CalibrateCommand.class,
        "certify", CertifyCommand.class,
        "commit", CommitCommand.class,
        "encoder", EncoderCommand.class);
  }
}
