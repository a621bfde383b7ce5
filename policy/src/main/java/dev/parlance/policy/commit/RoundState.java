package dev.parlance.policy.commit;

import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A round as a state machine without clock. Whoever holds the same events in the same order holds
 * the same state and the same outcome.
 *
 * <pre>
 * state       proposed                       sealed: complete   sealed: deadline   decided
 * open        checked; taken: to collecting  nothing            to expired, ended  nothing
 * collecting  checked; taken: stays          if every member    to sealed, closed  nothing
 *                                            has proposed: to
 *                                            sealed, closed;
 *                                            else nothing
 * sealed      repeated or refused            nothing            nothing            to decided, ended
 * decided     repeated or refused            nothing            nothing            nothing
 * expired     repeated or refused            nothing            nothing            nothing
 * </pre>
 *
 * <p>A proposal is checked in this order: for another round or epoch ({@code wrong_epoch}), from no
 * member ({@code not_a_member}), a repetition of something the agent said already (repeated, in
 * every state: whoever did not hear the answer may ask again), the round is closed ({@code late}),
 * the verdict is no name ({@code bad_verdict}), the agent has two different proposals in ({@code
 * equivocated}). What passes is taken: as evidence of equivocation if the agent has another one in
 * and both are well-formed, otherwise as its proposal.
 *
 * <p>What an agent says is its verdict and its text. The vector is the encoder's work: where the
 * same verdict and text come again with another vector, it is a repetition, and the first vector
 * stands.
 *
 * @param id which round and epoch
 * @param spec its constants; {@code spec.round()} is {@code id.bound()}
 * @param status where it stands
 * @param proposals what was taken, in order; at most two of one agent, the second being the
 *     evidence of its equivocation (unless one of the two is malformed: then the other counts)
 * @param compared what was found between the texts of members, as the seal says
 * @param outcome present exactly in {@code DECIDED} and {@code EXPIRED}
 */
public record RoundState(
    RoundId id,
    RoundSpec spec,
    Status status,
    List<Proposal> proposals,
    TextComparison compared,
    Optional<Outcome> outcome) {
  /** The states of a round. */
  public enum Status implements Coded {
    /** Takes proposals and has none. */
    OPEN,
    /** Takes proposals and has some. */
    COLLECTING,
    /** Takes none any more; the outcome follows from what it has. */
    SEALED,
    /** The outcome is written down. */
    DECIDED,
    /** The deadline passed before anybody proposed: aborted. */
    EXPIRED
  }

  /** What an event did. */
  public sealed interface Effect {
    /** The proposal is taken. */
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

  /** Copies the list, refuses impossible values. */
  public RoundState {
    proposals = List.copyOf(proposals);
    if (!spec.round().equals(id.bound())) {
      throw new IllegalArgumentException(
          "expected the constants of " + id.bound() + ", got those of " + spec.round());
    }
    boolean hasEnded = status == Status.DECIDED || status == Status.EXPIRED;
    if (outcome.isPresent() != hasEnded) {
      throw new IllegalArgumentException("expected an outcome exactly at the end, got " + status);
    }
  }

  /** A round whose texts were not compared, or not yet. */
  public RoundState(
      RoundId id,
      RoundSpec spec,
      Status status,
      List<Proposal> proposals,
      Optional<Outcome> outcome) {
    this(id, spec, status, proposals, TextComparison.NONE, outcome);
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
    return switch (event) {
      case RoundEvent.Proposed proposed -> propose(proposed.to(), proposed.proposal());
      case RoundEvent.Sealed sealed -> seal(sealed);
      case RoundEvent.Decided decided -> status == Status.SEALED ? end(Status.DECIDED) : nothing();
    };
  }

  private Step propose(RoundId to, Proposal proposal) {
    if (!to.equals(id)) {
      return refuse(RoundRefusal.WRONG_EPOCH);
    }
    if (!spec.members().contains(proposal.agent())) {
      return refuse(RoundRefusal.NOT_A_MEMBER);
    }
    List<Proposal> earlier =
        proposals.stream().filter(one -> one.agent().equals(proposal.agent())).toList();
    if (earlier.stream().anyMatch(proposal::repeats)) {
      return new Step(this, new Effect.Repeated());
    }
    return switch (status) {
      case SEALED, DECIDED, EXPIRED -> refuse(RoundRefusal.LATE);
      case OPEN, COLLECTING -> {
        if (!RoundNames.isName(proposal.verdict())) {
          yield refuse(RoundRefusal.BAD_VERDICT);
        }
        yield earlier.size() > 1 ? refuse(RoundRefusal.EQUIVOCATED) : take(proposal, earlier);
      }
    };
  }

  private Step take(Proposal proposal, List<Proposal> earlier) {
    List<Proposal> more = new ArrayList<>(proposals);
    more.add(proposal);
    RoundState next = new RoundState(id, spec, Status.COLLECTING, more, outcome);
    boolean contradicts = !isMalformed(proposal) && !earlier.stream().allMatch(this::isMalformed);
    return new Step(next, contradicts ? new Effect.Equivocated() : new Effect.Accepted());
  }

  private boolean isMalformed(Proposal proposal) {
    return Delivery.flaw(spec, proposal).isPresent();
  }

  private Step seal(RoundEvent.Sealed sealed) {
    boolean isDue =
        switch (sealed.cause()) {
          case COMPLETE -> isComplete();
          case DEADLINE -> true;
        };
    if (!isDue) {
      return nothing();
    }
    return switch (status) {
      case OPEN -> end(Status.EXPIRED);
      case COLLECTING ->
          new Step(
              new RoundState(id, spec, Status.SEALED, proposals, sealed.compared(), outcome),
              new Effect.Closed());
      case SEALED, DECIDED, EXPIRED -> nothing();
    };
  }

  private Step end(Status status) {
    Outcome result = Hcsc.decide(spec, proposals, compared);
    return new Step(
        new RoundState(id, spec, status, proposals, compared, Optional.of(result)),
        new Effect.Ended(result));
  }

  private Step refuse(RoundRefusal reason) {
    return new Step(this, new Effect.Refused(reason));
  }

  private Step nothing() {
    return new Step(this, new Effect.Nothing());
  }

  /** Why a proposal was not taken into a round. The codes are stable. */
  public enum RoundRefusal implements Coded {
    /** For another epoch of the round. */
    WRONG_EPOCH,
    /** The sender is no member. */
    NOT_A_MEMBER,
    /** The round takes no more proposals. */
    LATE,
    /** The verdict is no name. */
    BAD_VERDICT,
    /** The sender is known to have proposed two different things; a third one adds nothing. */
    EQUIVOCATED
  }

  /** What can happen to a round. */
  public sealed interface RoundEvent {
    /** An agent proposes; {@code proposal.agent()} is who really sent it. */
    record Proposed(RoundId to, Proposal proposal) implements RoundEvent {}

    /**
     * No more proposals from here on.
     *
     * @param compared what was found between the texts of members
     */
    record Sealed(SealCause cause, TextComparison compared) implements RoundEvent {
      /** Of a round in which texts are not compared. */
      public Sealed(SealCause cause) {
        this(cause, TextComparison.NONE);
      }
    }

    /** The outcome is computed and written down. */
    record Decided() implements RoundEvent {}

    /** Why a round takes no more proposals. The codes are stable. */
    enum SealCause implements Coded {
      /** Every member has proposed. */
      COMPLETE,
      /** The deadline has passed. */
      DEADLINE;
    }
  }
}
