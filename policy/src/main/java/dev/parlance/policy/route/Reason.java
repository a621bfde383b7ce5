package dev.parlance.policy.route;

import dev.parlance.policy.text.Coded;

/**
 * Why a message took its route: what the reason is about, whose fault it is, and a sentence. The
 * codes are stable: the same one stands in the metric label, the log line and the response. The
 * table in {@code docs/operations.md} is this one.
 */
public enum Reason implements Coded {
  /** Every test passed. */
  OK(Group.PASSED, Fault.NONE, "it passed every test"),
  /** Grounding below the minimum (Eq. 6, first clause). */
  G_LOW(
      Group.SIGNALS,
      Fault.AUTHOR,
      "too little of it is found in the given material, or no source is cited"),
  /** Stochasticity above the maximum. */
  S_HIGH(
      Group.SIGNALS,
      Fault.AUTHOR,
      "too much of it is found neither in the given material nor in the question"),
  /** Drift above the critical threshold. */
  D_CRIT(Group.SIGNALS, Fault.AUTHOR, Texts.DRIFT),
  /** Drift above the warning threshold. */
  D_WARN(Group.SIGNALS, Fault.AUTHOR, Texts.DRIFT),
  /** A feature was not a finite number. */
  INVALID_FEATURE(Group.SIGNALS, Fault.AUTHOR, "it could not be measured"),
  /** The answer has no token at all. */
  EMPTY_ANSWER(Group.CONTENT, Fault.AUTHOR, "it says nothing"),
  /** The answer has fewer distinct tokens than the profile asks for. */
  SHORT_ANSWER(Group.CONTENT, Fault.AUTHOR, "it is too short to be checked"),
  /** The answer cites something that was not retrieved. */
  CITATION_UNKNOWN(
      Group.CONTENT, Fault.AUTHOR, "it cites a source that is not among the given ones"),
  /** The answer names a number that neither the evidence nor the question holds. */
  NUMBER_UNSUPPORTED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it states a number that is neither in the given material nor in the question"),
  /** A claim repeats its evidence, but a negation was added or taken away. */
  NEGATION_CHANGED(
      Group.CONTENT, Fault.AUTHOR, "it repeats the material, but a negation was added or left out"),
  /** A claim repeats its evidence with another number, or has another one than its evidence. */
  NUMBER_CHANGED(Group.CONTENT, Fault.AUTHOR, "it has another number than the material"),
  /** A claim has another unit or currency than its evidence. */
  UNIT_CHANGED(Group.CONTENT, Fault.AUTHOR, "it has another unit or currency than the material"),
  /** A claim has another date or time than its evidence. */
  DATE_CHANGED(Group.CONTENT, Fault.AUTHOR, "it has another date or time than the material"),
  /** A claim repeats its evidence with another name. */
  NAME_CHANGED(Group.CONTENT, Fault.AUTHOR, "it repeats the material with another name"),
  /** A claim repeats its evidence with the opposite of a word. */
  WORD_REVERSED(Group.CONTENT, Fault.AUTHOR, "it repeats the material with the opposite of a word"),
  /** A claim repeats its evidence with another quantifier: all, some, none. */
  QUANTIFIER_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it says of how many or how often another thing than the material"),
  /** A claim repeats its evidence with another modal verb: must, should, may. */
  MODALITY_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it says of what must, should or may be another thing than the material"),
  /** A claim repeats its evidence with two things in each other's place. */
  ROLES_EXCHANGED(
      Group.CONTENT, Fault.AUTHOR, "it repeats the material with two things in each other's place"),
  /** Its weakest claim is carried, but not well. */
  G_WARN(Group.SIGNALS, Fault.AUTHOR, "a part of it is only loosely found in the given material"),
  /** It cites nothing, and the profile asks for citations. */
  UNCITED(Group.CONTENT, Fault.AUTHOR, "it cites no source"),
  /** A claim is carried by another source than the one it cites. */
  CITATION_MISPLACED(
      Group.CONTENT, Fault.AUTHOR, "it cites a source that does not say this; another one does"),
  /** A claim leaves out the condition under which the evidence makes it. */
  CONDITION_LEFT_OUT(
      Group.CONTENT, Fault.AUTHOR, "it leaves out a condition that the given material makes"),
  /** It says that the material does not answer, and a sentence of it is about what was asked. */
  ABSTAINS_WRONGLY(
      Group.CONTENT,
      Fault.AUTHOR,
      "it says that the material does not answer, which it seems to do"),
  /** The answer only repeats the question. */
  QUESTION_ECHO(Group.CONTENT, Fault.AUTHOR, "it only repeats words of the question"),
  /** There is nothing to hold the answer against. */
  NO_EVIDENCE(
      Group.SIGNALS,
      Fault.AUTHOR,
      "it came without the material that it rests on; send that along"),
  /** It uses a governed term that is refused or not tested in the certified core. */
  TERM_UNCERTIFIED(Group.CORE, Fault.AUTHOR, "it uses a governed term that is not certified"),
  /** It uses a governed term that was certified once and is no longer. */
  TERM_REVOKED(Group.CORE, Fault.AUTHOR, "it uses a governed term that is no longer certified"),
  /** It uses governed terms, and the core was not confirmed for too long. */
  CORE_STALE(
      Group.CORE,
      Fault.CONTROL_PLANE,
      "it uses governed terms, and the core was not confirmed for too long"),
  /** There is no core to hold it against. */
  CORE_ABSENT(Group.CORE, Fault.CONTROL_PLANE, "there is no core to hold it against"),
  /** The flow's error budget is spent. */
  BUDGET(Group.FLOW, Fault.NONE, "the flow's error budget is spent"),
  /** The flow's time is over. */
  TTL_EXPIRED(Group.FLOW, Fault.NONE, "the flow's time is over"),
  /** It was asked for again, and there is still nothing in the evidence for it. */
  NO_SUPPORT(
      Group.FLOW,
      Fault.NONE,
      "it was asked for again, and there is still nothing in the given material for it"),
  /** The author cannot be asked again safely on this route. */
  REGENERATE_OFF(
      Group.FLOW, Fault.OPERATOR, "its author cannot be asked again safely on this route"),
  /** Its author has done something for it, and asking again would do it again. */
  ACTED(
      Group.FLOW, Fault.NONE, "its author has done something for it, so it is not asked for again"),
  /** No codec could read the message. */
  UNJUDGED(Group.GATE, Fault.OPERATOR, "no codec could read it"),
  /** A person released exactly this message. */
  RELEASED(Group.PASSED, Fault.NONE, "a person released exactly this message"),
  /** An answer to this question waits for a person, or to be collected. */
  REVIEW_PENDING(Group.FLOW, Fault.NONE, "an answer to this question is held for review already"),
  /** A person refused exactly this text. */
  REJECTED(Group.CONTENT, Fault.AUTHOR, "a person has refused exactly this text"),
  /** The gate itself failed; the route's onError policy applied. */
  INTERNAL_ERROR(
      Group.GATE, Fault.SIDECAR, "the gate failed, and the route's onError policy applied"),
  /** The review queue is full, and what its sender was answered last had to be held. */
  QUEUE_FULL(
      Group.GATE,
      Fault.OPERATOR,
      "the review queue is full, and what its sender was answered last had to be held"),
  /** The verdict beside it is not the one of its sender on it, for this receiver, now. */
  VERDICT_FORGED(
      Group.GATE,
      Fault.PEER,
      "the verdict beside it is not its sender's on this message, for this receiver and this time"),
  /** What it says of a round cannot be read. */
  ROUND_UNREADABLE(Group.ROUND, Fault.AUTHOR, "what it says of a round cannot be read"),
  /** It carries a proposal that the control plane does not take. */
  ROUND_REFUSED(
      Group.ROUND, Fault.AUTHOR, "it carries a proposal that the control plane does not take"),
  /** It has to do with a round, and the control plane could not be asked. */
  ROUND_UNAVAILABLE(
      Group.ROUND,
      Fault.CONTROL_PLANE,
      "it has to do with a round, and the control plane could not be asked"),
  /** It claims the outcome of a round that is not known, or has not ended. */
  OUTCOME_UNKNOWN(
      Group.ROUND,
      Fault.AUTHOR,
      "it claims the outcome of a round that is not known, or has not ended"),
  /** It claims another outcome than the round's. */
  OUTCOME_MISMATCH(Group.ROUND, Fault.AUTHOR, "it claims another outcome than the round's"),
  /** The route asks for the outcome of a round, and it brings none. */
  FINALITY_REQUIRED(
      Group.ROUND, Fault.AUTHOR, "the route asks for the outcome of a round, and it brings none"),
  /** The route asks for more than the outcome that it brings. */
  FINALITY_INSUFFICIENT(
      Group.ROUND, Fault.AUTHOR, "the route asks for more than the outcome that it brings"),
  /** The round that it names did not say what was decided about. */
  OUTCOME_WITHOUT_SUBJECT(
      Group.ROUND, Fault.AUTHOR, "the round that it names did not say what was decided about"),
  /** The round that it names was about something else than this message. */
  OUTCOME_OTHER_SUBJECT(
      Group.ROUND, Fault.AUTHOR, "the round that it names was about something else"),
  /** The route asks for a pact, and none was agreed or named. */
  PACT_REQUIRED(
      Group.PACT, Fault.AUTHOR, "the route asks for a pact, and none was agreed or named"),
  /** The route asks for a pact, and nobody opposite negotiates. */
  PACT_NO_PEER(Group.PACT, Fault.PEER, "the route asks for a pact, and nobody opposite negotiates"),
  /** It names a pact that is not known here. */
  PACT_UNKNOWN(Group.PACT, Fault.AUTHOR, "it names a pact that is not known here"),
  /** It names another pact than the one it belongs to, or none. */
  PACT_HASH_DIFFERS(
      Group.PACT, Fault.AUTHOR, "it names another pact than the one it belongs to, or none"),
  /** Nothing proves that it is of the other party of its pact, and new. */
  PACT_UNPROVEN(
      Group.PACT, Fault.PEER, "nothing proves that it is of the other party of its pact, and new"),
  /** Its pact has ended. */
  PACT_ENDED(Group.PACT, Fault.AUTHOR, "its pact has ended"),
  /** Its pact is suspended until the arbiter has decided. */
  PACT_DISPUTED(Group.PACT, Fault.NONE, "its pact is suspended until the arbiter has decided"),
  /** It goes beyond the data of its pact, which ends. */
  PACT_SCOPE(Group.PACT, Fault.AUTHOR, "it goes beyond the data of its pact, which ends"),
  /** It does what its pact does not allow. */
  PACT_ACTION(Group.PACT, Fault.AUTHOR, "it does what its pact does not allow"),
  /** It is not in the form that its pact asks for. */
  PACT_OUTPUT(Group.PACT, Fault.AUTHOR, "it is not in the form that its pact asks for"),
  /** It is not as good as its pact asks for. */
  PACT_SUCCESS(Group.PACT, Fault.AUTHOR, "it is not as good as its pact asks for"),
  /** It is more than its pact allows in all, which ends. */
  PACT_TERMINATION(Group.PACT, Fault.AUTHOR, "it is more than its pact allows in all, which ends"),
  /** Its author may not say this in the negotiation that it leads itself, or not now. */
  PACT_ILLEGAL_MOVE(
      Group.PACT,
      Fault.AUTHOR,
      "its author may not say this in the negotiation that it leads itself, or not now"),
  /** Its pact has a person release it first. */
  PACT_APPROVAL(Group.PACT, Fault.NONE, "its pact has a person release it first"),
  /** Nobody could tell whether it keeps to its pact. */
  PACT_UNMEASURED(Group.PACT, Fault.OPERATOR, "nobody could tell whether it keeps to its pact"),
  /** It needs a pact, and nobody could be asked in time. */
  PACT_UNAVAILABLE(
      Group.PACT, Fault.CONTROL_PLANE, "it needs a pact, and nobody could be asked in time");

