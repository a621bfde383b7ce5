package dev.parlance.control.certify;

import dev.parlance.control.certify.AuditStopped.Why;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.service.IoWords;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Writes an audit's entries, as long as its lease is held, and reads them back before anything is
 * built on them.
 */
final class AuditWriter {
  private static final int RETRY_MS = 250;

  private final AuditContext context;
  private final LeaseHold lease;
  private final BooleanSupplier draining;
  private final Semaphore wakeups = new Semaphore(0);

  AuditWriter(AuditContext context, LeaseHold lease, BooleanSupplier draining) {
    this.context = context;
    this.lease = lease;
    this.draining = draining;
  }

  /** Stops here if this replica must not go on. */
  void check() throws AuditStopped {
    if (!lease.isHeld()) {
      throw new AuditStopped(Why.LEASE_LOST, "the lease is lost");
    }
    if (draining.getAsBoolean()) {
      throw new AuditStopped(Why.DRAINING, "this replica stops");
    }
  }

  /**
   * Appends entries and brings the view up to them. Where the outcome of a write is unknown the
   * ledger is read before anything is written again: an end that stands there twice would be a
   * contradiction to whoever recomputes.
   *
   * @throws AuditStopped if the ledger does not take them; they may be there all the same
   */
  void append(List<Entry> entries) throws AuditStopped {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(context.ledgerPatienceMs());
    long before = context.view().size();
    List<Entry> missing = entries;
    while (true) {
      check();
      AppendResult result = context.ledger().append(missing);
      catchUp();
      if (result instanceof AppendResult.Appended) {
        return;
      }
      missing = notSince(before, entries);
      if (missing.isEmpty()) {
        return;
      }
      if (System.nanoTime() - until > 0) {
        throw new AuditStopped(Why.LEDGER, String.valueOf(result));
      }
      pause(RETRY_MS);
    }
  }

  /** The entries that are not on the ledger from that index on; they go there in order. */
  private List<Entry> notSince(long index, List<Entry> entries) throws AuditStopped {
    List<byte[]> lines = entries.stream().map(EntryCodec::encode).toList();
    int[] found = {0};
    try {
      context
          .view()
          .forEachLine(
              index,
              (_, line) -> {
                if (found[0] < lines.size() && Arrays.equals(line, lines.get(found[0]))) {
                  found[0]++;
                }
              });
    } catch (IOException e) {
      throw new AuditStopped(Why.LEDGER, IoWords.why(e));
    }
    return entries.subList(found[0], entries.size());
  }

  /** Reads what was added to the ledger. */
  void catchUp() throws AuditStopped {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(context.ledgerPatienceMs());
    while (true) {
      check();
      try {
        context.view().catchUp();
        return;
      } catch (IOException e) {
        if (System.nanoTime() - until > 0) {
          throw new AuditStopped(Why.LEDGER, IoWords.why(e));
        }
      }
      pause(RETRY_MS);
    }
  }

  /** Waits, or until somebody wakes this audit. */
  void pause(long ms) throws AuditStopped {
    try {
      if (wakeups.tryAcquire(Math.max(1, ms), TimeUnit.MILLISECONDS)) {
        wakeups.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AuditStopped(Why.DRAINING, "interrupted");
    }
    check();
  }

  /** Something may have happened. */
  void wake() {
    wakeups.release();
  }

  long epoch() {
    return lease.epoch();
  }

  /** The entry that ends an audit. */
  Entry.Closed closed(AuditRow row, Optional<String> failure) {
    String seed = HexFormat.of().formatHex(row.seed());
    return new Entry.Closed(row.id(), epoch(), seed, failure, nowMs());
  }

  LeaseHold lease() {
    return lease;
  }

  static long nowMs() {
    return System.currentTimeMillis();
  }
}
