package dev.parlance.control.store;

/** The ledger in PostgreSQL. */
class PostgresStorageTest extends SqlStorageContract {
  @Override
  TestDatabase newDatabase() {
    return PostgresServer.newDatabase();
  }
}
