package dev.parlance.control.store;

import dev.parlance.ledger.log.LogStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/** The store over SQL: one implementation, one set of tables, two databases. */
public final class SqlStore implements Store {
  /** Sidecars that were not seen for this long are forgotten. */
  private static final long REMEMBERED_MS = Duration.ofDays(7).toMillis();

  /** Questions are asked for at least this often. */
  private static final long UNASKED_NS = Duration.ofMillis(500).toNanos();

  private static final RowMapper<PlanRow> PLAN =
      (row, _) ->
          new PlanRow(
              row.getString("name"),
              row.getLong("revision"),
              Database.bytes(row.getBytes("document")),
              row.getLong("interval_ms"));
  private static final RowMapper<AuditRow> AUDIT =
      (row, _) ->
          new AuditRow(
              row.getString("id"),
              row.getString("plan"),
              row.getLong("plan_revision"),
              row.getString("kind"),
              Database.list(row.getString("terms")),
              Database.bytes(row.getBytes("seed")),
              row.getString("state"),
              row.getLong("started_at_ms"),
              row.getLong("ended_at_ms"),
              Database.bytes(row.getBytes("document")));
  private static final RowMapper<SidecarRow> SIDECAR =
      (row, _) ->
          new SidecarRow(
              row.getString("agent"),
              row.getString("node"),
              row.getString("replica"),
              row.getInt("attached") != 0,
              row.getLong("last_seen_ms"),
              Database.bytes(row.getBytes("document")));
  private static final RowMapper<RoundKey> ROUND =
      (row, _) -> new RoundKey(row.getString("name"), row.getLong("epoch"));
  private static final RowMapper<RoundTextRow> TEXT =
      (row, _) ->
          new RoundTextRow(
              new RoundKey(row.getString("round"), row.getLong("epoch")),
              row.getString("text_sha256"),
              Database.bytes(row.getBytes("body")),
              row.getString("meaning"),
              Database.bytes(row.getBytes("vector")));

  private final Database database;
  private final QuestionTable questions;
  private final SignedCoreTable cores;
  private final ReviewTable reviews;
  private final IdentityTable identities;
  private final Polls<List<AuditRow>> polledAudits;
  private final Polls<List<QuestionRow>> polledQuestions;
  private final Polls<List<CoreRow>> polledCores;
  private final Polls<List<ReviewRow>> polledReviews;
  private final Polls<Long> polledIdentities;

  SqlStore(Database database) {
    this.database = database;
    this.questions = new QuestionTable(database);
    this.cores = new SignedCoreTable(database);
    this.reviews = new ReviewTable(database);
    this.identities = new IdentityTable(database);
    this.polledAudits = new Polls<>(database::changes);
    this.polledQuestions = new Polls<>(database::changes);
    this.polledCores = new Polls<>(database::changes);
    this.polledReviews = new Polls<>(database::changes);
    this.polledIdentities = new Polls<>(database::changes);
  }

  /** A place for the ledger in the same database, where several replicas may append. */
  public LogStorage logStorage() {
    return new SqlStorage(database);
  }

  // ---- plans, and when their next audit is due ----

  @Override
  public PlanPut putPlan(String name, long expectedRevision, byte[] document, long intervalMs) {
    String sql =
        expectedRevision == 0
            ? """
            INSERT INTO plan (name, revision, document, interval_ms, due_at_ms)
            VALUES (:name, :revision + 1, :document, :interval, 0) ON CONFLICT (name) DO NOTHING
            """
            : """
            UPDATE plan SET revision = revision + 1, document = :document,
              due_at_ms = CASE WHEN interval_ms = :interval THEN due_at_ms ELSE 0 END,
              interval_ms = :interval
            WHERE name = :name AND revision = :revision
            """;
    return database.write(
        "store a plan",
        handle -> {
          int changed =
              Database.update(
                  handle,
                  sql,
                  row ->
                      row.bind("name", name)
                          .bind("revision", expectedRevision)
                          .bind("document", document)
                          .bind("interval", intervalMs));
          return changed == 1
              ? new PlanPut.Stored(expectedRevision + 1)
              : new PlanPut.Conflict(
                  Database.number(
                          handle,
                          "SELECT revision FROM plan WHERE name = :name",
                          query -> query.bind("name", name))
                      .orElse(0L));
        });
  }

