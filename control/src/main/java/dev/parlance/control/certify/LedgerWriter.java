package dev.parlance.control.certify;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.ledger.log.LedgerFault;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger for writing, opened again after a failure that ended its writer. Entries are
 * acknowledged when they are durable; what was not acknowledged may be there all the same, so
 * whoever goes on reads first.
 */
public final class LedgerWriter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LedgerWriter.class);
  private static final int CHUNK_ENTRIES = 1_024;
  private static final int CHUNK_BYTES = 2 << 20;
  private static final long REOPEN_NS = TimeUnit.SECONDS.toNanos(1);

  private final LedgerStore store;
  private final SignerKey key;
  private final ControlMetrics metrics;
  private Optional<Writer> writer;
  private long lastOpenNs;
  private boolean closed;

  /** An open log with what it rests on. */
  private record Writer(Log log, LedgerStore.Opened opened) {}

  private LedgerWriter(LedgerStore store, SignerKey key, ControlMetrics metrics, Writer writer) {
    this.store = store;
    this.key = key;
    this.metrics = metrics;
    this.writer = Optional.of(writer);
    this.lastOpenNs = System.nanoTime();
  }

  /**
   * Opens the ledger; makes it where there is none.
   *
   * @throws LedgerUnavailable if what is stored is not a ledger of this key
   */
  public static LedgerWriter open(LedgerStore store, SignerKey key, ControlMetrics metrics)
      throws IOException {
    return new LedgerWriter(store, key, metrics, writer(store, key));
  }

  private static Writer writer(LedgerStore store, SignerKey key) throws IOException {
    LedgerStore.Opened opened = store.open();
    boolean open = false;
    try {
      Log log = Log.open(opened.storage(), key, LogOptions.DEFAULTS);
      open = true;
      return new Writer(log, opened);
    } finally {
      if (!open) {
        release(opened);
      }
    }
  }

  /**
   * Appends entries in order. Up to 1,024 small ones go together, all or none; more are cut, and
   * then the first ones may be there without the last.
   */
  public AppendResult append(List<Entry> entries) {
    AppendResult last = new AppendResult.Refused(LedgerFault.CLOSED, "nothing to append");
    for (List<byte[]> chunk : chunks(entries)) {
      long began = System.nanoTime();
      last = appendChunk(chunk);
      switch (last) {
        case AppendResult.Appended appended ->
            metrics.appended(appended.count(), System.nanoTime() - began);
        case AppendResult.Refused(LedgerFault fault, String detail) -> {
          metrics.count(ControlMeter.APPEND_REFUSED);
          log.atWarn()
              .addKeyValue("fault", fault.code())
              .addKeyValue("detail", detail)
              .log("the ledger did not take entries");
          return last;
        }
      }
    }
    return last;
  }

  private AppendResult appendChunk(List<byte[]> chunk) {
    Optional<Writer> open = current();
    if (open.isEmpty()) {
      return new AppendResult.Refused(LedgerFault.UNAVAILABLE, "the ledger is not open");
    }
    AppendResult result = open.get().log().append(chunk).toCompletableFuture().join();
    if (result instanceof AppendResult.Refused refused && isOver(refused.fault())) {
      drop(open.get());
    }
    return result;
  }

  private static boolean isOver(LedgerFault fault) {
    return switch (fault) {
      case LOCKED,
          UNAVAILABLE,
          READ_ONLY,
          CHECKPOINT_INVALID,
          CHAIN_BROKEN,
          ROLLED_BACK,
          FORKED,
          KEY_MISMATCH,
          CLOSED ->
          true;
      case CONFLICT, ENTRY_TOO_LARGE, BATCH_TOO_LARGE, QUEUE_FULL -> false;
    };
  }

  private synchronized Optional<Writer> current() {
    long now = System.nanoTime();
    if (writer.isEmpty() && !closed && now - lastOpenNs >= REOPEN_NS) {
      lastOpenNs = now;
      try {
        writer = Optional.of(writer(store, key));
        log.atInfo().log("the ledger is open again");
      } catch (IOException e) {
        log.atWarn().setCause(e).log("the ledger cannot be opened");
      }
    }
    return writer;
  }

  private void drop(Writer over) {
    synchronized (this) {
      if (!writer.equals(Optional.of(over))) {
        return; // somebody else has seen it first
      }
      writer = Optional.empty();
      lastOpenNs = System.nanoTime();
    }
    over.log().close();
    release(over.opened());
  }

  private static void release(LedgerStore.Opened opened) {
    try {
      opened.release().close();
    } catch (Exception e) {
      log.atWarn().setCause(e).log("closing the ledger's storage failed");
    }
  }

  /** Reads the ledger, also while it is written; empty while it is not open. */
  public Optional<LogReader> reader() {
    return current().map(open -> open.log().reader());
  }

  /** True if nobody but this writer can append. */
  public boolean isExclusive() {
    return current().filter(open -> open.opened().storage().isExclusive()).isPresent();
  }

  /** True if entries can be appended, as far as is known. */
  public boolean isOpen() {
    return current().isPresent();
  }

  /** The key that checks its checkpoints. */
  public SignerKey key() {
    return key;
  }

  private static List<List<byte[]>> chunks(List<Entry> entries) {
    List<List<byte[]>> chunks = new ArrayList<>();
    List<byte[]> chunk = new ArrayList<>();
    int bytes = 0;
    for (Entry entry : entries) {
      byte[] line = EntryCodec.encode(entry);
      if (chunk.size() == CHUNK_ENTRIES || bytes + line.length > CHUNK_BYTES) {
        chunks.add(chunk);
        chunk = new ArrayList<>();
        bytes = 0;
      }
      chunk.add(line);
      bytes += line.length;
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk);
    }
    return chunks;
  }

  /** Commits what is under way and lets go. */
  @Override
  public void close() {
    Optional<Writer> last;
    synchronized (this) {
      closed = true;
      last = writer;
      writer = Optional.empty();
    }
    last.ifPresent(open -> {
      open.log().close();
      release(open.opened());
    });
  }

  /** Opens the place where the ledger is kept; again, if a failed write has closed it. */
  @FunctionalInterface
  public interface LedgerStore {
    /** A storage, and how to let go of it. */
    record Opened(LogStorage storage, AutoCloseable release) {}

    /**
     * Opens it for writing.
     *
     * @throws IOException if it is locked, broken or away
     */
    Opened open() throws IOException;
  }
}
