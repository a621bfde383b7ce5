package dev.parlance.control.round;

import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import java.util.Optional;

/**
 * A proposal as it was sent, its values checked.
 *
 * @param textSha256 hex SHA-256 of the rationale
 * @param subjectSha256 hex, if the sender names one
 * @param messageSha256 hex
 * @param signature of the member's key, in base64 as signed notes have it
 * @param isPreparing true if nothing is proposed yet: the sender asks what it is to sign
 */
public record ProposalRequest(
    RoundId id,
    String agent,
    String verdict,
    String rationale,
    String textSha256,
    Optional<String> subjectSha256,
    String messageSha256,
    String route,
    String decision,
    Optional<String> signature,
    boolean isPreparing) {

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
        id, agent, verdict, textSha256, meaning, messageSha256, route, decision, signature, nowMs);
  }
}