  @Override
  public Optional<PlanRow> plan(String name) {
    return database.find(
        "read a plan",
        "SELECT * FROM plan WHERE name = :name",
        PLAN,
        query -> query.bind("name", name));
  }

  @Override
  public List<PlanRow> plans() {
    // Sorted here and not in SQL: the databases sort texts differently.
    return database.list("read the plans", "SELECT * FROM plan", PLAN, all -> all).stream()
        .sorted(Comparator.comparing(PlanRow::name))
        .toList();
  }

  @Override
  public List<PlanRow> claimDue(ToLongFunction<PlanRow> nextDelayMs) {
    return database.write(
        "claim the plans that are due",
        handle -> {
          record Due(PlanRow plan, boolean first) {}
          List<Due> due =
              handle
                  .createQuery(
                      """
                      SELECT * FROM plan WHERE interval_ms > 0 AND due_at_ms <= <now> <skipLocked>
                      """)
                  .map((row, context) ->
                      new Due(PLAN.map(row, context), row.getLong("due_at_ms") == 0))
                  .list();
          List<PlanRow> claimed = new ArrayList<>();
          for (Due each : due) {
            schedule(handle, each.plan(), nextDelayMs.applyAsLong(each.plan()));
            if (!each.first()) {
              claimed.add(each.plan());
            }
          }
          return claimed;
        });
  }

  private static void schedule(Handle handle, PlanRow plan, long delayMs) {
    if (delayMs < 1) {
      throw new IllegalArgumentException("expected a delay of at least 1 ms, got " + delayMs);
    }
    Database.update(
        handle,
        "UPDATE plan SET due_at_ms = <now> + :delay WHERE name = :name",
        row -> row.bind("delay", delayMs).bind("name", plan.name()));
  }

  // ---- audits; an index over the unfinished ones lets a plan have one at a time ----

  @Override
  public boolean createAudit(AuditRow audit) {
    int stored =
        database.update(
            "store an audit",
            """
            INSERT INTO audit (id, plan, plan_revision, kind, terms, seed, state, started_at_ms,
              ended_at_ms, document)
            VALUES (:id, :plan, :planRevision, :kind, :terms, :seed, :state, :startedAtMs,
              :endedAtMs, :document)
            ON CONFLICT DO NOTHING
            """,
            row -> row.bindMethods(audit).bind("terms", Database.lines(audit.terms())));
    return stored == 1;
  }

  @Override
  public Optional<AuditRow> audit(String id) {
    return database.find(
        "read an audit",
        "SELECT * FROM audit WHERE id = :id",
        AUDIT,
        query -> query.bind("id", id));
  }

  @Override
  public List<AuditRow> audits(Optional<String> plan, int limit) {
    return database.list(
        "read the audits",
        "SELECT * FROM audit WHERE <which> ORDER BY started_at_ms DESC, id DESC LIMIT :limit",
        AUDIT,
        query ->
            query
                .define("which", plan.isPresent() ? "plan = :plan" : "'' = :plan")
                .bind("plan", plan.orElse(""))
                .bind("limit", limit));
  }

  @Override
  public List<AuditRow> unfinishedAudits() {
    return polledAudits.ask(
        "",
        () ->
            database.list(
                "read the unfinished audits",
                "SELECT * FROM audit WHERE state IN ('open', 'running') ORDER BY started_at_ms, id",
                AUDIT,
                all -> all));
  }

  @Override
  public boolean updateAudit(AuditRow audit, Lease lease) {
    String sql =
        """
        UPDATE audit SET state = :state, started_at_ms = :startedAtMs, ended_at_ms = :endedAtMs,
          document = :document
        WHERE id = :id AND (state IN ('open', 'running') OR state = :state)
        """;
    return database.write(
        "change an audit",
        handle ->
            isHeld(handle, lease)
                && Database.update(handle, sql, row -> row.bindMethods(audit)) == 1);
  }

  // ---- leases; a row stays when its lease is given back, because its epoch goes on counting ----

