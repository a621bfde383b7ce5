package dev.parlance.control.store;

import dev.parlance.policy.core.CoreId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What replicas of the control plane share. The truth about verdicts and decisions is the ledger;
 * this holds what the ledger does not: texts, work under way, signed notes, who is attached where.
 *
 * <p>Every method is one transaction. Time is the database's, so that replicas with clocks apart
 * agree on leases. Methods block and throw {@link StoreException} if the database cannot be used;
 * if that happens while a change is committed its outcome is unknown, and doing it again is safe.
 * Texts hold neither line breaks nor NUL.
 */
public interface Store extends AutoCloseable {
  // ---- plans ----

  /** What came of storing a plan. */
  sealed interface PlanPut {
    /** Stored under this revision. */
    record Stored(long revision) implements PlanPut {}

    /** Somebody else was faster; nothing is stored. */
    record Conflict(long presentRevision) implements PlanPut {}
  }

  /**
   * Creates a plan (expected revision 0) or replaces the expected revision.
   *
   * @param document the plan as it is to be given back; opaque here
   * @param intervalMs mean time between scheduled audits; 0: none
   */
  PlanPut putPlan(String name, long expectedRevision, byte[] document, long intervalMs);

  /** The plan with this name. */
  Optional<PlanRow> plan(String name);

  /** All plans, by name. */
  List<PlanRow> plans();

  /**
   * A plan as stored.
   *
   * @param intervalMs mean time between scheduled audits; 0: none
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record PlanRow(String name, long revision, byte[] document, long intervalMs) {}

  /**
   * Claims the plans whose scheduled audit is due, and sets when the next one is: each plan is
   * given to exactly one caller. A plan that is new, or whose interval was changed, is not given
   * yet: its first time is set with the same function, so that nobody can foresee it.
   *
   * @param nextDelayMs from a plan to the delay until its next audit; at least 1
   */
  List<PlanRow> claimDue(ToLongFunction<PlanRow> nextDelayMs);

  // ---- audits ----

  /**
   * An audit.
   *
   * @param kind code of the kind
   * @param terms keys asked for; empty: all that the kind is about
   * @param seed what its events are drawn with; secret until it is closed
   * @param state open, running, completed, abandoned
   * @param document results and counts as they are to be given back; opaque here
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record AuditRow(
      String id,
      String plan,
      long planRevision,
      String kind,
      List<String> terms,
      byte[] seed,
      String state,
      long startedAtMs,
      long endedAtMs,
      byte[] document) {}

  /**
   * Stores a new audit; false if there is an unfinished one of the same plan, or the id is known.
   */
  boolean createAudit(AuditRow audit);

  /** The audit with this id. */
  Optional<AuditRow> audit(String id);

  /** The newest audits first. */
  List<AuditRow> audits(Optional<String> plan, int limit);

  /** Audits that are open or running, oldest first. */
  List<AuditRow> unfinishedAudits();

  /**
   * Changes state, end and document; false (and nothing changed) if the lease is not held. A
   * finished audit keeps its state: changing it is refused the same way.
   */
  boolean updateAudit(AuditRow audit, Lease lease);

  // ---- leases ----

  /**
   * The right to do something alone, until it runs out.
   *
   * @param epoch how often the resource has been acquired, this time included
   */
  record Lease(String resource, String owner, long epoch) {}

  /**
   * Acquires a free or run-out lease; an owner does not get its own held lease twice. A lease that
   * has more than twice its time left was set before the database's clock went back, and has run
   * out.
   */
  Optional<Lease> acquire(String resource, String owner, Duration ttl);

  /**
   * Extends it, also if it has run out; false if somebody else has had it since or it was given
   * back.
   */
  boolean renew(Lease lease, Duration ttl);

  /** Gives it back. */
  void release(Lease lease);

  // ---- questions to agents, from the replica that audits to the one the sidecar is attached to
  // ----

