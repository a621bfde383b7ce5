package dev.parlance.policy.commit;

import java.util.List;
import java.util.Optional;

/**
 * A round as a state machine without clock. Whoever holds the same events in the same order holds
 * the same state and the same outcome.
 *
 * @param id which round and epoch
 * @param spec its constants
 * @param status where it stands
 * @param proposals what was taken, in order; at most two of one agent, the second being the
 *     evidence of its equivocation
 * @param outcome present exactly in {@code DECIDED} and {@code EXPIRED}
 */
public record RoundState(
    RoundId id,
    RoundSpec spec,
    Status status,
    List<Proposal> proposals,
    Optional<Outcome> outcome) {
  /** The states of a round. */
  public enum Status {
    /** Takes proposals and has none. */
    OPEN("open"),
    /** Takes proposals and has some. */
    COLLECTING("collecting"),
    /** Takes none any more; the outcome follows from what it has. */
    SEALED("sealed"),
    /** The outcome is written down. */
    DECIDED("decided"),
    /** The deadline passed before anybody proposed: aborted. */
    EXPIRED("expired");

    private final String code;

    Status(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }

  /** What an event did. */
  public sealed interface Effect {
    /** The proposal counts. */
    record Accepted() implements Effect {}

    /** The agent has said exactly this already. */
    record Repeated() implements Effect {}

    /** The agent has said something else before: kept as evidence, and none of its counts. */
    record Equivocated() implements Effect {}

    /** The proposal is not taken. */
    record Refused(RoundRefusal reason) implements Effect {}

    /** The round takes no more proposals. */
    record Closed() implements Effect {}

    /** The round has ended with this outcome. */
    record Ended(Outcome outcome) implements Effect {}

    /** Nothing changes: it happened before, or cannot happen yet. */
    record Nothing() implements Effect {}
  }

  /** Where an event leads. */
  public record Step(RoundState next, Effect effect) {}

  /** Copies the list. */
  public RoundState {
    proposals = List.copyOf(proposals);
  }

  /** A round that was opened just now. */
  public static RoundState open(RoundId id, RoundSpec spec) {
    return new RoundState(id, spec, Status.OPEN, List.of(), Optional.empty());
  }

  /** True if every member has proposed. */
  public boolean isComplete() {
    return spec.members().stream()
        .allMatch(member -> proposals.stream().anyMatch(one -> one.agent().equals(member)));
  }

  /** What an event leads to, see the table. */
  public Step step(RoundEvent event) {
    throw new UnsupportedOperationException(event.toString());
  }
}
