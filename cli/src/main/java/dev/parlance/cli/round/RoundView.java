package dev.parlance.cli.round;

import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A round as JSON.
 *
 * @param result absent while it has not ended
 * @param signature none, good, unchecked, bad; absent in lists, where nothing is checked
 */
record RoundView(
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
    List<ProposalView> proposals,
    @Nullable ResultView result,
    @Nullable String signature,
    List<String> problems) {
  /**
   * A proposal; verdict and what follows are absent while the round has not ended.
   *
   * @param degrees from the core's direction
   * @param text where it was asked for and is still stored
   */
  record ProposalView(
      String agent,
      @Nullable String verdict,
      @Nullable String standing,
      @Nullable String meaning,
      @Nullable Double degrees,
      @Nullable String textSha256,
      @Nullable String text) {}

  /** An outcome. */
  record ResultView(
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
  static RoundView summary(Round round) {
    return of(new RoundLook(round, RoundLook.Signature.NONE, List.of()), null);
  }

  /** A round with what was checked of it. */
  static RoundView whole(RoundLook look) {
    return of(look, look.signature().name().toLowerCase(java.util.Locale.ROOT));
  }

  private static RoundView of(RoundLook look, @Nullable String signature) {
    Round round = look.round();
    return new RoundView(
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
        round.getProposalsList().stream().map(one -> proposal(look, one)).toList(),
        round.hasResult() ? result(round.getResult()) : null,
        signature,
        look.problems());
  }

  private static ProposalView proposal(RoundLook look, RoundProposal proposal) {
    OptionalDouble degrees = look.degrees(proposal);
    return new ProposalView(
        proposal.getAgent(),
        text(proposal.getVerdict()),
        text(look.standing(proposal)),
        text(proposal.getMeaning()),
        degrees.isPresent() ? degrees.getAsDouble() : null,
        hex(proposal.getTextSha256()),
        text(proposal.getText()));
  }

  private static ResultView result(RoundResult result) {
    return new ResultView(
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
