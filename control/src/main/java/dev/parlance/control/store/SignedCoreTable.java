package dev.parlance.control.store;

import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Signed cores. Numbers of publications come from one row that is locked until the commit: a number
 * that was drawn earlier but committed later would be missed by whoever had seen the later one.
 */
final class SignedCoreTable {
  private static final int MAX_SINCE = 256;

  private final Database database;

  SignedCoreTable(Database database) {
    this.database = database;
  }

  CorePut putPending(CoreRow core, Lease lease) {
    return database.write(
        "store a core",
        handle -> {
          if (!LeaseTable.held(handle, lease)) {
            return CorePut.LEASE_LOST;
          }
          lockPublication(handle);
          if (isTaken(handle, core)) {
            return CorePut.VERSION_TAKEN;
          }
          // What is not taken but there: this audit's former one, or that of an audit that is over.
          handle
              .createUpdate(
                  """
                  DELETE FROM core WHERE sequence = 0
                    AND (audit = :audit OR (core_key = :key AND version = :version))
                  """)
              .bind("audit", core.audit())
              .bind("key", core.coreKey())
              .bind("version", core.version())
              .execute();
          insertPending(handle, core);
          return CorePut.DONE;
        });
  }

  private static boolean isTaken(Handle handle, CoreRow core) {
    return handle
        .createQuery(
            """
            SELECT version FROM core WHERE core_key = :key AND (
              (sequence > 0 AND version >= :version)
              OR (sequence = 0 AND version = :version AND audit <> :audit AND EXISTS (
                SELECT 1 FROM audit WHERE audit.id = core.audit
                  AND audit.state IN ('open', 'running'))))
            LIMIT 1
            """)
        .bind("key", core.coreKey())
        .bind("version", core.version())
        .bind("audit", core.audit())
        .mapTo(Long.class)
        .findOne()
        .isPresent();
  }

  private static void insertPending(Handle handle, CoreRow core) {
    handle
        .createUpdate(
            """
            INSERT INTO core (core_key, version, agents, domain, audit, note, sequence)
            VALUES (:key, :version, :agents, :domain, :audit, :note, 0)
            """)
        .bind("key", core.coreKey())
        .bind("version", core.version())
        .bind("agents", Columns.lines(core.agents()))
        .bind("domain", core.domain())
        .bind("audit", core.audit())
        .bind("note", core.note())
        .execute();
  }

  Optional<CoreRow> pending(String audit) {
    return database.read(
        "read a pending core",
        handle ->
            handle
                .createQuery("SELECT * FROM core WHERE audit = :audit AND sequence = 0")
                .bind("audit", audit)
                .map(SignedCoreTable::row)
                .findOne());
  }

  CorePut publish(String coreKey, long version, Lease lease) {
    return database.write(
        "publish a core",
        handle -> {
          if (!LeaseTable.held(handle, lease)) {
            return CorePut.LEASE_LOST;
          }
          long last = lockPublication(handle);
          Optional<Long> present =
              handle
                  .createQuery(
                      "SELECT sequence FROM core WHERE core_key = :key AND version = :version")
                  .bind("key", coreKey)
                  .bind("version", version)
                  .mapTo(Long.class)
                  .findOne();
          if (present.isEmpty()) {
            return CorePut.UNKNOWN;
          }
          if (present.get() == 0) {
            number(handle, coreKey, version, last + 1);
          }
          return CorePut.DONE;
        });
  }

  private static long lockPublication(Handle handle) {
    return handle
        .createQuery("SELECT sequence FROM core_publication WHERE id = 1 <forUpdate>")
        .mapTo(Long.class)
        .one();
  }

  private static void number(Handle handle, String coreKey, long version, long sequence) {
    handle
        .createUpdate("UPDATE core_publication SET sequence = :sequence WHERE id = 1")
        .bind("sequence", sequence)
        .execute();
    handle
        .createUpdate(
            "UPDATE core SET sequence = :sequence WHERE core_key = :key AND version = :version")
        .bind("sequence", sequence)
        .bind("key", coreKey)
        .bind("version", version)
        .execute();
  }

  Optional<CoreRow> newest(String coreKey) {
    return history(coreKey, 1).stream().findFirst();
  }

  Optional<CoreRow> get(String coreKey, long version) {
    return database.read(
        "read a core",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM core
                    WHERE core_key = :key AND version = :version AND sequence > 0
                    """)
                .bind("key", coreKey)
                .bind("version", version)
                .map(SignedCoreTable::row)
                .findOne());
  }

  List<CoreRow> newestOfAll() {
    return database.read(
        "read the cores",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM core WHERE sequence > 0 AND NOT EXISTS (
                      SELECT 1 FROM core newer WHERE newer.core_key = core.core_key
                        AND newer.sequence > 0 AND newer.version > core.version)
                    """)
                .map(SignedCoreTable::row)
                .stream()
                .sorted(Comparator.comparing(CoreRow::coreKey))
                .toList());
  }

  List<CoreRow> history(String coreKey, int limit) {
    return database.read(
        "read a core's versions",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM core WHERE core_key = :key AND sequence > 0
                    ORDER BY version DESC LIMIT :limit
                    """)
                .bind("key", coreKey)
                .bind("limit", limit)
                .map(SignedCoreTable::row)
                .list());
  }

  List<CoreRow> since(long sequence) {
    return database.read(
        "read the cores published since",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM core WHERE sequence > :sequence AND sequence > 0
                    ORDER BY sequence LIMIT :limit
                    """)
                .bind("sequence", sequence)
                .bind("limit", MAX_SINCE)
                .map(SignedCoreTable::row)
                .list());
  }

  private static CoreRow row(ResultSet row, StatementContext context) throws SQLException {
    long sequence = row.getLong("sequence");
    return new CoreRow(
        row.getString("core_key"),
        row.getLong("version"),
        Columns.list(row.getString("agents")),
        row.getString("domain"),
        row.getString("audit"),
        Columns.bytes(row, "note"),
        sequence > 0,
        sequence);
  }
}
