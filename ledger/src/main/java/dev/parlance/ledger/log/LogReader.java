package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads a log beside its writer. For any number of threads. */
public final class LogReader {
  private final LogSource source;
  private final VerifierKey key;
  private final TileCache tiles;

  /** The checkpoint whose signature was checked last; read far more often than it changes. */
  private volatile Optional<Known> checked = Optional.empty();

  /** The one that this process has signed last; until it is stored the one before is read. */
  private volatile Optional<Known> own = Optional.empty();

  /** A checkpoint with its bytes, which every read compares. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two of them
  private record Known(SignedCheckpoint checkpoint, byte[] bytes) {}

  /** Over a source, with the key of the log. */
  public LogReader(LogSource source, VerifierKey key) {
    this.source = source;
    this.key = key;
    this.tiles = new TileCache(source);
  }

  /**
   * The stored checkpoint, its signature checked; empty before the log was first opened.
   *
   * @throws LedgerUnavailable {@link LedgerFault#CHECKPOINT_INVALID}
   */
  public Optional<SignedCheckpoint> checkpoint() throws IOException {
    Optional<byte[]> stored = source.read(LogSource.CHECKPOINT);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    for (Optional<Known> known : List.of(checked, own)) {
      if (known.isPresent() && Arrays.equals(known.get().bytes(), stored.get())) {
        checked = known;
        return known.map(Known::checkpoint);
      }
    }
    return switch (SignedCheckpoint.open(stored.get(), key)) {
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) -> {
        checked = Optional.of(new Known(checkpoint, stored.get()));
        yield Optional.of(checkpoint); // not the field: another thread may have read an older one
      }
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
          throw new LedgerUnavailable(LedgerFault.CHECKPOINT_INVALID, fault.code() + ", " + detail);
    };
  }

  /** A checkpoint that this process has signed itself: if it is the stored one, it is good. */
  void signed(SignedCheckpoint checkpoint) {
    own = Optional.of(new Known(checkpoint, checkpoint.bytes()));
  }

  /** The log as its stored checkpoint has it; empty before the log was first opened. */
  public Optional<LogView> head() throws IOException {
    return checkpoint().map(this::at);
  }

  /** The log as an earlier checkpoint of it has it. */
  public LogView at(SignedCheckpoint checkpoint) {
    return new LogView(source, tiles, checkpoint);
  }

  /** The bytes at a path of tlog-tiles, for an HTTP server; empty for every other path. */
  public Optional<byte[]> resource(String path) throws IOException {
    return source.read(path);
  }
}
