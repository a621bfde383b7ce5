package dev.parlance.control.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.parlance.control.store.Database.Dialect;
import dev.parlance.control.store.Store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Opens stores: connects and brings the tables to the version of this program. */
public final class Stores {
  private static final int BUSY_TIMEOUT_MS = 5_000;
  private static final int READERS = 4;

  /** Longer than the pool's pause between attempts to reach a server, which is 5 s at most. */
  private static final long WAIT_FOR_CONNECTION_MS = 8_000;

  private static final int CONNECT_TIMEOUT_S = 5;

  /** Longer than the server's own limits below, so that it notices first and says why. */
  private static final int SOCKET_TIMEOUT_S = 30;

  /**
   * A replica that hangs in the middle of a transaction loses its locks. A server that is set not
   * to wait for its disk is made to wait; stricter settings stay.
   */
  private static final String POSTGRES_SESSION =
      "SET statement_timeout = '20s'; SET idle_in_transaction_session_timeout = '20s';"
          + " SELECT set_config('synchronous_commit', 'on', false)"
          + " WHERE current_setting('synchronous_commit') = 'off'";

  /** SQLite has no lock that migrations can hold; file locks are between processes only. */
  private static final ReentrantLock MIGRATION = new ReentrantLock();

  private Stores() {}

  /**
   * Opens a store.
   *
   * @throws StoreException if it cannot be reached, or is of a later version than this program
   */
  public static SqlStore open(StoreConfig config) {
    return switch (config) {
      case StoreConfig.Embedded embedded -> openEmbedded(embedded.file());
      case StoreConfig.Postgres postgres -> openPostgres(postgres);
    };
  }

  // ---- SQLite ----

  private static SqlStore openEmbedded(Path file) {
    MIGRATION.lock();
    try {
      createPrivately(file);
      Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new IOException("lost the lock on " + lockFile);
        }
        migrate(sqlite(file, true), Dialect.SQLITE);
      }
    } catch (IOException e) {
      throw new StoreException("open " + file, e);
    } finally {
      MIGRATION.unlock();
    }
    return new SqlStore(
        new Database(
            Dialect.SQLITE,
            pool("parlance-store-writer", sqlite(file, true), 1, ""),
            pool("parlance-store-reader", sqlite(file, false), READERS, "PRAGMA query_only = ON"),
            new ChangeCount.Sqlite(sqlite(file, false))));
  }

  /** The file holds seeds of audits under way, which nobody else may know. */
  private static void createPrivately(Path file) throws IOException {
    Path folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      // Left as whoever made it wanted it.
      return;
    }
  }

  static DataSource sqlite(Path file, boolean writer) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    // A writer takes the lock when it begins: two that both began by reading could not go on.
    config.setTransactionMode(
        writer ? SQLiteConfig.TransactionMode.IMMEDIATE : SQLiteConfig.TransactionMode.DEFERRED);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  // ---- PostgreSQL ----

  private static SqlStore openPostgres(StoreConfig.Postgres config) {
    DataSource source = postgres(config);
    migrate(source, Dialect.POSTGRESQL);
    HikariDataSource pool = postgresPool(config, source);
    return new SqlStore(new Database(Dialect.POSTGRESQL, pool, pool, ChangeCount.unknown()));
  }

  static HikariDataSource postgresPool(StoreConfig.Postgres config, DataSource source) {
    return pool("parlance-store", source, config.poolSize(), POSTGRES_SESSION);
  }

  static DataSource postgres(StoreConfig.Postgres config) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(config.url());
    source.setUser(config.user());
    source.setPassword(config.password());
    source.setConnectTimeout(CONNECT_TIMEOUT_S);
    source.setLoginTimeout(CONNECT_TIMEOUT_S);
    source.setSocketTimeout(SOCKET_TIMEOUT_S);
    source.setTcpKeepAlive(true);
    source.setApplicationName("parlance");
    // Details of an error quote the row, with what is secret in it.
    source.setLogServerErrorDetail(false);
    return source;
  }

  // ---- both ----

  private static HikariDataSource pool(String name, DataSource source, int size, String session) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    // A pool that keeps itself full goes on trying while a server is away, ever more seldom; one
    // that
    // fills on demand tries at once when there is something to do.
    config.setMinimumIdle(0);
    config.setConnectionTimeout(WAIT_FOR_CONNECTION_MS);
    config.setKeepaliveTime(TimeUnit.MINUTES.toMillis(2));
    // Migrating has just shown that there is a server; afterwards it may come and go.
    config.setInitializationFailTimeout(-1);
    if (!session.isEmpty()) {
      config.setConnectionInitSql(session);
    }
    return new HikariDataSource(config);
  }

  private static void migrate(DataSource source, Dialect dialect) {
    try {
      Flyway.configure(Stores.class.getClassLoader())
          .dataSource(source)
          .locations("classpath:dev/parlance/control/store/migrations")
          .failOnMissingLocations(true)
          // Tables of a later version are refused, where the default is to go on.
          .ignoreMigrationPatterns(new String[0])
          .placeholders(Map.of("bytes", dialect.bytes()))
          .table("schema_history")
          .cleanDisabled(true)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new StoreException("bring the store's tables to this version", e);
    }
  }
}
