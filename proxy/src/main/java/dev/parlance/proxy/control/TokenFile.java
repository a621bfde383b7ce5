package dev.parlance.proxy.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The file of the attach token; read at each attempt, so that a new token needs no restart. */
public final class TokenFile {
  private static final int MAX_BYTES = 4_096;

  private TokenFile() {}

  /**
   * The token.
   *
   * @throws IOException if the file cannot be read or holds no token; never says what it holds
   */
  public static String read(Path file) throws IOException {
    byte[] bytes = CoreFiles.read(file, MAX_BYTES);
    String token = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    if (token.isEmpty()
        || bytes.length > MAX_BYTES
        || !token.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new IOException(file + " does not hold one token of visible ASCII characters");
    }
    return token;
  }
}
