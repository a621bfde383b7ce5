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
    })
public final class PactCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("pact", PactCommand.class);
  }
}
