package dev.parlance.cli.offline;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.control.embed.Embedder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tries the encoders of rounds without a control plane. */
@Command(
    name = "encoder",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      EncoderCommand.EncoderCheckCommand.class,
      EncoderEmbedCommand.class,
      EncoderCompareCommand.class,
      EncoderManifestCommand.class
    },
    description = {
      "Checks and tries encoders, which turn the texts of rounds into vectors.",
      "An encoder is the one that comes with Parlance, or a folder with manifest.json,",
      "model.onnx and tokenizer.json."
    },
    footer = {
      "",
      "Examples:",
      "  parlance encoder manifest models/mini --id all-MiniLM-L6-v2",
      "  parlance encoder check models/mini",
      "  parlance encoder compare 'It ends in May.' 'It does not end in May.'"
    })
final class EncoderCommand {

  @Command(
      name = "check",
      description = {
        "Checks an encoder as the control plane does.",
        "Reads the manifest, compares the digest of every file, loads the model and",
        "tries it. Exit status 1 if a control plane could not use it."
      },
      footer = {
        "",
        "Examples:",
        "  parlance encoder check",
        "  parlance encoder check models/mini -o json"
      })
  static final class EncoderCheckCommand implements Callable<Integer> {
    @Parameters(
        paramLabel = "DIR",
        arity = "0..1",
        description = "the encoder's folder (default: the encoder that comes with Parlance)")
    Optional<Path> dir = Optional.empty();

    @Mixin OutputOption output = new OutputOption();

    private final Terminal terminal;

    EncoderCheckCommand(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      try (Embedder embedder = EncoderOption.open(dir)) {
        EncoderView view = EncoderView.of(embedder.status());
        switch (output.format) {
          case JSON -> terminal.json(view);
          case TEXT -> view.print(terminal.out());
        }
        return view.isReady() ? ExitStatus.OK : ExitStatus.FAILED;
      }
    }
  }
}