  @Override
  public Optional<Lease> acquire(String resource, String owner, Duration ttl) {
    if (owner.isEmpty()) {
      throw new IllegalArgumentException("expected the name of an owner, got an empty text");
    }
    long ttlMs = ttlMs(ttl);
    String sql =
        """
        INSERT INTO lease (resource, owner, epoch, ttl_ms, expires_at_ms)
        VALUES (:resource, :owner, 1, :ttl, <now> + :ttl)
        ON CONFLICT (resource) DO UPDATE SET owner = excluded.owner,
          epoch = lease.epoch + 1, ttl_ms = excluded.ttl_ms,
          expires_at_ms = <now> + :ttl
        WHERE NOT (lease.expires_at_ms > <now>
          AND lease.expires_at_ms <= <now> + 2 * lease.ttl_ms)
        RETURNING epoch
        """;
    return database
        .write(
            "acquire a lease",
            handle ->
                Database.number(
                    handle,
                    sql,
                    row -> row.bind("resource", resource).bind("owner", owner).bind("ttl", ttlMs)))
        .map(epoch -> new Lease(resource, owner, epoch));
  }

  @Override
  public boolean renew(Lease lease, Duration ttl) {
    long ttlMs = ttlMs(ttl);
    int renewed =
        database.update(
            "renew a lease",
            """
            UPDATE lease SET ttl_ms = :ttl, expires_at_ms = <now> + :ttl
            WHERE resource = :resource AND owner = :owner AND epoch = :epoch
            """,
            row -> row.bindMethods(lease).bind("ttl", ttlMs));
    return renewed == 1;
  }

  @Override
  public void release(Lease lease) {
    database.update(
        "give a lease back",
        """
        UPDATE lease SET owner = '', ttl_ms = 0, expires_at_ms = 0
        WHERE resource = :resource AND owner = :owner AND epoch = :epoch
        """,
        row -> row.bindMethods(lease));
  }

  /** Whether the lease is held now; nobody can acquire it before the transaction has ended. */
  static boolean isHeld(Handle handle, Lease lease) {
    return Database.number(
            handle,
            """
            SELECT epoch FROM lease WHERE resource = :resource AND owner = :owner
              AND epoch = :epoch AND <live> <forUpdate>
            """,
            query -> query.bindMethods(lease))
        .isPresent();
  }

  /** Refuses times that are none, and such as could overflow. */
  static long ttlMs(Duration ttl) {
    if (ttl.compareTo(Duration.ofMillis(1)) < 0 || ttl.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException("expected a time from 1 ms to 365 days, got " + ttl);
    }
    return ttl.toMillis();
  }

  // ---- questions ----

  @Override
  public void ask(List<QuestionRow> asked) {
    questions.ask(asked);
  }

  @Override
  public List<QuestionRow> take(
      Collection<String> agents, String replica, int limit, Duration claimTtl) {
    // What others have claimed is given out again when their time is over, and nobody writes that.
    long period = System.nanoTime() / UNASKED_NS;
    return polledQuestions.ask(
        List.of(period, Set.copyOf(agents), limit),
        () -> questions.take(agents, replica, limit, claimTtl));
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
    database.update(
        "forget the questions of an audit",
        "DELETE FROM question WHERE audit = :audit",
        row -> row.bind("audit", audit));
  }

