package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFiles.FileOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * Puts files into a log's directory and says what has to be forced for them to stay.
 *
 * @param directory the log's directory
 */
record LogFolder(Path directory, FileOps ops) {
  private static final String TEMPORARY = "tmp";

  /** The place of a name. */
  Path resolve(String name) {
    return directory.resolve(name);
  }

  /** Where what takes a name in one step is written first. */
  Path temporary(String name) {
    return directory.resolve(TEMPORARY).resolve(name);
  }

  /** Empties the directory of temporary files, or makes it. */
  void clearTemporary() throws IOException {
    Path temporary = directory.resolve(TEMPORARY);
    if (Files.isDirectory(temporary)) {
      LedgerFiles.clear(temporary, ops);
    } else {
      ops.createDirectory(temporary);
    }
  }

  /** Writes a file under its name, for one that nobody reads yet. */
  void write(String path, byte[] content, Set<Path> changed) throws IOException {
    Path file = directory.resolve(path);
    makeParents(file, changed);
    ops.write(file, content);
    changed.add(file);
  }

  /** Puts a file in the place of what may be read under its name. */
  void replace(String path, byte[] content, Set<Path> changed) throws IOException {
    Path file = directory.resolve(path);
    makeParents(file, changed);
    writeNext(content);
    ops.rename(next(), file);
    changed.add(file);
  }

  /** Writes what is to take the place of the checkpoint. */
  void writeNext(byte[] content) throws IOException {
    ops.write(next(), content);
  }

  /** Puts it there; readers see all of the commit from now on. */
  void renameNext() throws IOException {
    ops.rename(next(), directory.resolve(LogSource.CHECKPOINT));
  }

  /** The checkpoint that has not got its name yet. */
  Path next() {
    return temporary("next");
  }

  /** Directories that are there count as changed: who made them may have died before the sync. */
  private void makeParents(Path file, Set<Path> changed) throws IOException {
    Path parent = LedgerFiles.parent(file);
    if (!parent.equals(directory)) {
      makeParents(parent, changed);
      if (!Files.isDirectory(parent)) {
        ops.createDirectory(parent);
      }
    }
    changed.add(parent);
  }

  /** The bytes of a file; empty where there is none. */
  Optional<byte[]> read(String path, int maxBytes) throws IOException {
    Path file = directory.resolve(path);
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = in.size();
      if (size > maxBytes) {
        throw new IOException(file + " has more than " + maxBytes + " bytes");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      while (bytes.hasRemaining()) {
        if (in.read(bytes) < 0) {
          throw new IOException(file + " became shorter");
        }
      }
      return Optional.of(bytes.array());
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }
}
