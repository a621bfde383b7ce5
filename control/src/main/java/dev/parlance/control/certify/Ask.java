package dev.parlance.control.certify;

import dev.parlance.ledger.record.Digest;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.WitnessQuestion;
import java.util.OptionalInt;

/**
 * Something an audit has to ask one agent.
 *
 * @param agent who is asked
 * @param term key of the term
 * @param event PEI(e); empty for an offer
 */
record Ask(String agent, String term, String event) {
  private static final int HASH_CHARS = 24;

  /** An offer of another agent's use of a term. */
  static Ask offer(String agent, String term) {
    return new Ask(agent, term, "");
  }

  /** What a question asks. */
  static Ask of(String agent, Question question) {
    return question.hasOffer()
        ? offer(agent, question.getOffer().getTerm())
        : new Ask(
            agent, question.getWitness().getTerm(), question.getWitness().getEvent().getPei());
  }

  /**
   * Id of the question. Whoever goes on with an audit gives the same question the same id, so that
   * one that was asked already is not asked twice.
   */
  String questionId(String audit, int attempt) {
    String subject = agent + "\n" + term + "\n" + event;
    return audit + "." + Digest.of(subject).substring(0, HASH_CHARS) + "." + attempt;
  }

  /** The attempt in a question's id. */
  static OptionalInt attempt(String questionId) {
    String digits = questionId.substring(questionId.lastIndexOf('.') + 1);
    return digits.matches("[0-9]{1,3}")
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }

  /** The question as the sidecar gets it. */
  Question witness(String audit, int attempt, int timeoutMs, PlanTexts texts) {
    return Question.newBuilder()
        .setId(questionId(audit, attempt))
        .setTimeoutMs(timeoutMs)
        .setWitness(
            WitnessQuestion.newBuilder()
                .setDomain(texts.domain())
                .setTerm(term)
                .setGloss(texts.gloss(term))
                .setEvent(AuditEvent.newBuilder().setPei(event).setText(texts.event(event))))
        .build();
  }

  /** The offer as the sidecar gets it. */
  Question offer(String audit, int attempt, int timeoutMs, PolicyOffer offer) {
    return Question.newBuilder()
        .setId(questionId(audit, attempt))
        .setTimeoutMs(timeoutMs)
        .setOffer(offer)
        .build();
  }
}
