package dev.parlance.control.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A database of a test's own, and a way in beside the store. */
interface TestDatabase {
  /** What a store opens it with. */
  StoreConfig config();

  /** A plain connection to it. */
  Connection connect() throws SQLException;

  /** Runs statements beside the store. */
  default void execute(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError("cannot prepare the database", e);
    }
  }

  /** Leaves the tables as a new store has them. */
  default void clear() {
    for (String table :
        List.of(
            "plan",
            "audit",
            "lease",
            "question",
            "core",
            "sidecar",
            "log_resource",
            "round_text",
            "review_decision")) {
      execute("DELETE FROM " + table);
    }
    execute("UPDATE core_publication SET sequence = 0", "UPDATE log_head SET checkpoint = NULL");
  }

  /** A SQLite file. */
  record OfSqlite(StoreConfig.Embedded config) implements TestDatabase {
    @Override
    public Connection connect() throws SQLException {
      return DriverManager.getConnection("jdbc:sqlite:" + config.file() + "?busy_timeout=5000");
    }
  }

  /** A database on a PostgreSQL server. */
  record OfPostgres(StoreConfig.Postgres config) implements TestDatabase {
    @Override
    public Connection connect() throws SQLException {
      return DriverManager.getConnection(config.url(), config.user(), config.password());
    }
  }
}
