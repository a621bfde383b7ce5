package dev.parlance.control.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.parlance.control.store.Store.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.generic.GenericType;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the database, and what is done when one fails. A transaction that the database
 * itself gave up because of another one is run again, at most {@link #MAX_ATTEMPTS} times. One
 * whose connection broke before the commit has left nothing behind and is run once more on a new
 * connection; if it broke in the commit nobody knows the outcome, and the caller is told.
 *
 * <p>In the SQL of all statements {@code <now>}, {@code <live>}, {@code <forUpdate>} and {@code
 * <skipLocked>} stand for the words of the {@link Dialect}.
 */
final class Database implements AutoCloseable {
  private static final int MAX_ATTEMPTS = 6;
  private static final long FIRST_PAUSE_MS = 5;

  private final Dialect dialect;
  private final HikariDataSource writerPool;
  private final HikariDataSource readerPool;
  private final Jdbi writer;
  private final Jdbi reader;
  private final ChangeCount changes;

  /**
   * @param writerPool connections for changes
   * @param readerPool connections for queries; may be the same
   */
  Database(
      Dialect dialect,
      HikariDataSource writerPool,
      HikariDataSource readerPool,
      ChangeCount changes) {
    this.dialect = dialect;
    this.changes = changes;
    this.writerPool = writerPool;
    this.readerPool = readerPool;
    this.writer = jdbi(writerPool);
    this.reader = jdbi(readerPool);
  }

  private Jdbi jdbi(HikariDataSource pool) {
    return Jdbi.create(pool)
        .registerColumnMapper(byte[].class, (row, column, _) -> bytes(row.getBytes(column)))
        .registerColumnMapper(
            new GenericType<List<String>>() {}, (row, column, _) -> list(row.getString(column)))
        .define("now", dialect.nowMs())
        .define("live", dialect.live())
        .define("forUpdate", dialect.forUpdate())
        .define("skipLocked", dialect.skipLocked());
  }

  /**
   * Runs one transaction that changes something.
   *
   * @param what what it is for, for messages
   * @param work may be run more than once
   */
  <T> T write(String what, Function<Handle, T> work) {
    return attempt(
        what,
        worked ->
            writer.inTransaction(handle -> {
              T result = work.apply(handle);
              worked.yes = true;
              return result;
            }));
  }

  /** Another number whenever somebody may have written since; cheaper than any query. */
  long changes() {
    return changes.now();
  }

  /** Runs one query. */
  <T> T read(String what, Function<Handle, T> work) {
    return attempt(what, worked -> reader.withHandle(work::apply));
  }

  /** Runs one statement that changes rows; how many it changed. */
  int update(String what, String sql, UnaryOperator<Update> values) {
    return write(what, handle -> update(handle, sql, values));
  }

  /** The same within a transaction. */
  static int update(Handle handle, String sql, UnaryOperator<Update> values) {
    return values.apply(handle.createUpdate(sql)).execute();
  }

  /** The rows of one query. */
  <T> List<T> list(String what, String sql, RowMapper<T> row, UnaryOperator<Query> values) {
    return read(what, handle -> values.apply(handle.createQuery(sql)).map(row).list());
  }

  /** The only row of one query, if there is one. */
  <T> Optional<T> find(String what, String sql, RowMapper<T> row, UnaryOperator<Query> values) {
    return read(what, handle -> values.apply(handle.createQuery(sql)).map(row).findOne());
  }

  /** The number that a query within a transaction gives, if it gives one. */
  static Optional<Long> number(Handle handle, String sql, UnaryOperator<Query> values) {
    return values.apply(handle.createQuery(sql)).mapTo(Long.class).findOne();
  }

  /** A list as the text of a column, one element a line. */
  static String lines(List<String> elements) {
    for (String element : elements) {
      if (element.isEmpty() || element.indexOf('\n') >= 0) {
        throw new IllegalArgumentException(
            "expected texts of one line, not empty, got \"" + element + "\"");
      }
    }
    return String.join("\n", elements);
  }

  /**
   * The list that such a text says. Rows are read column by column: Jdbi's own mapper of
   * constructors needs java.desktop, which the image leaves out.
   */
  static List<String> list(String lines) {
    return lines.isEmpty() ? List.of() : List.of(lines.split("\n", -1));
  }

  /** Bytes of a column that is never NULL; SQLite's driver gives none of them as null. */
  static byte[] bytes(byte @Nullable [] column) {
    return column == null ? new byte[0] : column;
  }

  /** Whether a transaction's own statements have all been run, so that only its commit is left. */
  private static final class Worked {
    private boolean yes;
  }

  private <T> T attempt(String what, Function<Worked, T> transaction) {
    List<Exception> before = new ArrayList<>();
    while (true) {
      Worked worked = new Worked();
      try {
        return transaction.apply(worked);
      } catch (JdbiException e) {
        Exception cause = cause(e);
        if (!mayRepeat(e, cause, worked, before.size())) {
          StoreException failure = new StoreException(what, cause);
          before.forEach(failure::addSuppressed);
          throw failure;
        }
        before.add(cause);
        pause(what, before.size(), cause);
      }
    }
  }

  private boolean mayRepeat(JdbiException thrown, Exception cause, Worked worked, int failures) {
    return switch (Failure.of(cause)) {
      case CONTENTION -> failures + 1 < MAX_ATTEMPTS;
      case CONNECTION -> {
        // The server has probably closed the idle connections as well; the next call shall not meet
        // one.
        writerPool.getHikariPoolMXBean().softEvictConnections();
        yield !worked.yes && failures == 0 && !(thrown instanceof ConnectionException);
      }
      case OTHER -> false;
    };
  }

  private enum Failure {
    /** Serialization failure or deadlock: the transaction is rolled back, and may be repeated. */
    CONTENTION,
    /** The connection is gone. */
    CONNECTION,
    OTHER;

    static Failure of(Exception cause) {
      @Nullable String state = cause instanceof SQLException sql ? sql.getSQLState() : null;
      if (state == null) {
        return OTHER;
      }
      if (state.equals("40001") || state.equals("40P01")) {
        return CONTENTION;
      }
      // 08: connection exceptions; 57P01 to 57P05: the server or an operator ended the session.
      return state.startsWith("08") || state.startsWith("57P") ? CONNECTION : OTHER;
    }
  }

  /**
   * The database's own complaint. The library's message is left out because it quotes the values,
   * and some of them are secret.
   */
  private static Exception cause(JdbiException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql) {
        return sql;
      }
    }
    return e;
  }

  private static void pause(String what, int failures, Exception cause) {
    try {
      // Random, so that two transactions that met do not meet again.
      Thread.sleep(ThreadLocalRandom.current().nextLong(1, FIRST_PAUSE_MS << failures));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(what, cause);
    }
  }

  @Override
  public void close() {
    changes.close();
    readerPool.close();
    writerPool.close();
  }

  /** Where the two databases need different words for the same thing. All other SQL is common. */
  enum Dialect {
    /** Locks the whole file for every writing transaction, so that rows need no locks. */
    SQLITE("BLOB", "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)", "", ""),

    /** The time of the statement, not of the transaction: that may have waited for a lock since. */
    POSTGRESQL(
        "BYTEA",
        "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)",
        "FOR UPDATE",
        "FOR UPDATE SKIP LOCKED");

    private final String bytes;
    private final String nowMs;
    private final String forUpdate;
    private final String skipLocked;

    Dialect(String bytes, String nowMs, String forUpdate, String skipLocked) {
      this.bytes = bytes;
      this.nowMs = nowMs;
      this.forUpdate = forUpdate;
      this.skipLocked = skipLocked;
    }

    /** Type of a column of bytes. */
    String bytes() {
      return bytes;
    }

    /** Expression for the database's time, milliseconds since the epoch. */
    String nowMs() {
      return nowMs;
    }

    /** End of a query whose rows nobody else may change before this transaction ends. */
    String forUpdate() {
      return forUpdate;
    }

    /** The same, leaving out rows that somebody else has locked. */
    String skipLocked() {
      return skipLocked;
    }

    /**
     * Condition for a row of leases or claims that has not run out. More than twice its time cannot
     * be left unless the clock went back, and then nobody shall wait until it has caught up.
     */
    String live() {
      return "(expires_at_ms > " + nowMs + " AND expires_at_ms <= " + nowMs + " + 2 * ttl_ms)";
    }
  }
}
