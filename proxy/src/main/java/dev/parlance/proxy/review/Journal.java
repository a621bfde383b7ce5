package dev.parlance.proxy.review;

import dev.parlance.service.file.AppendLog;
import dev.parlance.service.file.Disk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
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
  private final Disk disk;
  private final boolean torn;
  private final AtomicLong fsyncs = new AtomicLong();
  private volatile AppendLog out;

  private Journal(Path directory, Disk disk, AppendLog out, boolean torn) {
    this.directory = directory;
    this.disk = disk;
    this.out = out;
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
  static Journal open(Path directory, Disk disk, JournalFormat.Visitor visitor) throws IOException {
    Path file = directory.resolve(NAME);
    // A crash during compaction leaves the new file behind; the old one still has everything.
    Files.deleteIfExists(directory.resolve(NEW_NAME));
    if (!Files.exists(file)) {
      AppendLog fresh = fresh(directory, disk, List.of());
      try {
        fresh.rename(file);
      } catch (IOException e) {
        fresh.close();
        throw e;
      }
      Journal journal = new Journal(directory, disk, fresh, false);
      journal.fsyncs.incrementAndGet();
      return journal;
    }
    JournalFormat.Scan scan = JournalFormat.scan(file, visitor);
    AppendLog out = AppendLog.open(file, disk);
    try {
      out.cut(scan.end());
    } catch (IOException e) {
      out.close();
      throw e;
    }
    return new Journal(directory, disk, out, scan.torn());
  }

  /** Writes a record to the end of the file, not yet for good; returns the size of its frame. */
  int append(JournalRecord entry) throws IOException {
    ByteBuffer frame = JournalFormat.frame(entry, out.size());
    int frameBytes = frame.remaining();
    out.append(frame);
    return frameBytes;
  }

  /** Returns when every appended record is on the disk. */
  void force() throws IOException {
    out.force();
    fsyncs.incrementAndGet();
  }

  /**
   * Replaces the file by one that holds only these records.
   *
   * @return false if the new file could not be written; the old one goes on as before
   * @throws IOException if it is unknown which of the two files bears the name
   */
  boolean rewrite(Iterable<JournalRecord> entries) throws IOException {
    AppendLog fresh;
    try {
      fresh = fresh(directory, disk, entries);
    } catch (IOException e) {
      ReviewQueue.LOG.warn("compacting {} failed, it stays as it is", directory.resolve(NAME), e);
      Files.deleteIfExists(directory.resolve(NEW_NAME));
      return false;
    }
    fsyncs.incrementAndGet();
    AppendLog old = out;
    out = fresh;
    try {
      fresh.rename(directory.resolve(NAME));
    } finally {
      old.close();
    }
    return true;
  }

  private static AppendLog fresh(Path directory, Disk disk, Iterable<JournalRecord> entries)
      throws IOException {
    AppendLog next = AppendLog.create(directory.resolve(NEW_NAME), disk);
    try {
      next.append(ByteBuffer.wrap(JournalFormat.MAGIC));
      for (JournalRecord entry : entries) {
        next.append(JournalFormat.frame(entry, next.size()));
      }
      next.force();
      return next;
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
    return out.size();
  }

  /** How often the file was forced to disk. */
  long fsyncs() {
    return fsyncs.get();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
