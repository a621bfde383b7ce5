package dev.parlance.client;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.record.RoundOutcome.Signing;
import dev.parlance.ledger.round.OutcomeCertificate;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.ListedClaims;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.TextComparison;
import dev.parlance.policy.text.Coded;
import dev.parlance.proto.v1.MemberKey;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A round that came over the network, checked: the outcome worked out once more from the proposals,
 * and whether somebody we know has signed it.
 *
 * @param outcome as worked out here; empty if it has not ended or cannot be
 * @param problems why what came cannot be believed; empty if nothing speaks against it
 */
public record CheckedRound(
    Round round, Optional<Outcome> outcome, Signature signature, List<String> problems) {
  /** Whose word the outcome is. */
  public enum Signature {
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
  public CheckedRound {
    problems = List.copyOf(problems);
  }

  /** Checks a round; without keys nobody's signature is. */
  public static CheckedRound of(Round round, List<VerifierKey> keys) {
    List<String> problems = new ArrayList<>();
    if (!round.hasResult()) {
      return new CheckedRound(round, Optional.empty(), Signature.NONE, problems);
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
    if (round.getResult().getFinal()
        && round.getResult().getSignatures().equals(Signing.MEMBERS.code())
        && !round.getResult().getDigest().isEmpty()
        && !(OutcomeCertificate.read(note, memberKeys(round))
            instanceof OutcomeCertificate.Reading.Final)) {
      problems.add("it is called final, and the signatures of too few members hold");
    }
    Optional<Outcome> outcome = Optional.empty();
    try {
      Outcome here = recomputed(round);
      outcome = Optional.of(here);
      if (!here.kind().equals(round.getResult().getOutcome())
          || !digest(here).equals(hex(round.getResult().getDigest()))) {
        problems.add("worked out here it is " + here.kind() + " with another digest");
      }
    } catch (IllegalArgumentException e) {
      problems.add("it cannot be worked out here: " + e.getMessage());
    }
    return new CheckedRound(round, outcome, signature, problems);
  }

  /** The keys that the control plane names: whoever has others asks {@code ledger verify}. */
  private static MemberKeys memberKeys(Round round) {
    Map<String, List<VerifierKey>> keys = new HashMap<>();
    for (MemberKey one : round.getMemberKeysList()) {
      VerifierKey.parse(one.getVkey())
          .value()
          .ifPresent(key -> keys.computeIfAbsent(one.getAgent(), _ -> new ArrayList<>()).add(key));
    }
    return new MemberKeys(keys, 0);
  }

  private static boolean isOf(Round round, RoundOutcome outcome) {
    return outcome.id().equals(new RoundId(round.getRound(), round.getEpoch()))
        && outcome.kind().equals(round.getResult().getOutcome())
        && outcome.verdict().orElse("").equals(round.getResult().getVerdict())
        && outcome.reason().orElse("").equals(round.getResult().getReason())
        && outcome.digest().orElse("").equals(hex(round.getResult().getDigest()));
  }

  /** Hex digest of a commit; empty for an abort. */
  public static String digest(Outcome outcome) {
    return switch (outcome) {
      case Outcome.SemanticCommit commit -> commit.digest();
      case Outcome.VerdictCommit commit -> commit.digest();
      case Outcome.Abort _ -> "";
    };
  }

  /** Bytes as they are shown. */
  public static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  /** Runs the algorithm once more, on what has been published. */
  private static Outcome recomputed(Round round) {
    RoundSpec spec =
        new RoundSpec(
            new RoundId(round.getRound(), round.getEpoch()).bound(),
            round.getFaults(),
            round.getMembersList(),
            new Encoding(round.getEncoder(), round.getDim(), round.getCosMin()),
            round.getExtraMargin(),
            !round.getStrictSemantic(),
            Coded.find(Agreement.values(), round.getAgreement()).orElse(Agreement.VECTORS));
    return Hcsc.decide(
        spec,
        round.getProposalsList().stream()
            .map(one ->
                new Proposal(
                    one.getAgent(), one.getVerdict(), hex(one.getTextSha256()), meaning(one)))
            .toList(),
        new TextComparison(
            round.getDifferencesList().stream()
                .map(one -> new CriticalDifference(one.getFirst(), one.getSecond(), one.getKind()))
                .toList(),
            ListedClaims.parse(round.getListed())));
  }

  private static Meaning meaning(RoundProposal proposal) {
    return switch (proposal.getMeaning()) {
      case "vector" ->
          QuantVector.ofBytes(proposal.getVector().toByteArray())
              .<Meaning>map(Meaning.Vector::new)
              .orElse(Meaning.MALFORMED);
      case "unencoded" -> Meaning.UNENCODED;
      default -> Meaning.MALFORMED;
    };
  }

  /**
   * How far a proposal's meaning lies from the core's direction, in degrees; empty without core or
   * vector.
   */
  public OptionalDouble degrees(RoundProposal proposal) {
    if (!(outcome.orElse(null) instanceof Outcome.SemanticCommit commit)
        || !(meaning(proposal) instanceof Meaning.Vector(QuantVector one))
        || one.dim() != commit.aggregate().dim()) {
      return OptionalDouble.empty();
    }
    QuantVector core = commit.aggregate();
    double cosine = one.dot(core) / Math.sqrt((double) one.dot(one) * core.dot(core));
    return Double.isNaN(cosine)
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.toDegrees(Math.acos(Math.clamp(cosine, -1.0, 1.0))));
  }
}
