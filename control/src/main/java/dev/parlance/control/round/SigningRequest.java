package dev.parlance.control.round;

import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.RoundId;

/**
 * A member's signature on an outcome as it was sent, its values checked.
 *
 * @param documentSha256 hex SHA-256 of the text that was signed
 * @param signature of the member's key, in base64 as signed notes have it
 */
public record SigningRequest(RoundId id, String agent, String documentSha256, String signature) {
  /** The entry that puts it on the ledger. */
  RoundEntry.Signed entry(long nowMs) {
    return new RoundEntry.Signed(id, agent, documentSha256, signature, nowMs);
  }
}
