package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The writer of a log. Appends from any thread wait in a bounded queue; one thread takes what waits
 * as a batch, stores its entries and tiles, signs and stores the checkpoint, and only then
 * acknowledges.
 *
 * <p>Before anything is appended the stored head must be signed by the log's key and its tiles must
 * lead to the signed root: a broken chain is never extended. Several writers with the same key may
 * share a storage; who finds another head than it knew checks that this head extends its own, and
 * tries again on top of it. A head that does not is a fork, after which this writer never writes
 * again.
 *
 * <p>A storage that fails without saying that it is broken, as a database that went away, costs the
 * batch its acknowledgement; the next batch begins by reading the head again.
 */
public final class Log implements AutoCloseable {
  private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private final LogStorage storage;
  private final SignerKey key;
  private final LogOptions options;
  private final LogReader reader;
  private final AppendQueue queue;
  private final Thread writer;
  private volatile LogHead head;
  private boolean headUncertain;

  private Log(
      LogStorage storage, SignerKey key, LogOptions options, LogReader reader, LogHead head) {
    this.storage = storage;
    this.key = key;
    this.options = options;
    this.reader = reader;
    this.head = head;
    this.queue = new AppendQueue(options);
    this.writer = Thread.ofPlatform().daemon(true).name("ledger-writer").unstarted(this::run);
  }

  /**
   * Opens a log for writing; makes it, with a checkpoint of no entries, where there is none. The
   * storage stays the caller's to close, after the log.
   *
   * @param key key of type {@link KeyType#ED25519}; its name is the origin of the log
   * @throws LedgerUnavailable where the stored head is not one to extend
   */
  public static Log open(LogStorage storage, SignerKey key, LogOptions options) throws IOException {
    if (key.verifier().type() != KeyType.ED25519) {
      throw new IllegalArgumentException("a log is signed with an ED25519 key");
    }
    LogReader reader = new LogReader(storage, key.verifier());
    Log log = new Log(storage, key, options, reader, LogHead.open(storage, reader, key));
    log.writer.start();
    return log;
  }

  /**
   * Appends entries next to each other, all or none. The stage never fails; what is done with it
   * runs on the writer's thread and must not wait.
   *
   * @param entries at least one; copied
   */
  public CompletionStage<AppendResult> append(List<byte[]> entries) {
    return queue.offer(entries).minimalCompletionStage();
  }

  /** The last head that this writer has committed or read. */
  public SignedCheckpoint head() {
    return head.checkpoint();
  }

  /** Reads the log, also while it is written. */
  public LogReader reader() {
    return reader;
  }

