package dev.parlance.policy.core;

import java.util.Optional;

/**
 * A state machine that brings a term back into the core (section 4.2): the more entrenched agent's
 * use is offered to the other one; if that adopts it, the term is audited again on fresh events.
 *
 * <table>
 * <caption>Transitions; "-": cannot happen there and changes nothing</caption>
 * <tr><th>state</th><th>ADOPT</th><th>DECLINE</th><th>CERTIFY</th><th>REFUSE</th></tr>
 * <tr><td>OFFERED</td><td>ADOPTED</td><td>DECLINED</td><td>-</td><td>-</td></tr>
 * <tr><td>ADOPTED</td><td>-</td><td>-</td><td>RESTORED</td><td>REFUSED</td></tr>
 * <tr><td>DECLINED, RESTORED, REFUSED</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>
 * </table>
 *
 * @param term key of the term
 * @param entrenchment whose use is offered to whom
 * @param state where it stands
 */
public record Renegotiation(String term, Entrenchment entrenchment, State state) {
  /** Where a renegotiation stands. */
  public enum State {
    /** The other agent has been asked and has not replied. */
    OFFERED,
    /** It has taken the use over; the audit is to show it. */
    ADOPTED,
    /** It has not taken it over, or gave no reply that counts. The term stays out. */
    DECLINED,
    /** The audit has certified the term: it is in the core again. */
    RESTORED,
    /** The audit has not. */
    REFUSED;

    /** True if nothing can follow. */
    public boolean isFinal() {
      return this != OFFERED && this != ADOPTED;
    }
  }

  /** What can happen. */
  public enum Event {
    /** The other agent says that it adopts the use. */
    ADOPT,
    /** It says that it does not, or gives no reply that counts. */
    DECLINE,
    /** The audit on fresh events certifies the term. */
    CERTIFY,
    /** That audit does not. */
    REFUSE
  }

  /** Refuses a term that is none. */
  public Renegotiation {
    TermKey.checked(term);
  }

  /** The beginning. */
  public static Renegotiation offer(String term, Entrenchment entrenchment) {
    return new Renegotiation(term, entrenchment, State.OFFERED);
  }

  /** The state after an event; empty if the event cannot happen there. */
  public Optional<Renegotiation> step(Event event) {
    return switch (event) {
      case ADOPT -> when(State.OFFERED, State.ADOPTED);
      case DECLINE -> when(State.OFFERED, State.DECLINED);
      case CERTIFY -> when(State.ADOPTED, State.RESTORED);
      case REFUSE -> when(State.ADOPTED, State.REFUSED);
    };
  }

  private Optional<Renegotiation> when(State before, State after) {
    return state == before
        ? Optional.of(new Renegotiation(term, entrenchment, after))
        : Optional.empty();
  }
}
