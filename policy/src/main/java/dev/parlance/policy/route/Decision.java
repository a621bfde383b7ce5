package dev.parlance.policy.route;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Where a message goes and why; there is always at least one reason. */
public sealed interface Decision {
  /** Where it goes. */
  default Route route() {
    return switch (this) {
      case Execute _ -> Route.EXECUTE;
      case Warn _ -> Route.WARN;
      case Regenerate _ -> Route.REGENERATE;
      case Yield _ -> Route.YIELD;
    };
  }

  /** Why, the most telling reason first. */
  List<Reason> reasons();

  /**
   * The first reason, for metrics. Where a spent budget or an expired flow only stopped a draft
   * from being asked for again, this is what was wrong with the draft; {@link Reason#BUDGET} and
   * {@link Reason#TTL_EXPIRED} come first only if nothing else was.
   */
  default Reason primaryReason() {
    return reasons().getFirst();
  }

  /**
   * The original bytes go on.
   *
   * @param reasons one of {@link Reason#OK}, {@link Reason#RELEASED}; the judge gives the first
   *     only. {@link Reason#UNJUDGED} and {@link Reason#INTERNAL_ERROR} where the operator's
   *     configuration says to let such messages through
   */
  record Execute(List<Reason> reasons) implements Decision {
    private static final Set<Reason> ALLOWED =
        Set.copyOf(EnumSet.of(Reason.OK, Reason.RELEASED, Reason.UNJUDGED, Reason.INTERNAL_ERROR));

    /** Refuses a reason that does not let a message pass. */
    public Execute {
      reasons = List.copyOf(reasons);
      if (reasons.size() != 1 || !ALLOWED.containsAll(reasons)) {
        throw new IllegalArgumentException(
            "Execute takes one reason out of " + ALLOWED + ", got " + reasons);
      }
    }
  }

  /**
   * The original bytes go on and the receiver is told.
   *
   * @param reasons why
   */
  record Warn(List<Reason> reasons) implements Decision {
    /** Refuses to warn of nothing. */
    public Warn {
      reasons = checked(Route.WARN, reasons);
    }
  }

  /**
   * The author is asked again.
   *
   * @param reasons why
   */
  record Regenerate(List<Reason> reasons) implements Decision {
    /** Refuses to ask again for nothing. */
    public Regenerate {
      reasons = checked(Route.REGENERATE, reasons);
    }
  }

  /**
   * The message is held for a person.
   *
   * @param reasons why
   */
  record Yield(List<Reason> reasons) implements Decision {
    /** Refuses to hold a message for nothing. */
    public Yield {
      reasons = checked(Route.YIELD, reasons);
    }
  }

  private static List<Reason> checked(Route route, List<Reason> reasons) {
    if (reasons.isEmpty() || reasons.contains(Reason.OK) || reasons.contains(Reason.RELEASED)) {
      throw new IllegalArgumentException(
          route + " takes at least one reason, none of them OK or RELEASED, got " + reasons);
    }
    return List.copyOf(reasons);
  }
}
