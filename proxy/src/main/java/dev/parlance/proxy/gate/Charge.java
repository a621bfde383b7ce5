package dev.parlance.proxy.gate;

import dev.parlance.policy.route.Reason;
import dev.parlance.wire.api.VerdictHeader;

/** The result of charging a flow for asking an author again. */
public sealed interface Charge {
  /**
   * He may, and the flow has paid for it.
   *
   * @param annotation the verdict with the budget as it is now
   */
  record Granted(VerdictHeader annotation) implements Charge {}

  /**
   * He may not: another exchange of the same flow has just spent the rest.
   *
   * @param reason budget or ttl_expired
   * @param judgment the judgment as a Yield
   */
  record Denied(Reason reason, Judgment judgment) implements Charge {}
}
