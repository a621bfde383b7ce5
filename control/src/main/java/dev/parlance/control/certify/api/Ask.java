package dev.parlance.control.certify.api;

import dev.parlance.ledger.record.Digest;
import java.util.OptionalInt;

/**
 * Something an audit has to ask one agent.
 *
 * @param agent who is asked
 * @param term key of the term
 * @param event PEI(e); empty for an offer
 */
public record Ask(String agent, String term, String event) {
  private static final int HASH_CHARS = 24;

  /** An offer of another agent's use of a term. */
  public static Ask offer(String agent, String term) {
    return new Ask(agent, term, "");
  }

  /**
   * Id of the question. Whoever goes on with an audit gives the same question the same id, so that
   * one that was asked already is not asked twice.
   */
  public String questionId(String audit, int attempt) {
    String subject = agent + "\n" + term + "\n" + event;
    return audit + "." + Digest.of(subject).substring(0, HASH_CHARS) + "." + attempt;
  }

  /** The attempt in a question's id. */
  public static OptionalInt attempt(String questionId) {
    String digits = questionId.substring(questionId.lastIndexOf('.') + 1);
    return digits.matches("[0-9]{1,3}")
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }
}
