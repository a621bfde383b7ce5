package dev.parlance.ledger.log;

import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.tile.EntryBundles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Appends that wait for the writer; bounded in number and bytes. */
final class AppendQueue {
  /** One append that waits. */
  record Waiting(List<byte[]> entries, int bytes, CompletableFuture<AppendResult> result) {}

  private final LogOptions options;
  private final Deque<Waiting> queue = new ArrayDeque<>();
  private long queuedBytes;
  private Optional<AppendResult.Refused> closed = Optional.empty();

  AppendQueue(LogOptions options) {
    this.options = options;
  }

  /** Queues an append, or says at once why not. */
  CompletableFuture<AppendResult> offer(List<byte[]> entries) {
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("nothing to append");
    }
    long bytes = 0;
    for (byte[] entry : entries) {
      if (entry.length > EntryBundles.MAX_ENTRY_BYTES) {
        return refused(LedgerFault.ENTRY_TOO_LARGE, entry.length + " bytes");
      }
      bytes += entry.length;
    }
    if (entries.size() > options.maxBatchEntries() || bytes > options.maxBatchBytes()) {
      return refused(
          LedgerFault.BATCH_TOO_LARGE, entries.size() + " entries of " + bytes + " bytes");
    }
    Waiting waiting =
        new Waiting(
            entries.stream().map(byte[]::clone).toList(), (int) bytes, new CompletableFuture<>());
    synchronized (this) {
      if (closed.isPresent()) {
        return CompletableFuture.completedFuture(closed.get());
      }
      if (queue.size() == options.maxQueuedAppends()
          || queuedBytes + bytes > options.maxQueuedBytes()) {
        return refused(LedgerFault.QUEUE_FULL, queue.size() + " appends wait");
      }
      queue.add(waiting);
      queuedBytes += bytes;
      notifyAll();
    }
    return waiting.result();
  }

  /** Waits for the next batch; empty once the queue is closed and nothing is left. */
  synchronized List<Waiting> take() throws InterruptedException {
    while (queue.isEmpty()) {
      if (closed.isPresent()) {
        return List.of();
      }
      wait();
    }
    List<Waiting> batch = new ArrayList<>();
    int entries = 0;
    long bytes = 0;
    while (!queue.isEmpty()) {
      Waiting next = queue.getFirst();
      entries += next.entries().size();
      bytes += next.bytes();
      if (!batch.isEmpty()
          && (entries > options.maxBatchEntries() || bytes > options.maxBatchBytes())) {
        break;
      }
      batch.add(queue.removeFirst());
      queuedBytes -= next.bytes();
    }
    return batch;
  }

  /** Refuses every later append; what is queued can still be taken. */
  synchronized void close(AppendResult.Refused answer) {
    if (closed.isEmpty()) {
      closed = Optional.of(answer);
    }
    notifyAll();
  }

  /** Takes out all that is queued, after {@link #close}. */
  synchronized List<Waiting> drain() {
    List<Waiting> rest = new ArrayList<>(queue);
    queue.clear();
    queuedBytes = 0;
    return rest;
  }

  private static CompletableFuture<AppendResult> refused(LedgerFault fault, String detail) {
    return CompletableFuture.completedFuture(new AppendResult.Refused(fault, detail));
  }
}
