package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.pact.PactNegotiator;
import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the sidecar deals with pacts, as configured now.
 *
 * @param clockSkewMs how far the clocks of two parties may be apart, 0 or more
 * @param timeoutMs longest negotiation, 1 or more
 * @param maxDurationMs longest pact that is signed
 * @param validityMs how long a pact shall hold that the own agent asks for
 * @param completeAfterIdleMs when the own agent's work under its pact counts as done
 * @param maxActive most pacts that hold at a time
 * @param peerKeys keys of parties of other organisations
 * @param templatesDir folder of signed templates, beside those of the control plane
 * @param pins hex SHA-256 of the only texts that a template may have here, by its reference
 * @param schemas JSON Schemas that clauses may name
 * @param schemasDir folder of JSON Schemas that clauses may name
 * @param moves what is said, by the policy
 */
public record PactRules(
    long clockSkewMs,
    long timeoutMs,
    long maxDurationMs,
    long validityMs,
    long completeAfterIdleMs,
    int maxActive,
    Map<String, List<VerifierKey>> peerKeys,
    Optional<Path> templatesDir,
    Map<String, Set<String>> pins,
    List<String> schemas,
    Optional<Path> schemasDir,
    Moves moves) {
  /** Copies the maps; refuses impossible values. */
  public PactRules {
    peerKeys = Map.copyOf(peerKeys);
    pins = Map.copyOf(pins);
    schemas = List.copyOf(schemas);
    if (clockSkewMs < 0
        || timeoutMs < 1
        || maxDurationMs < 1
        || validityMs < 1
        || completeAfterIdleMs < 1
        || maxActive < 1) {
      throw new IllegalArgumentException("expected positive times and bounds");
    }
  }

  /** What the sidecar says in negotiations. Pure. */
  public interface Moves {
    /** References of the templates that are offered to a party, in the order of preference. */
    List<String> offered(String peer);

    /**
     * References of all templates that the policy takes in some way: one that it does not is no
     * use.
     */
    Set<String> taken();

    /** Ids of predicates that are private in pacts that this side asks a party for. */
    default Set<String> hidden(String peer) {
      return Set.of();
    }

    /** Who decides where this side and a party find nothing that both allow; may be nobody. */
    default Optional<PactPolicy.Arbiter> arbiter(String peer) {
      return Optional.empty();
    }

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
    record ByPolicy(PactPolicy policy) implements Moves {
      @Override
      public List<String> offered(String peer) {
        return policy.rule(peer).map(PactPolicy.Rule::offer).orElse(List.of());
      }

      @Override
      public Set<String> taken() {
        Set<String> all = new HashSet<>();
        for (PactPolicy.Rule rule : policy.rules()) {
          all.addAll(rule.accept());
          all.addAll(rule.negotiate());
          all.addAll(rule.offer());
        }
        return all;
      }

      @Override
      public Set<String> hidden(String peer) {
        return policy.rule(peer).map(PactPolicy.Rule::hidden).orElse(Set.of());
      }

      @Override
      public Optional<PactPolicy.Arbiter> arbiter(String peer) {
        return policy.rule(peer).flatMap(PactPolicy.Rule::arbiter);
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
}
