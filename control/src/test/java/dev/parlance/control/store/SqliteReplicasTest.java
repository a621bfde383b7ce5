package dev.parlance.control.store;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Several stores over one SQLite file: not how it is meant to be run, but safe. */
class SqliteReplicasTest extends ReplicasContract {
  private static final AtomicInteger FILES = new AtomicInteger();

  @TempDir static Path folder;

  @Override
  TestDatabase newDatabase() {
    return new TestDatabase.OfSqlite(
        new StoreConfig.Embedded(folder.resolve("store-" + FILES.incrementAndGet() + ".db")));
  }
}
