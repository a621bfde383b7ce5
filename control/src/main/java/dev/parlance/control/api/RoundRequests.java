package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.round.OpeningRequest;
import dev.parlance.control.round.ProposalRequest;
import dev.parlance.control.round.RoundCoordinator.RoundQuery;
import dev.parlance.control.round.SigningRequest;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.text.Coded;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.SignOutcomeRequest;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Checks the requests of the round service and turns them into plain records. */
final class RoundRequests {
  private static final int LEAST_DEADLINE_MS = 100;
  private static final int MOST_DEADLINE_MS = 86_400_000;
  private static final int MOST_SUBJECT_BYTES = 64 << 10;
  private static final int MOST_RATIONALE_BYTES = 32 << 10;
  private static final int DIGEST_BYTES = 32;
  private static final int SIGNATURE_BYTES = 68;
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  private RoundRequests() {}

  /** Which round is meant. */
  static RoundQuery query(GetRoundRequest request) {
    return new RoundQuery(request.getRound(), request.getEpoch(), request.getTexts());
  }

  /** A request to open a round. */
  static Result<OpeningRequest> opening(OpenRoundRequest request, RoundsSettings settings) {
    if (!OpeningRequest.isRoundName(request.getRound())) {
      return invalid(
          "bad_round",
          "got round \""
              + Quoted.cut(request.getRound())
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
    int deadlineMs =
        request.getDeadlineMs() == 0 ? settings.defaultDeadlineMs() : request.getDeadlineMs();
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
    Optional<Agreement> agreement =
        request.getAgreement().isEmpty()
            ? Optional.of(settings.agreement())
            : Coded.find(Agreement.values(), request.getAgreement());
    if (agreement.isEmpty()) {
      return invalid(
          "bad_agreement",
          "got agreement \""
              + Quoted.cut(request.getAgreement())
              + "\", expected vectors or critical");
    }
    Optional<SignatureRule> signatures =
        request.getSignatures().isEmpty()
            ? Optional.of(settings.signatures())
            : Coded.find(SignatureRule.values(), request.getSignatures());
    if (signatures.isEmpty()) {
      return invalid(
          "bad_signatures",
          "got signatures \""
              + Quoted.cut(request.getSignatures())
              + "\", expected offered or required");
    }
    int subjectBytes = request.getSubject().getBytes(StandardCharsets.UTF_8).length;
    if (subjectBytes > MOST_SUBJECT_BYTES) {
      return outOfRange(
          "subject_too_large", "bytes of subject", subjectBytes, 0, MOST_SUBJECT_BYTES);
    }
    return Result.done(
        new OpeningRequest(
            request.getRound(),
            request.getEpoch(),
            members.stream().sorted().toList(),
            request.getFaults(),
            deadlineMs,
            request.hasCosMin() ? OptionalDouble.of(request.getCosMin()) : OptionalDouble.empty(),
            request.getExtraMargin(),
            !request.getStrictSemantic(),
            Optional.of(request.getSubject()).filter(text -> !text.isEmpty()).map(Digest::of),
            request.getWithoutEncoder(),
            agreement.orElseThrow(),
            signatures.get()));
  }

  /** A proposal. */
  static Result<ProposalRequest> proposal(ProposeRequest request) {
    if (!OpeningRequest.isRoundName(request.getRound()) || request.getEpoch() < 1) {
      return bad("the name of a round and an epoch from 1", request.getRound());
    }
    if (!RoundNames.isName(request.getAgent())) {
      return bad("the id of an agent", request.getAgent());
    }
    if (!RoundNames.isName(request.getVerdict())) {
      return Result.refused(
          Result.Kind.INVALID,
          "bad_verdict",
          "got verdict \""
              + Quoted.cut(request.getVerdict())
              + "\", expected a name: letters, digits and ._:/-");
    }
    int bytes = request.getRationale().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_RATIONALE_BYTES) {
      return bad("a rationale of at most " + MOST_RATIONALE_BYTES + " bytes", bytes + " bytes");
    }
    int subject = request.getSubjectSha256().size();
    if (subject != 0 && subject != DIGEST_BYTES) {
      return bad("a subject digest of 32 bytes or none", subject + " bytes");
    }
    if (request.getMessageSha256().size() != DIGEST_BYTES) {
      return bad("a message digest of 32 bytes", request.getMessageSha256().size() + " bytes");
    }
    if (!CODE.matcher(request.getRoute()).matches()) {
      return bad("the code of a route", request.getRoute());
    }
    if (!RoundNames.isName(request.getDecision())) {
      return bad("the id of a decision", request.getDecision());
    }
    int signature = request.getSignature().size();
    if (signature != 0 && signature != SIGNATURE_BYTES) {
      return badSignature(signature);
    }
    return Result.done(
        new ProposalRequest(
            new RoundId(request.getRound(), request.getEpoch()),
            request.getAgent(),
            request.getVerdict(),
            request.getRationale(),
            Digest.of(request.getRationale()),
            Optional.of(request.getSubjectSha256())
                .filter(digest -> !digest.isEmpty())
                .map(RoundRequests::hex),
            hex(request.getMessageSha256()),
            request.getRoute(),
            request.getDecision(),
            Optional.of(request.getSignature())
                .filter(given -> !given.isEmpty())
                .map(RoundRequests::base64),
            request.getPrepare()));
  }

  /** A signature on an outcome. */
  static Result<SigningRequest> signing(SignOutcomeRequest request) {
    if (!OpeningRequest.isRoundName(request.getRound()) || request.getEpoch() < 1) {
      return bad("the name of a round and an epoch from 1", request.getRound());
    }
    if (!RoundNames.isName(request.getAgent())) {
      return bad("the id of an agent", request.getAgent());
    }
    if (request.getDocumentSha256().size() != DIGEST_BYTES) {
      return bad("a digest of 32 bytes", request.getDocumentSha256().size() + " bytes");
    }
    return request.getSignature().size() == SIGNATURE_BYTES
        ? Result.done(
            new SigningRequest(
                new RoundId(request.getRound(), request.getEpoch()),
                request.getAgent(),
                hex(request.getDocumentSha256()),
                base64(request.getSignature())))
        : badSignature(request.getSignature().size());
  }

  private static <T> Result<T> badSignature(int bytes) {
    return invalid("bad_signature", "got " + bytes + " bytes, expected " + SIGNATURE_BYTES);
  }

  private static String base64(ByteString bytes) {
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static <T> Result<T> outOfRange(
      String reason, String what, long value, long least, long most) {
    return invalid(reason, "got " + value + " as " + what + ", expected " + least + " to " + most);
  }

  private static <T> Result<T> invalid(String reason, String message) {
    return Result.refused(Result.Kind.INVALID, reason, message);
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static <T> Result<T> bad(String expected, String got) {
    return Result.refused(
        Result.Kind.INVALID,
        "bad_proposal",
        "got \"" + Quoted.cut(got) + "\", expected " + expected);
  }
}
