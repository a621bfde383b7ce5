package dev.parlance.cli.offline;

import dev.parlance.cli.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tries the encoders of rounds without a control plane. */
@Command(
    name = "encoder",
    synopsisSubcommandLabel = "COMMAND",
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
final class EncoderCommand implements Runnable {
  private final CommandLine self;

  private EncoderCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine encoder = new EncoderCommand().self;
    encoder.addSubcommand(new EncoderCheckCommand(terminal));
    encoder.addSubcommand(new EncoderEmbedCommand(terminal));
    encoder.addSubcommand(new EncoderCompareCommand(terminal));
    encoder.addSubcommand(new EncoderManifestCommand(terminal));
    return encoder;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        self, "a command is missing: check, embed, compare or manifest");
  }
}