  /**
   * A question.
   *
   * @param id unique
   * @param audit the audit it belongs to
   * @param agent who is asked
   * @param document the question; opaque here
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record QuestionRow(String id, String audit, String agent, byte[] document) {}

  /** An answered question. */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record AnswerRow(QuestionRow question, byte[] answer) {}

  /** Stores questions; those whose id is known already are left as they are. */
  void ask(List<QuestionRow> questions);

  /**
   * Takes unanswered questions for agents whose sidecar is attached here. Each is given to one
   * replica at a time; one that is not answered within {@code claimTtl} is given out again.
   */
  List<QuestionRow> take(Collection<String> agents, String replica, int limit, Duration claimTtl);

  /** Stores an answer; the first one counts. */
  void answer(String questionId, byte[] answer);

  /** The answers of an audit that are still stored. */
  List<AnswerRow> answers(String audit, int limit);

  /** Forgets questions with their answers: the ledger has them. */
  void forget(Collection<String> questionIds);

  /** Forgets all questions of an audit. */
  void forgetAudit(String audit);

  // ---- cores ----

  /**
   * A signed core.
   *
   * @param coreKey text form of the core's id
   * @param agents who it is for
   * @param audit the audit it came from
   * @param published false while the ledger may not have it yet
   * @param sequence counts up with every publication over all cores; 0 while not published
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record CoreRow(
      String coreKey,
      long version,
      List<String> agents,
      String domain,
      String audit,
      byte[] note,
      boolean published,
      long sequence) {}

  /** What came of storing or publishing a core. */
  enum CorePut {
    /** It is there. */
    DONE,
    /** The lease is not held; nothing was changed. */
    LEASE_LOST,
    /** Another audit has stored this version, or a later one is published; nothing was changed. */
    VERSION_TAKEN,
    /** There is no such core to publish. */
    UNKNOWN
  }

  /**
   * Stores a core that is about to go on the ledger; replaces a pending one of the same audit.
   *
   * @param core its sequence and whether it is published are not looked at
   */
  CorePut putPendingCore(CoreRow core, Lease lease);

  /** The core of an audit that was never published. */
  Optional<CoreRow> pendingCore(String audit);

  /**
   * Publishes a pending core; done already is done. Whoever can see a sequence number can see all
   * lower ones.
   */
  CorePut publishCore(String coreKey, long version, Lease lease);

  /** Newest published version. */
  Optional<CoreRow> core(String coreKey);

  /** That published version. */
  Optional<CoreRow> core(String coreKey, long version);

  /** Newest published version of every core. */
  List<CoreRow> cores();

  /** Every published version of a core, newest first. */
  List<CoreRow> coreHistory(String coreKey);

  /** Cores published after a sequence number, in order, at most 256: what watchers poll. */
  List<CoreRow> coresSince(long sequence);

  // ---- sidecars ----

  /**
   * A sidecar.
   *
   * @param document its last report and refusals; opaque here
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record SidecarRow(
      String agent,
      String node,
      String replica,
      boolean attached,
      long lastSeenMs,
      byte[] document) {}

  /** Notes that a sidecar is attached here and what it says of itself. */
  void seen(String agent, String node, String replica, byte[] document);

  /** Notes that it is gone from this replica; of no effect if it is attached elsewhere by now. */
  void gone(String agent, String node, String replica);

  /** All sidecars seen in the last week; attached only if seen within {@code aliveFor}. */
  List<SidecarRow> sidecars(Duration aliveFor);

  // ---- texts of rounds ----

  /** One epoch of a round. */
  record RoundKey(String name, long epoch) {}

  /**
   * The text of a proposal, and what it means to the round's encoder.
   *
   * @param textSha256 hex SHA-256 of the text
   * @param text UTF-8; unlike other texts it may hold anything
   * @param meaning vector, malformed, unencoded
   * @param vector 16-bit big-endian entries; empty without
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record RoundTextRow(
      RoundKey round, String textSha256, byte[] text, String meaning, byte[] vector) {}

  /**
   * Stores a text; where it is there already nothing changes, so that a text means the same to all.
   *
   * @return what is stored now
   */
  RoundTextRow putRoundText(RoundTextRow row);

