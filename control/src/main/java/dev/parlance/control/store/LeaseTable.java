package dev.parlance.control.store;

import dev.parlance.control.store.Store.Lease;
import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** Leases. A row stays when its lease is given back, because its epoch goes on counting. */
final class LeaseTable {
  private final Database database;

  LeaseTable(Database database) {
    this.database = database;
  }

  Optional<Lease> acquire(String resource, String owner, Duration ttl) {
    if (owner.isEmpty()) {
      throw new IllegalArgumentException("expected the name of an owner, got an empty text");
    }
    long ttlMs = ttlMs(ttl);
    return database.write(
        "acquire a lease",
        handle ->
            handle
                .createQuery(
                    """
                    INSERT INTO lease (resource, owner, epoch, ttl_ms, expires_at_ms)
                    VALUES (:resource, :owner, 1, :ttl, <now> + :ttl)
                    ON CONFLICT (resource) DO UPDATE SET owner = excluded.owner,
                      epoch = lease.epoch + 1, ttl_ms = excluded.ttl_ms,
                      expires_at_ms = <now> + :ttl
                    WHERE NOT (lease.expires_at_ms > <now>
                      AND lease.expires_at_ms <= <now> + 2 * lease.ttl_ms)
                    RETURNING epoch
                    """)
                .bind("resource", resource)
                .bind("owner", owner)
                .bind("ttl", ttlMs)
                .mapTo(Long.class)
                .findOne()
                .map(epoch -> new Lease(resource, owner, epoch)));
  }

  boolean renew(Lease lease, Duration ttl) {
    long ttlMs = ttlMs(ttl);
    return database.write(
            "renew a lease",
            handle ->
                bound(
                        handle.createUpdate(
                            """
                            UPDATE lease SET ttl_ms = :ttl, expires_at_ms = <now> + :ttl
                            WHERE resource = :resource AND owner = :owner AND epoch = :epoch
                            """),
                        lease)
                    .bind("ttl", ttlMs)
                    .execute())
        == 1;
  }

  void release(Lease lease) {
    database.write(
        "give a lease back",
        handle ->
            bound(
                    handle.createUpdate(
                        """
                        UPDATE lease SET owner = '', ttl_ms = 0, expires_at_ms = 0
                        WHERE resource = :resource AND owner = :owner AND epoch = :epoch
                        """),
                    lease)
                .execute());
  }

  /** Whether the lease is held now; nobody can acquire it before the transaction has ended. */
  static boolean held(Handle handle, Lease lease) {
    return bound(
            handle.createQuery(
                """
                SELECT epoch FROM lease WHERE resource = :resource AND owner = :owner
                  AND epoch = :epoch AND <live> <forUpdate>
                """),
            lease)
        .mapTo(Long.class)
        .findOne()
        .isPresent();
  }

  private static <S extends SqlStatement<S>> S bound(S statement, Lease lease) {
    return statement
        .bind("resource", lease.resource())
        .bind("owner", lease.owner())
        .bind("epoch", lease.epoch());
  }

  /** Refuses times that are none, and such as could overflow. */
  static long ttlMs(Duration ttl) {
    if (ttl.compareTo(Duration.ofMillis(1)) < 0 || ttl.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException("expected a time from 1 ms to 365 days, got " + ttl);
    }
    return ttl.toMillis();
  }
}
