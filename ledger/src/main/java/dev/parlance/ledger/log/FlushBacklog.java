package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Commits that are durable in the journal and not yet in the log's files, and what the log has,
 * from here or from its files. Of each tile and bundle the widest version waits, since that begins
 * with those before it; all that waits is written together.
 */
final class FlushBacklog {
  private final LogFolder folder;
  private final FileOps ops;
  private final Executor syncs;

  /** Held by whoever flushes, so that commits can be added and read meanwhile. */
  private final Object flushing = new Object();

  /** By place, named by its full part. What is being written stays until it is durable. */
  private final SequencedMap<TlogPath.Part, Waiting> waiting = new LinkedHashMap<>();

  /** The checkpoint over what waits. */
  private Optional<Head> head = Optional.empty();

  /** The last record that a flush has taken up. */
  private long taken;

  private long fileSize;
  private long flushed;
  private Optional<IOException> failure = Optional.empty();

  FlushBacklog(LogFolder folder, FileOps ops, Executor syncs) {
    this.folder = folder;
    this.ops = ops;
    this.syncs = syncs;
  }

  /** A tile or bundle. */
  @SuppressWarnings("ArrayRecordComponent") // compared by which array it is; nobody writes to it
  private record Waiting(TlogPath.Part path, byte[] content) {}

  /** A checkpoint, the entries that it states, and its record in the journal. */
  @SuppressWarnings("ArrayRecordComponent") // as above
  private record Head(long sequence, long size, byte[] content) {}

  /**
   * Adds a commit.
   *
   * @param sequence its record in the journal
   * @param size entries of the log after it
   * @param writes bytes by path, which must be one of tlog-tiles
   * @return whether it is the first one that waits for a flush, which somebody has to see to
   */
  synchronized boolean add(
      long sequence, long size, SequencedMap<String, byte[]> writes, byte[] checkpoint) {
    boolean isFirst = head.filter(waits -> waits.sequence() > taken).isEmpty();
    writes.forEach((path, content) -> {
      if (TlogPath.parse(path).orElseThrow() instanceof TlogPath.Part part) {
        waiting.put(part.ofWidth(Tiles.WIDTH), new Waiting(part, content));
      }
    });
    head = Optional.of(new Head(sequence, size, checkpoint));
    return isFirst;
  }

  /** The checkpoint of the last commit. */
  Optional<byte[]> checkpoint() throws IOException {
    synchronized (this) {
      if (head.isPresent()) {
        return Optional.of(head.get().content());
      }
    }
    return folder.read(LogSource.CHECKPOINT, Note.MAX_BYTES);
  }

  /**
   * A tile or bundle. A narrower one than the log has now may have no file of its own.
   *
   * @param maxBytes most bytes of a file
   */
  Optional<byte[]> part(TlogPath.Part path, int maxBytes) throws IOException {
    int fileWidth;
    synchronized (this) {
      // Before its file, which may be half written.
      Waiting waits = waiting.get(path.ofWidth(Tiles.WIDTH));
      if (waits != null && waits.path().width() >= path.width()) {
        return waits.path().width() == path.width()
            ? Optional.of(waits.content())
            : path.beginningOf(waits.content());
      }
      fileWidth = path.widthAt(fileSize);
    }
    Optional<byte[]> bytes = folder.read(path.path(), maxBytes);
    if (bytes.isPresent() || fileWidth <= path.width()) {
      return bytes;
    }
    Optional<byte[]> wider = folder.read(path.ofWidth(fileWidth).path(), maxBytes);
    if (wider.isEmpty()) {
      wider = folder.read(path.ofWidth(Tiles.WIDTH).path(), maxBytes); // full since
    }
    return wider.flatMap(path::beginningOf);
  }

  /** The last record whose files are durable; 0: none. */
  synchronized long flushed() {
    return flushed;
  }

  /**
   * The files have all that there is, and a new journal begins.
   *
   * @param size entries of the log
   */
  synchronized void restart(long size) {
    taken = 0;
    flushed = 0;
    fileSize = size;
  }

  /** Why a flush has failed; then no later one is a success. */
  synchronized Optional<IOException> failure() {
    return failure;
  }

  /**
   * Makes a record's files durable, and with them those of all that waits; waits for a flush that
   * is under way.
   *
   * @param sequence the record; the largest long: all that waits
   */
  void flush(long sequence) throws IOException {
    if (isFlushed(sequence)) {
      return; // before the lock: who asks waits for no other flush
    }
    synchronized (flushing) {
      List<Waiting> parts;
      Head last;
      synchronized (this) {
        if (failure.isPresent()) {
          throw new IOException("an earlier flush failed", failure.get());
        }
        if (isFlushed(sequence) || head.isEmpty()) {
          return;
        }
        parts = List.copyOf(waiting.values());
        last = head.get();
        taken = last.sequence();
      }
      boolean isDone = false;
      try {
        write(parts, last);
        isDone = true;
        written(parts, last);
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

  /** Lets no later flush begin, and waits for the one under way. */
  void end() {
    synchronized (flushing) {
      fail(new IOException("the log was closed"));
    }
  }

  private synchronized boolean isFlushed(long sequence) {
    return sequence <= flushed;
  }

  private void write(List<Waiting> parts, Head last) throws IOException {
    Set<Path> changed = new LinkedHashSet<>();
    for (Waiting part : parts) {
      folder.write(part.path().path(), part.content(), changed);
    }
    folder.replace(LogSource.CHECKPOINT, last.content(), changed);
    ops.forceAll(changed, syncs);
    // Only then the partial ones go whose full one is durable.
    LedgerFiles.deletePartials(
        folder.directory(), parts.stream().map(part -> part.path().path()).toList(), ops);
  }

  private synchronized void written(List<Waiting> parts, Head last) {
    waiting.values().removeAll(parts);
    head = head.filter(now -> now.sequence() != last.sequence());
    fileSize = last.size();
    flushed = last.sequence();
  }

  private synchronized void fail(IOException why) {
    if (failure.isEmpty()) {
      failure = Optional.of(why);
    }
  }
}
