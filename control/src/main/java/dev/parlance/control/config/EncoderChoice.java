package dev.parlance.control.config;

import java.nio.file.Path;

/** Which encoder turns the texts of rounds into vectors. */
public sealed interface EncoderChoice {
  /** The small one that comes with Parlance. */
  record BuiltIn() implements EncoderChoice {}

  /** None: rounds end in verdict commits or aborts, never in semantic commits. */
  record Off() implements EncoderChoice {}

  /**
   * One from a folder.
   *
   * @param dir folder with {@code manifest.json}, {@code model.onnx} and what else the manifest
   *     names
   */
  record Folder(Path dir) implements EncoderChoice {}
}
