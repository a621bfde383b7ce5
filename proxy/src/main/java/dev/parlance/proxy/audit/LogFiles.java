package dev.parlance.proxy.audit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Every operation by which the decision log changes the disk; tests put failures in here. */
interface LogFiles {
  /** The real disk. */
  LogFiles DISK = new Disk();

  /** Opens a file at its end, creating it if missing; ends a torn last line first. */
  Out open(Path file) throws IOException;

  /** Gives a file another name, over whatever bears it. */
  void rename(Path from, Path to) throws IOException;

  /** An open file. */
  interface Out extends Closeable {
    /** Size of the file when it was opened. */
    long size();

    /** Whether its name still leads to it; not so once somebody has moved or removed it. */
    default boolean isInPlace() {
      return true;
    }

    /**
     * Writes all of the buffer to the end of the file. After an exception the buffer's position is
     * behind the last line that is in the file, which ends there.
     */
    void write(ByteBuffer buffer) throws IOException;

    /** Returns when everything written is on the disk. */
    void force() throws IOException;
  }

  /** The real disk. */
  final class Disk implements LogFiles {
    private Disk() {}

    @Override
    public Out open(Path file) throws IOException {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        channel.position(channel.size());
        var out = new ChannelOut(file, keyOf(file), channel, channel.size());
        if (isTorn(channel)) {
          out.write(ByteBuffer.wrap(new byte[] {'\n'}));
          return new ChannelOut(file, out.key(), channel, channel.size());
        }
        return out;
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }

    private static Optional<Object> keyOf(Path file) throws IOException {
      return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    private static boolean isTorn(FileChannel channel) throws IOException {
      if (channel.size() == 0) {
        return false;
      }
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.read(last, channel.size() - 1) == 1 && last.get(0) != '\n';
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * An open file, over a channel.
   *
   * @param file its name
   * @param key what the system knows it by, whatever its name; empty if it has none
   * @param channel positioned at its end
   * @param size its size when it was opened
   */
  record ChannelOut(Path file, Optional<Object> key, FileChannel channel, long size)
      implements Out {
    @Override
    public boolean isInPlace() {
      try {
        return Disk.keyOf(file).equals(key);
      } catch (IOException e) {
        DecisionLog.LOG.debug("{} is not where it was", file, e);
        return false;
      }
    }

    @Override
    public void write(ByteBuffer buffer) throws IOException {
      int start = buffer.position();
      long at = channel.position();
      try {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      } catch (IOException e) {
        int whole = buffer.position();
        while (whole > start && buffer.get(whole - 1) != '\n') {
          whole--;
        }
        buffer.position(whole);
        cut(at + whole - start, e);
        throw e;
      }
    }

    private void cut(long end, IOException cause) {
      try {
        channel.truncate(end);
      } catch (IOException e) {
        cause.addSuppressed(e);
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
