package dev.parlance.proxy.gate;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.route.Reason;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import java.util.List;
import java.util.Optional;

/**
 * Checks what a message claims of a round's outcome, and whether that is enough for its route.
 *
 * <pre>
 *   claim, nothing known of the round            outcome_unknown
 *   claim, round not ended                       outcome_unknown
 *   claim, too few members have signed           outcome_unsigned
 *   claim, other round, epoch or value           outcome_mismatch
 *   no claim, route asks for one                 finality_required
 *   claim holds, kind below the route's          finality_insufficient
 *   claim holds, round fixed no subject          outcome_without_subject
 *   claim holds, subject is not this message     outcome_other_subject
 * </pre>
 */
public final class ClaimCheck {
  private ClaimCheck() {}

  /** What came of a check. */
  public sealed interface Result {
    /**
     * The claim is true.
     *
     * @param subjectSha256 hex SHA-256 of what was decided about, if that was fixed
     */
    record Holds(String kind, Optional<String> subjectSha256) implements Result {}

    /**
     * The message may not go on.
     *
     * @param detail for people; repeats nothing that the message says
     */
    record Fails(Reason reason, String detail) implements Result {}
  }

  /** The result for a round of which the control plane knows nothing. */
  public static Result.Fails unknown(String detail) {
    return new Result.Fails(Reason.OUTCOME_UNKNOWN, detail);
  }

  /**
   * Holds a claim against what is known. What the claim says must be so; what it leaves out is not
   * looked at. A note that it brings must be the known one, because the next reader may believe it.
   *
   * @param known what its own note says if that can be believed, else what the control plane says
   */
  public static Result claim(RoundMark.Claim claim, Rounds.Known known) {
    RoundStatus status = known.status();
    if (!status.id().equals(claim.id())) {
      return mismatch("the signed outcome is of another round or epoch");
    }
    if (known.word() == Rounds.Word.NOBODY) {
      return new Result.Fails(
          Reason.OUTCOME_UNSIGNED,
          "too few members have signed the outcome of the round " + status.id());
    }
    if (status.ended().isEmpty()) {
      return unknown("the round " + status.id() + " has not ended");
    }
    RoundStatus.Ended ended = status.ended().get();
    if (!claim.kind().equals(ended.kind())) {
      return mismatch("the round " + status.id() + " ended as " + ended.kind());
    }
    if (differs(claim.reason(), ended.reason())
        || differs(claim.verdict(), ended.verdict())
        || differs(claim.digest(), ended.digest())) {
      return mismatch("the round " + status.id() + " has another reason, verdict or digest");
    }
    if (claim.note().isPresent() && !claim.note().get().equals(ended.note())) {
      return mismatch("the note is not the signed outcome of round " + status.id());
    }
    return new Result.Holds(ended.kind(), known.subjectSha256());
  }

  private static boolean differs(Optional<String> claimed, Optional<String> known) {
    return claimed.isPresent() && !claimed.equals(known);
  }

  private static Result.Fails mismatch(String detail) {
    return new Result.Fails(Reason.OUTCOME_MISMATCH, detail);
  }

  /**
   * What stands against a request on a route that asks for finality.
   *
   * @param level what the route asks for
   * @param held the claim that the request carries, if it carries one and that is true
   * @param textSha256 hex SHA-256 of the judged text; empty if the request holds more than that, or
   *     none
   */
  public static Optional<Result.Fails> finality(
      Finality level, Optional<Result.Holds> held, Optional<String> textSha256) {
    if (level == Finality.NONE) {
      return Optional.empty();
    }
    if (held.isEmpty()) {
      return fails(
          Reason.FINALITY_REQUIRED, "this route takes only messages with the outcome of a round");
    }
    if (!level.isMetBy(held.get().kind())) {
      return fails(
          Reason.FINALITY_INSUFFICIENT,
          "this route asks for finality "
              + level.code()
              + ", the round ended as "
              + held.get().kind());
    }
    if (held.get().subjectSha256().isEmpty()) {
      return fails(
          Reason.OUTCOME_WITHOUT_SUBJECT, "the round did not fix what it was decided about");
    }
    return held.get().subjectSha256().equals(textSha256)
        ? Optional.empty()
        : fails(
            Reason.OUTCOME_OTHER_SUBJECT, "the round was decided about something else than this");
  }

  /**
   * The highest finality that a claim proves of a message; none if it is not true.
   *
   * @param textSha256 as {@link #finality} takes it
   */
  public static Finality proven(
      RoundMark.Claim claim, Rounds.Known known, Optional<String> textSha256) {
    if (claim(claim, known) instanceof Result.Holds holds) {
      for (Finality level : List.of(Finality.SEMANTIC, Finality.VERDICT)) {
        if (finality(level, Optional.of(holds), textSha256).isEmpty()) {
          return level;
        }
      }
    }
    return Finality.NONE;
  }

  private static Optional<Result.Fails> fails(Reason reason, String detail) {
    return Optional.of(new Result.Fails(reason, detail));
  }
}
