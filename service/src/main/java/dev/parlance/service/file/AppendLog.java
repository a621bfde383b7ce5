package dev.parlance.service.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A file that only grows, of records or of lines. Written by one thread at a time. */
public final class AppendLog implements Closeable {
  private final Disk disk;
  private final FileChannel channel;
  private final Optional<Object> key;
  private final AtomicLong size;
  private Path file;

  /** True if the file may end within a line. */
  private boolean torn;

  private AppendLog(Path file, Disk disk, FileChannel channel) throws IOException {
    this.file = file;
    this.disk = disk;
    this.channel = channel;
    try {
      this.key = key(file);
      this.size = new AtomicLong(channel.size());
      channel.position(size.get());
      this.torn = size.get() > 0 && !endsLine();
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** The file, to be continued at its end; made if there is none. */
  public static AppendLog open(Path file, Disk disk) throws IOException {
    return new AppendLog(
        file,
        disk,
        disk.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /** A new, empty file; replaces an old one. */
  public static AppendLog create(Path file, Disk disk) throws IOException {
    return new AppendLog(
        file,
        disk,
        disk.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  /** What the system knows the file by, whatever its name; empty if it has none. */
  private static Optional<Object> key(Path file) throws IOException {
    return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
  }

  private boolean endsLine() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return channel.read(last, size.get() - 1) == 1 && last.get(0) == '\n';
  }

  /** Cuts off what stands behind a place, durably: a record that a crash has left incomplete. */
  public void cut(long end) throws IOException {
    if (size.get() > end) {
      channel.truncate(end);
      disk.force(channel);
      size.set(end);
    }
  }

  /** Writes all of a record to the end; after an exception nothing is known about the end. */
  public void append(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    disk.write(channel, bytes);
    size.addAndGet(length);
  }

  /**
   * Writes whole lines with their breaks to the end, on a line of their own. After an exception the
   * buffer's position is behind the last line that is in the file, which ends there.
   */
  public void appendLines(ByteBuffer lines) throws IOException {
    if (torn) {
      append(ByteBuffer.wrap(new byte[] {'\n'}));
      torn = false;
    }
    int start = lines.position();
    try {
      append(lines);
    } catch (IOException e) {
      int whole = lines.position();
      while (whole > start && lines.get(whole - 1) != '\n') {
        whole--;
      }
      lines.position(whole);
      size.addAndGet((long) whole - start);
      torn = true;
      try {
        channel.truncate(size.get());
        torn = false;
      } catch (IOException failed) {
        e.addSuppressed(failed);
      }
      throw e;
    }
  }

  /** Returns when everything written is on the disk. */
  public void force() throws IOException {
    disk.force(channel);
  }

  /** Takes the place of another file, durably. */
  public void rename(Path to) throws IOException {
    disk.rename(file, to);
    file = to;
    disk.forceNames(SafeFile.folder(to));
  }

  /** Whether its name still leads to it; not so once somebody has moved or removed it. */
  public boolean isInPlace() {
    try {
      return key(file).equals(key);
    } catch (IOException _) {
      return false;
    }
  }

  /** Size of the file; for any thread. */
  public long size() {
    return size.get();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
