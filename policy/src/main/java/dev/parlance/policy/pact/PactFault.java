package dev.parlance.policy.pact;

/** Why a message is refused. The name is the code. */
public enum PactFault {
  /** Negotiation or pact have ended. */
  CLOSED,
  /** It came when the time was over, and ends what it belongs to. */
  LATE,
  /** There is no such type of message. */
  UNKNOWN_TYPE,
  /** It cannot come here. */
  OUT_OF_STATE,
  /** Nothing is agreed yet that could be signed. */
  NOT_CONVERGED,
  /** A ratified pact is not changed. */
  IMMUTABLE,
  /** It names another negotiation. */
  UNKNOWN_NEGOTIATION,
  /** It names another pact. */
  UNKNOWN_PACT,
  /** Its sender has no say here. */
  NOT_A_PARTY,
  /** It is the other side's turn. */
  OUT_OF_TURN,
  /** One party, or one that is not the sender. */
  BAD_PARTIES,
  /** Times that are not positive. */
  BAD_LIMITS,
  /** A proposal without predicates. */
  EMPTY_PROPOSAL,
  /** A counter that says nothing. */
  EMPTY_COUNTER,
  /** A predicate twice in one message, or added where it is already. */
  DUPLICATE_ID,
  /** A response to a predicate that there is not. */
  UNKNOWN_PREDICATE,
  /** A response that is none. */
  UNKNOWN_ACTION,
  /** A category that there is not. */
  BAD_CATEGORY,
  /** Nobody accepts what they wrote themselves. */
  ACCEPT_OWN,
  /** What both accepted stays accepted. */
  UNACCEPT,
  /** A rejection without a reason ends the negotiation. */
  MISSING_RATIONALE,
  /** After the last counter only acceptance counts. */
  FORCED_RESOLUTION,
  /** The template was not offered. */
  TEMPLATE_NOT_OFFERED,
  /** Nobody knows the template, or not in this version. */
  TEMPLATE_UNKNOWN,
  /** The arbiter keeps what is locked. */
  ARBITER_UNLOCKS,
  /** The arbiter's word is taken or left. */
  ARBITRATION_IS_FINAL,
  /** Not every category is covered. */
  INCOMPLETE_CATEGORIES,
  /** It signs other predicates. */
  PREDICATES_MISMATCH,
  /** It signs another history. */
  HISTORY_MISMATCH,
  /** It is not what the other side has signed. */
  RATIFICATION_MISMATCH,
  /** A validity that lies in the past, is empty or too long. */
  BAD_VALIDITY,
  /** A signature is missing, does not hold, or is a stranger's. */
  BAD_SIGNATURE,
  /** A reason that there is not. */
  BAD_REASON,
  /** A failure that the pact does not provide for. */
  NO_FAILURE_PREDICATE,
  /** A withdrawal sooner than the pact allows. */
  NOTICE_NOT_GIVEN,
  /** The time is not over yet. */
  PREMATURE_EXPIRY,
  /** Only the orchestrator says that a party is gone. */
  ORCHESTRATOR_ONLY
}
