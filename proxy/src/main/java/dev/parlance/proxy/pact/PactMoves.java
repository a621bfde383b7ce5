package dev.parlance.proxy.pact;

import dev.parlance.policy.pact.PactNegotiator;
import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import java.util.List;

/** What the sidecar says in negotiations. Pure. */
public interface PactMoves {
  /** References of the templates that are offered to a party, in the order of preference. */
  List<String> offered(String peer);

  /** The first position towards a party, if no template is taken; may be empty. */
  List<Predicate> proposed(String peer);

  /**
   * What comes next.
   *
   * @param state of the negotiation after everything that was said
   */
  Move next(PactState state, String own, String peer);

  /**
   * By a policy; a party that no rule names is refused.
   *
   * @param policy as configured
   */
  record ByPolicy(PactPolicy policy) implements PactMoves {
    @Override
    public List<String> offered(String peer) {
      return policy.rule(peer).map(PactPolicy.Rule::offer).orElse(List.of());
    }

    @Override
    public List<Predicate> proposed(String peer) {
      return policy.rule(peer).map(PactPolicy.Rule::propose).orElse(List.of());
    }

    @Override
    public Move next(PactState state, String own, String peer) {
      return policy
          .rule(peer)
          .map(rule -> PactNegotiator.next(state, own, rule))
          .orElseGet(() -> new Move.GiveUp("declined", List.of()));
    }
  }
}