  /** The texts of a round that are still stored, by digest. */
  List<RoundTextRow> roundTexts(RoundKey round);

  /** Rounds with texts of which {@link #keepRoundTexts} was not said. */
  List<RoundKey> roundsWithTexts(int limit);

  /** Lets the texts of a round go after that time; said again it changes nothing. */
  void keepRoundTexts(RoundKey round, Duration time);

  /** Forgets the texts whose time is over; how many they were. */
  int forgetRoundTexts();

  // ---- what persons have decided, for the sidecars of both parties ----

  /** Most decisions made beside one agent that are kept; of more, the latest. */
  int MAX_REVIEWS = 1_000;

  /**
   * A person's decision about a message between two agents.
   *
   * @param sequence counts up over all decisions; not looked at when it is stored
   * @param by the agent beside whose sidecar it was made
   * @param item id of the message there
   * @param peer the other agent
   * @param texts hex digests of what it is about
   * @param forMs how long it holds from now
   * @param note what the person wrote to it; may hold anything
   */
  record ReviewRow(
      long sequence,
      String by,
      String item,
      String peer,
      List<String> texts,
      boolean approved,
      long forMs,
      String note) {
    /** The same, made beside this agent. */
    public ReviewRow madeBeside(String agent) {
      return new ReviewRow(sequence, agent, item, peer, texts, approved, forMs, note);
    }
  }

  /**
   * Stores a decision; one that is there already is left as it is. Whoever can see a sequence
   * number can see all lower ones. Forgets those whose time is over.
   */
  void putReview(ReviewRow decision);

  /** Decisions that hold and came after a sequence number, in order, at most 256. */
  List<ReviewRow> reviewsSince(long sequence);

  /** The latest that hold with this agent as either party, at most {@value #MAX_REVIEWS}. */
  List<ReviewRow> reviewsOf(String agent);

  // ---- identities of the mesh ----

  /** Most entries of the deny list. */
  int MAX_DENIED = 1_000;

  /**
   * An authority that the control plane has made.
   *
   * @param activeAtMs when it begins to issue
   * @param certificate in DER
   * @param key in DER, PKCS #8
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record AuthorityRow(long activeAtMs, byte[] certificate, byte[] key) {}

  /**
   * All of it.
   *
   * @param revision counts up with every change
   * @param authorities the first to issue first
   * @param denied patterns of ids, and serial numbers
   */
  record IdentityRows(long revision, List<AuthorityRow> authorities, List<String> denied) {}

  /** Counts up with every change of authorities and deny list. */
  long identityRevision();

  /** Authorities and deny list; of one revision or a later one. */
  IdentityRows identities();

  /** Adds an authority; false, and nothing changed, if there is a later revision. */
  boolean addAuthority(AuthorityRow authority, long expectedRevision);

  /** Forgets authorities; false, and nothing changed, if there is a later revision. */
  boolean removeAuthorities(List<AuthorityRow> authorities, long expectedRevision);

  /** Puts an entry on the deny list, or takes it off; false if there are {@link #MAX_DENIED}. */
  boolean deny(String subject, boolean isDenied);

  /** Milliseconds since the epoch by the database's clock. */
  long nowMs();

  @Override
  void close();

  /** Text form of a core's id: {@code alice+bob license}. No id holds a plus sign or a blank. */
  final class CoreKey {
    private CoreKey() {}

    /** The key of a core. */
    public static String of(CoreId id) {
      return String.join("+", id.agents()) + " " + id.domain();
    }
  }

  /** The database cannot be used now. */
  final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param what what was to be done
     * @param cause why it could not
     */
    public StoreException(String what, Throwable cause) {
      super(what + ": " + cause.getMessage(), cause);
    }
  }
}
