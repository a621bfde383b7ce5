package dev.parlance.control.certify;

import dev.parlance.control.certify.AuditStopped.Why;
import dev.parlance.control.certify.Interview.Witnessing;
import dev.parlance.control.certify.api.Ask;
import dev.parlance.control.certify.api.AuditPlan;
import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.certify.api.AuditRows.Report;
import dev.parlance.control.certify.api.PlanTexts;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.ledger.record.AuditState;
import dev.parlance.ledger.record.Draw;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.PlanState;
import dev.parlance.service.IoWords;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One audit, run by one replica under the audit's lease. Where it stands is read from the ledger,
 * so whoever has the lease can go on from wherever the former one stopped.
 *
 * <pre>
 * nothing on the ledger  -> plan, Opened
 * opened by an epoch before ours -> TakenOver
 * offers without reply   -> asked (renegotiation only)
 * questions without entry-> asked, each answer appended before it counts
 * decisions missing      -> appended
 * no core                -> signed, stored as pending, CoreIssued and Closed appended together
 * closed, row unfinished -> core published, row finished
 * </pre>
 */
final class AuditRun {
  private static final Logger log = LoggerFactory.getLogger(AuditRun.class);

  private final AuditContext context;
  private final AuditRow row;
  private final AuditWriter writer;
  private final LeaseHold lease;

  AuditRun(AuditContext context, AuditRow row, LeaseHold lease, BooleanSupplier draining) {
    this.context = context;
    this.row = row;
    this.lease = lease;
    this.writer = new AuditWriter(context, lease, draining);
  }

  /** Something that this audit may wait for has happened. */
  void wake() {
    writer.wake();
  }

  /** Works on the audit until it has ended, or until this replica must stop; then why. */
  Optional<Why> run() {
    try {
      conduct();
      return Optional.empty();
    } catch (AuditStopped e) {
      if (e.why() == Why.LEASE_LOST) {
        context.metrics().count(ControlMeter.LEASE_LOSSES);
      }
      log.atInfo()
          .addKeyValue("audit", row.id())
          .addKeyValue("epoch", writer.epoch())
          .addKeyValue("why", e.why())
          .addKeyValue("detail", e.getMessage())
          .log("stopped working on an audit");
      return Optional.of(e.why());
    }
  }

  private void conduct() throws AuditStopped {
    writer.catchUp();
    Optional<Boolean> closed =
        context.view().read(state -> state.audit(row.id()).map(AuditState::isClosed));
    Optional<String> neverOpened = Optional.empty();
    if (closed.isEmpty()) {
      try {
        neverOpened = open();
      } catch (AuditStopped e) {
        if (e.why() != Why.LEDGER) {
          throw e;
        }
        neverOpened = Optional.of("ledger_unavailable");
      }
    } else if (!closed.get()) {
      takeOver();
    }
    if (neverOpened.isPresent()) {
      end(AuditRows.ABANDONED, neverOpened.get());
      return;
    }
    if (closed.isEmpty() || !closed.get()) {
      if (!work()) {
        return;
      }
    }
    new AuditEnding(context, row, writer).finish();
  }

  // ---- the beginning ----

  /** Puts plan and opening on the ledger; why there is nothing to open, if that is so. */
  private Optional<String> open() throws AuditStopped {
    Optional<PlanRow> planRow = context.store().plan(row.plan());
    if (planRow.isEmpty() || planRow.get().revision() != row.planRevision()) {
      return Optional.of("plan_changed");
    }
    AuditPlan plan = AuditPlan.read(planRow.get());
    closeAbandoned(plan);
    Optional<PlanState> known =
        context.view().read(state -> state.plan(row.plan(), row.planRevision()));
    if (known.isEmpty()) {
      writer.append(EntryCodec.planEntries(plan.entry(row.planRevision(), AuditWriter.nowMs())));
    }
    Entry.Kind kind = AuditRows.ledgerKind(row.kind());
    List<String> terms =
        context
            .view()
            .read(state ->
                state
                    .plan(row.plan(), row.planRevision())
                    .map(now -> Audits.terms(state, now, kind, row.terms()))
                    .orElse(List.of()));
    if (terms.isEmpty()) {
      return Optional.of("nothing_to_audit");
    }
    boolean isAll = terms.size() == plan.terms().size();
    writer.append(
        EntryCodec.openedEntries(
            new Entry.Opened(
                row.id(),
                writer.epoch(),
                row.plan(),
                row.planRevision(),
                kind,
                isAll ? List.of() : terms,
                Draw.commitment(row.seed()),
                AuditWriter.nowMs())));
    if (context.view().read(state -> state.audit(row.id())).isEmpty()) {
      throw new AuditStopped(Why.WAIT, "the ledger has another audit of this plan or core");
    }
    return Optional.empty();
  }

  /** An audit that was given up while the ledger was away still stands open there. */
  private void closeAbandoned(AuditPlan plan) throws AuditStopped {
    List<AuditState> others =
        context
            .view()
            .read(state ->
                state.running().stream()
                    .filter(other ->
                        other.opened().plan().equals(plan.name())
                            || other.plan().core().equals(plan.core()))
                    .toList());
    for (AuditState other : others) {
      Optional<AuditRow> left = context.store().audit(other.id());
      if (left.isPresent() && !AuditRows.isFinished(left.get())) {
        throw new AuditStopped(Why.WAIT, "audit " + other.id() + " has not ended");
      }
      Optional<Lease> right =
          context
              .store()
              .acquire(AuditContext.LEASE_PREFIX + other.id(), context.owner(), context.leaseTtl());
      if (right.isEmpty()) {
        throw new AuditStopped(Why.WAIT, "somebody has audit " + other.id());
      }
      try {
        long epoch = Math.max(right.get().epoch(), other.epoch() + 1);
        // Without its row nobody knows the seed; whoever recomputes sees that it does not open.
        byte[] seed = left.map(AuditRow::seed).orElseGet(() -> new byte[Draw.SEED_BYTES]);
        writer.append(
            List.of(
                new Entry.TakenOver(other.id(), epoch, AuditWriter.nowMs()),
                new Entry.Closed(
                    other.id(),
                    epoch,
                    HexFormat.of().formatHex(seed),
                    Optional.of("ledger_unavailable"),
                    AuditWriter.nowMs())));
      } finally {
        context.store().release(right.get());
      }
    }
  }

