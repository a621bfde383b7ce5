package dev.parlance.proxy.main;

import dev.parlance.service.IoWords;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The data folder, and the file in it by which other processes find this one. */
final class StateFiles {
  /** Where the admin listener is, for {@code parlance review} and {@code parlance explain}. */
  static final String ADMIN_URL = "admin.url";

  private StateFiles() {}

  /** Creates the data folder, unless it is there. */
  static void createDataDir(Path folder) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new IOException(
          "dataDir: %s is a file, expected a folder; move it away or set another dataDir"
              .formatted(folder));
    }
    try {
      Files.createDirectories(folder);
    } catch (FileSystemException e) {
      throw new IOException(
          "dataDir: cannot create the folder %s (%s); make %s writable or set another dataDir"
              .formatted(folder, IoWords.why(e), e.getFile()),
          e);
    }
  }
}
