package dev.parlance.control.store;

import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.StatementContext;

/** Audits. An index over the unfinished ones lets a plan have one at a time. */
final class AuditTable {
  private final Database database;

  AuditTable(Database database) {
    this.database = database;
  }

  boolean create(AuditRow audit) {
    return database.write(
            "store an audit",
            handle ->
                handle
                    .createUpdate(
                        """
                        INSERT INTO audit (id, plan, plan_revision, kind, terms, seed, state,
                          started_at_ms, ended_at_ms, document)
                        VALUES (:id, :plan, :revision, :kind, :terms, :seed, :state, :started,
                          :ended, :document)
                        ON CONFLICT DO NOTHING
                        """)
                    .bind("id", audit.id())
                    .bind("plan", audit.plan())
                    .bind("revision", audit.planRevision())
                    .bind("kind", audit.kind())
                    .bind("terms", Columns.lines(audit.terms()))
                    .bind("seed", audit.seed())
                    .bind("state", audit.state())
                    .bind("started", audit.startedAtMs())
                    .bind("ended", audit.endedAtMs())
                    .bind("document", audit.document())
                    .execute())
        == 1;
  }

  Optional<AuditRow> get(String id) {
    return database.read(
        "read an audit",
        handle ->
            handle
                .createQuery("SELECT * FROM audit WHERE id = :id")
                .bind("id", id)
                .map(AuditTable::row)
                .findOne());
  }

  List<AuditRow> newest(Optional<String> plan, int limit) {
    return database.read(
        "read the audits",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM audit WHERE <which> ORDER BY started_at_ms DESC, id DESC
                    LIMIT :limit
                    """)
                .define("which", plan.isPresent() ? "plan = :plan" : "'' = :plan")
                .bind("plan", plan.orElse(""))
                .bind("limit", limit)
                .map(AuditTable::row)
                .list());
  }

  List<AuditRow> unfinished() {
    return database.read(
        "read the unfinished audits",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM audit WHERE state IN ('open', 'running')
                    ORDER BY started_at_ms, id
                    """)
                .map(AuditTable::row)
                .list());
  }

  boolean update(AuditRow audit, Lease lease) {
    return database.write(
        "change an audit",
        handle ->
            LeaseTable.held(handle, lease)
                && handle
                        .createUpdate(
                            """
                            UPDATE audit SET state = :state, started_at_ms = :started,
                              ended_at_ms = :ended, document = :document
                            WHERE id = :id AND (state IN ('open', 'running') OR state = :state)
                            """)
                        .bind("id", audit.id())
                        .bind("state", audit.state())
                        .bind("started", audit.startedAtMs())
                        .bind("ended", audit.endedAtMs())
                        .bind("document", audit.document())
                        .execute()
                    == 1);
  }

  private static AuditRow row(ResultSet row, StatementContext context) throws SQLException {
    return new AuditRow(
        row.getString("id"),
        row.getString("plan"),
        row.getLong("plan_revision"),
        row.getString("kind"),
        Columns.list(row.getString("terms")),
        Columns.bytes(row, "seed"),
        row.getString("state"),
        row.getLong("started_at_ms"),
        row.getLong("ended_at_ms"),
        Columns.bytes(row, "document"));
  }
}
