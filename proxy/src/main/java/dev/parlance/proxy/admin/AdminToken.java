package dev.parlance.proxy.admin;

import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret that a person's tools show to the admin server: 32 random bytes in base64url, kept in
 * a file that only its owner can read. The local agent shares the loopback interface with the
 * sidecar; without this it could release its own messages. It must run as another user for that to
 * hold.
 */
public final class AdminToken {
  /** Name of the file in the data folder. */
  public static final String FILE_NAME = "admin.token";

  private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
  private static final int RANDOM_BYTES = 32;
  private static final int TEXT_CHARS = 43;
  private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{" + TEXT_CHARS + "}");
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.copyOf(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

  private final String text;

  private AdminToken(String text) {
    this.text = text;
  }

  /**
   * The token in this folder. A new one is made where there is none, where the file holds something
   * else, and where others could have read it.
   */
  public static AdminToken open(Path dataDir) throws IOException {
    Files.createDirectories(dataDir);
    Path file = dataDir.resolve(FILE_NAME);
    Optional<AdminToken> kept = read(file);
    if (kept.isPresent()) {
      return kept.get();
    }
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    AdminToken made =
        new AdminToken(Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    SafeFile.replace(file, made.text + "\n");
    return made;
  }

  private static Optional<AdminToken> read(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("expected a regular file, got something else: " + file);
    }
    try {
      Set<PosixFilePermission> permissions =
          Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
      if (!OWNER_ONLY.containsAll(permissions)) {
        LOG.warn(
            "admin token replaced: its file had permissions {}, expected rw-------",
            PosixFilePermissions.toString(permissions));
        return Optional.empty();
      }
      String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      if (TEXT.matcher(text).matches()) {
        return Optional.of(new AdminToken(text));
      }
      LOG.warn("admin token replaced: its file did not hold {} base64url characters", TEXT_CHARS);
      return Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** True if this is the token; takes the same time wherever the two differ. */
  boolean matches(String candidate) {
    return MessageDigest.isEqual(
        text.getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
  }

  /** The secret itself, for tools that share the data folder. */
  public String text() {
    return text;
  }

  /** Not the secret: this may be logged. */
  @Override
  public String toString() {
    return "AdminToken[hidden]";
  }
}
