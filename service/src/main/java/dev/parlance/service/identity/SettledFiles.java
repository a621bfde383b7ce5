package dev.parlance.service.identity;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The contents of files that belong together and that somebody else replaces. Contents are
 * compared, not times, because Kubernetes swaps a symbolic link above the files; new ones count
 * once two looks saw the same.
 */
public final class SettledFiles {
  /** Longest file, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private final List<Path> paths;
  private List<byte[]> seen = List.of();
  private List<byte[]> settled = List.of();

  /** Those at these paths; nothing is read yet. */
  public SettledFiles(List<Path> paths) {
    this.paths = List.copyOf(paths);
  }

  /**
   * One look.
   *
   * @return the contents, in the order of the paths, the first time that they have settled
   */
  public Optional<List<byte[]>> look() throws IOException {
    List<byte[]> now = new ArrayList<>(paths.size());
    for (Path path : paths) {
      now.add(content(path));
    }
    boolean stable = same(now, seen);
    seen = now;
    if (!stable || same(now, settled)) {
      return Optional.empty();
    }
    settled = now;
    return Optional.of(now);
  }

  private static boolean same(List<byte[]> one, List<byte[]> other) {
    return Arrays.deepEquals(one.toArray(), other.toArray());
  }

  private static byte[] content(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException(path + " has more than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }
}
