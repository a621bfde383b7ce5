package dev.parlance.control.store;

import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.log.LedgerFault;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.tile.TlogPath;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.SequencedMap;
import org.jdbi.v3.core.Handle;

/**
 * The ledger's resources as rows of the store's database, for control planes that share it. A
 * commit is one transaction that holds the lock of the row with the checkpoint: of two replicas
 * that append at the same time one commits, the other one finds another checkpoint than it expected
 * and tries again on top of it.
 *
 * <p>A published resource never gets other bytes. Beginnings of a tile that was full in the
 * meantime are removed, as tlog-tiles allows. A database that is away makes a commit fail, not this
 * object.
 */
record SqlStorage(Database database) implements LogStorage {
  private static final String PARTIAL = ".p/";

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    if (TlogPath.parse(path).isEmpty()) {
      return Optional.empty();
    }
    try {
      return database.read(
          "read the ledger",
          handle -> path.equals(CHECKPOINT) ? checkpoint(handle, "") : resource(handle, path));
    } catch (StoreException e) {
      throw new IOException(e);
    }
  }

  @Override
  public Commit commit(
      Optional<byte[]> expectedCheckpoint,
      SequencedMap<String, byte[]> writes,
      byte[] newCheckpoint)
      throws IOException {
    try {
      return database.write(
          "commit to the ledger",
          handle -> {
            Optional<byte[]> stored = checkpoint(handle, "<forUpdate>");
            if (!sameBytes(stored, expectedCheckpoint)) {
              return Commit.CONFLICT;
            }
            writes.forEach((path, bytes) -> write(handle, path, bytes));
            Database.update(
                handle,
                "UPDATE log_head SET checkpoint = :checkpoint WHERE id = 1",
                head -> head.bind("checkpoint", newCheckpoint));
            return Commit.COMMITTED;
          });
    } catch (PublishedOtherwise e) {
      throw new LedgerUnavailable(
          LedgerFault.CHAIN_BROKEN, e.path + " is published and would get other bytes", e);
    } catch (StoreException e) {
      throw new IOException(e);
    }
  }

  private static Optional<byte[]> checkpoint(Handle handle, String lock) {
    return handle
        .createQuery("SELECT checkpoint FROM log_head WHERE id = 1 " + lock)
        .map((row, context) -> Optional.ofNullable(row.getBytes("checkpoint")))
        .one();
  }

  private static Optional<byte[]> resource(Handle handle, String path) {
    return handle
        .createQuery("SELECT body FROM log_resource WHERE path = :path")
        .bind("path", path)
        .mapTo(byte[].class)
        .findOne();
  }

  private static void write(Handle handle, String path, byte[] bytes) {
    if (path.equals(CHECKPOINT) || TlogPath.parse(path).isEmpty()) {
      throw new IllegalArgumentException(path + " is no tile");
    }
    int partial = path.indexOf(PARTIAL);
    int inserted =
        Database.update(
            handle,
            """
            INSERT INTO log_resource (path, partial_of, body) VALUES (:path, :whole, :body)
            ON CONFLICT (path) DO NOTHING
            """,
            row ->
                row.bind("path", path)
                    .bind("whole", partial < 0 ? "" : path.substring(0, partial))
                    .bind("body", bytes));
    if (inserted == 0 && !sameBytes(resource(handle, path), Optional.of(bytes))) {
      throw new PublishedOtherwise(path);
    }
    if (partial < 0) {
      Database.update(
          handle,
          "DELETE FROM log_resource WHERE partial_of = :whole AND partial_of <> ''",
          row -> row.bind("whole", path));
    }
  }

  private static boolean sameBytes(Optional<byte[]> first, Optional<byte[]> second) {
    return first.isPresent() == second.isPresent()
        && (first.isEmpty() || Arrays.equals(first.get(), second.get()));
  }

  /** Leaves the transaction, which is then rolled back. */
  private static final class PublishedOtherwise extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    PublishedOtherwise(String path) {
      super(path);
      this.path = path;
    }
  }
}
