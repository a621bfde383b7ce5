package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

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

  /** What a message gets that uses a governed term outside V*. */
  public enum OnUncertified implements Coded {
    /** Its author is asked again, until the budget is spent. */
    REGENERATE,
    /** It goes on with a warning. */
    WARN,
    /** It goes on, and is counted. */
    COUNT;

    /** The one with this code. */
    public static Optional<OnUncertified> ofCode(String code) {
      return Coded.find(values(), code);
    }
  }

  /** What a message gets whose terms cannot be held against a fresh core. */
  public enum OnCoreGap implements Coded {
    /** It is held for a person. */
    YIELD,
    /** It goes on with a warning, if nothing else stands against it. */
    WARN,
    /** It goes on if nothing else stands against it, and is counted. */
    ALLOW;

    /** The one with this code. */
    public static Optional<OnCoreGap> ofCode(String code) {
      return Coded.find(values(), code);
    }
  }
}
