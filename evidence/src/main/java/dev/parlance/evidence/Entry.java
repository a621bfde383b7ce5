package dev.parlance.evidence;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.core.TermVerdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One entry of the ledger: a JSON object on one line, members in a fixed order, see {@code
 * docs/evidence.md}. Order in the ledger is what counts; times are for people.
 *
 * <p>An audit's entries carry its epoch. A replica that takes an audit over first writes {@link
 * TakenOver} with a higher epoch; whatever the former one still writes afterwards has the lower
 * epoch and counts for nothing. So the ledger's order alone says which verdicts count, and of two
 * verdicts of one agent on the same term and event in one audit only the first does.
 */
public sealed interface Entry {
  /** When it was written, milliseconds since the epoch; never used to decide anything. */
  long atMs();

  /** Entries that belong to an audit. */
  sealed interface OfAudit extends Entry {
    /** Id of the audit. */
    String audit();

    /** How often the audit has been taken over, plus one. */
    long epoch();
  }

  /**
   * What is to be certified and how strictly; stands in the ledger before the first question.
   *
   * @param plan name of the plan
   * @param revision counts up with each change
   * @param core between whom, and the domain
   * @param terms keys of the vocabulary, sorted
   * @param events the pool that audits draw from, sorted by identifier
   * @param params the constants
   * @param multiplicity what delta is the probability of
   * @param eventsPerTerm events drawn per term and audit
   */
  record Plan(
      String plan,
      long revision,
      CoreId core,
      List<String> terms,
      List<PlanEvent> events,
      CertificationParams params,
      Multiplicity multiplicity,
      int eventsPerTerm,
      long atMs)
      implements Entry {
    /** Copies the lists, refuses ids and terms that are none. */
    public Plan {
      Names.checked(plan);
      terms = List.copyOf(terms);
      events = List.copyOf(events);
      terms.forEach(TermKey::checked);
    }
  }

  /**
   * A part of a plan's pool. Pools larger than one entry can hold are split over several {@link
   * PlanEvents} entries before the plan's own.
   *
   * @param pei public event identifier
   * @param sha256 hex SHA-256 of the event's UTF-8 text, so that the text cannot be changed later
   */
  record PlanEvent(String pei, String sha256) {
    /** Refuses ids and digests that are none. */
    public PlanEvent {
      Names.checked(pei);
      Digest.checked(sha256);
    }
  }

  /**
   * Events of a plan's pool that the plan's own entry has no room for; precede it.
   *
   * @param plan name of the plan
   * @param revision revision of the plan that they belong to
   */
  record PlanEvents(String plan, long revision, List<PlanEvent> events, long atMs)
      implements Entry {
    /** Copies the list. */
    public PlanEvents {
      Names.checked(plan);
      events = List.copyOf(events);
    }
  }

  /** What an audit is for. */
  enum Kind {
    /** All terms of the plan. */
    CERTIFY("certify"),
    /** The certified terms again, on fresh events (section 4.1). */
    RECERTIFY("recertify"),
    /** Terms whose use one agent has adopted from the other, on fresh events (section 4.2). */
    RENEGOTIATE("renegotiate");

    private final String code;

    Kind(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }

  /**
   * An audit begins.
   *
   * @param plan the plan and
   * @param revision its revision
   * @param kind what it is for
   * @param terms keys of the terms it tests, sorted
   * @param drawCommitment hex SHA-256 of the seed that the events are drawn with; the seed itself
   *     is in {@link Closed}, so that nobody can foresee the draw and nobody can choose it
   *     afterwards
   */
  record Opened(
      String audit,
      long epoch,
      String plan,
      long revision,
      Kind kind,
      List<String> terms,
      String drawCommitment,
      long atMs)
      implements OfAudit {
    /** Copies the list. */
    public Opened {
      terms = List.copyOf(terms);
      Digest.checked(drawCommitment);
    }
  }

  /** Another replica goes on with an audit whose former one is gone. */
  record TakenOver(String audit, long epoch, long atMs) implements OfAudit {}

