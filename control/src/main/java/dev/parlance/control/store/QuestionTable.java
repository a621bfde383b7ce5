package dev.parlance.control.store;

import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.control.store.Store.QuestionRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Questions on their way to sidecars, and the answers on their way back. */
record QuestionTable(Database database) {
  /** Values in one list; the databases allow some ten thousand in a statement. */
  private static final int LIST_SIZE = 1000;

  private static final RowMapper<QuestionRow> ROW =
      (row, _) ->
          new QuestionRow(
              row.getString("id"),
              row.getString("audit"),
              row.getString("agent"),
              Database.bytes(row.getBytes("document")));

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
          questions.forEach(question -> batch.bindMethods(question).add());
          return batch.execute();
        });
  }

  List<QuestionRow> take(Collection<String> agents, String replica, int limit, Duration claimTtl) {
    long ttlMs = SqlStore.ttlMs(claimTtl);
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
            Database.update(
                handle,
                """
                UPDATE question SET claimed_by = :replica, ttl_ms = :ttl,
                  expires_at_ms = <now> + :ttl
                WHERE id IN (<ids>)
                """,
                row -> row.bindList("ids", ids).bind("replica", replica).bind("ttl", ttlMs));
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
        .map(ROW)
        .list();
  }

  void answer(String questionId, byte[] answer) {
    database.update(
        "store an answer",
        """
        UPDATE question SET answer = :answer, answered_at_ms = <now>
        WHERE id = :id AND answer IS NULL
        """,
        row -> row.bind("id", questionId).bind("answer", answer));
  }

  List<AnswerRow> answers(String audit, int limit) {
    return database.list(
        "read answers",
        """
        SELECT * FROM question WHERE audit = :audit AND answer IS NOT NULL
        ORDER BY answered_at_ms, id LIMIT :limit
        """,
        (row, context) ->
            new AnswerRow(ROW.map(row, context), Database.bytes(row.getBytes("answer"))),
        query -> query.bind("audit", audit).bind("limit", limit));
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
                Database.update(
                    handle,
                    "DELETE FROM question WHERE id IN (<ids>)",
                    row -> row.bindList("ids", ids));
          }
          return forgotten;
        });
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
}
