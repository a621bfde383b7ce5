package dev.parlance.policy.pact;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A published set of predicates to start from.
 *
 * @param predicates at least one, in their order
 * @param maxCounters how many positions a negotiation from it may take; empty for the default
 * @param settles the case whose decision it is: it is for nothing else
 */
public record PactTemplate(
    List<Predicate> predicates, OptionalInt maxCounters, Optional<PactCase> settles) {
  /** One that decides nothing. */
  public PactTemplate(List<Predicate> predicates, OptionalInt maxCounters) {
    this(predicates, maxCounters, Optional.empty());
  }

  /** Refuses a template without predicates and with a category that there is not. */
  public PactTemplate {
    predicates = List.copyOf(predicates);
    if (predicates.isEmpty()) {
      throw new IllegalArgumentException("a template without predicates");
    }
    for (Predicate one : predicates) {
      if (one.kind().isEmpty()) {
        throw new IllegalArgumentException("no category: " + one.category());
      }
    }
  }

  /** The predicate that stands for a category if none was negotiated. */
  Optional<Predicate> of(PactCategory category) {
    return predicates.stream().filter(one -> one.category().equals(category.code())).findFirst();
  }
}
