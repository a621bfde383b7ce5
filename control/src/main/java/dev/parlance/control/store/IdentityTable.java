package dev.parlance.control.store;

import dev.parlance.control.store.Store.AuthorityRow;
import dev.parlance.control.store.Store.IdentityRows;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/** The authorities of the mesh and whom nobody believes, under one count of changes. */
record IdentityTable(Database database) {
  private static final RowMapper<AuthorityRow> AUTHORITY =
      (row, _) ->
          new AuthorityRow(
              row.getLong("active_at_ms"),
              Database.bytes(row.getBytes("certificate")),
              Database.bytes(row.getBytes("private_key")));

  long revision() {
    return database.read("read the revision of identities", handle -> revision(handle, ""));
  }

  private static long revision(Handle handle, String lock) {
    return Database.number(
            handle, "SELECT revision FROM identity_revision WHERE id = 1 " + lock, all -> all)
        .orElseThrow();
  }

  IdentityRows read() {
    // The revision first: a change that comes between is then read once more.
    long revision = revision();
    return new IdentityRows(
        revision,
        database.list(
            "read the authorities",
            "SELECT * FROM identity_authority ORDER BY active_at_ms",
            AUTHORITY,
            all -> all),
        database.list(
            "read who is denied",
            "SELECT subject FROM identity_denied ORDER BY subject",
            (row, _) -> row.getString("subject"),
            all -> all));
  }

  boolean add(AuthorityRow authority, long expectedRevision) {
    return change(
        expectedRevision,
        handle ->
            Database.update(
                handle,
                """
                INSERT INTO identity_authority (active_at_ms, certificate, private_key)
                VALUES (:activeAtMs, :certificate, :key)
                """,
                row -> row.bindMethods(authority)));
  }

  boolean remove(List<AuthorityRow> authorities, long expectedRevision) {
    return change(
        expectedRevision,
        handle ->
            authorities.forEach(one ->
                Database.update(
                    handle,
                    "DELETE FROM identity_authority WHERE certificate = :certificate",
                    row -> row.bindMethods(one))));
  }

  private boolean change(long expectedRevision, Consumer<Handle> work) {
    return database.write(
        "change the authorities",
        handle -> {
          if (revision(handle, "<forUpdate>") != expectedRevision) {
            return false;
          }
          work.accept(handle);
          changed(handle);
          return true;
        });
  }

  private static void changed(Handle handle) {
    Database.update(
        handle, "UPDATE identity_revision SET revision = revision + 1 WHERE id = 1", all -> all);
  }

  boolean deny(String subject, boolean isDenied) {
    return database.write(
        "change who is denied",
        handle -> {
          revision(handle, "<forUpdate>");
          long denied =
              Database.number(handle, "SELECT COUNT(*) FROM identity_denied", all -> all)
                  .orElseThrow();
          if (isDenied && denied >= Store.MAX_DENIED) {
            return false;
          }
          Database.update(
              handle,
              isDenied
                  ? """
                  INSERT INTO identity_denied (subject) VALUES (:subject)
                  ON CONFLICT (subject) DO NOTHING
                  """
                  : "DELETE FROM identity_denied WHERE subject = :subject",
              row -> row.bind("subject", subject));
          changed(handle);
          return true;
        });
  }
}
