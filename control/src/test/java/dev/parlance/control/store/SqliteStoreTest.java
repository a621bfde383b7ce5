package dev.parlance.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite, and what only a file can do wrong. */
class SqliteStoreTest extends StoreContract {
  @TempDir static Path folder;

  @Override
  TestDatabase newDatabase() {
    return new TestDatabase.OfSqlite(new StoreConfig.Embedded(folder.resolve("store.db")));
  }

  @Test
  void fileAndItsFolder_areMade_forTheirOwnerOnly() throws IOException {
    Path file = folder.resolve("not/there/yet.db");
    try (Store store = Stores.open(new StoreConfig.Embedded(file))) {
      store.putPlan("p", 0, new byte[0], 0);
      for (String name : new String[] {"yet.db", "yet.db-wal"}) {
        assertThat(Files.getPosixFilePermissions(file.resolveSibling(name)))
            .as(name)
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  @Test
  void L1_commitsWaitForTheDisk_andWritersForEachOther() throws SQLException {
    Path file = folder.resolve("settings.db");
    try (Connection connection = Stores.sqlite(file, true).getConnection()) {
      assertThat(pragma(connection, "journal_mode")).isEqualTo("wal");
      assertThat(pragma(connection, "synchronous")).isEqualTo("2");
      assertThat(pragma(connection, "busy_timeout")).isEqualTo("5000");
    }
  }

  /** A control plane at rest would else ask all of its questions at every poll. */
  @Test
  void whatIsPolled_isNotQueriedAgain_untilAnotherStoreHasWritten() {
    Path file = folder.resolve("polled.db");
    try (Store polling = Stores.open(new StoreConfig.Embedded(file));
        Store other = Stores.open(new StoreConfig.Embedded(file))) {
      List<AuditRow> none = polling.unfinishedAudits();
      // Each query makes a list of its own.
      assertThat(polling.unfinishedAudits()).isSameAs(none);
      other.putPlan("p", 0, new byte[0], 0);
      List<AuditRow> again = polling.unfinishedAudits();
      assertThat(again).isNotSameAs(none);
      polling.putPlan("q", 0, new byte[0], 0);
      assertThat(polling.unfinishedAudits()).isNotSameAs(again);
    }
  }

  @Test
  void L2_fileThatIsNoDatabase_isRefused() throws IOException {
    Path file = folder.resolve("noise.db");
    Files.writeString(file, "This is a letter and not a database. ".repeat(300));
    assertThatThrownBy(() -> Stores.open(new StoreConfig.Embedded(file)))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void folderThatIsAFile_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> Stores.open(new StoreConfig.Embedded(file.resolve("store.db"))))
        .isInstanceOf(StoreException.class);
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
