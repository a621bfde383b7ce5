package dev.parlance.control.store;

import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.control.store.Store.QuestionRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.StatementContext;

/** Questions on their way to sidecars, and the answers on their way back. */
final class QuestionTable {
  /** Values in one list; the databases allow some ten thousand in a statement. */
  private static final int LIST_SIZE = 1000;

  private final Database database;

  QuestionTable(Database database) {
    this.database = database;
  }

  void ask(List<QuestionRow> questions) {
    if (questions.isEmpty()) {
      return;
    }
    database.write(
        "store questions",
        handle -> {
          PreparedBatch batch =
              handle.prepareBatch(
                  """
                  INSERT INTO question (id, audit, agent, document, asked_at_ms, claimed_by, ttl_ms,
                    expires_at_ms, answer, answered_at_ms)
                  VALUES (:id, :audit, :agent, :document, <now>, '', 0, 0, NULL, 0)
                  ON CONFLICT (id) DO NOTHING
                  """);
          for (QuestionRow question : questions) {
            batch
                .bind("id", question.id())
                .bind("audit", question.audit())
                .bind("agent", question.agent())
                .bind("document", question.document())
                .add();
          }
          return batch.execute();
        });
  }

  List<QuestionRow> take(Collection<String> agents, String replica, int limit, Duration claimTtl) {
    long ttlMs = LeaseTable.ttlMs(claimTtl);
    if (agents.isEmpty() || limit < 1) {
      return List.of();
    }
    return database.write(
        "take questions",
        handle -> {
          List<QuestionRow> taken = new ArrayList<>();
          for (List<String> some : inLists(agents)) {
            if (taken.size() < limit) {
              taken.addAll(unclaimed(handle, some, limit - taken.size()));
            }
          }
          for (List<String> ids : inLists(taken.stream().map(QuestionRow::id).toList())) {
            claim(handle, ids, replica, ttlMs);
          }
          return taken;
        });
  }

  private static List<QuestionRow> unclaimed(Handle handle, List<String> agents, int limit) {
    return handle
        .createQuery(
            """
            SELECT * FROM question WHERE agent IN (<agents>) AND answer IS NULL AND NOT <live>
            ORDER BY asked_at_ms, id LIMIT :limit <skipLocked>
            """)
        .bindList("agents", agents)
        .bind("limit", limit)
        .map(QuestionTable::row)
        .list();
  }

  private static void claim(Handle handle, List<String> ids, String replica, long ttlMs) {
    handle
        .createUpdate(
            """
            UPDATE question SET claimed_by = :replica, ttl_ms = :ttl, expires_at_ms = <now> + :ttl
            WHERE id IN (<ids>)
            """)
        .bindList("ids", ids)
        .bind("replica", replica)
        .bind("ttl", ttlMs)
        .execute();
  }

  void answer(String questionId, byte[] answer) {
    database.write(
        "store an answer",
        handle ->
            handle
                .createUpdate(
                    """
                    UPDATE question SET answer = :answer, answered_at_ms = <now>
                    WHERE id = :id AND answer IS NULL
                    """)
                .bind("id", questionId)
                .bind("answer", answer)
                .execute());
  }

  List<AnswerRow> answers(String audit, int limit) {
    return database.read(
        "read answers",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM question WHERE audit = :audit AND answer IS NOT NULL
                    ORDER BY answered_at_ms, id LIMIT :limit
                    """)
                .bind("audit", audit)
                .bind("limit", limit)
                .map((row, context) ->
                    new AnswerRow(row(row, context), Columns.bytes(row, "answer")))
                .list());
  }

  void forget(Collection<String> questionIds) {
    if (questionIds.isEmpty()) {
      return;
    }
    database.write(
        "forget questions",
        handle -> {
          int forgotten = 0;
          for (List<String> ids : inLists(questionIds)) {
            forgotten +=
                handle
                    .createUpdate("DELETE FROM question WHERE id IN (<ids>)")
                    .bindList("ids", ids)
                    .execute();
          }
          return forgotten;
        });
  }

  void forgetAudit(String audit) {
    database.write(
        "forget the questions of an audit",
        handle ->
            handle
                .createUpdate("DELETE FROM question WHERE audit = :audit")
                .bind("audit", audit)
                .execute());
  }

  /** Sorted, so that transactions lock rows in the same order and do not wait for each other. */
  private static List<List<String>> inLists(Collection<String> texts) {
    List<String> sorted = texts.stream().distinct().sorted().toList();
    List<List<String>> lists = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += LIST_SIZE) {
      lists.add(sorted.subList(from, Math.min(from + LIST_SIZE, sorted.size())));
    }
    return lists;
  }

  private static QuestionRow row(ResultSet row, StatementContext context) throws SQLException {
    return new QuestionRow(
        row.getString("id"),
        row.getString("audit"),
        row.getString("agent"),
        Columns.bytes(row, "document"));
  }
}
