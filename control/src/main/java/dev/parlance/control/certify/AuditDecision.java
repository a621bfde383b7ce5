package dev.parlance.control.certify;

import dev.parlance.control.certify.AuditStopped.Why;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.ledger.record.AuditState;
import dev.parlance.ledger.record.Auditor;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The second half of an audit: what follows from the verdicts. Decisions go on the ledger first,
 * because the core names a ledger size that has them; the signed core is in the store before the
 * ledger says that it is issued, so that an issued core can always be published.
 */
record AuditDecision(AuditContext context, AuditRow row, AuditWriter writer) {
  void decide() throws AuditStopped {
    List<Entry.Decided> missing =
        context.view().read(state -> Auditor.decide(state, row.id(), AuditWriter.nowMs()));
    if (!missing.isEmpty()) {
      writer.append(List.<Entry>copyOf(missing));
    }
    List<Entry> last = new ArrayList<>();
    boolean isIssued = context.view().audit(row.id(), audit -> audit.issued().isPresent());
    if (!isIssued) {
      last.add(pend());
    }
    last.add(writer.closed(row, Optional.empty()));
    writer.append(last);
    if (!context.view().audit(row.id(), audit -> audit.isClosed())) {
      throw new AuditStopped(Why.LEASE_LOST, "the ledger counts another epoch");
    }
  }

  /** Signs the core and stores it; the entry that issues it. */
  private Entry.CoreIssued pend() throws AuditStopped {
    long now = AuditWriter.nowMs();
    CertifiedCore core =
        context
            .view()
            .read(state -> {
              AuditState audit = state.audit(row.id()).orElseThrow();
              long version = state.coreVersion(audit.plan().core()) + 1;
              return Auditor.core(state, row.id(), version, now, context.view().size());
            });
    writer.check();
    put(context, row, core, writer);
    StringBuilder keys = new StringBuilder();
    TreeSet<String> certified = new TreeSet<>(core.certified());
    certified.forEach(key -> keys.append(key).append('\n'));
    return new Entry.CoreIssued(
        row.id(),
        writer.epoch(),
        core.id(),
        core.version(),
        core.ledgerSize(),
        certified.size(),
        Digest.of(keys.toString()),
        CoreNote.documentSha256(core),
        now);
  }

  /** Stores a core as pending. */
  static void put(AuditContext context, AuditRow row, CertifiedCore core, AuditWriter writer)
      throws AuditStopped {
    CoreId id = core.id();
    CoreRow pending =
        new CoreRow(
            CoreKey.of(id),
            core.version(),
            id.agents(),
            id.domain(),
            row.id(),
            CoreNote.sign(core, context.coreKey()),
            false,
            0);
    switch (context.store().putPendingCore(pending, writer.lease().lease())) {
      case DONE -> {
        // as it should be
      }
      case LEASE_LOST -> throw new AuditStopped(Why.LEASE_LOST, "the store says so");
      case VERSION_TAKEN, UNKNOWN ->
          throw new IllegalStateException(
              "version "
                  + core.version()
                  + " of core "
                  + pending.coreKey()
                  + " is in the store already; are ledger and store of one control plane?");
    }
  }
}
