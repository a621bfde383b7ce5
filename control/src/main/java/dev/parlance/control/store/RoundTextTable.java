package dev.parlance.control.store;

import dev.parlance.control.store.Store.RoundKey;
import dev.parlance.control.store.Store.RoundTextRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Texts of proposals with the vectors that were made of them. */
final class RoundTextTable {
  private final Database database;

  RoundTextTable(Database database) {
    this.database = database;
  }

  RoundTextRow put(RoundTextRow row) {
    return database.write(
        "store the text of a proposal",
        handle -> {
          handle
              .createUpdate(
                  """
                  INSERT INTO round_text (round, epoch, text_sha256, body, meaning, vector,
                    expires_at_ms)
                  VALUES (:round, :epoch, :sha, :body, :meaning, :vector, 0)
                  ON CONFLICT (round, epoch, text_sha256) DO NOTHING
                  """)
              .bind("round", row.round().name())
              .bind("epoch", row.round().epoch())
              .bind("sha", row.textSha256())
              .bind("body", row.text())
              .bind("meaning", row.meaning())
              .bind("vector", row.vector())
              .execute();
          // A transaction of PostgreSQL sees here what the one that was faster has committed.
          return handle
              .createQuery(
                  """
                  SELECT * FROM round_text
                  WHERE round = :round AND epoch = :epoch AND text_sha256 = :sha
                  """)
              .bind("round", row.round().name())
              .bind("epoch", row.round().epoch())
              .bind("sha", row.textSha256())
              .map(RoundTextTable::row)
              .one();
        });
  }

  List<RoundTextRow> of(RoundKey round) {
    return database.read(
        "read the texts of a round",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM round_text WHERE round = :round AND epoch = :epoch
                    ORDER BY text_sha256
                    """)
                .bind("round", round.name())
                .bind("epoch", round.epoch())
                .map(RoundTextTable::row)
                .list());
  }

  List<RoundKey> withoutEnd(int limit) {
    return database.read(
        "read the rounds whose texts have no end",
        handle ->
            handle
                .createQuery(
                    """
                    SELECT DISTINCT round, epoch FROM round_text WHERE expires_at_ms = 0
                    LIMIT :limit
                    """)
                .bind("limit", limit)
                .map((row, _) -> new RoundKey(row.getString("round"), row.getLong("epoch")))
                .list());
  }

  void keep(RoundKey round, Duration time) {
    database.write(
        "set the end of a round's texts",
        handle ->
            handle
                .createUpdate(
                    """
                    UPDATE round_text SET expires_at_ms = <now> + :time
                    WHERE round = :round AND epoch = :epoch AND expires_at_ms = 0
                    """)
                .bind("round", round.name())
                .bind("epoch", round.epoch())
                .bind("time", time.toMillis())
                .execute());
  }

  int forget() {
    return database.write("forget texts of rounds", RoundTextTable::forget);
  }

  private static int forget(Handle handle) {
    return handle
        .createUpdate("DELETE FROM round_text WHERE expires_at_ms > 0 AND expires_at_ms <= <now>")
        .execute();
  }

  private static RoundTextRow row(ResultSet row, StatementContext context) throws SQLException {
    return new RoundTextRow(
        new RoundKey(row.getString("round"), row.getLong("epoch")),
        row.getString("text_sha256"),
        Columns.bytes(row, "body"),
        row.getString("meaning"),
        Columns.bytes(row, "vector"));
  }
}
