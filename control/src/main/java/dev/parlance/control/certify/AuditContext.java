package dev.parlance.control.certify;

import dev.parlance.control.config.AuditSettings;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.store.Store;
import dev.parlance.ledger.note.SignerKey;
import java.time.Duration;

/**
 * What every audit of a replica works with.
 *
 * @param replica its name, for people
 * @param owner its name in leases, of this process alone
 * @param coreKey signs cores
 * @param wakeups what to call when something was done that others of this process wait for
 * @param aliveFor how long a sidecar counts as attached after its last sign of life
 * @param pollMs how often the store is asked
 */
public record AuditContext(
    Store store,
    LedgerWriter ledger,
    LedgerView view,
    SignerKey coreKey,
    ControlMetrics metrics,
    AuditSettings settings,
    Wakeups wakeups,
    String replica,
    String owner,
    Duration aliveFor,
    int pollMs) {

  /** Prefix of the leases that audits are run under. */
  static final String LEASE_PREFIX = "audit:";

  /** How long a sidecar may be away before the audits of its agent are abandoned. */
  long sidecarPatienceMs() {
    return 4L * settings.answerTimeoutMs();
  }

  /** How long the ledger may be away before an audit is abandoned. */
  long ledgerPatienceMs() {
    return Math.max(30_000L, 4L * settings.answerTimeoutMs());
  }

  /**
   * How long an answer may take to reach the store: somebody takes the question and dies, somebody
   * else asks it again.
   */
  long answerPatienceMs() {
    return AttachHub.claimMs(settings.answerTimeoutMs())
        + settings.answerTimeoutMs()
        + 2L * pollMs
        + 1_000;
  }

  Duration leaseTtl() {
    return Duration.ofMillis(settings.leaseTtlMs());
  }
}
