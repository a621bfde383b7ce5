package dev.parlance.policy.core;

/**
 * What follows from what the core guard finds.
 *
 * @param onUncertified what a message gets that uses a governed term outside V*
 * @param onStale what a message gets that uses governed terms while the core is stale; its terms
 *     are held against the stale core all the same
 * @param onAbsent what every message gets while there is no core, since nothing is known to be
 *     governed
 */
public record GuardPolicy(OnUncertified onUncertified, OnCoreGap onStale, OnCoreGap onAbsent) {
  /** Default of routes on which messages have consequences. */
  public static final GuardPolicy CONSEQUENTIAL =
      new GuardPolicy(OnUncertified.REGENERATE, OnCoreGap.YIELD, OnCoreGap.YIELD);

  /** Default of other routes. */
  public static final GuardPolicy ORDINARY =
      new GuardPolicy(OnUncertified.WARN, OnCoreGap.WARN, OnCoreGap.ALLOW);
}
