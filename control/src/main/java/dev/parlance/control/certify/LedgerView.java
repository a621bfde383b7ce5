package dev.parlance.control.certify;

import dev.parlance.ledger.log.LedgerFault;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.record.Applied;
import dev.parlance.ledger.record.AuditState;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.LexiconEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ledger comes to, kept up to date by reading what was added, by whatever replica. For any
 * number of threads, one at a time.
 */
public final class LedgerView {
  private static final Logger log = LoggerFactory.getLogger(LedgerView.class);

  private static final long PAGE = 256;

  private final LedgerWriter port;
  private final LedgerState state = new LedgerState();
  private long size;
  private long grownNs = System.nanoTime();
  private BoardListener boards = BoardListener.NOBODY;

  /** Hears of entries of boards as they are read. Called with the view locked: may not wait. */
  public interface BoardListener {
    /** Hears of nothing. */
    BoardListener NOBODY =
        new BoardListener() {
          @Override
          public void before(LexiconEntry entry, LedgerState state) {}

          @Override
          public void counted(LexiconEntry entry, LedgerState state) {}
        };

    /** An entry is about to be taken in. */
    void before(LexiconEntry entry, LedgerState state);

    /** It was, and counts. */
    void counted(LexiconEntry entry, LedgerState state);
  }

  /** A view that has read nothing yet. */
  public LedgerView(LedgerWriter port) {
    this.port = port;
  }

  /** Tells of entries of boards that are read from now on. */
  public synchronized void listen(BoardListener listener) {
    boards = listener;
  }

  /**
   * Reads what was added since.
   *
   * @throws IOException if the ledger cannot be read
   */
  public synchronized void catchUp() throws IOException {
    LogView head = head();
    if (head.size() < size) {
      throw new LedgerUnavailable(
          LedgerFault.ROLLED_BACK, "the ledger had " + size + " entries, now " + head.size());
    }
    if (head.size() > size) {
      head.forEach(size, head.size(), this::take);
      grownNs = System.nanoTime();
    }
  }

  private void take(long index, byte[] bytes) {
    switch (EntryCodec.decode(bytes)) {
      case EntryCodec.Decoded.Read(LexiconEntry entry) -> {
        boards.before(entry, state);
        if (applied(index, entry)) {
          boards.counted(entry, state);
        }
      }
      case EntryCodec.Decoded.Read(Entry entry) -> applied(index, entry);
      case EntryCodec.Decoded.Unreadable(String reason) ->
          log.atWarn()
              .addKeyValue("index", index)
              .addKeyValue("reason", reason)
              .log("an entry of the ledger cannot be read");
    }
    size = index + 1;
  }

  /** Takes an entry in; false if it counts for nothing. */
  private boolean applied(long index, Entry entry) {
    if (!(state.apply(index, entry) instanceof Applied.Ignored(Applied.Cause cause))) {
      return true;
    }
    if (!cause.isExpected()) {
      log.atWarn()
          .addKeyValue("index", index)
          .addKeyValue("cause", cause.code())
          .log("an entry of the ledger counts for nothing");
    }
    return false;
  }

  private LogView head() throws IOException {
    LogReader reader =
        port.reader()
            .orElseThrow(
                () -> new LedgerUnavailable(LedgerFault.UNAVAILABLE, "the ledger is not open"));
    return reader
        .head()
        .orElseThrow(
            () -> new LedgerUnavailable(LedgerFault.UNAVAILABLE, "the ledger has no checkpoint"));
  }

  /** Asks the state; nothing of it may be kept that changes. */
  public synchronized <T> T read(Function<LedgerState, T> question) {
    return question.apply(state);
  }

  /** Asks the state of an audit that is on the ledger. */
  synchronized <T> T audit(String id, Function<AuditState, T> question) {
    return question.apply(state.audit(id).orElseThrow());
  }

  /** Changes what only this replica knows of the state: seeds. */
  public synchronized void tell(Consumer<LedgerState> fact) {
    fact.accept(state);
  }

  /** Number of entries read. */
  public synchronized long size() {
    return size;
  }

  /** How long ago the last new entry was seen, in seconds. */
  public synchronized double sinceGrownSeconds() {
    return (System.nanoTime() - grownNs) / 1e9;
  }

  /** The entries from an index to what was read last, that are wanted. */
  public List<Entry> entries(long from, Function<Entry, Boolean> wanted) throws IOException {
    return entries(from, size(), wanted);
  }

  /** The entries from an index up to another one, without it, that are wanted. */
  public List<Entry> entries(long from, long to, Function<Entry, Boolean> wanted)
      throws IOException {
    long end = Math.min(to, size());
    List<Entry> found = new ArrayList<>();
    head()
        .forEach(
            Math.min(from, end),
            end,
            (_, bytes) -> {
              if (EntryCodec.decode(bytes) instanceof EntryCodec.Decoded.Read(Entry entry)
                  && wanted.apply(entry)) {
                found.add(entry);
              }
            });
    return found;
  }

  /** Index of the first entry from an index on that is meant; empty if none was read. */
  public Optional<Long> first(long from, Predicate<Entry> meant) throws IOException {
    long end = size();
    LogView head = head();
    long[] found = {-1};
    for (long at = Math.min(from, end); at < end && found[0] < 0; at += PAGE) {
      head.forEach(
          at,
          Math.min(at + PAGE, end),
          (index, bytes) -> {
            if (found[0] < 0
                && EntryCodec.decode(bytes) instanceof EntryCodec.Decoded.Read(Entry entry)
                && meant.test(entry)) {
              found[0] = index;
            }
          });
    }
    return found[0] < 0 ? Optional.empty() : Optional.of(found[0]);
  }

  /** Bytes of the entries from an index to what was read last. */
  void forEachLine(long from, LogView.EntryVisitor visitor) throws IOException {
    long to = size();
    head().forEach(Math.min(from, to), to, visitor);
  }
}