  private void takeOver() throws AuditStopped {
    long former = context.view().audit(row.id(), audit -> audit.epoch());
    if (former >= writer.epoch()) {
      // The store is older than the ledger: the next lease has a higher epoch.
      throw new AuditStopped(Why.WAIT, "the ledger knows epoch " + former);
    }
    writer.append(List.of(new Entry.TakenOver(row.id(), writer.epoch(), AuditWriter.nowMs())));
    context.metrics().count(ControlMeter.AUDITS_TAKEN_OVER);
    log.atInfo()
        .addKeyValue("audit", row.id())
        .addKeyValue("epoch", writer.epoch())
        .log("took an audit over");
  }

  // ---- the work ----

  /** Everything up to the end on the ledger; false if the row was ended without it. */
  private boolean work() throws AuditStopped {
    context
        .view()
        .tell(state -> {
          if (!state.reveal(row.id(), row.seed())) {
            throw new IllegalStateException("the seed of " + row.id() + " is another one");
          }
        });
    boolean isDeciding = context.view().audit(row.id(), AuditRun::hasDecision);
    if (!isDeciding) {
      Optional<String> failure;
      try {
        failure = testing();
      } catch (AuditStopped e) {
        if (e.why() != Why.LEDGER) {
          throw e;
        }
        // What is open on the ledger is closed there before this plan's next audit.
        end(AuditRows.ABANDONED, "ledger_unavailable");
        return false;
      }
      if (failure.isPresent()) {
        writer.append(List.of(writer.closed(row, failure)));
        return true;
      }
    }
    new AuditDecision(context, row, writer).decide();
    return true;
  }

  private static boolean hasDecision(AuditState audit) {
    return audit.issued().isPresent()
        || audit.terms().stream()
            .anyMatch(term ->
                audit.plan().pairs().stream().anyMatch(pair -> audit.isDecided(pair, term)));
  }

  /** Offers and questions; why the audit fails, if it does. */
  private Optional<String> testing() throws AuditStopped {
    if (context.view().read(state -> state.isExhausted(state.audit(row.id()).orElseThrow()))) {
      return Optional.of("events_exhausted");
    }
    Optional<PlanTexts> texts = texts();
    if (texts.isEmpty()) {
      return Optional.of("plan_changed");
    }
    tellProgress();
    if (AuditRows.ledgerKind(row.kind()) == Entry.Kind.RENEGOTIATE) {
      Negotiation offers = offers(texts.get());
      if (interview(offers, texts.get()).conduct(offers.asks()) == Interview.End.NO_SIDECAR) {
        return Optional.of("no_sidecar");
      }
      boolean isAnyAdopted =
          context.view().audit(row.id(), audit -> audit.terms().stream().anyMatch(audit::isTested));
      if (!isAnyAdopted) {
        return Optional.of("offer_declined");
      }
    }
    List<Ask> asks =
        context
            .view()
            .audit(
                row.id(),
                audit ->
                    audit.openQuestions().stream()
                        .map(each -> new Ask(each.agent(), each.term(), each.event()))
                        .toList());
    Witnessing tests = new Witnessing(context, row.id(), writer.epoch(), texts.get());
    Interview.End end = interview(tests, texts.get()).conduct(asks);
    return end == Interview.End.NO_SIDECAR ? Optional.of("no_sidecar") : Optional.empty();
  }

  private Negotiation offers(PlanTexts texts) throws AuditStopped {
    try {
      return Negotiation.of(context, row.id(), writer.epoch(), texts);
    } catch (IOException e) {
      throw new AuditStopped(Why.LEDGER, IoWords.why(e));
    }
  }

  private Interview interview(Interview.Phrasing phrasing, PlanTexts texts) {
    return new Interview(context, writer, row.id(), texts.pauseMs(), phrasing, this::tellProgress);
  }

  /** The plan's texts; empty if there is a newer revision by now. */
  private Optional<PlanTexts> texts() {
    return context
        .store()
        .plan(row.plan())
        .filter(plan -> plan.revision() == row.planRevision())
        .map(plan -> new PlanTexts(AuditPlan.read(plan)));
  }

  // ---- what others see ----

  private void tellProgress() throws AuditStopped {
    update(AuditRows.RUNNING, 0, report());
  }

  private void end(String state, String failure) throws AuditStopped {
    update(state, context.store().nowMs(), report().failed(failure));
    context.store().forgetAudit(row.id());
    context.metrics().count(ControlMeter.AUDITS_ENDED, failure);
    log.atWarn()
        .addKeyValue("audit", row.id())
        .addKeyValue("plan", row.plan())
        .addKeyValue("failure", failure)
        .log("audit abandoned");
  }

  private void update(String state, long endedAtMs, Report report) throws AuditStopped {
    if (!context
        .store()
        .updateAudit(AuditRows.with(row, state, endedAtMs, report), lease.lease())) {
      throw new AuditStopped(Why.LEASE_LOST, "the store says so");
    }
  }

  private Report report() {
    return context.report(row, writer.epoch());
  }
}
