package dev.parlance.ledger.log;

import java.io.IOException;
import java.io.Serial;

/**
 * The log cannot be used any more, or not at all; trying again on the same object does not help.
 */
public final class LedgerUnavailable extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final LedgerFault fault;

  /** With the reason and a text for people. */
  public LedgerUnavailable(LedgerFault fault, String detail) {
    super(fault.code() + ": " + detail);
    this.fault = fault;
  }

  /** With what caused it. */
  public LedgerUnavailable(LedgerFault fault, String detail, Throwable cause) {
    super(fault.code() + ": " + detail, cause);
    this.fault = fault;
  }

  /** The reason. */
  public LedgerFault fault() {
    return fault;
  }
}