  private final Group group;
  private final Fault fault;
  private final String sentence;

  Reason(Group group, Fault fault, String sentence) {
    this.group = group;
    this.fault = fault;
    this.sentence = sentence;
  }

  /** What reasons are about. */
  public enum Group implements Coded {
    /** The message goes on as it is. */
    PASSED,
    /** What was measured of it (Eqs. 1 to 6). */
    SIGNALS,
    /** What it holds ({@link ContentRules}). */
    CONTENT,
    /** The certified core. */
    CORE,
    /** The flow that it belongs to. */
    FLOW,
    /** The gate. */
    GATE,
    /** A round. */
    ROUND,
    /** A pact. */
    PACT
  }

  /** Who can change what a reason stands for. */
  public enum Fault implements Coded {
    /** Nobody: it is as it should be, or a matter of time or of a person. */
    NONE,
    /** Who wrote the message: a better one may pass. */
    AUTHOR,
    /** Who it is for. */
    PEER,
    /** Who configures the sidecar. */
    OPERATOR,
    /** The control plane, which cannot be reached or has not spoken for too long. */
    CONTROL_PLANE,
    /** The sidecar. */
    SIDECAR
  }

  private static final class Texts {
    static final String DRIFT =
        "its profile of overlap, citations and new words is far from that of a grounded, cited"
            + " answer";
  }

  /** What it is about. */
  public Group group() {
    return group;
  }

  /** Whose fault it is. */
  public Fault fault() {
    return fault;
  }

  /** What is the matter, of the message as "it"; without a full stop. */
  public String sentence() {
    return sentence;
  }
}
