package dev.parlance.policy.route;

import dev.parlance.policy.text.Coded;

/**
 * Why a message took its route. The codes are stable: the same one stands in the metric label, the
 * log line and the response. Those down to {@link #CORE_ABSENT} come from judging; the rest from
 * what stood in its way.
 */
public enum Reason implements Coded {
  /** Every test passed. */
  OK,
  /** Grounding below the minimum (Eq. 6, first clause). */
  G_LOW,
  /** Stochasticity above the maximum. */
  S_HIGH,
  /** Drift above the critical threshold. */
  D_CRIT,
  /** Drift above the warning threshold. */
  D_WARN,
  /** A feature was not a finite number. */
  INVALID_FEATURE,
  /** The answer has no token at all. */
  EMPTY_ANSWER,
  /** The answer has fewer distinct tokens than the profile asks for. */
  SHORT_ANSWER,
  /** The answer cites something that was not retrieved. */
  CITATION_UNKNOWN,
  /** The answer names a number that neither the evidence nor the question holds. */
  NUMBER_UNSUPPORTED,
  /** The answer only repeats the question. */
  QUESTION_ECHO,
  /** There is nothing to hold the answer against. */
  NO_EVIDENCE,
  /** It uses a governed term that is refused or not tested in the certified core. */
  TERM_UNCERTIFIED,
  /** It uses a governed term that was certified once and is no longer. */
  TERM_REVOKED,
  /** It uses governed terms, and the core was not confirmed for too long. */
  CORE_STALE,
  /** There is no core to hold it against. */
  CORE_ABSENT,
  /** The flow's error budget is spent. */
  BUDGET,
  /** The flow's time is over. */
  TTL_EXPIRED,
  /** The author cannot be asked again safely on this route. */
  REGENERATE_OFF,
  /** No codec could read the message. */
  UNJUDGED,
  /** A person released exactly this message. */
  RELEASED,
  /** The gate itself failed; the route's onError policy applied. */
  INTERNAL_ERROR,
  /** What it says of a round cannot be read. */
  ROUND_UNREADABLE,
  /** It carries a proposal that the control plane does not take. */
  ROUND_REFUSED,
  /** It has to do with a round, and the control plane could not be asked. */
  ROUND_UNAVAILABLE,
  /** It claims the outcome of a round that is not known, or has not ended. */
  OUTCOME_UNKNOWN,
  /** It claims another outcome than the round's. */
  OUTCOME_MISMATCH,
  /** The route asks for the outcome of a round, and it brings none. */
  FINALITY_REQUIRED,
  /** The route asks for more than the outcome that it brings. */
  FINALITY_INSUFFICIENT,
  /** The round that it names did not say what was decided about. */
  OUTCOME_WITHOUT_SUBJECT,
  /** The round that it names was about something else than this message. */
  OUTCOME_OTHER_SUBJECT,
  /** The route asks for a pact, and none was agreed or named. */
  PACT_REQUIRED,
  /** The route asks for a pact, and nobody opposite negotiates. */
  PACT_NO_PEER,
  /** It names a pact that is not known here. */
  PACT_UNKNOWN,
  /** It names another pact than the one it belongs to, or none. */
  PACT_HASH_DIFFERS,
  /** Its pact has ended. */
  PACT_ENDED,
  /** Its pact is suspended until the arbiter has decided. */
  PACT_DISPUTED,
  /** It goes beyond the data of its pact, which ends. */
  PACT_SCOPE,
  /** It does what its pact does not allow. */
  PACT_ACTION,
  /** It is not in the form that its pact asks for. */
  PACT_OUTPUT,
  /** It is not as good as its pact asks for. */
  PACT_SUCCESS,
  /** It is more than its pact allows in all, which ends. */
  PACT_TERMINATION,
  /** Its author may not say this in the negotiation that it leads itself, or not now. */
  PACT_ILLEGAL_MOVE,
  /** Its pact has a person release it first. */
  PACT_APPROVAL,
  /** Nobody could tell whether it keeps to its pact. */
  PACT_UNMEASURED,
  /** It needs a pact, and nobody could be asked in time. */
  PACT_UNAVAILABLE
}