  // ---- cores ----

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
    return cores.history(coreKey, 1).stream().findFirst();
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
    return polledCores.ask(sequence, () -> cores.since(sequence));
  }

  // ---- sidecars ----

  @Override
  public void seen(String agent, String node, String replica, byte[] document) {
    database.write(
        "note a sidecar",
        handle -> {
          Database.update(
              handle,
              "DELETE FROM sidecar WHERE last_seen_at_ms < <now> - :remembered",
              row -> row.bind("remembered", REMEMBERED_MS));
          return Database.update(
              handle,
              """
              INSERT INTO sidecar (agent, node, replica, attached, last_seen_at_ms, document)
              VALUES (:agent, :node, :replica, 1, <now>, :document)
              ON CONFLICT (agent, node) DO UPDATE SET replica = excluded.replica, attached = 1,
                last_seen_at_ms = <now>, document = excluded.document
              """,
              row ->
                  row.bind("agent", agent)
                      .bind("node", node)
                      .bind("replica", replica)
                      .bind("document", document));
        });
  }

  @Override
  public void gone(String agent, String node, String replica) {
    database.update(
        "note that a sidecar is gone",
        """
        UPDATE sidecar SET attached = 0
        WHERE agent = :agent AND node = :node AND replica = :replica
        """,
        row -> row.bind("agent", agent).bind("node", node).bind("replica", replica));
  }

  @Override
  public List<SidecarRow> sidecars(Duration aliveFor) {
    long aliveMs = ttlMs(aliveFor);
    return database
        .list(
            "read the sidecars",
            """
            SELECT agent, node, replica, last_seen_at_ms AS last_seen_ms, document,
              CASE WHEN attached = 1 AND last_seen_at_ms > <now> - :alive
              THEN 1 ELSE 0 END AS attached
            FROM sidecar WHERE last_seen_at_ms >= <now> - :remembered
            """,
            SIDECAR,
            query -> query.bind("alive", aliveMs).bind("remembered", REMEMBERED_MS))
        .stream()
        .sorted(Comparator.comparing(SidecarRow::agent).thenComparing(SidecarRow::node))
        .toList();
  }

  // ---- texts of rounds ----

  @Override
  public RoundTextRow putRoundText(RoundTextRow text) {
    return database.write(
        "store the text of a proposal",
        handle -> {
          Database.update(
              handle,
              """
              INSERT INTO round_text (round, epoch, text_sha256, body, meaning, vector,
                expires_at_ms)
              VALUES (:round.name, :round.epoch, :textSha256, :text, :meaning, :vector, 0)
              ON CONFLICT (round, epoch, text_sha256) DO NOTHING
              """,
              row -> row.bindMethods(text));
          // A transaction of PostgreSQL sees here what the one that was faster has committed.
          return handle
              .createQuery(
                  """
                  SELECT * FROM round_text
                  WHERE round = :round.name AND epoch = :round.epoch AND text_sha256 = :textSha256
                  """)
              .bindMethods(text)
              .map(TEXT)
              .one();
        });
  }

  @Override
  public List<RoundTextRow> roundTexts(RoundKey round) {
    return database.list(
        "read the texts of a round",
        "SELECT * FROM round_text WHERE round = :name AND epoch = :epoch ORDER BY text_sha256",
        TEXT,
        query -> query.bindMethods(round));
  }

  @Override
  public List<RoundKey> roundsWithTexts(int limit) {
    return database.list(
        "read the rounds whose texts have no end",
        """
        SELECT DISTINCT round AS name, epoch FROM round_text WHERE expires_at_ms = 0 LIMIT :limit
        """,
        ROUND,
        query -> query.bind("limit", limit));
  }

  @Override
  public void keepRoundTexts(RoundKey round, Duration time) {
    database.update(
        "set the end of a round's texts",
        """
        UPDATE round_text SET expires_at_ms = <now> + :time
        WHERE round = :name AND epoch = :epoch AND expires_at_ms = 0
        """,
        row -> row.bindMethods(round).bind("time", time.toMillis()));
  }

  @Override
  public int forgetRoundTexts() {
    return database.update(
        "forget texts of rounds",
        "DELETE FROM round_text WHERE expires_at_ms > 0 AND expires_at_ms <= <now>",
        all -> all);
  }

  // ---- decisions of persons ----

  @Override
  public void putReview(ReviewRow decision) {
    reviews.put(decision);
  }

  @Override
  public List<ReviewRow> reviewsSince(long sequence) {
    return polledReviews.ask(sequence, () -> reviews.since(sequence));
  }

  @Override
  public List<ReviewRow> reviewsOf(String agent) {
    return reviews.of(agent);
  }

  // ---- identities ----

  @Override
  public long identityRevision() {
    return polledIdentities.ask("", identities::revision);
  }

  @Override
  public IdentityRows identities() {
    return identities.read();
  }

  @Override
  public boolean addAuthority(AuthorityRow authority, long expectedRevision) {
    return identities.add(authority, expectedRevision);
  }

  @Override
  public boolean removeAuthorities(List<AuthorityRow> authorities, long expectedRevision) {
    return identities.remove(authorities, expectedRevision);
  }

  @Override
  public boolean deny(String subject, boolean isDenied) {
    return identities.deny(subject, isDenied);
  }

  @Override
  public long nowMs() {
    return database.read(
        "read the database's clock",
        handle -> Database.number(handle, "SELECT <now>", all -> all).orElseThrow());
  }

  @Override
  public void close() {
    database.close();
  }
}
