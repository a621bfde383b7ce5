package dev.parlance.control.certify;

import dev.parlance.control.certify.api.AuditRows.Report;
import dev.parlance.control.config.ControlConfig.AuditSettings;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.AuditState;
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

  /** What is shown of an audit without its results. */
  Report report(AuditRow row, long epoch) {
    return view.read(state ->
        state
            .audit(row.id())
            .map(audit ->
                Report.of(
                    replica,
                    epoch,
                    questions(audit),
                    (int) audit.answered(),
                    (int) audit.unanswered()))
            .orElseGet(() -> Report.of(replica, epoch, 0, 0, 0)));
  }

  private static int questions(AuditState audit) {
    if (audit.isClosed() || !audit.isDrawn()) {
      return (int) (audit.answered() + audit.unanswered());
    }
    return (int)
        audit.terms().stream()
            .filter(audit::isTested)
            .mapToLong(term -> (long) audit.drawn(term).size() * audit.plan().agents().size())
            .sum();
  }

  /**
   * What the other parts of a replica are told at once, where other replicas find it at their next
   * poll.
   *
   * @param questionsAsked questions are in the store
   * @param coresPublished a core was published
   */
  public record Wakeups(Runnable questionsAsked, Runnable coresPublished) {}
}
