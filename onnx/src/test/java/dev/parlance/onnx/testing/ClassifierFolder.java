package dev.parlance.onnx.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The folder of an entailment classifier for tests, good unless a test spoils it. */
public final class ClassifierFolder {
  /** A word that speaks for entailment, wherever it stands. */
  public static final String ENTAILS = "hello";

  /** One for contradiction. */
  public static final String CONTRADICTS = "zz";

  private static final String MANIFEST =
      """
      {"format": "parlance-entailment-1", "id": "test", "maxTokens": 64,
       "labels": ["entailment", "neutral", "contradiction"],
       "files": {"model.onnx": "%s", "tokenizer.json": "%s"}}
      """;

  private ClassifierFolder() {}

  /** Writes a folder with a small tokenizer and a model that counts the two words. */
  public static Path at(Path dir) throws IOException {
    float[][] logits = new float[TestTokenizer.VOCABULARY.size()][3];
    logits[TestTokenizer.VOCABULARY.indexOf(ENTAILS)] = new float[] {9, 0, 0};
    logits[TestTokenizer.VOCABULARY.indexOf(CONTRADICTS)] = new float[] {0, 0, 9};
    logits[2] = new float[] {0, 2, 0};
    return at(dir, Graph.classifier(logits).bytes());
  }

  /** One with another model. */
  public static Path at(Path dir, byte[] model) throws IOException {
    Files.createDirectories(dir);
    Files.write(dir.resolve("model.onnx"), model);
    Files.writeString(dir.resolve("tokenizer.json"), TestTokenizer.json());
    return seal(dir);
  }

  /** Writes the manifest with the digests of the files as they are. */
  public static Path seal(Path dir) throws IOException {
    Files.writeString(
        dir.resolve("manifest.json"),
        MANIFEST.formatted(sha256(dir, "model.onnx"), sha256(dir, "tokenizer.json")));
    return dir;
  }

  /** Hex SHA-256 of a file. */
  public static String sha256(Path dir, String name) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(dir.resolve(name));
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
