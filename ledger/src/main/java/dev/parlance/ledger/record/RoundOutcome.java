package dev.parlance.ledger.record;

import dev.parlance.ledger.record.Checks.RoundChecks;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;

/**
 * An outcome as the control plane signs it: what a sidecar checks a claim against.
 *
 * @param id which round and epoch
 * @param members who could propose, as opened
 * @param faults f
 * @param encoding how texts became vectors
 * @param kind {@code semantic_commit}, {@code verdict_commit}, {@code abort}
 * @param reason code of the abort's reason
 * @param verdict the verdict of a commit
 * @param delivered members whose proposals counted
 * @param support size of the largest verdict group
 * @param runnerUp size of the second
 * @param core ids of the core, in byte order; empty for an abort
 * @param subjectSha256 hex SHA-256 of what was decided about, if it was fixed
 * @param digest hex digest of a commit
 * @param signatures whose word it is; absent in rounds of older control planes: theirs alone
 * @param decidedAtMs when, milliseconds since the epoch
 */
public record RoundOutcome(
    RoundId id,
    List<String> members,
    int faults,
    Encoding encoding,
    String kind,
    Optional<String> reason,
    Optional<String> verdict,
    int delivered,
    int support,
    int runnerUp,
    List<String> core,
    Optional<String> subjectSha256,
    Optional<String> digest,
    Optional<Signing> signatures,
    long decidedAtMs) {
  /** Whose word an outcome is. The codes are stable. */
  public enum Signing implements Coded {
    /** At least 2f+1 members have signed what they proposed: final once 2f+1 sign the outcome. */
    MEMBERS,
    /** The control plane's alone. */
    UNSIGNED
  }

  /** Copies the lists, refuses what is no outcome of such a round. */
  public RoundOutcome {
    members = List.copyOf(members);
    core = List.copyOf(core);
    RoundSpec spec = new RoundSpec(id.bound(), faults, members, encoding, 0, true);
    RoundChecks.outcome(kind, reason, verdict, core, digest);
    RoundChecks.counts(spec.size(), delivered, support, runnerUp);
    subjectSha256.ifPresent(Digest::checked);
    Checks.atLeast(0, decidedAtMs, "decidedAtMs");
    if (!members.containsAll(core)) {
      throw new IllegalArgumentException("expected a core of members, got " + core);
    }
    if (kind.equals(RoundChecks.SEMANTIC_COMMIT) && !encoding.isPresent()) {
      throw new IllegalArgumentException("a semantic commit without encoder");
    }
  }

  /** True if it is final only with the signatures of 2f+1 members. */
  public boolean isOfMembers() {
    return signatures.filter(Signing.MEMBERS::equals).isPresent();
  }

  /** True for a semantic and for a verdict commit. */
  public boolean isCommit() {
    return digest.isPresent();
  }
}
