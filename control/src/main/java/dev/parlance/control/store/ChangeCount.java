package dev.parlance.control.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A number that is another one whenever somebody may have written to the database since. */
interface ChangeCount extends AutoCloseable {
  /** The number now. */
  long now();

  @Override
  default void close() {}

  /** For databases that count nothing which is cheaper to read than what is asked: always new. */
  static ChangeCount unknown() {
    AtomicLong calls = new AtomicLong();
    return calls::incrementAndGet;
  }

  /**
   * SQLite counts the commits of all other connections, in this process and in others, for each
   * connection by itself. So this one is nobody else's, and never writes.
   */
  final class Sqlite implements ChangeCount {
    private static final int VERSION_BITS = 32;

    private final DataSource source;
    private Optional<Connection> connection = Optional.empty();
    private Optional<PreparedStatement> query = Optional.empty();

    /** What one connection has counted says nothing about the count of another one. */
    private long opened;

    Sqlite(DataSource source) {
      this.source = source;
    }

    @Override
    public synchronized long now() {
      try {
        if (query.isEmpty()) {
          opened++;
          connection = Optional.of(source.getConnection());
          query = Optional.of(connection.get().prepareStatement("PRAGMA data_version"));
        }
        try (ResultSet row = query.get().executeQuery()) {
          if (row.next()) {
            return opened << VERSION_BITS | row.getLong(1);
          }
        }
      } catch (SQLException _) {
        // Whoever asks finds out with its own query what is wrong.
      }
      close();
      return ++opened << VERSION_BITS;
    }

    @Override
    public synchronized void close() {
      Optional<Connection> old = connection;
      query = Optional.empty();
      connection = Optional.empty();
      if (old.isPresent()) {
        try {
          old.get().close();
        } catch (SQLException _) {
          // it is given up
        }
      }
    }
  }
}
