package dev.parlance.encoder;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The files of the checked-in model, which {@code train.BuildModel} made: {@code manifest.json},
 * which names the others with their SHA-256, and {@code model.onnx}. They have the form of an
 * encoder's folder and are to be checked like one.
 *
 * <p>The graph takes {@code ids} (int64) and {@code weights} (float), both [batch, features], and
 * gives {@code embedding} (float, [batch, dim]) of length one. Rows shorter than the longest of the
 * batch are filled up with id 0 and weight 0, which changes nothing. A text without a word has no
 * direction: its vector is zero or not a number.
 */
public final class BuiltInModel {
  /** Id of the model, which its manifest has. */
  public static final String ID = "parlance-ngram-1";

  /** Name of the manifest. */
  public static final String MANIFEST = "manifest.json";

  /** Name of the graph. */
  public static final String MODEL = "model.onnx";

  /** Largest file read: 64 MiB. */
  public static final int MAX_BYTES = 64 << 20;

  private BuiltInModel() {}

  /**
   * Reads a file of the model.
   *
   * @param name {@link #MANIFEST}, or what the manifest names
   * @throws IOException if there is none, or it cannot be read
   */
  public static byte[] file(String name) throws IOException {
    try (InputStream in = BuiltInModel.class.getResourceAsStream("model/" + name)) {
      if (in == null) {
        throw new FileNotFoundException("the built-in model has no file \"" + name + "\"");
      }
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("\"" + name + "\" is larger than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }
}
