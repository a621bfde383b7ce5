package dev.parlance.service.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves a Netty buffer unreleased, with the place where the buffer was made. Use
 * it with {@code @ExtendWith(LeakCheck.class)}; the test must have closed its connections when it
 * returns, buffers that event loops still hold get a few seconds.
 */
public final class LeakCheck implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  /** For JUnit. */
  public LeakCheck() {}

  /** Plants a leak and demands that it is seen: a check that sees nothing would pass everything. */
  @Override
  public void beforeAll(ExtensionContext context) {
    long mark = OpenBuffers.mark();
    ByteBuf direct = ByteBufAllocator.DEFAULT.directBuffer(8);
    ByteBuf heap = ByteBufAllocator.DEFAULT.heapBuffer(8);
    ByteBuf slice = direct.retainedSlice(0, 4);
    int seen = openHere(mark).size();
    slice.release();
    direct.release();
    heap.release();
    int left = openHere(mark).size();
    if (seen < 2 || left != 0) {
      throw new AssertionError(
          "the leak detector is off: of 2 open buffers it saw " + seen + ", of 0 it saw " + left);
    }
  }

  private static List<Throwable> openHere(long mark) {
    String thread = Thread.currentThread().getName();
    return OpenBuffers.openSince(mark).stream()
        .filter(made -> String.valueOf(made.getMessage()).endsWith(" on " + thread))
        .toList();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put("mark", OpenBuffers.mark());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Long mark = context.getStore(NAMESPACE).get("mark", Long.class);
    check(mark == null ? 0 : mark);
  }

  /** Waits for buffers made since the mark to be released, and fails if some are not. */
  static void check(long mark) {
    check(mark, PATIENCE_NS);
  }

  static void check(long mark, long patienceNs) {
    long end = System.nanoTime() + patienceNs;
    List<Throwable> open = OpenBuffers.openSince(mark);
    while (!open.isEmpty() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(PAUSE_NS);
      open = OpenBuffers.openSince(mark);
    }
    if (!open.isEmpty()) {
      AssertionError leak = new AssertionError("LEAK: " + open.size() + " buffers not released");
      open.stream().limit(5).forEach(leak::addSuppressed);
      throw leak;
    }
  }
}
