package dev.parlance.ledger.record;

import dev.parlance.ledger.record.RoundOutcome.Signing;
import dev.parlance.ledger.record.RoundRecord.RoundSignatures;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** What must be written under a sealed round. */
public final class RoundDecision {
  private RoundDecision() {}

  /**
   * The decision that follows from a round's entries.
   *
   * @param atMs when it is written, milliseconds since the epoch; also stands in the outcome's note
   * @return empty unless the round is sealed or decided; an expired one has no decision
   */
  public static Optional<RoundEntry.Decided> of(RoundRecord round, long atMs) {
    return outcome(round.state())
        .filter(_ -> round.state().status() != RoundState.Status.EXPIRED)
        .map(outcome -> entry(round, outcome, atMs));
  }

  /**
   * The decision that follows once these entries, and no others of the round, stand behind what it
   * has.
   *
   * @param next a proposal and a seal, or a seal
   * @return empty if one of them would count for nothing, or ends the round by itself
   */
  public static Optional<RoundEntry.Decided> ahead(
      RoundRecord round, List<RoundEntry> next, long atMs) {
    RoundRecord ahead = round;
    for (RoundEntry entry : next) {
      Optional<RoundRecord> after = after(ahead, entry);
      if (after.isEmpty()) {
        return Optional.empty();
      }
      ahead = after.get();
    }
    return ahead.state().status() == RoundState.Status.SEALED ? of(ahead, atMs) : Optional.empty();
  }

  private static Optional<RoundRecord> after(RoundRecord round, RoundEntry entry) {
    return switch (entry) {
      case RoundEntry.Proposed proposed -> {
        Proposal proposal =
            new Proposal(
                proposed.agent(), proposed.verdict(), proposed.textSha256(), proposed.meaning());
        RoundState.Step step = round.state().step(new RoundEvent.Proposed(round.id(), proposal));
        yield step.effect() instanceof RoundState.Effect.Accepted
                || step.effect() instanceof RoundState.Effect.Equivocated
            ? Optional.of(round.taken(step.next(), proposed))
            : Optional.empty();
      }
      case RoundEntry.Sealed sealed -> {
        RoundState.Step step =
            round.state().step(new RoundEvent.Sealed(sealed.cause(), sealed.compared()));
        yield step.effect() instanceof RoundState.Effect.Closed
            ? Optional.of(round.sealed(step.next(), sealed))
            : Optional.empty();
      }
      case RoundEntry.Opened _, RoundEntry.Decided _, RoundEntry.Signed _ -> Optional.empty();
    };
  }

  /**
   * The outcome's document as it follows from proposals that somebody was shown.
   *
   * @param signatures of each proposal that was taken of a member, its signature
   */
  public static RoundOutcome document(
      RoundEntry.Opened opened,
      Function<String, List<Optional<String>>> signatures,
      Outcome outcome,
      long atMs) {
    return document(opened, RoundSignatures.signing(opened, signatures), outcome, atMs);
  }

  private static Optional<Outcome> outcome(RoundState state) {
    return state.outcome().or(() -> state.step(new RoundEvent.Decided()).next().outcome());
  }

  private static RoundEntry.Decided entry(RoundRecord round, Outcome outcome, long atMs) {
    RoundOutcome document = document(round, outcome, atMs);
    return new RoundEntry.Decided(
        round.id(),
        document.kind(),
        document.reason(),
        document.verdict(),
        document.delivered(),
        document.support(),
        document.runnerUp(),
        document.core(),
        outcome instanceof Outcome.SemanticCommit commit
            ? OptionalDouble.of(commit.minCos())
            : OptionalDouble.empty(),
        outcome instanceof Outcome.SemanticCommit commit ? commit.claimsText() : Optional.empty(),
        document.digest(),
        document.signatures(),
        OutcomeNote.documentSha256(document),
        atMs);
  }

  static RoundOutcome document(RoundRecord round, Outcome outcome, long atMs) {
    return document(round.opened(), round.signing(), outcome, atMs);
  }

  static RoundOutcome document(
      RoundEntry.Opened opened, Optional<Signing> signing, Outcome outcome, long atMs) {
    return switch (outcome) {
      case Outcome.SemanticCommit commit ->
          commit(opened, signing, commit, commit.verdict(), commit.core(), commit.digest(), atMs);
      case Outcome.VerdictCommit commit ->
          commit(opened, signing, commit, commit.verdict(), commit.core(), commit.digest(), atMs);
      case Outcome.Abort abort ->
          document(
              opened,
              signing,
              abort,
              Optional.of(abort.reason().code()),
              Optional.empty(),
              List.of(),
              Optional.empty(),
              atMs);
    };
  }

  private static RoundOutcome commit(
      RoundEntry.Opened opened,
      Optional<Signing> signing,
      Outcome outcome,
      String verdict,
      List<String> core,
      String digest,
      long atMs) {
    return document(
        opened,
        signing,
        outcome,
        Optional.empty(),
        Optional.of(verdict),
        core,
        Optional.of(digest),
        atMs);
  }

  private static RoundOutcome document(
      RoundEntry.Opened opened,
      Optional<Signing> signing,
      Outcome outcome,
      Optional<String> reason,
      Optional<String> verdict,
      List<String> core,
      Optional<String> digest,
      long atMs) {
    RoundSpec spec = opened.spec();
    return new RoundOutcome(
        opened.id(),
        spec.members(),
        spec.faults(),
        spec.encoding(),
        outcome.kind(),
        reason,
        verdict,
        outcome.count().delivered(),
        outcome.count().support(),
        outcome.count().runnerUp(),
        core,
        opened.subjectSha256(),
        digest,
        signing,
        atMs);
  }
}
