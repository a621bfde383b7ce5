package dev.parlance.control.config;

import java.nio.file.Path;
import java.util.Optional;

/** Where the control plane keeps what it knows. */
public sealed interface StoreSettings {
  /** In the data folder, for one replica; nothing to install. */
  record Embedded() implements StoreSettings {}

  /**
   * In PostgreSQL, shared by any number of replicas.
   *
   * @param url JDBC address, {@code jdbc:postgresql://host:port/database}
   * @param user role to connect as
   * @param passwordFile file whose first line is the password; absent: the server asks for none
   * @param pool most connections of this replica, 2 to 100
   */
  record Postgres(String url, String user, Optional<Path> passwordFile, int pool)
      implements StoreSettings {}
}
