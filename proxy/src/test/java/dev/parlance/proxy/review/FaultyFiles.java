package dev.parlance.proxy.review;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The real disk, with failures and pauses put in by a test. */
final class FaultyFiles implements JournalFiles {
  /** What goes wrong next. */
  enum Fault {
    NONE,
    WRITE,
    HALF_WRITE,
    FORCE,
    CREATE
  }

  volatile Fault fault = Fault.NONE;

  /** Forces wait here; open unless a test closes it. */
  volatile CountDownLatch gate = new CountDownLatch(0);

  final AtomicInteger forces = new AtomicInteger();
  final AtomicInteger writesAfterFault = new AtomicInteger();
  private volatile boolean broken;

  @Override
  public Appender create(Path file) throws IOException {
    if (fault == Fault.CREATE) {
      throw new IOException("No space left on device");
    }
    return new FaultyAppender(DISK.create(file));
  }

  @Override
  public Appender continueAt(Path file, long size) throws IOException {
    return new FaultyAppender(DISK.continueAt(file, size));
  }

  @Override
  public void replace(Path from, Path to) throws IOException {
    DISK.replace(from, to);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    DISK.forceDirectory(directory);
  }

  private final class FaultyAppender implements Appender {
    private final Appender disk;

    FaultyAppender(Appender disk) {
      this.disk = disk;
    }

    @Override
    public void write(ByteBuffer buffer) throws IOException {
      if (broken) {
        writesAfterFault.incrementAndGet();
      }
      if (fault == Fault.HALF_WRITE) {
        broken = true;
        disk.write(buffer.slice(0, buffer.remaining() / 2));
        throw new IOException("No space left on device");
      }
      if (fault == Fault.WRITE) {
        broken = true;
        throw new IOException("No space left on device");
      }
      disk.write(buffer);
    }

    @Override
    public void force() throws IOException {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
      forces.incrementAndGet();
      if (fault == Fault.FORCE) {
        broken = true;
        throw new IOException("Input/output error");
      }
      disk.force();
    }

    @Override
    public void close() throws IOException {
      disk.close();
    }
  }
}
