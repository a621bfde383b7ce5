package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Outcome;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What is to be said about the end of a round.
 *
 * @param outcome how it ended; empty if it did not, which is a breach
 * @param breaches the promises that were broken
 * @param ofBound the error of a semantic commit as a share of the bound that holds for it; above 1
 *     it is a breach
 * @param degrees angle between a semantic commit and the honest agents that back its verdict
 */
record Ruling(
    Optional<Outcome> outcome,
    Set<Breach> breaches,
    OptionalDouble ofBound,
    OptionalDouble degrees) {
  /** A promise that was broken. */
  enum Breach {
    /** The round did not end in one of the typed outcomes. */
    NO_OUTCOME("no_outcome"),
    /** A commit whose verdict is not that of more honest agents than any other. */
    WRONG_VERDICT("wrong_verdict"),
    /** A commit of a round that is too small for its faults. */
    INFEASIBLE_COMMIT("infeasible_commit"),
    /** A semantic commit further from the honest agents than the bound. */
    BOUND_EXCEEDED("bound_exceeded"),
    /**
     * No commit although all honest agents agree and have delivered, or none to a meaning although
     * any two of them are near enough.
     */
    DENIED("denied"),
    /** The same proposals in another order have another outcome. */
    ORDER_MATTERS("order_matters");

    private final String code;

    Breach(String code) {
      this.code = code;
    }

    /** The stable name. */
    String code() {
      return code;
    }
  }

  Ruling {
    breaches = breaches.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(breaches));
  }

  static Ruling of(Optional<Outcome> outcome, List<Breach> breaches) {
    return new Ruling(
        outcome, Set.copyOf(breaches), OptionalDouble.empty(), OptionalDouble.empty());
  }
}
