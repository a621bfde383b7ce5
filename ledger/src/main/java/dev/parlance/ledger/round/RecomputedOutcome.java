package dev.parlance.ledger.round;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.RoundDecision;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.policy.commit.CertificateState.SignatureRefusal;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.TextComparison;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An outcome as a member works it out before it signs: from the opening and the proposals that it
 * is shown, each of which its author must have signed, and from nothing that anybody says of it.
 */
public final class RecomputedOutcome {
  private RecomputedOutcome() {}

  /**
   * A proposal as it was taken.
   *
   * @param signature of its author's key on its {@link ProposalStatement}
   */
  public record Shown(Proposal proposal, Optional<String> signature) {
    /** What its author signs. */
    public ProposalStatement statement(RoundEntry.Opened opened) {
      return ProposalStatement.of(
          opened.id(),
          proposal.agent(),
          proposal.verdict(),
          proposal.textSha256(),
          proposal.meaning());
    }
  }

  /** What came of it. */
  public sealed interface Result {
    /** The outcome. */
    record Worked(RoundOutcome outcome) implements Result {}

    /** A proposal that its member has not signed as it is shown. */
    record Unsigned(String member, SignatureRefusal reason) implements Result {}
  }

  /**
   * Works it out.
   *
   * @param shown what was taken, in order
   * @param compared what the seal says of their texts
   * @param keys the keys of a member that the one who works it out believes
   * @param mustSign members whose proposal without a signature is none
   * @param atMs when it was decided, milliseconds since the epoch
   */
  public static Result of(
      RoundEntry.Opened opened,
      List<Shown> shown,
      TextComparison compared,
      Function<String, List<VerifierKey>> keys,
      Predicate<String> mustSign,
      long atMs) {
    for (Shown one : shown) {
      Optional<SignatureRefusal> refusal = refusal(opened, one, keys, mustSign);
      if (refusal.isPresent()) {
        return new Result.Unsigned(one.proposal().agent(), refusal.get());
      }
    }
    Outcome outcome =
        Hcsc.decide(opened.spec(), shown.stream().map(Shown::proposal).toList(), compared);
    return new Result.Worked(
        RoundDecision.document(
            opened,
            member ->
                shown.stream()
                    .filter(one -> one.proposal().agent().equals(member))
                    .map(Shown::signature)
                    .toList(),
            outcome,
            atMs));
  }

  private static Optional<SignatureRefusal> refusal(
      RoundEntry.Opened opened,
      Shown one,
      Function<String, List<VerifierKey>> keys,
      Predicate<String> mustSign) {
    String member = one.proposal().agent();
    if (!opened.spec().members().contains(member)) {
      return Optional.of(SignatureRefusal.NOT_A_MEMBER);
    }
    if (one.signature().isEmpty()) {
      return mustSign.test(member) ? Optional.of(SignatureRefusal.KEY_UNKNOWN) : Optional.empty();
    }
    return one.statement(opened).isSignedBy(one.signature().get(), keys.apply(member))
        ? Optional.empty()
        : Optional.of(SignatureRefusal.SIGNATURE_WRONG);
  }
}
