package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A round whose texts were encoded once more: how its vectors compare with the new ones, and what
 * would have come of it with those.
 *
 * @param encoder id of the encoder
 * @param counts of the proposals by how their vectors compare
 * @param differing those whose vectors are different
 * @param outcome what comes of the round with the new vectors
 * @param isSameOutcome whether kind, verdict and reason are those that the recorded vectors give
 */
record Reembedding(
    String encoder,
    Map<Likeness, Integer> counts,
    List<Differing> differing,
    Outcome outcome,
    boolean isSameOutcome) {
  /** Entries of near vectors differ by no more, of 32767. */
  static final int NEAR_ENTRIES = 4;

  /** Cosine of near vectors, at least. */
  static final double NEAR_COS = 0.9999;

  /** How a recorded vector compares with the new one. The codes are stable. */
  enum Likeness implements Coded {
    /** Every entry is equal, or there is no usable vector in either case. */
    EXACT,
    /** Equal but for the rounding of another machine. */
    NEAR,
    /** The text does not give this vector. */
    DIFFERENT,
    /** The text is not there. */
    NO_TEXT,
    /** The round recorded no vector because there was no encoder; nothing to compare. */
    UNENCODED
  }

  /**
   * A proposal whose text does not give its vector.
   *
   * @param cos cosine of the two, where there are two
   */
  record Differing(String agent, OptionalDouble cos) {}

  /** Encodes a round's texts once more; a {@link LineFault.Problem} if that cannot be. */
  static Reembedding of(CommitRound round, Embedder embedder, EncoderInfo info) {
    var encoding = round.spec().encoding();
    if (encoding.isPresent()
        && !(encoding.encoder().equals(info.id()) && encoding.dim() == info.dim())) {
      throw LineFault.OTHER_ENCODER.problem(
          "expected a round of %s with vectors of %s, got %s with %s"
              .formatted(info.id(), info.dim(), encoding.encoder(), encoding.dim()));
    }
    Map<Likeness, Integer> counts = new EnumMap<>(Likeness.class);
    List<Differing> differing = new ArrayList<>();
    List<Proposal> again = new ArrayList<>();
    for (int i = 0; i < round.proposals().size(); i++) {
      Proposal recorded = round.proposals().get(i);
      Meaning meaning = recorded.meaning();
      Likeness likeness = Likeness.UNENCODED;
      if (!meaning.equals(Meaning.UNENCODED)) {
        Optional<String> text = round.texts().get(i);
        if (text.isEmpty()) {
          likeness = Likeness.NO_TEXT;
        } else {
          switch (embedder.embed(text.get()).toCompletableFuture().join()) {
            case Embedding.Encoded(float[] vector) ->
                meaning =
                    EncoderCommand.VectorJson.of(vector)
                        .<Meaning>map(Meaning.Vector::new)
                        .orElse(Meaning.MALFORMED);
            case Embedding.Refused(Embedding.EmbedFault fault, String detail) -> {
              if (fault != Embedding.EmbedFault.TOO_LARGE) {
                throw LineFault.ENCODER_UNAVAILABLE.problem(detail);
              }
              meaning = Meaning.UNENCODED;
            }
          }
          likeness = likeness(recorded.meaning(), meaning);
        }
      }
      counts.merge(likeness, 1, Integer::sum);
      if (likeness == Likeness.DIFFERENT) {
        differing.add(new Differing(recorded.agent(), cos(recorded.meaning(), meaning)));
      }
      again.add(new Proposal(recorded.agent(), recorded.verdict(), recorded.textSha256(), meaning));
    }
    Outcome before = Hcsc.decide(round.spec(), round.proposals(), round.compared());
    Outcome after = Hcsc.decide(round.spec(), again, round.compared());
    return new Reembedding(info.id(), counts, differing, after, gist(before).equals(gist(after)));
  }

  /** How many proposals compare so. */
  int count(Likeness likeness) {
    return counts.getOrDefault(likeness, 0);
  }

  /** True if nothing speaks against the record. */
  boolean isConfirmed() {
    return differing.isEmpty() && isSameOutcome;
  }

  static Likeness likeness(Meaning recorded, Meaning found) {
    if (recorded.equals(found)) {
      return Likeness.EXACT;
    }
    return recorded instanceof Meaning.Vector(QuantVector one)
            && found instanceof Meaning.Vector(QuantVector other)
            && isNear(one, other)
        ? Likeness.NEAR
        : Likeness.DIFFERENT;
  }

  private static boolean isNear(QuantVector one, QuantVector other) {
    if (one.dim() != other.dim()) {
      return false;
    }
    for (int i = 0; i < one.dim(); i++) {
      if (Math.abs(one.at(i) - other.at(i)) > NEAR_ENTRIES) {
        return false;
      }
    }
    return EncoderCommand.VectorJson.cosine(one, other) >= NEAR_COS;
  }

  private static OptionalDouble cos(Meaning recorded, Meaning found) {
    return recorded instanceof Meaning.Vector(QuantVector one)
            && found instanceof Meaning.Vector(QuantVector other)
            && one.dim() == other.dim()
        ? OptionalDouble.of(EncoderCommand.VectorJson.cosine(one, other))
        : OptionalDouble.empty();
  }

  private static String gist(Outcome outcome) {
    return switch (outcome) {
      case Outcome.SemanticCommit commit -> commit.kind() + " " + commit.verdict();
      case Outcome.VerdictCommit commit -> commit.kind() + " " + commit.verdict();
      case Outcome.Abort abort -> abort.kind() + " " + abort.reason().code();
    };
  }
}
