package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.policy.core.Names;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "token",
    description = {
      "Prints the token by which the sidecars of an agent attach.",
      "It is the agent's id signed with the secret of the data folder, which is made",
      "if it is not there. Keep it as a secret."
    },
    footer = {
      "",
      "Example:",
      "  parlance control token alice --data parlance-control > alice.token"
    })
final class ControlTokenCommand implements Callable<Integer> {
  @Parameters(paramLabel = "AGENT", description = "id of the agent")
  String agent = "";

  @Mixin ControlConfigOptions config = new ControlConfigOptions();
  @Mixin OutputOption output = new OutputOption();

  private final Terminal terminal;

  ControlTokenCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!Names.isName(agent)) {
      return terminal.complain(
          ExitStatus.USAGE,
          "control token: expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}, got "
              + TerminalEscaper.shortened(agent, 80));
    }
    return switch (config.load(Optional.empty(), Optional.empty())) {
      case ConfigResult.Refused<ControlConfig> refused -> config.complain(terminal, refused);
      case ConfigResult.Loaded(ControlConfig loaded) -> {
        String token = ControlMain.attachToken(loaded, agent);
        switch (output.format) {
          case TEXT -> terminal.out().println(token);
          case JSON -> terminal.json(Map.of("agent", agent, "token", token));
        }
        yield ExitStatus.OK;
      }
    };
  }
}
