package dev.parlance.control.store;

/** Several stores over one PostgreSQL database. */
class PostgresReplicasTest extends ReplicasContract {
  @Override
  TestDatabase newDatabase() {
    return PostgresServer.newDatabase();
  }
}
