package dev.parlance.control.certify;

import dev.parlance.control.certify.api.AuditPlan;
import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.record.Draw;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PlanState;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts audits, and runs those that are nobody's: each replica tries for the lease of every
 * unfinished audit, so that one whose replica is gone is gone on with when its lease has run out.
 */
public final class Audits implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Audits.class);
  private static final int MOST_AT_ONCE = 32;
  private static final long MOST_QUESTIONS = 2_000_000;
  private static final int LOOK_POLLS = 3;
  private static final int SCHEDULE_MS = 1_000;
  private static final int CLOSE_S = 30;
  private static final long BACK_OFF_NS = TimeUnit.SECONDS.toNanos(5);

  private final AuditContext context;
  private final SecureRandom random = new SecureRandom();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon(true).name("control-leases").factory());
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final Map<String, Long> notBeforeNs = new ConcurrentHashMap<>();
  private final Loop looks;
  private final Loop schedule;
  private volatile boolean draining;
  private volatile int unfinished;

  /** An audit that this replica works on. */
  private record Running(AuditRun run, Thread thread) {}

  /** Begins at once. */
  public Audits(AuditContext context) {
    this.context = context;
    context.metrics().bindAudits(running::size, () -> unfinished);
    looks = Loop.start("control-audits", LOOK_POLLS * context.pollMs(), guarded(this::look));
    schedule = Loop.start("control-schedule", SCHEDULE_MS, guarded(this::due));
  }

  private Runnable guarded(Runnable turn) {
    return () -> {
      try {
        turn.run();
      } catch (StoreException e) {
        context.metrics().count(ControlMeter.STORE_FAILURES);
        log.atWarn().setCause(e).log("the store could not be used");
      }
    };
  }

  // ---- starting ----

  /** Starts an audit of a plan. */
  public Result<AuditRow> start(String planName, Optional<Entry.Kind> kind, List<String> terms) {
    if (kind.isEmpty()) {
      return Result.refused(
          Result.Kind.INVALID, "kind_missing", "expected certify, recertify or renegotiate");
    }
    Optional<PlanRow> row = context.store().plan(planName);
    if (row.isEmpty()) {
      return Result.refused(
          Result.Kind.NOT_FOUND,
          "plan_unknown",
          "there is no plan \"" + Quoted.line(planName) + "\"");
    }
    return start(AuditPlan.read(row.get()), kind.get(), terms);
  }

  private Result<AuditRow> start(AuditPlan plan, Entry.Kind kind, List<String> texts) {
    TreeSet<String> keys = new TreeSet<>();
    Set<String> vocabulary = Set.copyOf(plan.terms());
    for (String text : texts) {
      Optional<String> key = TermKey.of(text).filter(vocabulary::contains);
      if (key.isEmpty()) {
        return Result.refused(
            Result.Kind.INVALID,
            "term_unknown",
            "plan " + plan.name() + " has no term \"" + Quoted.line(text) + "\"");
      }
      keys.add(key.get());
    }
    if (kind == Entry.Kind.RENEGOTIATE && plan.core().agents().size() != 2) {
      return Result.refused(
          Result.Kind.INVALID,
          "two_agents_only",
          "renegotiation is between two agents, this plan has " + plan.core().agents().size());
    }
    return inScope(plan, kind, List.copyOf(keys)).then(scope -> create(plan, kind, keys, scope));
  }

  /** The terms that the audit would be about. */
  private Result<List<String>> inScope(AuditPlan plan, Entry.Kind kind, List<String> keys) {
    try {
      context.view().catchUp();
    } catch (IOException e) {
      return Result.refused(
          Result.Kind.UNAVAILABLE, "ledger_unavailable", String.valueOf(e.getMessage()));
    }
    if (kind == Entry.Kind.CERTIFY) {
      return Result.done(keys.isEmpty() ? plan.terms() : keys);
    }
    List<String> scope =
        context
            .view()
            .read(state -> {
              Optional<PlanState> known = state.plan(plan.name());
              return known.isEmpty() ? List.of() : terms(state, known.get(), kind, keys);
            });
    if (scope.isEmpty()) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "nothing_to_audit",
          kind == Entry.Kind.RECERTIFY
              ? "none of the terms is certified"
              : "none of the terms is refused or revoked");
    }
    if (!keys.isEmpty() && scope.size() < keys.size()) {
      List<String> others = new ArrayList<>(keys);
      others.removeAll(scope);
      return Result.refused(
          Result.Kind.PRECONDITION,
          "nothing_to_audit",
          "not for a " + kind.code() + " audit: " + String.join(", ", others));
    }
    return Result.done(scope);
  }

  /**
   * The terms that an audit is about, sorted; empty if there is nothing to audit.
   *
   * @param asked only these; empty: all that the kind is about
   */
  static List<String> terms(
      LedgerState state, PlanState plan, Entry.Kind kind, List<String> asked) {
    List<String> candidates = asked.isEmpty() ? plan.plan().terms() : asked;
    return candidates.stream()
        .filter(plan::hasTerm)
        .filter(term -> isAbout(kind, state.status(plan, term)))
        .sorted()
        .toList();
  }

  private static boolean isAbout(Entry.Kind kind, TermStatus status) {
    return switch (kind) {
      case CERTIFY -> true;
      case RECERTIFY -> status == TermStatus.CERTIFIED;
      case RENEGOTIATE -> status == TermStatus.REFUSED || status == TermStatus.REVOKED;
    };
  }

  private Result<AuditRow> create(
      AuditPlan plan, Entry.Kind kind, Set<String> asked, List<String> scope) {
    long questions = (long) scope.size() * plan.eventsPerTerm() * plan.core().agents().size();
    if (questions > MOST_QUESTIONS) {
      return Result.refused(
          Result.Kind.INVALID,
          "audit_too_large",
          questions
              + " questions in one audit, expected at most "
              + MOST_QUESTIONS
              + "; name fewer terms");
    }
    if (!context.ledger().isOpen()) {
      return Result.refused(
          Result.Kind.UNAVAILABLE, "ledger_unavailable", "the ledger cannot be written");
    }
    Set<String> present = Attendance.present(context.store(), context.aliveFor());
    List<String> absent =
        plan.core().agents().stream().filter(agent -> !present.contains(agent)).toList();
    if (!absent.isEmpty()) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "no_sidecar",
          "no sidecar with a local agent is attached for " + String.join(", ", absent));
    }
    byte[] seed = new byte[Draw.SEED_BYTES];
    random.nextBytes(seed);
    long now = context.store().nowMs();
    AuditRow row =
        new AuditRow(
            newId(now),
            plan.name(),
            plan.revision(),
            kind.code(),
            List.copyOf(asked),
            seed,
            AuditRows.OPEN,
            now,
            0,
            AuditRows.Report.NONE.document());
    if (!context.store().createAudit(row)) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "audit_running",
          "an audit of plan " + plan.name() + " has not ended");
    }
    looks.wake();
    return Result.done(row);
  }

  /** Sorts by time; nobody can guess it. */
  private String newId(long nowMs) {
    byte[] bytes = new byte[5];
    random.nextBytes(bytes);
    return "a%011x-%s".formatted(nowMs, HexFormat.of().formatHex(bytes));
  }

  // ---- reading ----

  /** The audit with this id. */
  public Result<AuditRow> get(String id) {
    return context
        .store()
        .audit(id)
        .map(Result::done)
        .orElseGet(() ->
            Result.refused(
                Result.Kind.NOT_FOUND,
                "audit_unknown",
                "there is no audit \"" + Quoted.line(id) + "\""));
  }

  /** The newest audits first. */
  public List<AuditRow> list(Optional<String> plan, int limit) {
    return context.store().audits(plan, limit);
  }

  // ---- running ----

  private void look() {
    List<AuditRow> rows = context.store().unfinishedAudits();
    unfinished = rows.size();
    long now = System.nanoTime();
    notBeforeNs.values().removeIf(until -> now - until > 0);
    for (AuditRow row : rows) {
      if (!draining
          && running.size() < MOST_AT_ONCE
          && !running.containsKey(row.id())
          && !notBeforeNs.containsKey(row.id())) {
        context
            .store()
            .acquire(AuditContext.LEASE_PREFIX + row.id(), context.owner(), context.leaseTtl())
            .ifPresent(lease -> run(row, lease, now));
      }
    }
  }

  private void run(AuditRow row, Lease lease, long acquiredNs) {
    LeaseHold hold =
        new LeaseHold(
            context.store(),
            lease,
            context.leaseTtl(),
            acquiredNs,
            timer,
            () ->
                Optional.ofNullable(running.get(row.id())).ifPresent(other -> other.run().wake()));
    AuditRun run = new AuditRun(context, row, hold, () -> draining);
    Thread thread =
        Thread.ofPlatform()
            .daemon(true)
            .name("audit-" + row.id())
            .unstarted(() -> conduct(row, hold, run));
    running.put(row.id(), new Running(run, thread));
    thread.start();
  }

  private void conduct(AuditRow row, LeaseHold hold, AuditRun run) {
    try {
      run.run()
          .filter(why -> why == AuditStopped.Why.WAIT || why == AuditStopped.Why.LEDGER)
          .ifPresent(_ -> notBeforeNs.put(row.id(), System.nanoTime() + BACK_OFF_NS));
    } catch (StoreException e) {
      context.metrics().count(ControlMeter.STORE_FAILURES);
      log.atWarn().setCause(e).addKeyValue("audit", row.id()).log("an audit was interrupted");
      notBeforeNs.put(row.id(), System.nanoTime() + BACK_OFF_NS);
    } catch (RuntimeException e) {
      // Somebody goes on from the ledger, perhaps this replica, but not at once.
      log.atError().setCause(e).addKeyValue("audit", row.id()).log("an audit was interrupted");
      notBeforeNs.put(row.id(), System.nanoTime() + BACK_OFF_NS);
    } finally {
      hold.close();
      running.remove(row.id());
      if (!draining) {
        looks.wake();
      }
    }
  }

  /** Answers are in the store: look at once. */
  public void answersArrived() {
    running.values().forEach(each -> each.run().wake());
  }

  // ---- schedules ----

  private void due() {
    for (PlanRow row : context.store().claimDue(this::nextDelayMs)) {
      scheduled(AuditPlan.read(row));
    }
  }

  /** The plan's mean interval times a random factor that agents cannot foresee. */
  private long nextDelayMs(PlanRow row) {
    double jitter = AuditPlan.read(row).jitter();
    double factor = 1.0 - jitter + 2.0 * jitter * random.nextDouble();
    return Math.max(1, Math.round(row.intervalMs() * factor));
  }

  private void scheduled(AuditPlan plan) {
    Result<AuditRow> attempt = start(plan, Entry.Kind.RECERTIFY, List.of());
    boolean isNothingCertified =
        attempt instanceof Result.Refused<AuditRow> refused
            && refused.reason().equals("nothing_to_audit");
    boolean isFirst = context.view().read(state -> state.coreVersion(plan.core())) == 0;
    // Testing refused terms again and again until chance lets one through is what only the anytime
    // bound pays for.
    if (isNothingCertified && (isFirst || plan.bound().equals(Optional.of(Bound.ANYTIME)))) {
      attempt = start(plan, Entry.Kind.CERTIFY, List.of());
    }
    switch (attempt) {
      case Result.Done<AuditRow>(AuditRow audit) ->
          log.atInfo()
              .addKeyValue("plan", plan.name())
              .addKeyValue("audit", audit.id())
              .log("scheduled audit");
      case Result.Refused<AuditRow> refused ->
          log.atWarn()
              .addKeyValue("plan", plan.name())
              .addKeyValue("reason", refused.reason())
              .addKeyValue("detail", refused.message())
              .log("a scheduled audit could not be started");
    }
  }

  /** Stops working on audits after the write under way; their leases are given back. */
  @Override
  public void close() {
    draining = true;
    looks.close();
    schedule.close();
    answersArrived();
    for (Running each : List.copyOf(running.values())) {
      try {
        if (!each.thread().join(java.time.Duration.ofSeconds(CLOSE_S))) {
          log.atWarn().addKeyValue("thread", each.thread().getName()).log("did not stop in time");
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    timer.shutdownNow();
  }
}
