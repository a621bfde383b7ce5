package dev.parlance.control.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract on PostgreSQL, and what only a server can be set to. */
@Tag("long")
class PostgresStoreTest extends StoreContract {
  @Override
  TestDatabase newDatabase() {
    return PostgresServer.newDatabase();
  }

  @ParameterizedTest
  @CsvSource({"off, on", "on, on", "remote_apply, remote_apply", "local, local"})
  void L1_commitsWaitForTheDisk_whateverTheServerIsSetTo(String server, String session)
      throws SQLException {
    TestDatabase.OfPostgres database = PostgresServer.newDatabase();
    String name = database.config().url().replaceAll(".*/([a-z0-9_]+)\\?.*", "$1");
    database.execute("ALTER DATABASE " + name + " SET synchronous_commit = " + server);
    try (HikariDataSource pool =
            Stores.postgresPool(database.config(), Stores.postgres(database.config()));
        Connection connection = pool.getConnection()) {
      assertThat(show(connection, "synchronous_commit")).isEqualTo(session);
      assertThat(show(connection, "statement_timeout")).isEqualTo("20s");
      assertThat(show(connection, "idle_in_transaction_session_timeout")).isEqualTo("20s");
    }
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
