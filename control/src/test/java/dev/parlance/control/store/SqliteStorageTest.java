package dev.parlance.control.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The ledger in SQLite. */
class SqliteStorageTest extends SqlStorageContract {
  @TempDir static Path folder;

  @Override
  TestDatabase newDatabase() {
    return new TestDatabase.OfSqlite(new StoreConfig.Embedded(folder.resolve("store.db")));
  }
}
