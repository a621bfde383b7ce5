package dev.parlance.control.store;

import dev.parlance.ledger.log.LogStorage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The store over SQL: one implementation, one set of tables, two databases. */
public final class SqlStore implements Store {
  private final Database database;
  private final PlanTable plans;
  private final AuditTable audits;
  private final LeaseTable leases;
  private final QuestionTable questions;
  private final SignedCoreTable cores;
  private final SidecarTable sidecars;
  private final RoundTextTable roundTexts;

  SqlStore(Database database) {
    this.database = database;
    this.plans = new PlanTable(database);
    this.audits = new AuditTable(database);
    this.leases = new LeaseTable(database);
    this.questions = new QuestionTable(database);
    this.cores = new SignedCoreTable(database);
    this.sidecars = new SidecarTable(database);
    this.roundTexts = new RoundTextTable(database);
  }

  /** A place for the ledger in the same database, where several replicas may append. */
  public LogStorage logStorage() {
    return new SqlStorage(database);
  }

  @Override
  public PlanPut putPlan(String name, long expectedRevision, byte[] document, long intervalMs) {
    return plans.put(name, expectedRevision, document, intervalMs);
  }

  @Override
  public Optional<PlanRow> plan(String name) {
    return plans.get(name);
  }

  @Override
  public List<PlanRow> plans() {
    return plans.all();
  }

  @Override
  public List<PlanRow> claimDue(ToLongFunction<PlanRow> nextDelayMs) {
    return plans.claimDue(nextDelayMs);
  }

  @Override
  public boolean createAudit(AuditRow audit) {
    return audits.create(audit);
  }

  @Override
  public Optional<AuditRow> audit(String id) {
    return audits.get(id);
  }

  @Override
  public List<AuditRow> audits(Optional<String> plan, int limit) {
    return audits.newest(plan, limit);
  }

  @Override
  public List<AuditRow> unfinishedAudits() {
    return audits.unfinished();
  }

  @Override
  public boolean updateAudit(AuditRow audit, Lease lease) {
    return audits.update(audit, lease);
  }

  @Override
  public Optional<Lease> acquire(String resource, String owner, Duration ttl) {
    return leases.acquire(resource, owner, ttl);
  }

  @Override
  public boolean renew(Lease lease, Duration ttl) {
    return leases.renew(lease, ttl);
  }

  @Override
  public void release(Lease lease) {
    leases.release(lease);
  }

  @Override
  public void ask(List<QuestionRow> asked) {
    questions.ask(asked);
  }

  @Override
  public List<QuestionRow> take(
      Collection<String> agents, String replica, int limit, Duration claimTtl) {
    return questions.take(agents, replica, limit, claimTtl);
  }

  @Override
  public void answer(String questionId, byte[] answer) {
    questions.answer(questionId, answer);
  }

  @Override
  public List<AnswerRow> answers(String audit, int limit) {
    return questions.answers(audit, limit);
  }

  @Override
  public void forget(Collection<String> questionIds) {
    questions.forget(questionIds);
  }

  @Override
  public void forgetAudit(String audit) {
    questions.forgetAudit(audit);
  }

  @Override
  public CorePut putPendingCore(CoreRow core, Lease lease) {
    return cores.putPending(core, lease);
  }

  @Override
  public Optional<CoreRow> pendingCore(String audit) {
    return cores.pending(audit);
  }

  @Override
  public CorePut publishCore(String coreKey, long version, Lease lease) {
    return cores.publish(coreKey, version, lease);
  }

  @Override
  public Optional<CoreRow> core(String coreKey) {
    return cores.newest(coreKey);
  }

  @Override
  public Optional<CoreRow> core(String coreKey, long version) {
    return cores.get(coreKey, version);
  }

  @Override
  public List<CoreRow> cores() {
    return cores.newestOfAll();
  }

  @Override
  public List<CoreRow> coreHistory(String coreKey) {
    return cores.history(coreKey, Integer.MAX_VALUE);
  }

  @Override
  public List<CoreRow> coresSince(long sequence) {
    return cores.since(sequence);
  }

  @Override
  public void seen(String agent, String node, String replica, byte[] document) {
    sidecars.seen(agent, node, replica, document);
  }

  @Override
  public void gone(String agent, String node, String replica) {
    sidecars.gone(agent, node, replica);
  }

  @Override
  public List<SidecarRow> sidecars(Duration aliveFor) {
    return sidecars.all(aliveFor);
  }

  @Override
  public RoundTextRow putRoundText(RoundTextRow row) {
    return roundTexts.put(row);
  }

  @Override
  public List<RoundTextRow> roundTexts(RoundKey round) {
    return roundTexts.of(round);
  }

  @Override
  public List<RoundKey> roundsWithTexts(int limit) {
    return roundTexts.withoutEnd(limit);
  }

  @Override
  public void keepRoundTexts(RoundKey round, Duration time) {
    roundTexts.keep(round, time);
  }

  @Override
  public int forgetRoundTexts() {
    return roundTexts.forget();
  }

  @Override
  public long nowMs() {
    return database.read(
        "read the database's clock",
        handle -> handle.createQuery("SELECT <now>").mapTo(Long.class).one());
  }

  @Override
  public void close() {
    database.close();
  }
}
