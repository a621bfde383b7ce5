package dev.parlance.service;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file descriptors of a process: files and sockets.
 *
 * @param open how many are in use
 * @param limit how many there may be ({@code ulimit -n})
 */
public record OpenFiles(int open, int limit) {
  private static final Path PROCESS = Path.of("/proc/self");
  private static final String ROW = "Max open files";
  private static final int MAX_CAUSES = 16;

  /** Those of this process; empty where the system does not tell, or sets no limit. */
  public static Optional<OpenFiles> ofProcess() {
    try {
      for (String line : Files.readAllLines(PROCESS.resolve("limits"))) {
        if (line.startsWith(ROW)) {
          int limit = Integer.parseInt(line.substring(ROW.length()).trim().split(" +", 2)[0]);
          return Optional.of(new OpenFiles(count(), limit));
        }
      }
    } catch (IOException | NumberFormatException _) {
      // Not Linux, or no limit: nothing to take care of.
    }
    return Optional.empty();
  }

  private static int count() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESS.resolve("fd"))) {
      for (Path _ : all) {
        count++;
      }
    }
    return count;
  }

  /** How many more there may be. */
  public int left() {
    return limit - open;
  }

  /** Whether something failed, or what caused it did, because there were no descriptors left. */
  public static boolean areUsedUp(Throwable failure) {
    Throwable at = failure;
    for (int depth = 0; at != null && depth < MAX_CAUSES; depth++) {
      String text = at instanceof FileSystemException file ? file.getReason() : at.getMessage();
      if (text != null && text.contains("Too many open files")) {
        return true;
      }
      at = at.getCause();
    }
    return false;
  }
}
