package dev.parlance.proxy.identity;

import dev.parlance.proxy.config.IdentitySettings;
import dev.parlance.service.file.SafeFile;
import dev.parlance.service.identity.DenyList;
import dev.parlance.service.identity.SpiffeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is believed no more: by the configuration, and by what the control plane has pushed last. The
 * latter is kept in a file, so that a sidecar that starts while the control plane is away does not
 * believe them again.
 */
public final class Denials {
  /** Of the configuration alone. */
  public static final Denials NONE = new Denials(Optional.empty());

  private static final Logger log = LoggerFactory.getLogger(Denials.class);
  private static final String FILE = "denied-identities";
  private static final int MAX_BYTES = 4 << 20;

  private final Optional<Path> file;
  private volatile DenyList pushed = DenyList.NOBODY;

  private Denials(Optional<Path> file) {
    this.file = file;
  }

  /**
   * Those of the data folder.
   *
   * @throws IOException if there are some that cannot be read: to begin without them would be wrong
   */
  public static Denials open(Path dataDir) throws IOException {
    Path file = dataDir.resolve(FILE);
    Denials denials = new Denials(Optional.of(file));
    if (Files.exists(file)) {
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
      }
      denials.pushed = DenyList.of(Files.readAllLines(file));
    }
    return denials;
  }

  /** True for an id that is refused whatever its certificates say. */
  public boolean has(IdentitySettings settings, SpiffeId id) {
    return pushed.has(id) || settings.deny().stream().anyMatch(pattern -> pattern.matches(id));
  }

  /** True for an id, or this certificate of it. */
  boolean has(IdentitySettings settings, SpiffeId id, X509Certificate leaf) {
    return pushed.has(id, leaf) || has(settings, id);
  }

  /** Entries that the control plane has pushed. */
  public int size() {
    return pushed.ids().size() + pushed.serials().size();
  }

  /**
   * Takes what the control plane says in the place of what it has said before.
   *
   * @return whether that has changed anything
   */
  public boolean push(List<String> entries) {
    DenyList next = DenyList.of(entries);
    if (next.equals(pushed)) {
      return false;
    }
    pushed = next;
    file.ifPresent(path -> write(path, entries));
    return true;
  }

  private static void write(Path path, List<String> entries) {
    try {
      SafeFile.replace(path, String.join("\n", entries));
    } catch (IOException e) {
      log.atError().setCause(e).log("who is denied is not kept for the next start");
    }
  }
}
