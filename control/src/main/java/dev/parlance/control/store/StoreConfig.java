package dev.parlance.control.store;

import java.nio.file.Path;

/** Where the control plane keeps what its replicas share. */
public sealed interface StoreConfig {
  /**
   * One file beside the control plane, for exactly one replica.
   *
   * @param file the database; it and its folder are created where they are missing
   */
  record Embedded(Path file) implements StoreConfig {
    /** Makes the path absolute; refuses one that the driver would read options from. */
    public Embedded {
      file = file.toAbsolutePath().normalize();
      if (file.toString().indexOf('?') >= 0) {
        throw new IllegalArgumentException(
            "expected a path without question mark, got \"" + file + "\"");
      }
    }
  }

  /**
   * A PostgreSQL server, for any number of replicas.
   *
   * @param url {@code jdbc:postgresql://host:port/database}, options of the driver included
   * @param user role that owns the tables
   * @param password its password; empty where the server asks for none
   * @param poolSize most connections of this replica, 2 to 100
   */
  record Postgres(String url, String user, String password, int poolSize) implements StoreConfig {
    /** Connections of a replica where nothing else is said. */
    public static final int DEFAULT_POOL_SIZE = 10;

    /** Refuses another database's url and a pool that cannot work. */
    public Postgres {
      if (!url.startsWith("jdbc:postgresql:")) {
        throw new IllegalArgumentException(
            "expected a url jdbc:postgresql://host:port/database, got \"" + url + "\"");
      }
      if (poolSize < 2 || poolSize > 100) {
        throw new IllegalArgumentException("expected a pool size from 2 to 100, got " + poolSize);
      }
    }

    /** Without the password, and without the options of the url, which may hold one too. */
    @Override
    public String toString() {
      int options = url.indexOf('?');
      return "Postgres[" + (options < 0 ? url : url.substring(0, options)) + ", user=" + user + "]";
    }
  }
}
