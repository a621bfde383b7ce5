package dev.parlance.control.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The token that people and their tools show for plans, audits and cores. */
public final class OperatorToken {
  private static final int RANDOM_BYTES = 32;
  private static final int LEAST_CHARS = 16;

  private final byte[] token;

  private OperatorToken(byte[] token) {
    this.token = token;
  }

  /**
   * Reads the token, one line; makes it where there is no file.
   *
   * @throws IOException if it cannot be read, or others than its owner can
   */
  public static OperatorToken open(Path file) throws IOException {
    byte[] content =
        SecretFile.openOrCreate(
            file,
            () -> {
              byte[] fresh = new byte[RANDOM_BYTES];
              new SecureRandom().nextBytes(fresh);
              return (HexFormat.of().formatHex(fresh) + "\n").getBytes(StandardCharsets.US_ASCII);
            });
    String text = new String(content, StandardCharsets.UTF_8).strip();
    if (text.length() < LEAST_CHARS || !text.matches("[\\x21-\\x7e]+")) {
      throw new IOException(
          file + " must hold a token of at least " + LEAST_CHARS + " printable characters");
    }
    return new OperatorToken(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** True if this is the token; takes as long whatever is wrong with it. */
  public boolean accepts(String presented) {
    return MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.UTF_8));
  }

  /** The token itself, for tools on this machine. */
  public String value() {
    return new String(token, StandardCharsets.US_ASCII);
  }
}
