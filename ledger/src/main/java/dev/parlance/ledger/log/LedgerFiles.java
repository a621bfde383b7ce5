package dev.parlance.ledger.log;

import dev.parlance.ledger.tile.TlogPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * The tiles and bundles that lie in a log's directory, whether its checkpoint names them or not.
 */
final class LedgerFiles {
  private LedgerFiles() {}

  /** Every file under {@code tile/} whose path is one of tlog-tiles. */
  static List<TlogPath> list(Path directory) throws IOException {
    List<TlogPath> found = new ArrayList<>();
    Path tiles = directory.resolve("tile");
    if (Files.isDirectory(tiles)) {
      try (Stream<Path> files = Files.walk(tiles)) {
        files
            .filter(Files::isRegularFile)
            .map(file -> directory.relativize(file).toString())
            .flatMap(path -> TlogPath.parse(path).stream())
            .forEach(found::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    return found;
  }

  /** Deletes files and makes it durable. */
  static void delete(Path directory, List<TlogPath> paths, FileOps ops) throws IOException {
    Set<Path> changed = new LinkedHashSet<>();
    for (TlogPath path : paths) {
      Path file = directory.resolve(path.path());
      ops.delete(file);
      changed.add(parent(file));
    }
    for (Path parent : changed) {
      ops.forceAt(parent);
    }
  }

  /** Deletes the partial resources of those that are full, which nobody needs any more. */
  static void deletePartials(Path directory, Collection<String> paths, FileOps ops)
      throws IOException {
    for (String path : paths) {
      Path partials = directory.resolve(path + ".p");
      if (Files.isDirectory(partials)) {
        clear(partials, ops);
        ops.delete(partials);
      }
    }
  }

  /** Deletes the files of a directory. */
  static void clear(Path directory, FileOps ops) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        ops.delete(file);
      }
    }
  }

  static Path parent(Path file) {
    return Optional.ofNullable(file.getParent())
        .orElseThrow(() -> new IllegalArgumentException(file + " has no parent"));
  }

  /** The few calls of the file system that a commit stands on; tests let them fail. */
  interface FileOps {
    /** The file system as it is. */
    FileOps REAL = new FileOps() {};

    /** Most bytes of one write of a file that is written whole. */
    int PIECE_BYTES = 1 << 20;

    /** Opens a file to write over what it has. */
    default FileChannel open(Path file) throws IOException {
      return FileChannel.open(file, StandardOpenOption.WRITE);
    }

    /** Writes some of the bytes. */
    default int write(FileChannel channel, ByteBuffer bytes) throws IOException {
      return channel.write(bytes);
    }

    /** Makes a file's or directory's content durable. */
    default void force(FileChannel channel) throws IOException {
      channel.force(true);
    }

    /** Makes the content of a file that keeps its size durable. */
    default void forceData(FileChannel channel) throws IOException {
      channel.force(false);
    }

    /** Makes a directory. */
    default void createDirectory(Path directory) throws IOException {
      Files.createDirectory(directory);
    }

    /** Deletes a file or an empty directory, if it is there. */
    default void delete(Path path) throws IOException {
      Files.deleteIfExists(path);
    }

    /** Puts a file in another's place in one step. */
    default void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes a file whole; it is not durable yet, nor is its name. */
    default void write(Path file, byte[] content) throws IOException {
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        // In pieces, since the JDK keeps memory outside the heap as large as the largest of them.
        for (int from = 0; from < content.length; from += PIECE_BYTES) {
          int length = Math.min(PIECE_BYTES, content.length - from);
          ByteBuffer bytes = ByteBuffer.wrap(content, from, length);
          while (bytes.hasRemaining()) {
            write(channel, bytes);
          }
        }
      }
    }

    /**
     * Makes files and names in directories durable, all at the same time: one wait for the disk.
     * Returns when every one has ended, also if one failed.
     */
    default void forceAll(Collection<Path> paths, Executor executor) throws IOException {
      List<CompletableFuture<Optional<IOException>>> ends =
          paths.stream()
              .map(path ->
                  CompletableFuture.supplyAsync(
                      () -> {
                        try {
                          forceAt(path);
                          return Optional.<IOException>empty();
                        } catch (IOException e) {
                          return Optional.of(e);
                        }
                      },
                      executor))
              .toList();
      List<IOException> failures =
          ends.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList();
      if (!failures.isEmpty()) {
        throw failures.getFirst();
      }
    }

    /** Makes a file's content, or the names in a directory, durable. */
    default void forceAt(Path path) throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        force(channel);
      }
    }
  }
}
