package dev.parlance.cli.offline;

import picocli.CommandLine.Command;

/** Tries the encoders of rounds without a control plane. */
@Command(
    name = "encoder",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      EncoderCheckCommand.class,
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
final class EncoderCommand {}
