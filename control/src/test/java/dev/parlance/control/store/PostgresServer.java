package dev.parlance.control.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * One real PostgreSQL server for all tests of a JVM, started by the first one that needs it and
 * stopped when the JVM ends. Where it cannot run the tests that need it are skipped, and the reason
 * is printed; with the environment variable {@code PARLANCE_REQUIRE_POSTGRES} they fail instead.
 */
public final class PostgresServer {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private PostgresServer() {}

  private static final class Holder {
    private static final Optional<EmbeddedPostgres> SERVER = start();

    private static Optional<EmbeddedPostgres> start() {
      try {
        return Optional.of(
            EmbeddedPostgres.builder().setServerConfig("max_connections", "200").start());
      } catch (IOException | RuntimeException e) {
        if (System.getenv("PARLANCE_REQUIRE_POSTGRES") != null) {
          throw new IllegalStateException("PostgreSQL is required and does not start here", e);
        }
        System.err.println(
            "SKIPPED: every test on PostgreSQL, because no server starts here: " + e);
        return Optional.empty();
      }
    }
  }

  /** Skips the test where no server runs. */
  static void assumeAvailable() {
    Assumptions.assumeTrue(Holder.SERVER.isPresent(), "no PostgreSQL server starts here");
  }

  /** An empty database of its own. */
  static TestDatabase.OfPostgres newDatabase() {
    assumeAvailable();
    Optional<EmbeddedPostgres> server = Holder.SERVER;
    String name = "test_" + DATABASES.incrementAndGet();
    try (Connection connection = server.orElseThrow().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new AssertionError("cannot create a database", e);
    }
    return new TestDatabase.OfPostgres(
        new StoreConfig.Postgres(
            server.orElseThrow().getJdbcUrl("postgres", name), "postgres", "postgres", 8));
  }

  /** The same for tests of other packages. */
  public static StoreConfig.Postgres newConfig() {
    return newDatabase().config();
  }
}
