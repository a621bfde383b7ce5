package dev.parlance.control.store;

/** The contract on PostgreSQL. */
class PostgresStoreTest extends StoreContract {
  @Override
  TestDatabase newDatabase() {
    return PostgresServer.newDatabase();
  }
}
