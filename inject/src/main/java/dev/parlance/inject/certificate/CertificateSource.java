package dev.parlance.inject.certificate;

import dev.parlance.service.IoWords;
import dev.parlance.service.identity.KeyMaterial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where the webhook's certificate comes from; {@link #look} is called again and again. */
public interface CertificateSource {
  /** Does what is due and says how it stands; it may block for some seconds. */
  Look look();

  /**
   * How it stands.
   *
   * @param material what to serve; empty if there is none yet
   * @param announced whether API servers are told whom to believe, as far as that is ours to do
   * @param failure what did not work this time
   */
  record Look(Optional<KeyMaterial> material, boolean announced, Optional<String> failure) {}

  /**
   * {@code tls.crt} and {@code tls.key} of a folder, as cert-manager's Secret is mounted. What
   * cannot be read, or does not belong together because only one of them was written yet, changes
   * nothing.
   */
  final class FileCertificates implements CertificateSource {
    private static final long MAX_BYTES = 1 << 20;

    private final Path dir;
    private Optional<KeyMaterial> last = Optional.empty();

    /** A source over a folder. */
    public FileCertificates(Path dir) {
      this.dir = dir;
    }

    @Override
    public Look look() {
      try {
        Optional<KeyMaterial> found = KeyMaterial.of(read("tls.crt"), read("tls.key"));
        if (found.isPresent()) {
          last = found;
          return new Look(found, true, Optional.empty());
        }
        return new Look(
            last,
            true,
            Optional.of("tls.crt and tls.key in " + dir + " are no certificate and key"));
      } catch (IOException e) {
        return new Look(last, true, Optional.of("cannot read " + dir + ": " + IoWords.why(e)));
      }
    }

    private String read(String name) throws IOException {
      Path file = dir.resolve(name);
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
      }
      return Files.readString(file, StandardCharsets.US_ASCII);
    }
  }
}
