package dev.parlance.cli.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A round, with what this side makes of it; what {@code -o json} prints.
 *
 * @param result absent while it has not ended
 * @param signature none, good, unchecked, bad; absent in lists, where nothing is checked
 * @param problems why what came cannot be believed; empty if nothing speaks against it
 */
public record RoundInfo(
    String round,
    long epoch,
    String state,
    List<String> members,
    int faults,
    String encoder,
    int dim,
    double cosMin,
    int extraMargin,
    boolean strictSemantic,
    @Nullable String subjectSha256,
    long openedAtMs,
    long deadlineAtMs,
    long leftMs,
    int proposed,
    List<Proposed> proposals,
    @Nullable Result result,
    @Nullable String signature,
    List<String> problems) {
  /**
   * A proposal; verdict and what follows are absent while the round has not ended.
   *
   * @param degrees from the core's direction
   * @param text where it was asked for and is still stored
   */
  public record Proposed(
      String agent,
      @Nullable String verdict,
      @Nullable String standing,
      @Nullable String meaning,
      @Nullable Double degrees,
      @Nullable String textSha256,
      @Nullable String text) {}

  /** An outcome. */
  public record Result(
      String outcome,
      @Nullable String reason,
      @Nullable String verdict,
      int delivered,
      int support,
      int runnerUp,
      List<String> core,
      @Nullable Double minCos,
      @Nullable String digest,
      @Nullable String note,
      long decidedAtMs,
      long ledgerIndex) {}

  /** A round of a list. */
  static RoundInfo unchecked(Round round) {
    return of(new RoundCheck(round, RoundCheck.Signature.NONE, List.of()), null);
  }

  /** A round with what was checked of it. */
  static RoundInfo checked(Round round, List<VerifierKey> keys) {
    RoundCheck check = RoundCheck.of(round, keys);
    return of(check, check.signature().name().toLowerCase(Locale.ROOT));
  }

  /** How many members have proposed, in words. */
  public String progress() {
    return proposed + " of " + members.size();
  }

  private static RoundInfo of(RoundCheck check, @Nullable String signature) {
    Round round = check.round();
    return new RoundInfo(
        round.getRound(),
        round.getEpoch(),
        round.getState(),
        round.getMembersList(),
        round.getFaults(),
        round.getEncoder(),
        round.getDim(),
        round.getCosMin(),
        round.getExtraMargin(),
        round.getStrictSemantic(),
        hex(round.getSubjectSha256()),
        round.getOpenedAtMs(),
        round.getDeadlineAtMs(),
        round.getLeftMs(),
        round.getProposed(),
        round.getProposalsList().stream().map(one -> proposal(check, one)).toList(),
        round.hasResult() ? result(round.getResult()) : null,
        signature,
        check.problems());
  }

  private static Proposed proposal(RoundCheck check, RoundProposal proposal) {
    OptionalDouble degrees = check.degrees(proposal);
    return new Proposed(
        proposal.getAgent(),
        text(proposal.getVerdict()),
        text(check.standing(proposal)),
        text(proposal.getMeaning()),
        degrees.isPresent() ? degrees.getAsDouble() : null,
        hex(proposal.getTextSha256()),
        text(proposal.getText()));
  }

  private static Result result(RoundResult result) {
    return new Result(
        result.getOutcome(),
        text(result.getReason()),
        text(result.getVerdict()),
        result.getDelivered(),
        result.getSupport(),
        result.getRunnerUp(),
        result.getCoreList(),
        result.getOutcome().equals("semantic_commit") ? result.getMinCos() : null,
        hex(result.getDigest()),
        result.getNote().isEmpty()
            ? null
            : new String(result.getNote().toByteArray(), StandardCharsets.UTF_8),
        result.getDecidedAtMs(),
        result.getLedgerIndex());
  }

  private static @Nullable String text(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable String hex(ByteString bytes) {
    return bytes.isEmpty() ? null : HexFormat.of().formatHex(bytes.toByteArray());
  }
}
