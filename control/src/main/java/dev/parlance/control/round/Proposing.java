package dev.parlance.control.round;

import com.google.protobuf.ByteString;
import dev.parlance.control.certify.Attempt;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundNames;
import dev.parlance.proto.v1.ProposeRequest;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A proposal as it was sent, its values checked.
 *
 * @param textSha256 hex SHA-256 of the rationale
 * @param subjectSha256 hex, if the sender names one
 * @param messageSha256 hex
 */
record Proposing(
    RoundId id,
    String agent,
    String verdict,
    String rationale,
    String textSha256,
    Optional<String> subjectSha256,
    String messageSha256,
    String route,
    String decision) {
  private static final int MOST_RATIONALE_BYTES = 32 << 10;
  private static final int DIGEST_BYTES = 32;
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  /** Checks a request. */
  static Attempt<Proposing> of(ProposeRequest request) {
    if (!Opening.isRoundName(request.getRound()) || request.getEpoch() < 1) {
      return bad("the name of a round and an epoch from 1", request.getRound());
    }
    if (!RoundNames.isName(request.getAgent())) {
      return bad("the id of an agent", request.getAgent());
    }
    if (!RoundNames.isName(request.getVerdict())) {
      return Attempt.refused(
          Attempt.Kind.INVALID,
          "bad_verdict",
          "got verdict \""
              + Shown.of(request.getVerdict())
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
    return Attempt.done(
        new Proposing(
            new RoundId(request.getRound(), request.getEpoch()),
            request.getAgent(),
            request.getVerdict(),
            request.getRationale(),
            Digest.of(request.getRationale()),
            Optional.of(request.getSubjectSha256())
                .filter(digest -> !digest.isEmpty())
                .map(Proposing::hex),
            hex(request.getMessageSha256()),
            request.getRoute(),
            request.getDecision()));
  }

  /** True if this entry says the same: then it is the same proposal, sent again. */
  boolean isSaidBy(RoundEntry.Proposed entry) {
    return entry.agent().equals(agent)
        && entry.verdict().equals(verdict)
        && entry.textSha256().equals(textSha256);
  }

  /** As the state machine sees it. */
  Proposal with(Meaning meaning) {
    return new Proposal(agent, verdict, textSha256, meaning);
  }

  /** The entry that puts it on the ledger. */
  RoundEntry.Proposed entry(Meaning meaning, long nowMs) {
    return new RoundEntry.Proposed(
        id, agent, verdict, textSha256, meaning, messageSha256, route, decision, nowMs);
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static <T> Attempt<T> bad(String expected, String got) {
    return Attempt.refused(
        Attempt.Kind.INVALID,
        "bad_proposal",
        "got \"" + Shown.of(got) + "\", expected " + expected);
  }
}
