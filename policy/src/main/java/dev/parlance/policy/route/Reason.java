package dev.parlance.policy.route;

import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.text.Coded;

/**
 * Why a message took its route: what the reason is about, whose fault it is, a sentence, and what
 * helps. The codes are stable: the same one stands in the metric label, the log line and the
 * response. The table in {@code docs/reasons.md} is this one.
 */
public enum Reason implements Coded {
  /** Every test passed. */
  OK(Group.PASSED, Fault.NONE, "it passed every test", "nothing is to be done"),
  /** Grounding below the minimum (Eq. 6, first clause). */
  G_LOW(
      Group.SIGNALS,
      Fault.AUTHOR,
      "too little of it is found in the given material, or no source is cited",
      "send the passages along that the answer rests on, or say less than they carry; groundingMin"
          + " of the profile is the bound"),
  /** Stochasticity above the maximum. */
  S_HIGH(
      Group.SIGNALS,
      Fault.AUTHOR,
      "too much of it is found neither in the given material nor in the question",
      "leave out what neither the material nor the question says; stochasticityMax of the profile"
          + " is the bound"),
  /** Drift above the critical threshold. */
  D_CRIT(
      Group.SIGNALS,
      Fault.AUTHOR,
      Texts.DRIFT,
      "answer in the words of the material and cite it; driftCritSqrtJsd of the profile is the"
          + " bound"),
  /** Drift above the warning threshold. */
  D_WARN(
      Group.SIGNALS,
      Fault.AUTHOR,
      Texts.DRIFT,
      "answer in the words of the material and cite it; driftWarnSqrtJsd of the profile is the"
          + " bound"),
  /** A feature was not a finite number. */
  INVALID_FEATURE(
      Group.SIGNALS,
      Fault.AUTHOR,
      "it could not be measured",
      "send a confidence between 0 and 1, or none"),
  /** The answer has no token at all. */
  EMPTY_ANSWER(Group.CONTENT, Fault.AUTHOR, "it says nothing", "send an answer with words in it"),
  /** The answer has fewer distinct tokens than the profile asks for. */
  SHORT_ANSWER(
      Group.CONTENT,
      Fault.AUTHOR,
      "it is too short to be checked",
      "answer in a whole sentence; minAnswerTokens of the profile is the bound"),
  /** The answer cites something that was not retrieved. */
  CITATION_UNKNOWN(
      Group.CONTENT,
      Fault.AUTHOR,
      "it cites a source that is not among the given ones",
      "cite by the ids of the chunks that came along"),
  /** The answer names a number that neither the evidence nor the question holds. */
  NUMBER_UNSUPPORTED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it states a number that is neither in the given material nor in the question",
      "take the number from the material, or leave it out"),
  /** A claim repeats its evidence, but a negation was added or taken away. */
  NEGATION_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it repeats the material, but a negation was added or left out",
      "say it as the material says it"),
  /** A claim repeats its evidence with another number, or has another one than its evidence. */
  NUMBER_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it has another number than the material",
      "take the number from the material, or name the numbers that it follows from"),
  /** A claim has another unit or currency than its evidence. */
  UNIT_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it has another unit or currency than the material",
      "take number and unit from the material together"),
  /** A claim has another date or time than its evidence. */
  DATE_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it has another date or time than the material",
      "take the date from the material"),
  /** A claim repeats its evidence with another name. */
  NAME_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it repeats the material with another name",
      "take the name from the material"),
  /** A claim repeats its evidence with the opposite of a word. */
  WORD_REVERSED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it repeats the material with the opposite of a word",
      "say it as the material says it"),
  /** A claim repeats its evidence with another quantifier: all, some, none. */
  QUANTIFIER_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it says of how many or how often another thing than the material",
      "say it of as many, and as often, as the material does"),
  /** A claim repeats its evidence with another modal verb: must, should, may. */
  MODALITY_CHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it says of what must, should or may be another thing than the material",
      "keep must, should and may as the material has them"),
  /** A claim repeats its evidence with two things in each other's place. */
  ROLES_EXCHANGED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it repeats the material with two things in each other's place",
      "keep who does what to whom as the material has it"),
  /** Its weakest claim is carried, but not well. */
  G_WARN(
      Group.SIGNALS,
      Fault.AUTHOR,
      "a part of it is only loosely found in the given material",
      "say it nearer to the words of the material; supportWarnBelow of the profile is the bound"),
  /** It cites nothing, and the profile asks for citations. */
  UNCITED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it cites no source",
      "cite the chunks that the answer rests on; citations of the profile decides whether it has"
          + " to"),
  /** A claim is carried by another source than the one it cites. */
  CITATION_MISPLACED(
      Group.CONTENT,
      Fault.AUTHOR,
      "it cites a source that does not say this; another one does",
      "cite the source that says it"),
  /** A claim leaves out the condition under which the evidence makes it. */
  CONDITION_LEFT_OUT(
      Group.CONTENT,
      Fault.AUTHOR,
      "it leaves out a condition that the given material makes",
      "name the condition too"),
  /** It says that the material does not answer, and a sentence of it is about what was asked. */
  ABSTAINS_WRONGLY(
      Group.CONTENT,
      Fault.AUTHOR,
      "it says that the material does not answer, which it seems to do",
      "answer from the sentence that bears on the question"),
  /** The answer only repeats the question. */
  QUESTION_ECHO(
      Group.CONTENT,
      Fault.AUTHOR,
      "it only repeats words of the question",
      "say what the material says of it"),
  /** There is nothing to hold the answer against. */
  NO_EVIDENCE(
      Group.SIGNALS,
      Fault.AUTHOR,
      "it came without the material that it rests on; send that along",
      "declare the evidence, see declaring-evidence.md; grounding of the route decides whether it"
          + " has to be there"),
  /** It uses a governed term that is refused or not tested in the certified core. */
  TERM_UNCERTIFIED(
      Group.CORE,
      Fault.AUTHOR,
      "it uses a governed term that is not certified",
      "say it in certified terms, which the refusal names, or have the term audited"),
  /** It uses a governed term that was certified once and is no longer. */
  TERM_REVOKED(
      Group.CORE,
      Fault.AUTHOR,
      "it uses a governed term that is no longer certified",
      "say it in certified terms, which the refusal names, or have the term audited again"),
  /** It uses governed terms, and the core was not confirmed for too long. */
  CORE_STALE(
      Group.CORE,
      Fault.CONTROL_PLANE,
      "it uses governed terms, and the core was not confirmed for too long",
      "look why the control plane does not confirm the core: bin/parlance proxy-status"),
  /** There is no core to hold it against. */
  CORE_ABSENT(
      Group.CORE,
      Fault.CONTROL_PLANE,
      "there is no core to hold it against",
      "certify a core for the domain: bin/parlance core; or take consequential off the route"),
  /** The flow's error budget is spent. */
  BUDGET(
      Group.FLOW,
      Fault.NONE,
      "the flow's error budget is spent",
      "begin a new conversation, or let a person decide; errorMax of the profile is the bound"),
  /** The flow's time is over. */
  TTL_EXPIRED(
      Group.FLOW,
      Fault.NONE,
      "the flow's time is over",
      "begin a new conversation; flowTtlMs of the profile is the bound"),
  /** It was asked for again, and there is still nothing in the evidence for it. */
  NO_SUPPORT(
      Group.FLOW,
      Fault.NONE,
      "it was asked for again, and there is still nothing in the given material for it",
      "send the material that it rests on, or let a person decide"),
  /** The author cannot be asked again safely on this route. */
  REGENERATE_OFF(
      Group.FLOW,
      Fault.OPERATOR,
      "its author cannot be asked again safely on this route",
      "look at repair and idempotent of the route"),
  /** Its author has done something for it, and asking again would do it again. */
  ACTED(
      Group.FLOW,
      Fault.NONE,
      "its author has done something for it, so it is not asked for again",
      "look at what was done, and ask for the report alone"),
  /** No codec could read the message. */
  UNJUDGED(
      Group.GATE,
      Fault.OPERATOR,
      "no codec could read it",
      "declare the format by codec of the route, or let such messages pass by its onUnjudged"),
  /** A person released exactly this message. */
  RELEASED(
      Group.PASSED, Fault.NONE, "a person released exactly this message", "nothing is to be done"),
  /** An answer to this question waits for a person, or to be collected. */
  REVIEW_PENDING(
      Group.FLOW,
      Fault.NONE,
      "an answer to this question is held for review already",
      "wait for the decision: bin/parlance review list"),
  /** A person refused exactly this text. */
  REJECTED(
      Group.CONTENT,
      Fault.AUTHOR,
      "a person has refused exactly this text",
      "send another text; what was said of this one stands in its note"),
  /** The gate itself failed; the route's onError policy applied. */
  INTERNAL_ERROR(
      Group.GATE,
      Fault.SIDECAR,
      "the gate failed, and the route's onError policy applied",
      "report it with the output of bin/parlance diagnostics"),
  /** The review queue is full, and what its sender was answered last had to be held. */
  QUEUE_FULL(
      Group.GATE,
      Fault.OPERATOR,
      "the review queue is full, and what its sender was answered last had to be held",
      "decide what waits: bin/parlance review list; review.capacity and review.bytes are the"
          + " bounds"),
  /** The verdict beside it is not the one of its sender on it, for this receiver, now. */
  VERDICT_FORGED(
      Group.GATE,
      Fault.PEER,
      "the verdict beside it is not its sender's on this message, for this receiver and this time",
      "compare the clocks and keys of both sidecars: bin/parlance diagnostics; verdicts.onForged"
          + " decides what becomes of it"),
  /** What it says of a round cannot be read. */
  ROUND_UNREADABLE(
      Group.ROUND,
      Fault.AUTHOR,
      "what it says of a round cannot be read",
      "send it in the form that finality.md has"),
  /** It carries a proposal that the control plane does not take. */
  ROUND_REFUSED(
      Group.ROUND,
      Fault.AUTHOR,
      "it carries a proposal that the control plane does not take",
      "look at the round: bin/parlance round show"),
  /** It has to do with a round, and the control plane could not be asked. */
  ROUND_UNAVAILABLE(
      Group.ROUND,
      Fault.CONTROL_PLANE,
      "it has to do with a round, and the control plane could not be asked",
      "see that the control plane can be reached; control.rounds.onUnavailable decides meanwhile"),
  /** It claims the outcome of a round that is not known, or has not ended. */
  OUTCOME_UNKNOWN(
      Group.ROUND,
      Fault.AUTHOR,
      "it claims the outcome of a round that is not known, or has not ended",
      "wait for the end of the round, and name it by its id"),
  /** It claims an outcome that too few members of the round have signed. */
  OUTCOME_UNSIGNED(
      Group.ROUND,
      Fault.AUTHOR,
      "it claims an outcome that too few members of the round have signed",
      "see who has not signed: bin/parlance round show; control.rounds.signatures says whether"
          + " members must have"),
  /** It claims another outcome than the round's. */
  OUTCOME_MISMATCH(
      Group.ROUND,
      Fault.AUTHOR,
      "it claims another outcome than the round's",
      "take the outcome from the round: bin/parlance round show"),
  /** The route asks for the outcome of a round, and it brings none. */
  FINALITY_REQUIRED(
      Group.ROUND,
      Fault.AUTHOR,
      "the route asks for the outcome of a round, and it brings none",
      "open a round about it, and send its outcome along"),
  /** The route asks for more than the outcome that it brings. */
  FINALITY_INSUFFICIENT(
      Group.ROUND,
      Fault.AUTHOR,
      "the route asks for more than the outcome that it brings",
      "open a round that can give as much as the route asks for"),
  /** The round that it names did not say what was decided about. */
  OUTCOME_WITHOUT_SUBJECT(
      Group.ROUND,
      Fault.AUTHOR,
      "the round that it names did not say what was decided about",
      "open rounds with a subject"),
  /** The round that it names was about something else than this message. */
  OUTCOME_OTHER_SUBJECT(
      Group.ROUND,
      Fault.AUTHOR,
      "the round that it names was about something else",
      "send the message that the round was about"),
  /** The route asks for a pact, and none was agreed or named. */
  PACT_REQUIRED(
      Group.PACT,
      Fault.AUTHOR,
      "the route asks for a pact, and none was agreed or named",
      "negotiate a pact first, or configure a policy by which the sidecar does"),
  /** The route asks for a pact, and nobody opposite negotiates. */
  PACT_NO_PEER(
      Group.PACT,
      Fault.PEER,
      "the route asks for a pact, and nobody opposite negotiates",
      "configure pacts at the sidecar opposite"),
  /** It names a pact that is not known here. */
  PACT_UNKNOWN(
      Group.PACT,
      Fault.AUTHOR,
      "it names a pact that is not known here",
      "name a pact that is in force: bin/parlance pact list"),
  /** It names another pact than the one it belongs to, or none. */
  PACT_HASH_DIFFERS(
      Group.PACT,
      Fault.AUTHOR,
      "it names another pact than the one it belongs to, or none",
      "name the pact by the id and hash that its agreement has"),
  /** Nothing proves that it is of the other party of its pact, and new. */
  PACT_UNPROVEN(
      Group.PACT,
      Fault.PEER,
      "nothing proves that it is of the other party of its pact, and new",
      "send it through the sidecar that holds the key of the party"),
  /** Its pact has ended. */
  PACT_ENDED(Group.PACT, Fault.AUTHOR, "its pact has ended", "negotiate a new pact"),
  /** Its pact is suspended until the arbiter has decided. */
  PACT_DISPUTED(
      Group.PACT,
      Fault.NONE,
      "its pact is suspended until the arbiter has decided",
      "wait for the decision of the arbiter"),
  /** The policies of both sides have handed their pact to an arbiter. */
  PACT_ESCALATED(
      Group.PACT,
      Fault.NONE,
      "the policies of both sides have handed their pact to an arbiter",
      "come again when the arbiter has decided: bin/parlance pact case list"),
  /** It goes beyond the data of its pact, which ends. */
  PACT_SCOPE(
      Group.PACT,
      Fault.AUTHOR,
      "it goes beyond the data of its pact, which ends",
      "send only what the data clauses of the pact allow"),
  /** It does what its pact does not allow. */
  PACT_ACTION(
      Group.PACT,
      Fault.AUTHOR,
      "it does what its pact does not allow",
      "use only the tools and hosts that the pact allows"),
  /** It is not in the form that its pact asks for. */
  PACT_OUTPUT(
      Group.PACT,
      Fault.AUTHOR,
      "it is not in the form that its pact asks for",
      "give the answer the form that the pact asks for"),
  /** It is not as good as its pact asks for. */
  PACT_SUCCESS(
      Group.PACT,
      Fault.AUTHOR,
      "it is not as good as its pact asks for",
      "give an answer that reaches the figures of the pact"),
  /** It is more than its pact allows in all, which ends. */
  PACT_TERMINATION(
      Group.PACT,
      Fault.AUTHOR,
      "it is more than its pact allows in all, which ends",
      "negotiate a new pact with other limits"),
  /** Its author may not say this in the negotiation that it leads itself, or not now. */
  PACT_ILLEGAL_MOVE(
      Group.PACT,
      Fault.AUTHOR,
      "its author may not say this in the negotiation that it leads itself, or not now",
      "take the moves in the order that pacts.md has"),
  /** Its pact has a person release it first. */
  PACT_APPROVAL(
      Group.PACT,
      Fault.NONE,
      "its pact has a person release it first",
      "let the person decide whom the pact names: bin/parlance review list"),
  /** Nobody could tell whether it keeps to its pact. */
  PACT_UNMEASURED(
      Group.PACT,
      Fault.OPERATOR,
      "nobody could tell whether it keeps to its pact",
      "look in the log of the sidecar which check failed"),
  /** It needs a pact, and nobody could be asked in time. */
  PACT_UNAVAILABLE(
      Group.PACT,
      Fault.CONTROL_PLANE,
      "it needs a pact, and nobody could be asked in time",
      "come again; see that the control plane can be reached");

  private final Group group;
  private final Fault fault;
  private final String sentence;
  private final String remedy;

  Reason(Group group, Fault fault, String sentence, String remedy) {
    this.group = group;
    this.fault = fault;
    this.sentence = sentence;
    this.remedy = remedy;
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

  /** The reason that a claim gives which departs from its evidence in this. */
  public static Reason of(Departure departure) {
    return switch (departure) {
      case NEGATION_CHANGED -> NEGATION_CHANGED;
      case NUMBER_CHANGED -> NUMBER_CHANGED;
      case UNIT_CHANGED -> UNIT_CHANGED;
      case DATE_CHANGED -> DATE_CHANGED;
      case NAME_CHANGED -> NAME_CHANGED;
      case WORD_REVERSED -> WORD_REVERSED;
      case QUANTIFIER_CHANGED -> QUANTIFIER_CHANGED;
      case MODALITY_CHANGED -> MODALITY_CHANGED;
      case ROLES_EXCHANGED -> ROLES_EXCHANGED;
      case VALUE_UNSUPPORTED -> NUMBER_UNSUPPORTED;
    };
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

  /** What helps, said to whose fault it is; without a full stop. */
  public String remedy() {
    return remedy;
  }
}
