package dev.parlance.demo.api;

import com.google.protobuf.ByteString;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A round that has ended, as the control plane publishes it.
 *
 * @param round name of the round
 * @param epoch its epoch
 * @param spec what it was decided by
 * @param proposals what was proposed, in the order of the control plane
 * @param result what came of it
 */
public record EndedRound(
    String round, long epoch, RoundSpec spec, List<Proposed> proposals, Result result) {
  /** Copies the list. */
  public EndedRound {
    proposals = List.copyOf(proposals);
  }

  /**
   * A proposal.
   *
   * @param proposal what the algorithm sees of it
   * @param text the rationale
   * @param standing counted, equivocation or malformed
   */
  public record Proposed(Proposal proposal, String text, String standing) {
    /** Who proposed it. */
    public String agent() {
      return proposal.agent();
    }

    /** The meaning of the rationale; empty if it was not encoded. */
    public Optional<QuantVector> vector() {
      return proposal.meaning() instanceof Meaning.Vector(QuantVector vector)
          ? Optional.of(vector)
          : Optional.empty();
    }
  }

  /**
   * The published outcome.
   *
   * @param outcome semantic_commit, verdict_commit or abort
   * @param reason code of an abort's reason, else empty
   * @param verdict of a commit, else empty
   * @param delivered how many members have proposed
   * @param support votes for the leading verdict
   * @param runnerUp votes for the next one
   * @param core members of the core of a semantic commit
   * @param minCos the least cosine in the core
   * @param digest of a commit, hex, else empty
   */
  public record Result(
      String outcome,
      String reason,
      String verdict,
      int delivered,
      int support,
      int runnerUp,
      List<String> core,
      double minCos,
      String digest) {
    /** Copies the list. */
    public Result {
      core = List.copyOf(core);
    }
  }

  /** Runs the algorithm once more, on what has been published. */
  public Outcome recompute() {
    return Hcsc.decide(spec, proposals.stream().map(Proposed::proposal).toList());
  }

  static EndedRound of(Round round) {
    Encoding encoding =
        round.getDim() == 0
            ? Encoding.none()
            : new Encoding(round.getEncoder(), round.getDim(), round.getCosMin());
    RoundSpec spec =
        new RoundSpec(
            new RoundId(round.getRound(), round.getEpoch()).bound(),
            round.getFaults(),
            round.getMembersList(),
            encoding,
            round.getExtraMargin(),
            !round.getStrictSemantic());
    return new EndedRound(
        round.getRound(),
        round.getEpoch(),
        spec,
        round.getProposalsList().stream().map(EndedRound::proposed).toList(),
        result(round.getResult()));
  }

  private static Proposed proposed(RoundProposal one) {
    Meaning meaning =
        switch (one.getMeaning()) {
          case "vector" ->
              QuantVector.ofBytes(one.getVector().toByteArray())
                  .<Meaning>map(Meaning.Vector::new)
                  .orElse(Meaning.MALFORMED);
          case "unencoded" -> Meaning.UNENCODED;
          default -> Meaning.MALFORMED;
        };
    return new Proposed(
        new Proposal(one.getAgent(), one.getVerdict(), hex(one.getTextSha256()), meaning),
        one.getText(),
        one.getStanding());
  }

  private static Result result(RoundResult result) {
    return new Result(
        result.getOutcome(),
        result.getReason(),
        result.getVerdict(),
        result.getDelivered(),
        result.getSupport(),
        result.getRunnerUp(),
        result.getCoreList(),
        result.getMinCos(),
        hex(result.getDigest()));
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
