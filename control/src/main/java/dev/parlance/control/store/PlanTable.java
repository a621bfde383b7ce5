package dev.parlance.control.store;

import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.PlanRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Plans, and when their next audit is due. */
final class PlanTable {
  private final Database database;

  PlanTable(Database database) {
    this.database = database;
  }

  PlanPut put(String name, long expectedRevision, byte[] document, long intervalMs) {
    return database.write(
        "store a plan",
        handle -> {
          int changed =
              expectedRevision == 0
                  ? insert(handle, name, document, intervalMs)
                  : replace(handle, name, expectedRevision, document, intervalMs);
          return changed == 1
              ? new PlanPut.Stored(expectedRevision + 1)
              : new PlanPut.Conflict(revision(handle, name));
        });
  }

  private static int insert(Handle handle, String name, byte[] document, long intervalMs) {
    return handle
        .createUpdate(
            """
            INSERT INTO plan (name, revision, document, interval_ms, due_at_ms)
            VALUES (:name, 1, :document, :interval, 0) ON CONFLICT (name) DO NOTHING
            """)
        .bind("name", name)
        .bind("document", document)
        .bind("interval", intervalMs)
        .execute();
  }

  private static int replace(
      Handle handle, String name, long revision, byte[] document, long intervalMs) {
    return handle
        .createUpdate(
            """
            UPDATE plan SET revision = revision + 1, document = :document,
              due_at_ms = CASE WHEN interval_ms = :interval THEN due_at_ms ELSE 0 END,
              interval_ms = :interval
            WHERE name = :name AND revision = :revision
            """)
        .bind("name", name)
        .bind("revision", revision)
        .bind("document", document)
        .bind("interval", intervalMs)
        .execute();
  }

  private static long revision(Handle handle, String name) {
    return handle
        .createQuery("SELECT revision FROM plan WHERE name = :name")
        .bind("name", name)
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  Optional<PlanRow> get(String name) {
    return database.read(
        "read a plan",
        handle ->
            handle
                .createQuery("SELECT * FROM plan WHERE name = :name")
                .bind("name", name)
                .map(PlanTable::row)
                .findOne());
  }

  List<PlanRow> all() {
    return database.read(
        "read the plans",
        handle ->
            handle.createQuery("SELECT * FROM plan").map(PlanTable::row).stream()
                // Here and not in SQL: the databases sort texts differently.
                .sorted(Comparator.comparing(PlanRow::name))
                .toList());
  }

  List<PlanRow> claimDue(ToLongFunction<PlanRow> nextDelayMs) {
    return database.write(
        "claim the plans that are due",
        handle -> {
          record Due(PlanRow plan, boolean first) {}
          List<Due> due =
              handle
                  .createQuery(
                      """
                      SELECT * FROM plan WHERE interval_ms > 0 AND due_at_ms <= <now> <skipLocked>
                      """)
                  .map((row, context) -> new Due(row(row, context), row.getLong("due_at_ms") == 0))
                  .list();
          List<PlanRow> claimed = new ArrayList<>();
          for (Due each : due) {
            schedule(handle, each.plan(), nextDelayMs.applyAsLong(each.plan()));
            if (!each.first()) {
              claimed.add(each.plan());
            }
          }
          return claimed;
        });
  }

  private static void schedule(Handle handle, PlanRow plan, long delayMs) {
    if (delayMs < 1) {
      throw new IllegalArgumentException("expected a delay of at least 1 ms, got " + delayMs);
    }
    handle
        .createUpdate("UPDATE plan SET due_at_ms = <now> + :delay WHERE name = :name")
        .bind("delay", delayMs)
        .bind("name", plan.name())
        .execute();
  }

  private static PlanRow row(ResultSet row, StatementContext context) throws SQLException {
    return new PlanRow(
        row.getString("name"),
        row.getLong("revision"),
        Columns.bytes(row, "document"),
        row.getLong("interval_ms"));
  }
}
