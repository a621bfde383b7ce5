package dev.parlance.control.round;

import dev.parlance.ledger.record.RoundRecord;
import java.util.Map;
import java.util.Optional;

/**
 * A round as it is shown to somebody.
 *
 * @param record what the ledger says
 * @param isSummary without its proposals and without the signed outcome, for lists
 * @param texts words of proposals by digest, for those who may read them
 * @param note the signed outcome, if there is one to show
 * @param endIndex index of the ledger entry that ended it; 0 while it has not ended
 * @param nowMs when it was looked at
 */
public record RoundSnapshot(
    RoundRecord record,
    boolean isSummary,
    Map<String, String> texts,
    Optional<byte[]> note,
    long endIndex,
    long nowMs) {
  /** Copies the map. */
  public RoundSnapshot {
    texts = Map.copyOf(texts);
  }

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
}
