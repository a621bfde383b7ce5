package dev.parlance.control.round;

import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.encoder.BuiltInModel;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A request to open a round, its values checked.
 *
 * @param epoch 0: whichever is next
 * @param members sorted
 * @param cosMin absent: what the encoder recommends
 * @param subjectSha256 hex, if a subject was given
 * @param agreement what makes two members mean the same, where there is an encoder
 * @param signatures whether members sign
 */
public record OpeningRequest(
    String round,
    long epoch,
    List<String> members,
    int faults,
    int deadlineMs,
    OptionalDouble cosMin,
    int extraMargin,
    boolean verdictFallback,
    Optional<String> subjectSha256,
    boolean withoutEncoder,
    Agreement agreement,
    SignatureRule signatures) {

  /**
   * The least cosine of the built-in encoder where an opening names none and its agreement is
   * {@link Agreement#CRITICAL}: nearly all near wordings of a claim reach it, and few texts about
   * another matter, which the comparison parts anyway.
   */
  static final double TOPIC_COS_MIN = 0.1;

  /** Copies the list. */
  public OpeningRequest {
    members = List.copyOf(members);
  }

  /** True if this can be the name of a round. */
  public static boolean isRoundName(String name) {
    return RoundNames.isName(name) && name.length() <= RoundId.MAX_ROUND_LENGTH;
  }

  /**
   * The entry that opens the round. An encoder that cannot be used now is none: the round can then
   * end in a verdict commit or an abort.
   */
  Result<RoundEntry.Opened> entry(
      long openedEpoch, EncoderStatus encoder, Optional<String> readerSha256, long nowMs) {
    RoundId id = new RoundId(round, openedEpoch);
    Optional<EncoderInfo> info =
        !withoutEncoder && encoder instanceof EncoderStatus.Ready(EncoderInfo ready)
            ? Optional.of(ready)
            : Optional.empty();
    Encoding encoding = Encoding.none();
    if (info.isPresent()) {
      OptionalDouble bound = cosMin.isPresent() ? cosMin : recommended(info.get());
      if (bound.isEmpty()) {
        return invalid(
            "cos_min_missing",
            "encoder " + info.get().id() + " recommends no cos_min, expected one in (-1,1]");
      }
      encoding = new Encoding(info.get().id(), info.get().dim(), bound.getAsDouble());
    }
    return Result.done(
        new RoundEntry.Opened(
            id,
            new RoundSpec(
                id.bound(),
                faults,
                members,
                encoding,
                extraMargin,
                verdictFallback,
                encoding.isPresent() ? agreement : Agreement.VECTORS),
            info.map(EncoderInfo::manifestSha256),
            info.flatMap(_ -> agreement == Agreement.CRITICAL ? readerSha256 : Optional.empty()),
            subjectSha256,
            Optional.of(signatures),
            nowMs + deadlineMs,
            nowMs));
  }

  /**
   * What the encoder recommends. Where texts are compared word by word, vectors only have to be of
   * one topic.
   */
  private OptionalDouble recommended(EncoderInfo info) {
    if (agreement == Agreement.CRITICAL && info.id().equals(BuiltInModel.ID)) {
      return OptionalDouble.of(TOPIC_COS_MIN);
    }
    Optional<Double> topic =
        agreement == Agreement.CRITICAL ? info.topicCosMin() : Optional.empty();
    return topic.or(info::cosMin).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }

  /** Whether a round that is open already is what is asked for. */
  boolean asksFor(RoundEntry.Opened opened) {
    RoundSpec spec = opened.spec();
    boolean isEncodingMeant =
        withoutEncoder
            ? !opened.encoding().isPresent()
            : cosMin.isEmpty()
                || !opened.encoding().isPresent()
                || opened.encoding().cosMin() == cosMin.getAsDouble();
    return spec.members().equals(members)
        && spec.faults() == faults
        && spec.extraMargin() == extraMargin
        && spec.verdictFallback() == verdictFallback
        && (spec.agreement() == agreement || !opened.encoding().isPresent())
        && opened.subjectSha256().equals(subjectSha256)
        && (opened.signatures().isEmpty() || opened.signatures().get() == signatures)
        && opened.deadlineMs() - opened.atMs() == deadlineMs
        && isEncodingMeant;
  }

  private static <T> Result<T> invalid(String reason, String message) {
    return Result.refused(Result.Kind.INVALID, reason, message);
  }
}
