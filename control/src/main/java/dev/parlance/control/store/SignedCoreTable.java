package dev.parlance.control.store;

import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/**
 * Signed cores. Numbers of publications come from one row that is locked until the commit: a number
 * that was drawn earlier but committed later would be missed by whoever had seen the later one.
 */
record SignedCoreTable(Database database) {
  private static final int MAX_SINCE = 256;
  private static final String SELECT = "SELECT core.*, sequence > 0 AS published FROM core ";
  private static final RowMapper<CoreRow> ROW =
      (row, _) ->
          new CoreRow(
              row.getString("core_key"),
              row.getLong("version"),
              Database.list(row.getString("agents")),
              row.getString("domain"),
              row.getString("audit"),
              Database.bytes(row.getBytes("note")),
              row.getBoolean("published"),
              row.getLong("sequence"));

  CorePut putPending(CoreRow core, Lease lease) {
    return database.write(
        "store a core",
        handle -> {
          if (!SqlStore.isHeld(handle, lease)) {
            return CorePut.LEASE_LOST;
          }
          lockPublication(handle);
          if (isTaken(handle, core)) {
            return CorePut.VERSION_TAKEN;
          }
          // What is not taken but there: this audit's former one, or that of an audit that is over.
          Database.update(
              handle,
              """
              DELETE FROM core WHERE sequence = 0
                AND (audit = :audit OR (core_key = :coreKey AND version = :version))
              """,
              row -> row.bindMethods(core));
          Database.update(
              handle,
              """
              INSERT INTO core (core_key, version, agents, domain, audit, note, sequence)
              VALUES (:coreKey, :version, :agents, :domain, :audit, :note, 0)
              """,
              row -> row.bindMethods(core).bind("agents", Database.lines(core.agents())));
          return CorePut.DONE;
        });
  }

  private static boolean isTaken(Handle handle, CoreRow core) {
    return Database.number(
            handle,
            """
            SELECT version FROM core WHERE core_key = :coreKey AND (
              (sequence > 0 AND version >= :version)
              OR (sequence = 0 AND version = :version AND audit <> :audit AND EXISTS (
                SELECT 1 FROM audit WHERE audit.id = core.audit
                  AND audit.state IN ('open', 'running'))))
            LIMIT 1
            """,
            query -> query.bindMethods(core))
        .isPresent();
  }

  Optional<CoreRow> pending(String audit) {
    return database.find(
        "read a pending core",
        SELECT + "WHERE audit = :audit AND sequence = 0",
        ROW,
        query -> query.bind("audit", audit));
  }

  CorePut publish(String coreKey, long version, Lease lease) {
    return database.write(
        "publish a core",
        handle -> {
          if (!SqlStore.isHeld(handle, lease)) {
            return CorePut.LEASE_LOST;
          }
          long next = lockPublication(handle) + 1;
          Optional<Long> present =
              Database.number(
                  handle,
                  "SELECT sequence FROM core WHERE core_key = :key AND version = :version",
                  query -> query.bind("key", coreKey).bind("version", version));
          if (present.isEmpty()) {
            return CorePut.UNKNOWN;
          }
          if (present.get() == 0) {
            Database.update(
                handle,
                "UPDATE core_publication SET sequence = :sequence WHERE id = 1",
                row -> row.bind("sequence", next));
            Database.update(
                handle,
                "UPDATE core SET sequence = :sequence WHERE core_key = :key AND version = :version",
                row -> row.bind("sequence", next).bind("key", coreKey).bind("version", version));
          }
          return CorePut.DONE;
        });
  }

  private static long lockPublication(Handle handle) {
    return Database.number(
            handle, "SELECT sequence FROM core_publication WHERE id = 1 <forUpdate>", all -> all)
        .orElseThrow();
  }

  Optional<CoreRow> get(String coreKey, long version) {
    return database.find(
        "read a core",
        SELECT + "WHERE core_key = :key AND version = :version AND sequence > 0",
        ROW,
        query -> query.bind("key", coreKey).bind("version", version));
  }

  List<CoreRow> newestOfAll() {
    return database
        .list(
            "read the cores",
            SELECT
                + """
                WHERE sequence > 0 AND NOT EXISTS (
                  SELECT 1 FROM core newer WHERE newer.core_key = core.core_key
                    AND newer.sequence > 0 AND newer.version > core.version)
                """,
            ROW,
            all -> all)
        .stream()
        .sorted(Comparator.comparing(CoreRow::coreKey))
        .toList();
  }

  List<CoreRow> history(String coreKey, int limit) {
    return database.list(
        "read a core's versions",
        SELECT + "WHERE core_key = :key AND sequence > 0 ORDER BY version DESC LIMIT :limit",
        ROW,
        query -> query.bind("key", coreKey).bind("limit", limit));
  }

  List<CoreRow> since(long sequence) {
    return database.list(
        "read the cores published since",
        SELECT + "WHERE sequence > :sequence AND sequence > 0 ORDER BY sequence LIMIT :limit",
        ROW,
        query -> query.bind("sequence", sequence).bind("limit", MAX_SINCE));
  }
}
