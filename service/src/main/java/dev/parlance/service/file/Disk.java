package dev.parlance.service.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The calls of the file system that durable files stand on; tests let them fail. */
public interface Disk {
  /** The file system as it is. */
  Disk REAL = new Disk() {};

  /** Opens a file. */
  default FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, options);
  }

  /** Writes all of the buffer. */
  default void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Returns when everything written is on the disk. */
  default void force(FileChannel channel) throws IOException {
    channel.force(true);
  }

  /** Gives a file another name, over whatever bears it, in one step. */
  default void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Makes the names in a folder durable. */
  default void forceNames(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
