package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The encoder all-MiniLM-L6-v2 as {@code bin/minilm} lays it down, and where it goes. */
final class ModelFolder {
  /** The folder of encoders, below the build's and below what is made. */
  static final String NAME = "models";

  private static final String MODEL = "all-minilm-l6-v2";

  private ModelFolder() {}

  /** Whether the folder of encoders has it. */
  static boolean isThere(Path models) {
    return Files.exists(models.resolve(MODEL).resolve("model.onnx"));
  }

  /** Copies it below the folder of Parlance; which files it may be is checked where it is used. */
  static void copy(Path models, Path home) throws IOException {
    Trees.copy(models.resolve(MODEL), home.resolve(NAME).resolve(MODEL));
  }
}
