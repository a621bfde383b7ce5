package dev.parlance.policy.route;

/**
 * Why a message took its route. The codes are stable: the same one stands in the metric label, the
 * log line and the response. Those down to {@link #CORE_ABSENT} come from judging; the rest from
 * what stood in its way.
 */
public enum Reason {
  /** Every test passed. */
  OK("ok"),
  /** Grounding below the minimum (Eq. 6, first clause). */
  G_LOW("g_low"),
  /** Stochasticity above the maximum. */
  S_HIGH("s_high"),
  /** Drift above the critical threshold. */
  D_CRIT("d_crit"),
  /** Drift above the warning threshold. */
  D_WARN("d_warn"),
  /** A feature was not a finite number. */
  INVALID_FEATURE("invalid_feature"),
  /** The answer has no token at all. */
  EMPTY_ANSWER("empty_answer"),
  /** The answer has fewer distinct tokens than the profile asks for. */
  SHORT_ANSWER("short_answer"),
  /** The answer cites something that was not retrieved. */
  CITATION_UNKNOWN("citation_unknown"),
  /** The answer names a number that neither the evidence nor the question holds. */
  NUMBER_UNSUPPORTED("number_unsupported"),
  /** The answer only repeats the question. */
  QUESTION_ECHO("question_echo"),
  /** There is nothing to hold the answer against. */
  NO_EVIDENCE("no_evidence"),
  /** It uses a governed term that is refused or not tested in the certified core. */
  TERM_UNCERTIFIED("term_uncertified"),
  /** It uses a governed term that was certified once and is no longer. */
  TERM_REVOKED("term_revoked"),
  /** It uses governed terms, and the core was not confirmed for too long. */
  CORE_STALE("core_stale"),
  /** There is no core to hold it against. */
  CORE_ABSENT("core_absent"),
  /** The flow's error budget is spent. */
  BUDGET("budget"),
  /** The flow's time is over. */
  TTL_EXPIRED("ttl_expired"),
  /** The author cannot be asked again safely on this route. */
  REGENERATE_OFF("regenerate_off"),
  /** No codec could read the message. */
  UNJUDGED("unjudged"),
  /** A person released exactly this message. */
  RELEASED("released"),
  /** The gate itself failed; the route's onError policy applied. */
  INTERNAL_ERROR("internal_error"),
  /** What it says of a round cannot be read. */
  ROUND_UNREADABLE("round_unreadable"),
  /** It carries a proposal that the control plane does not take. */
  ROUND_REFUSED("round_refused"),
  /** It has to do with a round, and the control plane could not be asked. */
  ROUND_UNAVAILABLE("round_unavailable"),
  /** It claims the outcome of a round that is not known, or has not ended. */
  OUTCOME_UNKNOWN("outcome_unknown"),
  /** It claims another outcome than the round's. */
  OUTCOME_MISMATCH("outcome_mismatch"),
  /** The route asks for the outcome of a round, and it brings none. */
  FINALITY_REQUIRED("finality_required"),
  /** The route asks for more than the outcome that it brings. */
  FINALITY_INSUFFICIENT("finality_insufficient"),
  /** The round that it names did not say what was decided about. */
  OUTCOME_WITHOUT_SUBJECT("outcome_without_subject"),
  /** The round that it names was about something else than this message. */
  OUTCOME_OTHER_SUBJECT("outcome_other_subject");

  private final String code;

  Reason(String code) {
    this.code = code;
  }

  /** The stable name in logs, metrics and on the wire. */
  public String code() {
    return code;
  }
}
