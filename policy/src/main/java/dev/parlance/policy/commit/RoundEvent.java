package dev.parlance.policy.commit;

/** What can happen to a round. */
public sealed interface RoundEvent {
  /** An agent proposes; {@code proposal.agent()} is who really sent it. */
  record Proposed(RoundId to, Proposal proposal) implements RoundEvent {}

  /** No more proposals from here on. */
  record Sealed(SealCause cause) implements RoundEvent {}

  /** The outcome is computed and written down. */
  record Decided() implements RoundEvent {}
}
