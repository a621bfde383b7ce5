package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "keys",
    description = {
      "Prints the verifier keys of a control plane.",
      "Those of its cores (what sidecars are configured with) and of its ledger (what",
      "`parlance ledger verify --vkey` takes). Makes the keys where there are none,",
      "so that several replicas can be given the same."
    },
    footer = {"", "Examples:", "  parlance control keys", "  parlance control keys shared-keys"})
final class ControlKeysCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "folder of the keys, instead of the one of the data folder or configuration")
  Optional<Path> folder = Optional.empty();

  @Mixin ControlConfigOptions config = new ControlConfigOptions();
  @Mixin OutputOption output = new OutputOption();

  private final Terminal terminal;

  ControlKeysCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    return switch (config.load(Optional.empty(), Optional.empty())) {
      case ConfigResult.Refused<ControlConfig> refused -> config.complain(terminal, refused);
      case ConfigResult.Loaded(ControlConfig loaded) -> {
        ControlMain.Keys keys =
            ControlMain.keys(folder.orElse(loaded.keys()), loaded.ledgerOrigin());
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("core", keys.core().format());
        texts.put("ledger", keys.ledger().format());
        switch (output.format) {
          case TEXT ->
              texts.forEach((what, key) -> terminal.line(String.format("%-7s %s", what, key)));
          case JSON -> terminal.json(texts);
        }
        yield ExitStatus.OK;
      }
    };
  }
}
