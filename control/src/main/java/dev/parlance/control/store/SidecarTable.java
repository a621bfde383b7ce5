package dev.parlance.control.store;

import dev.parlance.control.store.Store.SidecarRow;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Sidecars, and which replica they are attached to. Those not seen for a week are forgotten. */
final class SidecarTable {
  private static final long REMEMBERED_MS = Duration.ofDays(7).toMillis();

  private final Database database;

  SidecarTable(Database database) {
    this.database = database;
  }

  void seen(String agent, String node, String replica, byte[] document) {
    database.write(
        "note a sidecar",
        handle -> {
          handle
              .createUpdate("DELETE FROM sidecar WHERE last_seen_at_ms < <now> - :remembered")
              .bind("remembered", REMEMBERED_MS)
              .execute();
          return handle
              .createUpdate(
                  """
                  INSERT INTO sidecar (agent, node, replica, attached, last_seen_at_ms, document)
                  VALUES (:agent, :node, :replica, 1, <now>, :document)
                  ON CONFLICT (agent, node) DO UPDATE SET replica = excluded.replica, attached = 1,
                    last_seen_at_ms = <now>, document = excluded.document
                  """)
              .bind("agent", agent)
              .bind("node", node)
              .bind("replica", replica)
              .bind("document", document)
              .execute();
        });
  }

  void gone(String agent, String node, String replica) {
    database.write(
        "note that a sidecar is gone",
        handle ->
            handle
                .createUpdate(
                    """
                    UPDATE sidecar SET attached = 0
                    WHERE agent = :agent AND node = :node AND replica = :replica
                    """)
                .bind("agent", agent)
                .bind("node", node)
                .bind("replica", replica)
                .execute());
  }

  List<SidecarRow> all(Duration aliveFor) {
    long aliveMs = LeaseTable.ttlMs(aliveFor);
    return database.read(
        "read the sidecars",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT sidecar.*, CASE WHEN attached = 1 AND last_seen_at_ms > <now> - :alive
                      THEN 1 ELSE 0 END AS alive
                    FROM sidecar WHERE last_seen_at_ms >= <now> - :remembered
                    """)
                .bind("alive", aliveMs)
                .bind("remembered", REMEMBERED_MS)
                .map((row, context) ->
                    new SidecarRow(
                        row.getString("agent"),
                        row.getString("node"),
                        row.getString("replica"),
                        row.getInt("alive") == 1,
                        row.getLong("last_seen_at_ms"),
                        Columns.bytes(row, "document")))
                .stream()
                .sorted(Comparator.comparing(SidecarRow::agent).thenComparing(SidecarRow::node))
                .toList());
  }
}
