package dev.parlance.control.certify;

import dev.parlance.ledger.log.LogStorage;
import java.io.IOException;

/** Opens the place where the ledger is kept; again, if a failed write has closed it. */
@FunctionalInterface
public interface LedgerStore {
  /** A storage, and how to let go of it. */
  record Opened(LogStorage storage, AutoCloseable release) {}

  /**
   * Opens it for writing.
   *
   * @throws IOException if it is locked, broken or away
   */
  Opened open() throws IOException;
}
