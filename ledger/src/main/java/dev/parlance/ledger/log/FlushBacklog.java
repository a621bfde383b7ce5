package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFiles.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Files of commits that are durable in the journal and not yet under their own names. What waits is
 * forced together; then the partial files go whose full one is durable.
 */
final class FlushBacklog {
  private final Path directory;
  private final FileOps ops;
  private final Executor syncs;

  /** Held by whoever flushes, so that a commit can be added meanwhile. */
  private final Object flushing = new Object();

  private Set<Path> waiting = new LinkedHashSet<>();
  private List<String> written = new ArrayList<>();
  private long added;
  private long flushed;
  private Optional<IOException> failure = Optional.empty();

  FlushBacklog(Path directory, FileOps ops, Executor syncs) {
    this.directory = directory;
    this.ops = ops;
    this.syncs = syncs;
  }

  /**
   * Adds the files of a commit.
   *
   * @param sequence its record in the journal
   * @param changed files and directories to force
   * @param paths the resources that the commit has written
   * @return whether nothing waited before, so that somebody has to see to a flush
   */
  synchronized boolean add(long sequence, Collection<Path> changed, Collection<String> paths) {
    boolean wasEmpty = waiting.isEmpty();
    waiting.addAll(changed);
    written.addAll(paths);
    added = sequence;
    return wasEmpty;
  }

  /** The last record whose files are durable. */
  synchronized long flushed() {
    return flushed;
  }

  /** Nothing of the journal waits any more: a new one begins. */
  synchronized void restart() {
    added = 0;
    flushed = 0;
  }

  /** Why a flush has failed; then no later one is a success. */
  synchronized Optional<IOException> failure() {
    return failure;
  }

  /** Makes durable what waits; waits for a flush that is under way. */
  void flush() throws IOException {
    synchronized (flushing) {
      Set<Path> taken;
      List<String> paths;
      long last;
      synchronized (this) {
        if (failure.isPresent()) {
          throw new IOException("an earlier flush failed", failure.get());
        }
        taken = waiting;
        paths = written;
        last = added;
        waiting = new LinkedHashSet<>();
        written = new ArrayList<>();
      }
      if (taken.isEmpty()) {
        return;
      }
      boolean isDone = false;
      try {
        ops.forceAll(taken, syncs);
        LedgerFiles.deletePartials(directory, paths, ops);
        isDone = true;
        synchronized (this) {
          flushed = last;
        }
      } catch (IOException e) {
        fail(e);
        throw e;
      } finally {
        if (!isDone) {
          fail(new IOException("a flush ended half way"));
        }
      }
    }
  }

  private synchronized void fail(IOException why) {
    if (failure.isEmpty()) {
      failure = Optional.of(why);
    }
  }
}
