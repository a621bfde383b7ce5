package dev.parlance.control.round;

import dev.parlance.ledger.record.RoundRecord;

/** Who looks at a round. */
public sealed interface Viewer {
  /** Whoever has the operators' token. */
  record Operator() implements Viewer {}

  /** A sidecar, by the agent of its token. */
  record OfAgent(String agent) implements Viewer {}

  /** Whether this one may read the words of proposals now. */
  default boolean mayRead(RoundRecord round) {
    return switch (this) {
      case Operator _ -> true;
      case OfAgent(String agent) ->
          round.outcome().isPresent() && round.opened().spec().members().contains(agent);
    };
  }
}
