package dev.parlance.control.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.control.store.Store.ReviewRow;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.mapper.RowMapper;

/** What persons have decided about messages between two agents. */
record ReviewTable(Database database) {
  private static final int MAX_SINCE = 256;
  private static final String SELECT =
      """
      SELECT sequence, decided_by, item, peer, texts, approved, note, expires_at_ms - <now> AS for_ms
      FROM review_decision
      """;
  private static final RowMapper<ReviewRow> ROW =
      (row, _) ->
          new ReviewRow(
              row.getLong("sequence"),
              row.getString("decided_by"),
              row.getString("item"),
              row.getString("peer"),
              Database.list(row.getString("texts")),
              row.getInt("approved") != 0,
              row.getLong("for_ms"),
              new String(Database.bytes(row.getBytes("note")), UTF_8));

  void put(ReviewRow decision) {
    long forMs = SqlStore.ttlMs(Duration.ofMillis(decision.forMs()));
    int _ =
        database.write(
            "store a person's decision",
            handle -> {
              long last =
                  Database.number(
                          handle,
                          "SELECT sequence FROM review_publication WHERE id = 1 <forUpdate>",
                          all -> all)
                      .orElseThrow();
              Database.update(
                  handle, "DELETE FROM review_decision WHERE expires_at_ms <= <now>", all -> all);
              int stored =
                  Database.update(
                      handle,
                      """
                      INSERT INTO review_decision (sequence, decided_by, item, peer, texts,
                        approved, note, expires_at_ms)
                      VALUES (:next, :by, :item, :peer, :texts, :approved, :note, <now> + :forMs)
                      ON CONFLICT (decided_by, item) DO NOTHING
                      """,
                      row ->
                          row.bind("next", last + 1)
                              .bind("by", decision.by())
                              .bind("item", decision.item())
                              .bind("peer", decision.peer())
                              .bind("texts", Database.lines(decision.texts()))
                              .bind("approved", decision.approved() ? 1 : 0)
                              .bind("note", decision.note().getBytes(UTF_8))
                              .bind("forMs", forMs));
              if (stored == 0) {
                return 0;
              }
              Database.update(
                  handle,
                  """
                  DELETE FROM review_decision WHERE decided_by = :by AND sequence <= (
                    SELECT sequence FROM review_decision WHERE decided_by = :by
                    ORDER BY sequence DESC LIMIT 1 OFFSET :kept)
                  """,
                  row -> row.bind("by", decision.by()).bind("kept", Store.MAX_REVIEWS));
              return Database.update(
                  handle,
                  "UPDATE review_publication SET sequence = :next WHERE id = 1",
                  row -> row.bind("next", last + 1));
            });
  }

  List<ReviewRow> since(long sequence) {
    return database.list(
        "read the decisions made since",
        SELECT + "WHERE sequence > :after AND expires_at_ms > <now> ORDER BY sequence LIMIT :limit",
        ROW,
        query -> query.bind("after", sequence).bind("limit", MAX_SINCE));
  }

  List<ReviewRow> of(String agent) {
    return database
        .list(
            "read the decisions about an agent's messages",
            SELECT
                + """
                WHERE (decided_by = :agent OR peer = :agent) AND expires_at_ms > <now>
                ORDER BY sequence DESC LIMIT :limit
                """,
            ROW,
            query -> query.bind("agent", agent).bind("limit", Store.MAX_REVIEWS))
        .reversed();
  }
}
