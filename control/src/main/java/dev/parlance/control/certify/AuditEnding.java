package dev.parlance.control.certify;

import dev.parlance.control.certify.AuditStopped.Why;
import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.certify.api.AuditRows.Report;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.ledger.record.Auditor;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.service.IoWords;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left when an audit's end is on the ledger: its core is published, its row finished. All
 * of it follows from the ledger, so it can be done at any time, by any replica, and twice.
 */
record AuditEnding(AuditContext context, AuditRow row, AuditWriter writer) {
  private static final Logger log = LoggerFactory.getLogger(AuditEnding.class);

  void finish() throws AuditStopped {
    AuditRecord record = record();
    Optional<String> failure = record.closed().flatMap(Entry.Closed::failure);
    CertificationParams perTerm = context.view().audit(row.id(), audit -> audit.plan().perTerm());
    Report report = context.report(row, writer.epoch()).decided(record.decided(), perTerm);
    if (failure.isPresent()) {
      report = report.failed(failure.get());
    } else {
      Entry.CoreIssued issued =
          record
              .issued()
              .orElseThrow(
                  () -> new IllegalStateException("audit " + row.id() + " issued no core"));
      publish(issued);
      report = report.issued(issued.version());
    }
    String state = failure.isPresent() ? AuditRows.ABANDONED : AuditRows.COMPLETED;
    boolean isDone =
        context
            .store()
            .updateAudit(
                AuditRows.with(row, state, context.store().nowMs(), report),
                writer.lease().lease());
    if (!isDone) {
      throw new AuditStopped(Why.LEASE_LOST, "the store says so");
    }
    context.store().forgetAudit(row.id());
    context.metrics().count(ControlMeter.AUDITS_ENDED, failure.orElse("completed"));
    log.atInfo()
        .addKeyValue("audit", row.id())
        .addKeyValue("plan", row.plan())
        .addKeyValue("epoch", writer.epoch())
        .addKeyValue("end", failure.orElse("completed"))
        .log("audit ended");
  }

  private AuditRecord record() throws AuditStopped {
    try {
      long opened = context.view().audit(row.id(), audit -> audit.index());
      return AuditRecord.read(context.view(), row.id(), opened);
    } catch (IOException e) {
      throw new AuditStopped(Why.LEDGER, IoWords.why(e));
    }
  }

  /** Publishes the very core that the ledger says was issued. */
  private void publish(Entry.CoreIssued issued) throws AuditStopped {
    String key = CoreKey.of(issued.core());
    if (context.store().core(key, issued.version()).isPresent()) {
      return; // by whoever had the audit before
    }
    CertifiedCore core =
        context
            .view()
            .read(state ->
                Auditor.core(
                    state, row.id(), issued.version(), issued.atMs(), issued.ledgerSize()));
    if (!CoreNote.documentSha256(core).equals(issued.documentSha256())) {
      throw new IllegalStateException(
          "core " + key + " version " + issued.version() + " is not what the ledger leads to");
    }
    byte[] note = CoreNote.sign(core, context.coreKey());
    Optional<CoreRow> pending = context.store().pendingCore(row.id());
    if (pending.isEmpty()
        || pending.get().version() != issued.version()
        || !java.util.Arrays.equals(pending.get().note(), note)) {
      AuditDecision.put(context, row, core, writer);
    }
    CorePut put = context.store().publishCore(key, issued.version(), writer.lease().lease());
    switch (put) {
      case DONE -> context.wakeups().coresPublished().run();
      case LEASE_LOST -> throw new AuditStopped(Why.LEASE_LOST, "the store says so");
      case VERSION_TAKEN, UNKNOWN ->
          throw new IllegalStateException("core " + key + " cannot be published: " + put);
    }
  }

  /**
   * What the ledger says in the end of one audit: read from its entries, so that it can be had
   * again at any time.
   *
   * @param decided the decisions that count, in order
   * @param issued the core
   * @param closed its end
   */
  record AuditRecord(
      List<Entry.Decided> decided,
      Optional<Entry.CoreIssued> issued,
      Optional<Entry.Closed> closed) {

    /** A pair and a term. */
    private record Matter(List<String> agents, String term) {}

    /**
     * Reads the entries from the audit's opening on. Those of a replica that was taken over from
     * count for nothing, and of two that say the same the first counts.
     *
     * @throws IOException if the ledger cannot be read
     */
    static AuditRecord read(LedgerView view, String audit, long openedIndex) throws IOException {
      List<Entry> entries =
          view.entries(
              openedIndex,
              entry -> entry instanceof Entry.OfAudit part && part.audit().equals(audit));
      long epoch = 0;
      Map<Matter, Entry.Decided> decided = new LinkedHashMap<>();
      Optional<Entry.CoreIssued> issued = Optional.empty();
      Optional<Entry.Closed> closed = Optional.empty();
      for (Entry entry : entries) {
        if (!(entry instanceof Entry.OfAudit part) || part.epoch() < epoch || closed.isPresent()) {
          continue;
        }
        switch (part) {
          case Entry.Opened opened -> epoch = Math.max(epoch, opened.epoch());
          case Entry.TakenOver taken -> epoch = Math.max(epoch, taken.epoch());
          case Entry.Decided decision ->
              decided.putIfAbsent(new Matter(decision.agents(), decision.term()), decision);
          case Entry.CoreIssued core -> issued = issued.or(() -> Optional.of(core));
          case Entry.Closed end -> closed = Optional.of(end);
          case Entry.Test _, Entry.Unanswered _, Entry.Renegotiated _ -> {
            // what the decisions rest on
          }
        }
      }
      return new AuditRecord(List.copyOf(decided.values()), issued, closed);
    }
  }
}
