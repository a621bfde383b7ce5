package dev.parlance.control.round;

import dev.parlance.control.certify.Attempt;
import dev.parlance.control.embed.EncoderInfo;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.proto.v1.OpenRoundRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
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
 */
record Opening(
    String round,
    long epoch,
    List<String> members,
    int faults,
    int deadlineMs,
    OptionalDouble cosMin,
    int extraMargin,
    boolean verdictFallback,
    Optional<String> subjectSha256,
    boolean withoutEncoder) {
  private static final int LEAST_DEADLINE_MS = 100;
  private static final int MOST_DEADLINE_MS = 86_400_000;
  private static final int MOST_SUBJECT_BYTES = 64 << 10;

  /** Copies the list. */
  Opening {
    members = List.copyOf(members);
  }

  /** Checks a request. */
  static Attempt<Opening> of(OpenRoundRequest request, int defaultDeadlineMs) {
    if (!isRoundName(request.getRound())) {
      return invalid(
          "bad_round",
          "got round \""
              + Shown.of(request.getRound())
              + "\", expected a name of at most "
              + RoundId.MAX_ROUND_LENGTH
              + " characters: letters, digits and ._:/-");
    }
    if (request.getEpoch() < 0) {
      return invalid("bad_epoch", "expected an epoch below 2^63");
    }
    List<String> members = request.getMembersList();
    if (members.isEmpty()
        || members.size() > RoundSpec.MAX_MEMBERS
        || !members.stream().allMatch(RoundNames::isName)
        || new HashSet<>(members).size() != members.size()) {
      return invalid(
          "bad_members",
          "got "
              + members.size()
              + " members, expected 1 to "
              + RoundSpec.MAX_MEMBERS
              + " distinct ids of agents");
    }
    if (request.getFaults() < 0 || request.getFaults() > RoundSpec.MAX_MEMBERS) {
      return outOfRange(
          "bad_faults",
          "faults",
          Integer.toUnsignedLong(request.getFaults()),
          0,
          RoundSpec.MAX_MEMBERS);
    }
    int deadlineMs = request.getDeadlineMs() == 0 ? defaultDeadlineMs : request.getDeadlineMs();
    if (deadlineMs < LEAST_DEADLINE_MS || deadlineMs > MOST_DEADLINE_MS) {
      return outOfRange(
          "bad_deadline",
          "deadline_ms",
          Integer.toUnsignedLong(request.getDeadlineMs()),
          LEAST_DEADLINE_MS,
          MOST_DEADLINE_MS);
    }
    if (request.getExtraMargin() < 0 || request.getExtraMargin() > RoundSpec.MAX_MEMBERS) {
      return outOfRange(
          "bad_margin",
          "extra_margin",
          Integer.toUnsignedLong(request.getExtraMargin()),
          0,
          RoundSpec.MAX_MEMBERS);
    }
    if (request.hasCosMin() && !(request.getCosMin() > -1.0 && request.getCosMin() <= 1.0)) {
      return invalid(
          "bad_cos_min", "got cos_min " + request.getCosMin() + ", expected it in (-1,1]");
    }
    int subjectBytes = request.getSubject().getBytes(StandardCharsets.UTF_8).length;
    if (subjectBytes > MOST_SUBJECT_BYTES) {
      return outOfRange(
          "subject_too_large", "bytes of subject", subjectBytes, 0, MOST_SUBJECT_BYTES);
    }
    return Attempt.done(
        new Opening(
            request.getRound(),
            request.getEpoch(),
            members.stream().sorted().toList(),
            request.getFaults(),
            deadlineMs,
            request.hasCosMin() ? OptionalDouble.of(request.getCosMin()) : OptionalDouble.empty(),
            request.getExtraMargin(),
            !request.getStrictSemantic(),
            Optional.of(request.getSubject()).filter(text -> !text.isEmpty()).map(Digest::of),
            request.getWithoutEncoder()));
  }

  static boolean isRoundName(String name) {
    return RoundNames.isName(name) && name.length() <= RoundId.MAX_ROUND_LENGTH;
  }

  /**
   * The entry that opens the round. An encoder that cannot be used now is none: the round can then
   * end in a verdict commit or an abort.
   */
  Attempt<RoundEntry.Opened> entry(long openedEpoch, EncoderStatus encoder, long nowMs) {
    RoundId id = new RoundId(round, openedEpoch);
    Optional<EncoderInfo> info =
        !withoutEncoder && encoder instanceof EncoderStatus.Ready(EncoderInfo ready)
            ? Optional.of(ready)
            : Optional.empty();
    Encoding encoding = Encoding.none();
    if (info.isPresent()) {
      OptionalDouble bound =
          cosMin.isPresent()
              ? cosMin
              : info.get().cosMin().map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
      if (bound.isEmpty()) {
        return invalid(
            "cos_min_missing",
            "encoder " + info.get().id() + " recommends no cos_min, expected one in (-1,1]");
      }
      encoding = new Encoding(info.get().id(), info.get().dim(), bound.getAsDouble());
    }
    return Attempt.done(
        new RoundEntry.Opened(
            id,
            new RoundSpec(id.bound(), faults, members, encoding, extraMargin, verdictFallback),
            info.map(EncoderInfo::manifestSha256),
            subjectSha256,
            nowMs + deadlineMs,
            nowMs));
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
        && opened.subjectSha256().equals(subjectSha256)
        && opened.deadlineMs() - opened.atMs() == deadlineMs
        && isEncodingMeant;
  }

  private static <T> Attempt<T> outOfRange(
      String reason, String what, long value, long least, long most) {
    return invalid(reason, "got " + value + " as " + what + ", expected " + least + " to " + most);
  }

  private static <T> Attempt<T> invalid(String reason, String message) {
    return Attempt.refused(Attempt.Kind.INVALID, reason, message);
  }
}