  /** How an answer was given. */
  enum Form {
    /** In the form of the audit extension. */
    EXTENSION("extension"),
    /** In words, read strictly. */
    PLAIN("plain"),
    /** Drawn by a simulation; no agent was asked. */
    SIMULATED("simulated");

    private final String code;

    Form(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }

  /**
   * A witnessed test (Definition 2).
   *
   * @param agent who was asked
   * @param event PEI(e)
   * @param term key of the term
   * @param verdict what it said
   * @param form how it was said
   * @param answerSha256 hex SHA-256 of the agent's whole answer; absent if simulated
   */
  record Test(
      String audit,
      long epoch,
      String agent,
      String event,
      String term,
      TermVerdict verdict,
      Form form,
      Optional<String> answerSha256,
      long atMs)
      implements OfAudit {}

  /**
   * A question that got no answer that counts: absence, not a neutral verdict.
   *
   * @param reason stable code: agent_unreachable, agent_refused, unreadable_answer, timeout,
   *     no_agent
   */
  record Unanswered(
      String audit, long epoch, String agent, String event, String term, String reason, long atMs)
      implements OfAudit {}

  /**
   * Renegotiation: the other agent's reply to the entrenched one's use (section 4.2).
   *
   * @param term key of the term
   * @param entrenched the agent with more decided verdicts
   * @param other the agent that was asked to adopt its use
   * @param decidedEntrenched number of its decided verdicts on the term so far
   * @param decidedOther the same of the other agent
   * @param reply "adopt", "decline", or the code of a failure
   */
  record Renegotiated(
      String audit,
      long epoch,
      String term,
      String entrenched,
      String other,
      int decidedEntrenched,
      int decidedOther,
      String reply,
      long atMs)
      implements OfAudit {}

  /** What an audit decided of a term. */
  enum Outcome {
    /** Enters V*. */
    CERTIFIED("certified"),
    /** Stays in V* after a recertification. */
    KEPT("kept"),
    /** Enters V* again after a renegotiation. */
    RESTORED("restored"),
    /** Is not in V* and does not enter it. */
    REFUSED("refused"),
    /** Leaves V*. */
    REVOKED("revoked");

    private final String code;

    Outcome(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }

  /**
   * The decision on a term for one pair of agents, with its numbers. Everything in it follows from
   * the entries before it.
   *
   * @param agents the pair, sorted
   * @param term key of the term
   * @param audited n_aud, @param eligible k, @param contradictions c: what the decision rests on
   *     (the audit's own events; with the anytime bound all since the term's last reset)
   * @param unanswered events of this audit that one of the two gave no answer on
   * @param upper u
   * @param coverage s
   * @param cusum state of the drift watch after this audit; anytime bound only
   * @param outcome what follows
   * @param reason why it is refused or revoked
   */
  record Decided(
      String audit,
      long epoch,
      List<String> agents,
      String term,
      int audited,
      int eligible,
      int contradictions,
      int unanswered,
      double upper,
      double coverage,
      OptionalDouble cusum,
      Outcome outcome,
      Optional<RefusalReason> reason,
      long atMs)
      implements OfAudit {
    /** Copies the list. */
    public Decided {
      agents = List.copyOf(agents);
    }
  }

  /**
   * A core version rests on the decisions before it.
   *
   * @param core what it is the core of
   * @param version its version
   * @param certified keys of V*, sorted
   * @param documentSha256 hex SHA-256 of the signed note's text
   */
  record CoreIssued(
      String audit,
      long epoch,
      CoreId core,
      long version,
      List<String> certified,
      String documentSha256,
      long atMs)
      implements OfAudit {
    /** Copies the list. */
    public CoreIssued {
      certified = List.copyOf(certified);
      Digest.checked(documentSha256);
    }
  }

  /**
   * An audit has ended.
   *
   * @param seed hex of the 32 bytes that the events were drawn with; its SHA-256 is the commitment
   * @param failure why it ended without decisions; empty if it completed
   */
  record Closed(String audit, long epoch, String seed, Optional<String> failure, long atMs)
      implements OfAudit {
    /** Refuses a seed that is none. */
    public Closed {
      Digest.checked(seed);
    }
  }
}
