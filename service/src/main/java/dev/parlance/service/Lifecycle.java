package dev.parlance.service;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a process in the order in which they were opened. They are closed backwards and
 * once, after everything is drained; one that cannot be closed keeps none of the others open.
 */
public final class Lifecycle implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Lifecycle.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private final Runnable drain;

  /** Of a process that ends what is under way by this, before its parts are closed. */
  public Lifecycle(Runnable drain) {
    this.drain = drain;
  }

  /** A part that is open; closed before those that are there already. */
  public <T extends AutoCloseable> T keep(T part) {
    parts.push(part);
    return part;
  }

  /** What is opened of parts. */
  @FunctionalInterface
  public interface Opening<T, E extends Exception> {
    /** Opens it. */
    T open() throws E;
  }

  /** Opens something of parts that are kept one by one; if that fails they are closed at once. */
  public <T, E extends Exception> T open(Opening<T, E> opening) throws E {
    boolean isOpen = false;
    try {
      T opened = opening.open();
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) {
        cut();
      }
    }
  }

  /** True once it is drained or closed. */
  public boolean isClosing() {
    return closing.get();
  }

  /** Completes when everything is closed. */
  public CompletableFuture<Void> stopped() {
    return stopped.copy();
  }

  /** Drains and closes; may be called from any thread and more than once. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      stopped.join();
      return;
    }
    drain.run();
    closeParts();
  }

  /** Closes without a drain. */
  public void cut() {
    closing.set(true);
    closeParts();
  }

  private void closeParts() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        log.atError()
            .addKeyValue("part", part.getClass().getSimpleName())
            .setCause(e)
            .log("closing failed");
      }
    }
    stopped.complete(null);
  }

  /**
   * Closes a service when the process is told to stop. A signal would leave status 143; a service
   * that drained has ended well.
   *
   * @param status what the process ends with
   */
  public static void closeOnSignal(Runnable close, IntSupplier status) {
    Thread hook =
        new Thread(
            () -> {
              close.run();
              Runtime.getRuntime().halt(status.getAsInt());
            },
            "drain");
    Runtime.getRuntime().addShutdownHook(hook);
  }
}
