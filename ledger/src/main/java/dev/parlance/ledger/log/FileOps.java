package dev.parlance.ledger.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The few calls of the file system that a commit stands on; tests let them fail. */
interface FileOps {
  /** The file system as it is. */
  FileOps REAL = new FileOps() {};

  /** Writes some of the bytes. */
  default int write(FileChannel channel, ByteBuffer bytes) throws IOException {
    return channel.write(bytes);
  }

  /** Makes a file's or directory's content durable. */
  default void force(FileChannel channel) throws IOException {
    channel.force(true);
  }

  /** Puts a file in another's place in one step. */
  default void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes a new file, durable but for its name. */
  default void writeForced(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        write(channel, bytes);
      }
      force(channel);
    }
  }

  /** Makes the names in a directory durable. */
  default void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      force(channel);
    }
  }
}