  /** Commits what is queued, for a bounded time, and refuses all that comes later. */
  @Override
  public void close() {
    queue.close(new AppendResult.Refused(LedgerFault.CLOSED, "the log was closed"));
    boolean interrupted = false;
    try {
      writer.join(options.closeTimeoutMs());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    refuse(queue.drain(), new AppendResult.Refused(LedgerFault.CLOSED, "the log was closed"));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<AppendQueue.Waiting> batch = List.of();
    // Stands while a batch is under way: it is the answer if the thread ends by an error.
    AppendResult.Refused last =
        new AppendResult.Refused(LedgerFault.UNAVAILABLE, "the writer ended");
    try {
      for (batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
        commit(batch);
      }
    } catch (LedgerUnavailable e) {
      last = new AppendResult.Refused(e.fault(), String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      queue.close(last);
      refuse(batch, last);
      refuse(queue.drain(), last);
    }
  }

  /** Commits and answers a batch; throws what ends this writer. */
  private void commit(List<AppendQueue.Waiting> batch) throws LedgerUnavailable {
    List<byte[]> entries = new ArrayList<>();
    batch.forEach(waiting -> entries.addAll(waiting.entries()));
    try {
      if (headUncertain) {
        head = head.advance(reader);
        headUncertain = false;
      }
      for (int tries = 0; tries <= options.maxConflicts(); tries++) {
        LogHead.Next next = head.append(entries, key);
        reader.signed(next.head().checkpoint());
        LogStorage.Commit commit =
            storage.commit(
                Optional.of(head.checkpoint().bytes()),
                next.growth().writes(),
                next.head().checkpoint().bytes());
        if (commit == LogStorage.Commit.COMMITTED) {
          long first = head.edge().size();
          head = next.head();
          acknowledge(batch, first, head.checkpoint());
          return;
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NS));
        head = head.advance(reader);
      }
      refuse(
          batch,
          new AppendResult.Refused(
              LedgerFault.CONFLICT,
              "another writer was faster " + options.maxConflicts() + " times"));
    } catch (LedgerUnavailable e) {
      throw e;
    } catch (IOException e) {
      headUncertain = true;
      refuse(
          batch, new AppendResult.Refused(LedgerFault.UNAVAILABLE, String.valueOf(e.getMessage())));
    }
  }

  private static void acknowledge(
      List<AppendQueue.Waiting> batch, long firstIndex, SignedCheckpoint checkpoint) {
    long next = firstIndex;
    for (AppendQueue.Waiting waiting : batch) {
      int count = waiting.entries().size();
      waiting.result().complete(new AppendResult.Appended(next, count, checkpoint));
      next += count;
    }
  }

  /** Answers those that have no answer yet. */
  private static void refuse(List<AppendQueue.Waiting> batch, AppendResult.Refused answer) {
    batch.forEach(waiting -> waiting.result().complete(answer));
  }

  /**
   * The head that a writer extends: a checkpoint and the edge that leads to its root. Immutable.
   */
  record LogHead(SignedCheckpoint checkpoint, Edge edge) {
    /** Reads the stored head, after writing the empty one where there is none; checks it whole. */
    static LogHead open(LogStorage storage, LogReader reader, SignerKey key) throws IOException {
      if (reader.checkpoint().isEmpty()) {
        SignedCheckpoint empty =
            SignedCheckpoint.sign(new Checkpoint(key.name(), 0, Hashing.EMPTY_ROOT), key);
        // On a conflict another writer has just made the log, and its head is as good.
        LogStorage.Commit made =
            storage.commit(Optional.empty(), new LinkedHashMap<>(), empty.bytes());
        if (made == LogStorage.Commit.CONFLICT && reader.checkpoint().isEmpty()) {
          throw new LedgerUnavailable(LedgerFault.CONFLICT, "no checkpoint, and none can be made");
        }
      }
      return stored(reader);
    }

    private static LogHead stored(LogReader reader) throws IOException {
      LogView view =
          reader
              .head()
              .orElseThrow(
                  () -> new LedgerUnavailable(LedgerFault.FORKED, "the checkpoint has gone"));
      return new LogHead(view.checkpoint(), Edge.load(view));
    }

    /**
     * Reads the stored head and makes sure that it extends this one.
     *
     * @throws LedgerUnavailable {@link LedgerFault#FORKED} where it does not
     */
    LogHead advance(LogReader reader) throws IOException {
      LogHead next = stored(reader);
      if (next.checkpoint.size() < edge.size()) {
        throw new LedgerUnavailable(
            LedgerFault.FORKED,
            "the log had " + edge.size() + " entries and now has " + next.checkpoint.size());
      }
      Hash before = CompactRange.load(edge.size(), reader.at(next.checkpoint).nodes()).root();
      if (!before.equals(edge.root())) {
        throw new LedgerUnavailable(
            LedgerFault.FORKED,
            "the first " + edge.size() + " entries had root " + edge.root() + " and now " + before);
      }
      return next;
    }

    /** The head after these entries, with what must be stored before it. */
    Next append(List<byte[]> entries, SignerKey key) {
      Edge.Growth growth = edge.grow(entries);
      Checkpoint grown = new Checkpoint(key.name(), growth.edge().size(), growth.edge().root());
      return new Next(new LogHead(SignedCheckpoint.sign(grown, key), growth.edge()), growth);
    }

    /** A head not yet committed. */
    record Next(LogHead head, Edge.Growth growth) {}
  }

  /** What came of an append. */
  public sealed interface AppendResult {
    /**
     * The entries are in the log, durable, and the checkpoint covers them.
     *
     * @param firstIndex index of the first entry; the others follow
     * @param count number of entries, from 1
     * @param checkpoint the signed head that the commit wrote
     */
    record Appended(long firstIndex, int count, SignedCheckpoint checkpoint)
        implements AppendResult {
      public Appended {
        if (firstIndex < 0 || count < 1 || firstIndex > checkpoint.size() - count) {
          throw new IllegalArgumentException(
              count + " entries at " + firstIndex + " of " + checkpoint.size());
        }
      }

      /** Number of entries of the tree at that head. */
      public long treeSize() {
        return checkpoint.size();
      }
    }

    /**
     * The entries are not acknowledged. With {@link LedgerFault#UNAVAILABLE} they may be in the log
     * all the same, since the outcome of the write is unknown; with any other fault they are not.
     */
    record Refused(LedgerFault fault, String detail) implements AppendResult {}
  }

  /**
   * Bounds of a log's writer.
   *
   * @param maxBatchEntries most entries of one append and of one commit, from 1
   * @param maxBatchBytes most bytes of entries of one append and of one commit, from 65,535
   * @param maxQueuedAppends appends that may wait, from 1
   * @param maxQueuedBytes bytes of entries that may wait, at least a batch
   * @param maxConflicts how often one commit is tried again after another writer was faster, from 0
   * @param closeTimeoutMs how long closing waits for what is queued, in milliseconds, above 0
   */
  public record LogOptions(
      int maxBatchEntries,
      int maxBatchBytes,
      int maxQueuedAppends,
      long maxQueuedBytes,
      int maxConflicts,
      long closeTimeoutMs) {
    /** 4,096 entries or 8 MiB a batch; 4,096 appends or 64 MiB waiting; 16 tries; 10 s to close. */
    public static final LogOptions DEFAULTS =
        new LogOptions(4096, 8 << 20, 4096, 64L << 20, 16, 10_000);

    public LogOptions {
      if (maxBatchEntries < 1
          || maxBatchBytes < 0xffff
          || maxQueuedAppends < 1
          || maxQueuedBytes < maxBatchBytes
          || maxConflicts < 0
          || closeTimeoutMs <= 0) {
        throw new IllegalArgumentException("log options out of range");
      }
    }
  }
}
