package dev.parlance.proxy.review;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Every operation by which the journal changes the disk; tests put failures in here. */
interface JournalFiles {
  /** The real disk. */
  JournalFiles DISK = new Disk();

  /** A new, empty file; replaces an old one. */
  Appender create(Path file) throws IOException;

  /** An existing file, cut to {@code size} bytes and continued there. */
  Appender continueAt(Path file, long size) throws IOException;

  /** Gives a file the name of another one, which is gone after that; atomic. */
  void replace(Path from, Path to) throws IOException;

  /** Makes new names in a directory durable. */
  void forceDirectory(Path directory) throws IOException;

  /** A file that only grows. */
  interface Appender extends Closeable {
    /** Writes all of the buffer to the end of the file. */
    void write(ByteBuffer buffer) throws IOException;

    /** Returns when everything written is on the disk. */
    void force() throws IOException;
  }

  /** The real disk. */
  final class Disk implements JournalFiles {
    private Disk() {}

    @Override
    public Appender create(Path file) throws IOException {
      return new ChannelAppender(
          FileChannel.open(
              file,
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING));
    }

    @Override
    public Appender continueAt(Path file, long size) throws IOException {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
      try {
        if (channel.size() > size) {
          channel.truncate(size);
          channel.force(true);
        }
        channel.position(size);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      return new ChannelAppender(channel);
    }

    @Override
    public void replace(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** A file that only grows, over a channel. */
  record ChannelAppender(FileChannel channel) implements Appender {
    @Override
    public void write(ByteBuffer buffer) throws IOException {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
