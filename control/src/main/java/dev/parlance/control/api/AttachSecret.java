package dev.parlance.control.api;

import dev.parlance.policy.core.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the tokens of sidecars are made from: the token of an agent is the lower-case hex
 * HMAC-SHA256 of {@code "parlance-attach-1\n" + agent}. So no list of tokens has to be kept, and
 * the token of one agent says nothing about another one's.
 */
public final class AttachSecret {
  private static final int BYTES = 32;
  private static final String PREFIX = "parlance-attach-1\n";

  private final SecretKeySpec key;

  private AttachSecret(byte[] secret) {
    this.key = new SecretKeySpec(secret, "HmacSHA256");
  }

  /**
   * Reads the secret, 32 bytes or their hex; makes it where there is no file.
   *
   * @throws IOException if it cannot be read, or others than its owner can
   */
  public static AttachSecret open(Path file) throws IOException {
    byte[] content =
        SecretFile.openOrCreate(
            file,
            () -> {
              byte[] fresh = new byte[BYTES];
              new SecureRandom().nextBytes(fresh);
              return fresh;
            });
    if (content.length == BYTES) {
      return new AttachSecret(content);
    }
    String text = new String(content, StandardCharsets.ISO_8859_1).strip();
    if (text.length() != 2 * BYTES || !text.matches("[0-9a-fA-F]+")) {
      throw new IOException(file + " must hold 32 bytes, or 64 hex digits");
    }
    return new AttachSecret(HexFormat.of().parseHex(text));
  }

  /** The token of an agent's sidecars. */
  public String token(String agent) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return HexFormat.of()
          .formatHex(mac.doFinal((PREFIX + Names.checked(agent)).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /** True if the token is this agent's; takes as long whatever is wrong with it. */
  public boolean accepts(String agent, String token) {
    return MessageDigest.isEqual(
        token(agent).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }
}
