package dev.parlance.policy.core;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A certified core: the vocabulary of a domain as it stands between agents, at one version. All of
 * its terms are governed; the certified ones are V* (Algorithm 1). With more than two agents V* is
 * the intersection over the pairs and holds for each of them.
 *
 * @param agents ids of the agents it holds between, two or more, sorted, distinct
 * @param domain the domain
 * @param version counts up from 1 for these agents and this domain
 * @param issuedAtMs when it was issued, milliseconds since the epoch
 * @param params what its terms were certified with; delta is the one of each pair
 * @param terms the vocabulary, sorted by key, distinct
 * @param ledgerSize size of the ledger that holds every decision it rests on
 */
public record CertifiedCore(
    List<String> agents,
    String domain,
    long version,
    long issuedAtMs,
    CertificationParams params,
    List<GovernedTerm> terms,
    long ledgerSize) {
  /** Most terms in one core. */
  public static final int MAX_TERMS = 200_000;

  /** Refuses what cannot be a core. */
  public CertifiedCore {
    agents = List.copyOf(agents);
    terms = List.copyOf(terms);
    agents.forEach(Names::checked);
    Names.checked(domain);
    if (agents.size() < 2 || !isAscending(agents)) {
      throw new IllegalArgumentException("expected two or more sorted agents, got " + agents);
    }
    if (version < 1 || issuedAtMs < 0 || ledgerSize < 0) {
      throw new IllegalArgumentException(
          "expected version >= 1 and no negative time or size, got "
              + version
              + ", "
              + issuedAtMs
              + ", "
              + ledgerSize);
    }
    if (terms.size() > MAX_TERMS) {
      throw new IllegalArgumentException(
          "expected at most " + MAX_TERMS + " terms, got " + terms.size());
    }
    if (!isAscending(terms.stream().map(GovernedTerm::key).toList())) {
      throw new IllegalArgumentException("expected terms sorted by key, each once");
    }
  }

  /** What this core is the core of. */
  public CoreId id() {
    return new CoreId(agents, domain);
  }

  /** V*: keys of the certified terms. */
  public Set<String> certified() {
    Set<String> keys = new HashSet<>();
    for (GovernedTerm term : terms) {
      if (term.status() == TermStatus.CERTIFIED) {
        keys.add(term.key());
      }
    }
    return keys;
  }

  /** The term with this key. */
  public Optional<GovernedTerm> term(String key) {
    int low = 0;
    int high = terms.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = terms.get(middle).key().compareTo(key);
      if (order == 0) {
        return Optional.of(terms.get(middle));
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Optional.empty();
  }

  private static boolean isAscending(List<String> keys) {
    for (int i = 1; i < keys.size(); i++) {
      if (keys.get(i - 1).compareTo(keys.get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * A term of a domain's vocabulary as it stands in a core.
   *
   * @param key the term's tokens joined by blanks, see {@link TermKey}
   * @param status where it stands
   * @param alternative key of another term to use instead, if the vocabulary names one; only a
   *     certified one is worth suggesting
   */
  public record GovernedTerm(String key, TermStatus status, Optional<String> alternative) {
    /** Refuses a text that is not a key. */
    public GovernedTerm {
      TermKey.checked(key);
      alternative.ifPresent(TermKey::checked);
    }
  }
}
