package dev.parlance.cli.offline;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.Embedders;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which encoder a command uses. */
final class EncoderOption {
  private static final int QUEUE = 64;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "the encoder's folder (default: the encoder that comes with Parlance)")
  Optional<Path> dir = Optional.empty();

  Embedder open() {
    return open(dir);
  }

  static Embedder open(Optional<Path> dir) {
    EncoderChoice choice =
        dir.<EncoderChoice>map(EncoderChoice.Folder::new).orElseGet(EncoderChoice.BuiltIn::new);
    return Embedders.open(choice, 1, QUEUE, EncoderListener.NONE);
  }
}
