package dev.parlance.cli.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundOutcome;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /**
   * The check of a round that came over the network: the outcome worked out once more from the
   * proposals, and whether somebody we know has signed it.
   *
   * @param problems why what came cannot be believed; empty if nothing speaks against it
   */
  record RoundCheck(Round round, Signature signature, List<String> problems) {
    /** Whose word the outcome is. */
    enum Signature {
      /** It has not ended. */
      NONE,
      /** Signed by a key that was named. */
      GOOD,
      /** No key was named to check it with. */
      UNCHECKED,
      /** Not signed by it, or something else was signed. */
      BAD
    }

    /** Copies the list. */
    RoundCheck {
      problems = List.copyOf(problems);
    }

    static RoundCheck of(Round round, List<VerifierKey> keys) {
      List<String> problems = new ArrayList<>();
      if (!round.hasResult()) {
        return new RoundCheck(round, Signature.NONE, problems);
      }
      Signature signature = keys.isEmpty() ? Signature.UNCHECKED : Signature.GOOD;
      byte[] note = round.getResult().getNote().toByteArray();
      OutcomeReading reading =
          keys.isEmpty() ? OutcomeNote.unverified(note) : OutcomeNote.read(note, keys);
      switch (reading) {
        case OutcomeReading.Refused refused -> {
          signature = Signature.BAD;
          problems.add("the signed outcome: " + refused.fault().code() + ", " + refused.detail());
        }
        case OutcomeReading.Good good -> {
          if (!isOf(round, good.outcome())) {
            signature = Signature.BAD;
            problems.add("the signed outcome is another one than was shown");
          }
        }
      }
      try {
        Outcome outcome = Hcsc.decide(spec(round), proposals(round));
        if (!outcome.kind().equals(round.getResult().getOutcome())
            || !digest(outcome).equals(hex(round))) {
          problems.add("worked out here it is " + outcome.kind() + " with another digest");
        }
      } catch (IllegalArgumentException e) {
        problems.add("it cannot be worked out here: " + e.getMessage());
      }
      return new RoundCheck(round, signature, problems);
    }

    private static boolean isOf(Round round, RoundOutcome outcome) {
      return outcome.id().equals(new RoundId(round.getRound(), round.getEpoch()))
          && outcome.kind().equals(round.getResult().getOutcome())
          && outcome.verdict().orElse("").equals(round.getResult().getVerdict())
          && outcome.reason().orElse("").equals(round.getResult().getReason())
          && outcome.digest().orElse("").equals(hex(round));
    }

    private static String hex(Round round) {
      return HexFormat.of().formatHex(round.getResult().getDigest().toByteArray());
    }

    private static String digest(Outcome outcome) {
      return switch (outcome) {
        case Outcome.SemanticCommit commit -> commit.digest();
        case Outcome.VerdictCommit commit -> commit.digest();
        case Outcome.Abort _ -> "";
      };
    }

    /** The constants of a round. */
    static RoundSpec spec(Round round) {
      return new RoundSpec(
          round.getRound() + ":" + round.getEpoch(),
          round.getFaults(),
          round.getMembersList(),
          new Encoding(round.getEncoder(), round.getDim(), round.getCosMin()),
          round.getExtraMargin(),
          !round.getStrictSemantic());
    }

    private static List<Proposal> proposals(Round round) {
      return round.getProposalsList().stream()
          .map(one ->
              new Proposal(
                  one.getAgent(),
                  one.getVerdict(),
                  HexFormat.of().formatHex(one.getTextSha256().toByteArray()),
                  meaning(one)))
          .toList();
    }

    private static Meaning meaning(RoundProposal proposal) {
      return switch (proposal.getMeaning()) {
        case "vector" ->
            QuantVector.ofBytes(proposal.getVector().toByteArray())
                .<Meaning>map(Meaning.Vector::new)
                .orElseThrow(() -> new IllegalArgumentException("a vector that is none"));
        case "unencoded" -> Meaning.UNENCODED;
        default -> Meaning.MALFORMED;
      };
    }

    /**
     * How far a proposal's meaning lies from the core's common direction, in degrees; empty without
     * core or vector.
     */
    OptionalDouble degrees(RoundProposal proposal) {
      double[] direction = direction();
      double[] vector = vector(proposal);
      if (vector.length == 0 || vector.length != direction.length) {
        return OptionalDouble.empty();
      }
      double cosine =
          dot(vector, direction) / Math.sqrt(dot(vector, vector) * dot(direction, direction));
      return Double.isNaN(cosine)
          ? OptionalDouble.empty()
          : OptionalDouble.of(Math.toDegrees(Math.acos(Math.clamp(cosine, -1.0, 1.0))));
    }

    /** The sum of the core's vectors. */
    private double[] direction() {
      double[] sum = {};
      for (RoundProposal proposal : round.getProposalsList()) {
        double[] vector = vector(proposal);
        if (vector.length > 0 && round.getResult().getCoreList().contains(proposal.getAgent())) {
          sum = sum.length == 0 ? new double[vector.length] : sum;
          for (int i = 0; i < Math.min(sum.length, vector.length); i++) {
            sum[i] += vector[i];
          }
        }
      }
      return sum;
    }

    private static double[] vector(RoundProposal proposal) {
      Optional<QuantVector> read = QuantVector.ofBytes(proposal.getVector().toByteArray());
      double[] vector = new double[read.map(QuantVector::dim).orElse(0)];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = read.orElseThrow().at(i);
      }
      return vector;
    }

    private static double dot(double[] first, double[] second) {
      double sum = 0;
      for (int i = 0; i < first.length; i++) {
        sum += first[i] * second[i];
      }
      return sum;
    }

    /** {@code core} for members of the core, else what the control plane says of the proposal. */
    String standing(RoundProposal proposal) {
      return round.getResult().getCoreList().contains(proposal.getAgent())
          ? "core"
          : proposal.getStanding();
    }
  }
}
