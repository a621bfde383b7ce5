package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.PactNegotiator;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import java.util.List;
import java.util.Optional;

/**
 * What a policy says in negotiations; a party that no rule names is refused.
 *
 * @param policy as configured
 */
public record PolicyMoves(PactPolicy policy) implements PactMoves {
  private static final int MAX_CHARS = 512;

  @Override
  public List<String> offered(String peer) {
    return policy.rule(peer).map(PactPolicy.Rule::offer).orElse(List.of());
  }

  @Override
  public List<Predicate> proposed(String peer) {
    return policy.rule(peer).map(PactPolicy.Rule::propose).orElse(List.of());
  }

  @Override
  public Move next(PactState state, String negotiation, String own, String peer) {
    Optional<PactPolicy.Rule> rule = policy.rule(peer);
    if (rule.isEmpty()) {
      return new Move.Leave("declined", List.of());
    }
    return switch (PactNegotiator.next(state, own, rule.get())) {
      case PactNegotiator.Move.Say(var bodies) -> new Move.Say(bodies);
      case PactNegotiator.Move.Wait _ -> new Move.Wait();
      case PactNegotiator.Move.Ratify _ -> new Move.Sign();
      case PactNegotiator.Move.GiveUp(String reason, var findings) ->
          new Move.Leave(reason, findings.stream().map(PolicyMoves::detail).toList());
    };
  }

  private static PactStatement.Detail detail(PactPolicy.Finding one) {
    return new PactStatement.Detail(
        one.predicate().orElse(""),
        one.key(),
        one.ours(),
        one.theirs().length() > MAX_CHARS ? "too long to be repeated" : one.theirs());
  }
}
