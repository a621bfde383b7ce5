package dev.parlance.control.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite. */
class SqliteStoreTest extends StoreContract {
  @TempDir static Path folder;

  @Override
  TestDatabase newDatabase() {
    return new TestDatabase.OfSqlite(new StoreConfig.Embedded(folder.resolve("store.db")));
  }
}
