package dev.parlance.ledger.record;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.text.Coded;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * One entry of the ledger: a JSON object on one line, members in a fixed order, see {@code
 * docs/evidence.md}. Order in the ledger is what counts; times are for people.
 *
 * <p>An audit's entries carry its epoch. A replica that takes an audit over first writes {@link
 * TakenOver} with a higher epoch; whatever the former one still writes afterwards has the lower
 * epoch and counts for nothing. So the ledger's order alone says which verdicts count, and of two
 * verdicts of one agent on the same term and event in one audit only the first does.
 */
public sealed interface Entry
    permits Entry.Plan,
        Entry.PlanPart,
        Entry.AuditPart,
        Entry.OfAudit,
        RoundEntry,
        PactEntry,
        LexiconEntry,
        Entry.ReviewDecided {
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
   * What is to be certified and how strictly; stands in the ledger before the first question. What
   * one entry has no room for precedes it in {@link PlanPart}s; {@link EntryCodec#planEntries} does
   * the cutting.
   *
   * @param plan name of the plan
   * @param revision grows with each change, from 1
   * @param core between whom, and the domain
   * @param terms keys of the vocabulary, sorted
   * @param alternatives by term, the key of another term to use where it is not certified
   * @param events the pool that audits draw from, sorted by identifier
   * @param params the constants
   * @param multiplicity what delta is the probability of
   * @param eventsPerTerm events drawn per term and audit
   * @param parts how many {@link PlanPart}s precede
   */
  record Plan(
      String plan,
      long revision,
      CoreId core,
      List<String> terms,
      SortedMap<String, String> alternatives,
      List<PlanEvent> events,
      CertificationParams params,
      Multiplicity multiplicity,
      int eventsPerTerm,
      int parts,
      long atMs)
      implements Entry {
    /** Most events in a pool. */
    public static final int MAX_EVENTS = 1_000_000;

    /** Copies the collections, refuses ids and terms that are none, and what is not sorted. */
    public Plan {
      Names.checked(plan);
      Checks.atLeast(1, revision, "revision");
      Checks.agents(core.agents(), Checks.MAX_AGENTS);
      Names.checked(core.domain());
      terms = List.copyOf(terms);
      Checks.terms(terms);
      alternatives = Checks.alternatives(alternatives);
      events = List.copyOf(events);
      Checks.events(events);
      Checks.atLeast(1, eventsPerTerm, "eventsPerTerm");
      Checks.atLeast(0, parts, "parts");
      Checks.atLeast(0, atMs, "atMs");
      if (parts == 0 && (terms.isEmpty() || events.isEmpty())) {
        throw new IllegalArgumentException("expected a term and an event at least");
      }
      if (parts == 0 && !Checks.known(alternatives, terms)) {
        throw new IllegalArgumentException(
            "expected alternatives to be other terms of the plan, got " + alternatives);
      }
      if (terms.size() > CertifiedCore.MAX_TERMS || events.size() > MAX_EVENTS) {
        throw new IllegalArgumentException(
            "expected at most 200000 terms and 1000000 events, got "
                + terms.size()
                + " and "
                + events.size());
      }
    }

    /** A whole plan, in which no term has an alternative. */
    public Plan(
        String plan,
        long revision,
        CoreId core,
        List<String> terms,
        List<PlanEvent> events,
        CertificationParams params,
        Multiplicity multiplicity,
        int eventsPerTerm,
        long atMs) {
      this(
          plan,
          revision,
          core,
          terms,
          new TreeMap<>(),
          events,
          params,
          multiplicity,
          eventsPerTerm,
          0,
          atMs);
    }
  }

  /**
   * An event of a plan's pool.
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
   * A piece of a plan that is larger than one entry; the pieces of one plan count from 0, each
   * begins where the one before it ended, and the plan's own entry follows the last. A piece 0
   * begins anew.
   *
   * @param plan name of the plan
   * @param revision revision of the plan that it belongs to
   * @param part its number
   */
  record PlanPart(
      String plan,
      long revision,
      int part,
      List<String> terms,
      SortedMap<String, String> alternatives,
      List<PlanEvent> events,
      long atMs)
      implements Entry {
    /** Copies the collections, refuses what is not sorted. */
    public PlanPart {
      Names.checked(plan);
      Checks.atLeast(1, revision, "revision");
      Checks.atLeast(0, part, "part");
      terms = List.copyOf(terms);
      Checks.terms(terms);
      alternatives = Checks.alternatives(alternatives);
      events = List.copyOf(events);
      Checks.events(events);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /** What an audit is for. */
  enum Kind implements Coded {
    /** All terms of the plan. */
    CERTIFY,
    /** The certified terms again, on fresh events (section 4.1). */
    RECERTIFY,
    /** Terms whose use one agent has adopted from the other, on fresh events (section 4.2). */
    RENEGOTIATE;

    /** The one with this code. */
    public static Optional<Kind> ofCode(String code) {
      return Coded.find(values(), code);
    }
  }

  /**
   * An audit begins. At most one of a plan runs at a time.
   *
   * @param plan the plan and
   * @param revision its revision, the newest on the ledger
   * @param kind what it is for
   * @param terms keys of the terms it tests, sorted; with {@code parts} 0 an empty list means all
   *     of the plan's
   * @param drawCommitment hex SHA-256 of the seed that the events are drawn with; the seed itself
   *     is in {@link Closed}, so that nobody can foresee the draw and nobody can choose it
   *     afterwards
   * @param parts how many {@link AuditPart}s with further terms precede
   */
  record Opened(
      String audit,
      long epoch,
      String plan,
      long revision,
      Kind kind,
      List<String> terms,
      String drawCommitment,
      int parts,
      long atMs)
      implements OfAudit {
    /** Copies the list. */
    public Opened {
      Checks.audit(audit, epoch, atMs);
      Names.checked(plan);
      Checks.atLeast(1, revision, "revision");
      terms = List.copyOf(terms);
      Checks.terms(terms);
      Digest.checked(drawCommitment);
      Checks.atLeast(0, parts, "parts");
    }

    /** An opening with all its terms in it, or (empty list) of all of the plan's. */
    public Opened(
        String audit,
        long epoch,
        String plan,
        long revision,
        Kind kind,
        List<String> terms,
        String drawCommitment,
        long atMs) {
      this(audit, epoch, plan, revision, kind, terms, drawCommitment, 0, atMs);
    }
  }

  /**
   * Terms of an audit that its {@link Opened} has no room for; numbered and put together as {@link
   * PlanPart}s are.
   *
   * @param audit id of the audit that is about to be opened
   * @param part its number
   */
  record AuditPart(String audit, int part, List<String> terms, long atMs) implements Entry {
    /** Copies the list. */
    public AuditPart {
      Names.checked(audit);
      Checks.atLeast(0, part, "part");
      terms = List.copyOf(terms);
      Checks.terms(terms);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /** Another replica goes on with an audit whose former one is gone. */
  record TakenOver(String audit, long epoch, long atMs) implements OfAudit {
    /** Refuses an id that is none. */
    public TakenOver {
      Checks.audit(audit, epoch, atMs);
    }
  }

  /** How an answer was given. */
  enum Form implements Coded {
    /** In the form of the audit extension. */
    EXTENSION,
    /** In words, read strictly. */
    PLAIN,
    /** Drawn by a simulation; no agent was asked. */
    SIMULATED;

    /** The one with this code. */
    public static Optional<Form> ofCode(String code) {
      return Coded.find(values(), code);
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
      implements OfAudit {
    /** Refuses ids that are none, and an answer's digest where nobody was asked. */
    public Test {
      Checks.audit(audit, epoch, atMs);
      Names.checked(agent);
      Names.checked(event);
      TermKey.checked(term);
      answerSha256.ifPresent(Digest::checked);
      if (answerSha256.isPresent() == (form == Form.SIMULATED)) {
        throw new IllegalArgumentException("expected the answer's digest unless simulated");
      }
    }
  }

  /**
   * A question that got no answer that counts: absence, not a neutral verdict.
   *
   * @param reason stable code: agent_unreachable, agent_refused, unreadable_answer, timeout,
   *     no_agent
   */
  record Unanswered(
      String audit, long epoch, String agent, String event, String term, String reason, long atMs)
      implements OfAudit {
    /** Refuses ids and codes that are none. */
    public Unanswered {
      Checks.audit(audit, epoch, atMs);
      Names.checked(agent);
      Names.checked(event);
      TermKey.checked(term);
      Checks.code(reason);
    }
  }

  /**
   * Renegotiation: the other agent's reply to the entrenched one's use (section 4.2). Precedes the
   * audit's tests of the term; only terms that were adopted are tested and decided.
   *
   * @param term key of the term
   * @param entrenched the agent with more decided verdicts
   * @param other the agent that was asked to adopt its use
   * @param decidedEntrenched number of its decided verdicts on the term in the domain, over all
   *     audits closed so far
   * @param decidedOther the same of the other agent; not more, and with as many the entrenched one
   *     is the first by id
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
      implements OfAudit {
    /** The reply that makes a term worth testing again. */
    public static final String ADOPT = "adopt";

    /** Refuses ids, codes and counts that are none. */
    public Renegotiated {
      Checks.audit(audit, epoch, atMs);
      TermKey.checked(term);
      Names.checked(entrenched);
      Names.checked(other);
      Checks.atLeast(0, decidedEntrenched, "decidedEntrenched");
      Checks.atLeast(0, decidedOther, "decidedOther");
      Checks.code(reply);
      if (entrenched.equals(other)) {
        throw new IllegalArgumentException("expected two agents, got " + other + " twice");
      }
    }

    /** The two agents, sorted. */
    public List<String> pair() {
      return entrenched.compareTo(other) < 0
          ? List.of(entrenched, other)
          : List.of(other, entrenched);
    }
  }

  /** What an audit decided of a term. */
  enum Outcome implements Coded {
    /** Enters V*. */
    CERTIFIED,
    /** Stays in V* after a recertification. */
    KEPT,
    /** Enters V* again after a renegotiation. */
    RESTORED,
    /** Is not in V* and does not enter it. */
    REFUSED,
    /** Leaves V*. */
    REVOKED;
  }

  /**
   * The decision on a term for one pair of agents, with its numbers. Everything in it follows from
   * the entries before it.
   *
   * @param agents the pair, sorted
   * @param term key of the term
   * @param audited n_aud of what the decision rests on: the audit's own events; with the anytime
   *     bound all since the term's last reset
   * @param eligible k
   * @param contradictions c
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
    /** Copies the list, refuses numbers that no tally has. */
    public Decided {
      Checks.audit(audit, epoch, atMs);
      agents = List.copyOf(agents);
      Checks.agents(agents, 2);
      TermKey.checked(term);
      Checks.numbers(new Tally(audited, eligible, contradictions), unanswered, upper, coverage);
      if (!(cusum.orElse(0.0) >= 0.0 && cusum.orElse(0.0) < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("expected a finite cusum of at least 0, got " + cusum);
      }
      if (reason.isPresent() != (outcome == Outcome.REFUSED || outcome == Outcome.REVOKED)) {
        throw new IllegalArgumentException("expected a reason where refused or revoked, only");
      }
    }

    /** What the decision rests on. */
    public Tally tally() {
      return new Tally(audited, eligible, contradictions);
    }
  }

  /**
   * A core version rests on the decisions before it. The document is not in the ledger, its digest
   * is: every member of it follows from the entries (see {@link Auditor#core}), so that the digest
   * can be recomputed.
   *
   * @param core what it is the core of
   * @param version its version: one more than the last on the ledger
   * @param ledgerSize the document's ledger size: behind the audit's last decision, not behind this
   *     entry
   * @param certified number of terms in V*
   * @param certifiedSha256 hex SHA-256 of the keys of V*, sorted, each with a newline at its end
   * @param documentSha256 hex SHA-256 of the signed note's text
   * @param atMs also the document's {@code issuedAtMs}
   */
  record CoreIssued(
      String audit,
      long epoch,
      CoreId core,
      long version,
      long ledgerSize,
      int certified,
      String certifiedSha256,
      String documentSha256,
      long atMs)
      implements OfAudit {
    /** Refuses ids and digests that are none. */
    public CoreIssued {
      Checks.audit(audit, epoch, atMs);
      Checks.agents(core.agents(), Checks.MAX_AGENTS);
      Names.checked(core.domain());
      Checks.atLeast(1, version, "version");
      Checks.atLeast(0, ledgerSize, "ledgerSize");
      Checks.atLeast(0, certified, "certified");
      Digest.checked(certifiedSha256);
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
      Checks.audit(audit, epoch, atMs);
      Digest.checked(seed);
      failure.ifPresent(Checks::code);
    }
  }

  /**
   * A decision of persons about a message that was held beside an agent: type {@code
   * review_decided}. The text is on no ledger, its digest is. Nothing follows from it: each stands
   * for itself, and one that is told twice counts once, the first.
   *
   * @param agent id of the agent beside whose sidecar it was held
   * @param item its id in that sidecar's review queue
   * @param textSha256 SHA-256 of the text that was judged, in hex
   * @param route configured name of the route
   * @param verdict what was decided
   * @param who the persons who decided so, in order, 1 to 8
   * @param atMs when it took effect, in milliseconds since the epoch
   */
  record ReviewDecided(
      String agent,
      String item,
      String textSha256,
      String route,
      Verdict verdict,
      List<String> who,
      long atMs)
      implements Entry {
    private static final Pattern ITEM = Pattern.compile("r-[0-9a-z]{1,40}");
    private static final Pattern ROUTE = Pattern.compile("[a-z0-9-]{1,40}");

    /** Most persons. */
    private static final int MAX_WHO = 8;

    private static final int MAX_WHO_LENGTH = 200;

    /** What persons can decide. */
    public enum Verdict implements Coded {
      /** The message passes. */
      RELEASE,
      /** It is refused. */
      REJECT,
      /** It is refused, and its author is asked for another one. */
      SEND_BACK
    }

    /** Refuses ids, names and digests that are none. */
    public ReviewDecided {
      Names.checked(agent);
      Digest.checked(textSha256);
      Checks.atLeast(0, atMs, "atMs");
      who = List.copyOf(who);
      if (!ITEM.matcher(item).matches() || !ROUTE.matcher(route).matches()) {
        throw new IllegalArgumentException("expected an item and a route, got " + item);
      }
      if (who.isEmpty()
          || who.size() > MAX_WHO
          || new HashSet<>(who).size() != who.size()
          || !who.stream().allMatch(ReviewDecided::isPerson)) {
        throw new IllegalArgumentException("expected 1 to 8 persons, got " + who.size());
      }
    }

    private static boolean isPerson(String name) {
      return !name.isEmpty()
          && name.length() <= MAX_WHO_LENGTH
          && name.chars().noneMatch(Character::isISOControl);
    }
  }
}
