package dev.parlance.proxy.config;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Coded;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How the local agent's pacts are negotiated and kept (key {@code pacts}).
 *
 * @param keyFile file of the party's private key, made at the first start; absolute
 * @param clockSkewMs furthest that another's clock may be from this one, 0 to 300,000
 * @param timeoutMs longest negotiation, 100 to 60,000
 * @param maxDurationMs longest pact that is signed, 1 or more
 * @param validityMs how long a pact is asked for, 1 to {@code maxDurationMs}
 * @param completeAfterIdleMs silence after which the initiator calls the work done, 1 or more
 * @param heldBytes most bytes of requests held while pacts are negotiated, all together, 1 or more
 * @param maxActive most pacts at a time, 1 or more
 * @param onUnmeasured what a message gets that could not be measured against an enforceable term
 * @param onNoPeer what a request gets if nobody opposite negotiates
 * @param actions what the local agent may call outside of open requests under pacts
 * @param schemas JSON Schemas that terms may name, as texts
 * @param schemasDir folder of JSON Schemas, each named by its SHA-256; absolute
 * @param templatesDir folder of signed templates beside those of the control plane; absolute
 * @param peers keys of parties that the control plane does not know
 * @param policy what is agreed to with whom; the first rule that names the peer counts
 */
public record PactSettings(
    Path keyFile,
    int clockSkewMs,
    int timeoutMs,
    long maxDurationMs,
    long validityMs,
    long completeAfterIdleMs,
    long heldBytes,
    int maxActive,
    OnUnmeasured onUnmeasured,
    OnNoPeer onNoPeer,
    Actions actions,
    List<String> schemas,
    Optional<Path> schemasDir,
    Optional<Path> templatesDir,
    List<Peer> peers,
    List<Rule> policy) {
  /** Name of the key's file in the data folder. */
  public static final String KEY_FILE = "party.key";

  /** What a message gets that could not be measured. */
  public enum OnUnmeasured implements Coded {
    /** A typed refusal. */
    BLOCK,
    /** It goes on and is logged. */
    WARN,
    /** It goes on. */
    ALLOW
  }

  /** What a request gets if nobody opposite negotiates. */
  public enum OnNoPeer implements Coded {
    /** A typed refusal. */
    REFUSE,
    /** It goes on without a pact, and is counted. */
    PASS
  }

  /** What the local agent may call while it works on no request under a pact. */
  public enum Actions implements Coded {
    /** Whatever its routes let pass: pacts hold what it calls while it works under them. */
    WORKING,
    /** What goes under a pact of its own, and nothing else. */
    STRICT
  }

  /** Copies the lists; refuses impossible values. */
  public PactSettings {
    schemas = List.copyOf(schemas);
    peers = List.copyOf(peers);
    policy = List.copyOf(policy);
    if (clockSkewMs < 0
        || timeoutMs < 1
        || validityMs < 1
        || validityMs > maxDurationMs
        || completeAfterIdleMs < 1
        || heldBytes < 1
        || maxActive < 1) {
      throw new IllegalArgumentException(
          "expected clockSkewMs >= 0, validityMs in 1..maxDurationMs, all else above 0");
    }
  }

  /**
   * A party of another organisation.
   *
   * @param agent its id
   * @param keys of which one must have signed, one or more
   */
  public record Peer(String agent, List<VerifierKey> keys) {
    /** Refuses a party without a key. */
    public Peer {
      keys = List.copyOf(keys);
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("expected keys of " + agent);
      }
    }
  }

  /**
   * What is agreed to with some parties. Templates are written {@code AUTHOR/NAME@VERSION}, with
   * {@code @sha256:HEX} behind it for one text alone; {@code *} among those that are refused is any
   * other.
   *
   * @param peers ids, or beginnings of ids followed by {@code *}; one or more
   * @param accept templates that are signed as they are
   * @param negotiate templates that are negotiated from
   * @param refuse templates that are refused, unless another list has them by name
   * @param offer templates to begin with as initiator, the preferred one first
   * @param propose predicates to begin with where none is offered
   * @param bounds what a predicate's value may be at most, by key
   * @param hidden ids of predicates that are on the ledger as a salted hash, in pacts asked for
   * @param arbiter who decides where nothing is found that both sides allow
   * @param arbiterWithinMs how long the arbiter may take, 1,000 to 604,800,000
   * @param arbiterBounds in the place of {@code bounds}, by key, for what the arbiter decides
   */
  public record Rule(
      List<String> peers,
      List<String> accept,
      List<String> negotiate,
      List<String> refuse,
      List<String> offer,
      List<Predicate> propose,
      Map<String, Bound> bounds,
      List<String> hidden,
      Optional<String> arbiter,
      long arbiterWithinMs,
      Map<String, Bound> arbiterBounds) {
    /** Copies the lists. */
    public Rule {
      hidden = List.copyOf(hidden);
      peers = List.copyOf(peers);
      accept = List.copyOf(accept);
      negotiate = List.copyOf(negotiate);
      refuse = List.copyOf(refuse);
      offer = List.copyOf(offer);
      propose = List.copyOf(propose);
      bounds = Collections.unmodifiableMap(new TreeMap<>(bounds));
      arbiterBounds = Collections.unmodifiableMap(new TreeMap<>(arbiterBounds));
      if (peers.isEmpty()) {
        throw new IllegalArgumentException("expected peers of a rule");
      }
    }
  }

  /**
   * What the value of a key may be.
   *
   * @param atMost largest number
   * @param atLeast smallest number
   * @param subsetOf words of which a list may consist; empty for any
   */
  public record Bound(OptionalDouble atMost, OptionalDouble atLeast, List<String> subsetOf) {
    /** Copies the list; refuses a bound that binds nothing. */
    public Bound {
      subsetOf = List.copyOf(subsetOf);
      if (atMost.isEmpty() && atLeast.isEmpty() && subsetOf.isEmpty()) {
        throw new IllegalArgumentException("expected atMost, atLeast or subsetOf");
      }
    }
  }
}
