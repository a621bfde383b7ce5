package dev.parlance.control.store;

/** Where the two databases need different words for the same thing. All other SQL is common. */
enum Dialect {
  /** Locks the whole file for every writing transaction, so that rows need no locks. */
  SQLITE("BLOB", "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)", "", ""),

  /** The time of the statement, not of the transaction: that may have waited for a lock since. */
  POSTGRESQL(
      "BYTEA",
      "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)",
      "FOR UPDATE",
      "FOR UPDATE SKIP LOCKED");

  private final String bytes;
  private final String nowMs;
  private final String forUpdate;
  private final String skipLocked;

  Dialect(String bytes, String nowMs, String forUpdate, String skipLocked) {
    this.bytes = bytes;
    this.nowMs = nowMs;
    this.forUpdate = forUpdate;
    this.skipLocked = skipLocked;
  }

  /** Type of a column of bytes. */
  String bytes() {
    return bytes;
  }

  /** Expression for the database's time, milliseconds since the epoch. */
  String nowMs() {
    return nowMs;
  }

  /** End of a query whose rows nobody else may change before this transaction ends. */
  String forUpdate() {
    return forUpdate;
  }

  /** The same, leaving out rows that somebody else has locked. */
  String skipLocked() {
    return skipLocked;
  }

  /**
   * Condition for a row of leases or claims that has not run out. More than twice its time cannot
   * be left unless the clock went back, and then nobody shall wait until it has caught up.
   */
  String live() {
    return "(expires_at_ms > " + nowMs + " AND expires_at_ms <= " + nowMs + " + 2 * ttl_ms)";
  }
}
