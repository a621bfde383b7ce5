package dev.parlance.service.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Small files that are there whole or not at all, after a crash too, and that nobody but their
 * owner may read.
 */
public final class SafeFile {
  /** How the names end of files that a crash has left half written. */
  public static final String DRAFT = ".tmp";

  private SafeFile() {}

  /**
   * Puts content in the place of a file. When this returns the new content survives a crash; when
   * it throws, the old one is still there, or the new one whole.
   */
  public static void replace(Path file, byte[] content) throws IOException {
    write(file, content, Disk.REAL::rename);
  }

  /** As above, with text. */
  public static void replace(Path file, String text) throws IOException {
    replace(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Makes a file, and its folder, unless there is one: of two that make it at once one wins.
   *
   * @return false if there was one
   */
  public static boolean create(Path file, byte[] content) throws IOException {
    if (Files.exists(file)) {
      return false;
    }
    try {
      write(file, content, SafeFile::link);
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    }
  }

  private static void write(Path file, byte[] content, Naming naming) throws IOException {
    Path folder = folder(file);
    Files.createDirectories(folder);
    Path draft = Files.createTempFile(folder, "." + file.getFileName(), DRAFT);
    try {
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        Disk.REAL.write(channel, ByteBuffer.wrap(content));
        channel.force(true);
      }
      naming.give(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
    Disk.REAL.forceNames(folder);
  }

  private static void link(Path draft, Path file) throws IOException {
    try {
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException _) {
      Files.move(draft, file); // no links here; looks for another file before it renames
    }
  }

  private interface Naming {
    void give(Path draft, Path file) throws IOException;
  }

  /** Where a file lies. */
  static Path folder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IOException("expected a file in a folder, got " + file);
    }
    return folder;
  }
}
