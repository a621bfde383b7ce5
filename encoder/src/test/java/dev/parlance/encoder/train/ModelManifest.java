package dev.parlance.encoder.train;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The manifest of a model of this module: what it is, how texts get into it, and the digest of its
 * file.
 *
 * @param id of the encoder
 * @param dim length of its vectors
 * @param input how texts get into it
 * @param cosMin least cosine of texts that say the same
 */
record ModelManifest(String id, int dim, NgramInput input, double cosMin) {
  /** Writes the manifest of that graph. */
  byte[] json(byte[] onnx) {
    String text =
        """
        {
          "format": "parlance-encoder-1",
          "id": "%s",
          "dim": %d,
          "tokenizer": "ngram",
          "pooling": "none",
          "maxTokens": %d,
          "cosMin": %s,
          "ngram": {"form": "%s", "rows": %d},
          "files": {"%s": "%s"}
        }
        """
            .formatted(
                id,
                dim,
                input.maxTokens(),
                Double.toString(cosMin),
                input.form(),
                input.rows(),
                BuiltInModel.MODEL,
                sha256(onnx));
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Hex SHA-256. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
