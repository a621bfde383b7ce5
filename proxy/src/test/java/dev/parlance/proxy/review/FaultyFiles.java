package dev.parlance.proxy.review;

import dev.parlance.service.file.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The real disk, with failures and pauses put in by a test. */
final class FaultyFiles implements Disk {
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
  public FileChannel open(Path file, OpenOption... options) throws IOException {
    if (fault == Fault.CREATE && List.of(options).contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      throw new IOException("No space left on device");
    }
    return Disk.super.open(file, options);
  }

  @Override
  public void write(FileChannel channel, ByteBuffer buffer) throws IOException {
    if (broken) {
      writesAfterFault.incrementAndGet();
    }
    if (fault == Fault.HALF_WRITE) {
      broken = true;
      Disk.super.write(channel, buffer.slice(0, buffer.remaining() / 2));
      throw new IOException("No space left on device");
    }
    if (fault == Fault.WRITE) {
      broken = true;
      throw new IOException("No space left on device");
    }
    Disk.super.write(channel, buffer);
  }

  @Override
  public void force(FileChannel channel) throws IOException {
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
    Disk.super.force(channel);
  }
}
