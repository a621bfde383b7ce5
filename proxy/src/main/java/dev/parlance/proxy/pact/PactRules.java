package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    List<String> schemas,
    Optional<Path> schemasDir,
    PactMoves moves) {
  /** Copies the map; refuses impossible values. */
  public PactRules {
    peerKeys = Map.copyOf(peerKeys);
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
}
