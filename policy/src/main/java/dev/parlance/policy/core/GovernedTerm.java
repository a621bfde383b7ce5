package dev.parlance.policy.core;

import java.util.Optional;

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
