package dev.parlance.control.api;

import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/** A secret in a small file that others cannot read. */
final class SecretFile {
  private static final int MAX_BYTES = 4096;

  private SecretFile() {}

  /**
   * The content of the file; where there is none it is made, mode 0600 and durable.
   *
   * @throws IOException if others may read or write it, or it is too large
   */
  static byte[] openOrCreate(Path file, Supplier<byte[]> fresh) throws IOException {
    if (!Files.exists(file)) {
      SafeFile.create(file, fresh.get());
    }
    Set<PosixFilePermission> refused =
        EnumSet.of(
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.GROUP_WRITE);
    if (Files.getFileAttributeView(file, PosixFileAttributeView.class) != null) {
      refused.retainAll(Files.getPosixFilePermissions(file));
      if (!refused.isEmpty()) {
        throw new IOException(file + " holds a secret and must have mode 0600, has " + refused);
      }
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
    }
    return Files.readAllBytes(file);
  }
}
