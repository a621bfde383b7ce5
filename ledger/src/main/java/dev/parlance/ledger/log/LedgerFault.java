package dev.parlance.ledger.log;

import java.io.IOException;
import java.io.Serial;

/** Why the ledger refuses; the codes are stable. */
public enum LedgerFault {
  /** Another process writes this log. */
  LOCKED("ledger_locked"),
  /** A write or fsync failed; what it left is unknown, so nothing is written after it. */
  UNAVAILABLE("ledger_unavailable"),
  /** Opened for reading only. */
  READ_ONLY("ledger_read_only"),
  /** The stored checkpoint does not parse, or is not signed by the log's key. */
  CHECKPOINT_INVALID("checkpoint_invalid"),
  /** The stored tiles or entries do not lead to the signed root. */
  CHAIN_BROKEN("chain_broken"),
  /** The stored checkpoint is older than the files beside it. */
  ROLLED_BACK("rolled_back"),
  /** The stored head does not extend the head that this writer knew. */
  FORKED("forked"),
  /** Other writers were faster each time. */
  CONFLICT("conflict"),
  /** The log belongs to another key. */
  KEY_MISMATCH("key_mismatch"),
  /** An entry above 65,535 bytes. */
  ENTRY_TOO_LARGE("entry_too_large"),
  /** More entries or bytes in one append than a batch may have. */
  BATCH_TOO_LARGE("batch_too_large"),
  /** Too much waits already. */
  QUEUE_FULL("queue_full"),
  /** The log was closed. */
  CLOSED("ledger_closed");

  private final String code;

  LedgerFault(String code) {
    this.code = code;
  }

  /** The stable code. */
  public String code() {
    return code;
  }

  /**
   * The log cannot be used any more, or not at all; trying again on the same object does not help.
   */
  public static final class LedgerUnavailable extends IOException {
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
}
