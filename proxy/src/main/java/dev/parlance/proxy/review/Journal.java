package dev.parlance.proxy.review;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The queue's history on disk; one append-only file. Used by one thread at a time.
 *
 * <p>After any exception from {@link #append} or {@link #force} nothing is known about the end of
 * the file, so the journal must not be written again: a second fsync may succeed although the
 * kernel has dropped the pages that the first one could not write.
 */
final class Journal implements Closeable {
  private static final String NAME = "review.journal";
  private static final String NEW_NAME = "review.journal.new";

  private final Path directory;
  private final JournalFiles files;
  private final boolean torn;
  private JournalFiles.Appender appender;
  private final AtomicLong bytes;
  private final AtomicLong fsyncs = new AtomicLong();

  private Journal(
      Path directory,
      JournalFiles files,
      JournalFiles.Appender appender,
      long bytes,
      boolean torn) {
    this.directory = directory;
    this.files = files;
    this.appender = appender;
    this.bytes = new AtomicLong(bytes);
    this.torn = torn;
  }

  /** Keeps a directory for one process; the system gives it back when the process dies. */
  static Closeable lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("review.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // this very process has it
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    if (lock == null) {
      channel.close();
      throw new ReviewOpenException(
          ReviewOpenException.Code.LOCKED,
          0,
          "another process has " + directory + " open",
          "stop it, or give this one a data directory of its own");
    }
    return channel;
  }

  /** Opens or creates the journal in a directory and shows every record to the visitor. */
  static Journal open(Path directory, JournalFiles files, JournalFormat.Visitor visitor)
      throws IOException {
    Path file = directory.resolve(NAME);
    // A crash during compaction leaves the new file behind; the old one still has everything.
    Files.deleteIfExists(directory.resolve(NEW_NAME));
    if (!Files.exists(file)) {
      var journal =
          new Journal(directory, files, files.create(directory.resolve(NEW_NAME)), 0, false);
      journal.finishNewFile();
      return journal;
    }
    JournalFormat.Scan scan = JournalFormat.scan(file, visitor);
    return new Journal(
        directory, files, files.continueAt(file, scan.end()), scan.end(), scan.torn());
  }

  private void finishNewFile() throws IOException {
    try {
      appender.write(ByteBuffer.wrap(JournalFormat.MAGIC));
      appender.force();
      files.replace(directory.resolve(NEW_NAME), directory.resolve(NAME));
      files.forceDirectory(directory);
    } catch (IOException e) {
      appender.close();
      throw e;
    }
    bytes.set(JournalFormat.MAGIC.length);
    fsyncs.incrementAndGet();
  }

  /** Writes a record to the end of the file, not yet for good; returns the size of its frame. */
  int append(JournalRecord entry) throws IOException {
    ByteBuffer frame = JournalFormat.frame(entry, bytes.get());
    int frameBytes = frame.remaining();
    appender.write(frame);
    bytes.addAndGet(frameBytes);
    return frameBytes;
  }

  /** Returns when every appended record is on the disk. */
  void force() throws IOException {
    appender.force();
    fsyncs.incrementAndGet();
  }

  /**
   * Replaces the file by one that holds only these records.
   *
   * @return false if the new file could not be written; the old one goes on as before
   * @throws IOException if it is unknown which of the two files bears the name
   */
  boolean rewrite(Iterable<JournalRecord> entries) throws IOException {
    Path path = directory.resolve(NEW_NAME);
    Fresh fresh;
    try {
      fresh = writeFresh(path, entries);
    } catch (IOException e) {
      ReviewQueue.LOG.warn("compacting {} failed, it stays as it is", directory.resolve(NAME), e);
      Files.deleteIfExists(path);
      return false;
    }
    fsyncs.incrementAndGet();
    JournalFiles.Appender old = appender;
    appender = fresh.appender();
    bytes.set(fresh.bytes());
    try {
      files.replace(path, directory.resolve(NAME));
      files.forceDirectory(directory);
    } finally {
      old.close();
    }
    return true;
  }

  private record Fresh(JournalFiles.Appender appender, long bytes) {}

  private Fresh writeFresh(Path path, Iterable<JournalRecord> entries) throws IOException {
    JournalFiles.Appender next = files.create(path);
    try {
      next.write(ByteBuffer.wrap(JournalFormat.MAGIC));
      long offset = JournalFormat.MAGIC.length;
      for (JournalRecord entry : entries) {
        ByteBuffer frame = JournalFormat.frame(entry, offset);
        offset += frame.remaining();
        next.write(frame);
      }
      next.force();
      return new Fresh(next, offset);
    } catch (IOException e) {
      next.close();
      throw e;
    }
  }

  /** True if an incomplete record was cut off when the file was opened. */
  boolean torn() {
    return torn;
  }

  /** Size of the file. */
  long bytes() {
    return bytes.get();
  }

  /** How often the file was forced to disk. */
  long fsyncs() {
    return fsyncs.get();
  }

  @Override
  public void close() throws IOException {
    appender.close();
  }
}
