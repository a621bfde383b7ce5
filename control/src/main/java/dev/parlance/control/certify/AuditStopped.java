package dev.parlance.control.certify;

import java.io.Serial;

/** A replica stops working on an audit; the audit itself goes on, here or elsewhere. */
final class AuditStopped extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** Why. */
  enum Why {
    /** Another replica has the audit now, or may have. */
    LEASE_LOST,
    /** This replica stops. */
    DRAINING,
    /** The ledger does not take entries. */
    LEDGER,
    /** Somebody else's audit has to end first. */
    WAIT
  }

  private final Why why;

  AuditStopped(Why why, String detail) {
    super(detail);
    this.why = why;
  }

  Why why() {
    return why;
  }
}
