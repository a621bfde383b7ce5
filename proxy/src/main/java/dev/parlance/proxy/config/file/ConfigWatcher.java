package dev.parlance.proxy.config.file;

import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the configuration file again and again and offers what it finds to the holder.
 *
 * <p>It compares contents, not times or file ids, because Kubernetes swaps a symbolic link two
 * levels up and editors replace files. A new content counts once it was the same in two looks, so
 * that a file in the middle of being written is not taken for a shorter, valid one. Each content is
 * offered once; one that was refused is not complained about again until it changes.
 */
public final class ConfigWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigWatcher.class);
  private static final String UNSETTLED = "?";
  private static final String FULL = "this process may open no further files (ulimit -n)";

  private final Path file;
  private final ConfigHolder holder;
  private final long intervalMs;
  private final Thread thread;
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean closed;
  private String settled;
  private String seen;
  private boolean unseen;

  private ConfigWatcher(Path file, ConfigHolder holder, long intervalMs, String revision) {
    if (intervalMs < 1) {
      throw new IllegalArgumentException(
          "expected an interval of at least 1 ms, got " + intervalMs);
    }
    this.file = file;
    this.holder = holder;
    this.intervalMs = intervalMs;
    this.settled = revision;
    this.seen = revision;
    this.thread = Thread.ofPlatform().daemon().name("parlance-config").unstarted(this::run);
  }

  /** Begins to watch the file, with so many milliseconds between two looks. */
  public static ConfigWatcher start(Path file, ConfigHolder holder, long intervalMs) {
    ConfigWatcher watcher = unstarted(file, holder, intervalMs);
    watcher.thread.start();
    return watcher;
  }

  static ConfigWatcher unstarted(Path file, ConfigHolder holder, long intervalMs) {
    return new ConfigWatcher(file, holder, intervalMs, holder.current().revision());
  }

  private void run() {
    while (!closed) {
      try {
        boolean asked = wake.tryAcquire(intervalMs, TimeUnit.MILLISECONDS);
        wake.drainPermits();
        if (asked) {
          LOG.info("told to read {} again", file);
          settled = UNSETTLED;
          look();
        }
        look();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("configuration not read, the old one stays", e);
      }
    }
  }

  /** One look; true if it settled what had changed. */
  boolean look() {
    FileContent content = FileContent.of(file);
    if (content.isUnseen()) {
      if (!unseen) {
        LOG.warn("{}; the configuration in force stays until it can be read", FULL);
      }
      unseen = true;
      return false;
    }
    unseen = false;
    String digest = revision(content);
    boolean stable = digest.equals(seen);
    seen = digest;
    if (!stable || digest.equals(settled)) {
      return false;
    }
    settled = digest;
    if (holder.offer(ConfigLoader.attempt(content))) {
      LOG.info("configuration {} is in force", holder.current().revision());
    } else {
      holder
          .state()
          .lastRefusal()
          .ifPresent(refusal ->
              LOG.warn(
                  "configuration refused ({}), the old one stays: {}",
                  refusal.reason().code(),
                  refusal.problems()));
    }
    return true;
  }

  private static String revision(FileContent content) {
    return content.digest().isEmpty() ? "" : content.digest().substring(0, 12);
  }

  /**
   * Has the file read now, in the watcher's thread, and what it says judged again, even if it was
   * refused before.
   */
  public void readAgain() {
    wake.release();
  }

  /** Stops looking and waits for the thread to end. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
