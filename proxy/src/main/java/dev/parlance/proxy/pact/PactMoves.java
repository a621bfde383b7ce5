package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import java.util.List;

/** What the sidecar says in negotiations, by its policy. Pure. */
public interface PactMoves {
  /** What comes next. */
  sealed interface Move {
    /** Messages in the negotiation, in their order. */
    record Say(List<PactEvent.Body> bodies) implements Move {
      /** Copies the list. */
      public Say {
        bodies = List.copyOf(bodies);
      }
    }

    /** What is agreed is signed. */
    record Sign() implements Move {}

    /**
     * The negotiation is over.
     *
     * @param reason of a walkaway
     * @param details where the two policies differ
     */
    record Leave(String reason, List<PactStatement.Detail> details) implements Move {
      /** Copies the list. */
      public Leave {
        details = List.copyOf(details);
      }
    }

    /** It is the other side's turn. */
    record Wait() implements Move {}
  }

  /** References of the templates that are offered to a party, in the order of preference. */
  List<String> offered(String peer);

  /**
   * What comes next.
   *
   * @param state of the negotiation after everything that was said
   */
  Move next(PactState state, String negotiation, String own, String peer);

  /** The first position towards a party, if no template is taken; may be empty. */
  List<Predicate> proposed(String peer);
}
