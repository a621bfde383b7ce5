package dev.parlance.proxy.control;

import dev.parlance.service.identity.Svid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * By what a sidecar shows the control plane for whom it speaks: a token, or its SVID on the
 * connection.
 *
 * @param tokenFile read at each attempt; absent: the SVID is shown
 * @param identity the identity in force
 */
public record ControlCredentials(Optional<Path> tokenFile, Supplier<Optional<Svid>> identity) {
  /** Those of a token. */
  public static ControlCredentials token(Path file) {
    return new ControlCredentials(Optional.of(file), Optional::empty);
  }

  /**
   * The token to send; empty if the SVID is shown.
   *
   * @throws IOException if it cannot be read
   */
  public Optional<String> token() throws IOException {
    return tokenFile.isPresent() ? Optional.of(TokenFile.read(tokenFile.get())) : Optional.empty();
  }

  /**
   * The SVID to connect with; empty if a token is sent.
   *
   * @throws IOException if there is none yet
   */
  public Optional<Svid> svid() throws IOException {
    if (tokenFile.isPresent()) {
      return Optional.empty();
    }
    Optional<Svid> now = identity.get();
    if (now.isEmpty()) {
      throw new IOException("there is no identity yet to attach with");
    }
    return now;
  }
}
