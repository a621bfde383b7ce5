package dev.parlance.ledger.record;

import dev.parlance.policy.text.Coded;

/** What an entry did to the state of the ledger. */
public sealed interface Applied {
  /** It counts. */
  record Counted() implements Applied {}

  /** It counts and ends an audit: what the audit decides is settled. */
  record Settled(Settlement settlement) implements Applied {}

  /** It counts for nothing. */
  record Ignored(Cause cause) implements Applied {}

  /** Why an entry counts for nothing. The codes are stable. */
  enum Cause implements Coded {
    /** Of a replica whose audit another one has taken over. */
    FENCED,
    /** Says what an effective entry before it says already; or answers an answered question. */
    DUPLICATE,
    /** Takes over an audit that has ended in the meantime. */
    ENDED_ALREADY,
    /** Repeats an earlier entry (plan revision, opening, decision, core) with other content. */
    CONTRADICTS_EARLIER,
    /** Its parts are not those before it, or it is a part that does not follow. */
    PARTS_MISSING,
    /** Put together it is no plan: not sorted, too large, empty, or with unknown alternatives. */
    IMPOSSIBLE_PLAN,
    /** The plan, or this revision of it, is not on the ledger. */
    PLAN_UNKNOWN,
    /** A newer revision of the plan is on the ledger. */
    PLAN_SUPERSEDED,
    /** Another audit of the plan, or of its core, has not ended. */
    AUDIT_RUNNING,
    /** The audit was never opened. */
    AUDIT_UNKNOWN,
    /** The audit has ended. */
    AUDIT_CLOSED,
    /** An epoch that nobody has taken the audit over with. */
    EPOCH_UNKNOWN,
    /** The agent, or the pair, is not in the plan. */
    AGENT_UNKNOWN,
    /** The audit does not test the term. */
    TERM_UNKNOWN,
    /** The event is not in the plan's pool. */
    EVENT_UNKNOWN,
    /** The event is in the pool and was not drawn for this term. */
    NOT_DRAWN,
    /** A renegotiation tests only terms that were adopted. */
    NOT_ADOPTED,
    /** An offer in an audit that is no renegotiation. */
    NO_RENEGOTIATION,
    /** A test after the first decision, a decision after the core, an offer after a test. */
    TOO_LATE,
    /** Opens a round's epoch that was opened before with other constants. */
    ROUND_EXISTS,
    /** A proposal behind the round's seal. */
    LATE,
    /** A third different proposal of an agent that is known to equivocate. */
    EQUIVOCATED,
    /** The round, or this epoch of it, was not opened before. */
    ROUND_UNKNOWN,
    /** Opens an epoch although the one before has not ended in an abort. */
    EPOCH_NOT_DUE,
    /** The agent is no member of the round. */
    NOT_A_MEMBER,
    /** A meaning that the round's encoder cannot give: another length, or one without encoder. */
    OTHER_ENCODING,
    /**
     * A seal that compares texts in a round that asks for vectors alone, or the other way round.
     */
    OTHER_AGREEMENT,
    /** Calls the round complete although a member has not proposed. */
    NOT_COMPLETE,
    /** Decides a round that is not sealed, or has expired. */
    NO_DECISION_DUE,
    /** Signs the outcome of a round that has none, or none that its members answer for. */
    NOT_DECIDED,
    /** The pact is not on the ledger. */
    PACT_UNKNOWN,
    /** Replaces a pact that the same two parties do not have. */
    REPLACES_NONE,
    /** The pact has ended, or is disputed, which only its arbiter ends. */
    PACT_ENDED,
    /** The pact's time was over. */
    PACT_EXPIRED,
    /** Who speaks is no party of the pact. */
    NOT_A_PARTY,
    /** A note that is none, says something else than the entry, or is not signed as it must be. */
    NOT_SIGNED,
    /** A key that another one has followed. */
    KEY_RETIRED,
    /** Counts that are smaller than those before, or come after the last ones. */
    COUNTS_FALL,
    /** A reason that there is not, or without the party that answers for it. */
    WRONG_REASON,
    /** A withdrawal sooner than the pact allows. */
    NOTICE_NOT_GIVEN,
    /** Ends a pact for its time while that lasts. */
    NOT_OVER,
    /** Decides a pact that is not disputed. */
    NOT_DISPUTED,
    /**
     * Decides a dispute although the pact names somebody else, or nobody that can be read; or a
     * negotiation that was handed to somebody else.
     */
    NOT_THE_ARBITER,
    /** Decides a negotiation that its initiator has not handed to an arbiter like this. */
    CASE_UNKNOWN,
    /** Decides a negotiation when the time for it was over. */
    CASE_OVER,
    /** Says that a party has vanished, which the last counts of both do not show. */
    NOT_SHOWN,
    /** Says that the other one broke the pact without having counted it. */
    NOT_OBSERVED,
    /** Opens a board that was opened before with other groups, or to share in another way. */
    BOARD_EXISTS,
    /** The board was not opened, or so many others were used since that it is forgotten. */
    BOARD_UNKNOWN,
    /** The board has as many turns, or as many terms, as one may have. */
    BOARD_FULL,
    /** A line of a turn that is not the one before it. */
    TURN_UNKNOWN,
    /** Coins what the speaker sees already: somebody was faster, or has coined a retired term. */
    NOT_NOVEL,
    /** Coins what an earlier line of the turn coins. */
    DUPLICATE_IN_TURN,
    /** One line more than a turn may have. */
    TOO_MANY_LINES,
    /** The speaker sees no such term, or there is none on the board. */
    TERM_NOT_SEEN,
    /** The term waits for a person. */
    TERM_WAITS,
    /** The term is off the board. */
    TERM_RETIRED,
    /** Speaks on a channel that the speaker does not hear. */
    NOT_HEARD,
    /** Takes a turn back whose term was used since, contested, or decided on by a person. */
    TAKEN_UP,
    /** Promotes a term for uses that there were not, or in a meaning that it never had. */
    TOO_FEW_USES;

    /**
     * True for what replicas leave behind when one takes over from another, asks twice, or writes
     * for a round while another one writes as well; and for what a sidecar that knows an older
     * board asks for.
     */
    public boolean isExpected() {
      return isOfBoard()
          || switch (this) {
            case FENCED,
                DUPLICATE,
                ENDED_ALREADY,
                ROUND_EXISTS,
                LATE,
                EQUIVOCATED,
                PACT_ENDED,
                COUNTS_FALL ->
                true;
            default -> false;
          };
    }

    /** True for what a board refuses, or did when a sidecar knew an older one. */
    boolean isOfBoard() {
      return compareTo(BOARD_EXISTS) >= 0 && compareTo(TAKEN_UP) <= 0;
    }
  }

  /** It counts. */
  Applied COUNTED = new Counted();

  /** It counts for nothing. */
  static Applied ignored(Cause cause) {
    return new Ignored(cause);
  }
}
