package dev.parlance.policy.core;

import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A vocabulary made ready for the message path: a matcher, and for each of its terms where it
 * stands and which certified term to use instead. Immutable.
 */
public final class GovernedTerms {
  private final TermMatcher matcher;

  /** Sorted. */
  private final String[] keys;

  private final TermStatus[] statuses;
  private final List<Optional<String>> alternatives;

  private GovernedTerms(TermMatcher matcher, List<GovernedTerm> terms) {
    this.matcher = matcher;
    keys = terms.stream().map(GovernedTerm::key).toArray(String[]::new);
    statuses = terms.stream().map(GovernedTerm::status).toArray(TermStatus[]::new);
    alternatives = terms.stream().map(GovernedTerm::alternative).toList();
  }

  /** The vocabulary of one core; {@code seed} as in {@link TermMatcher#compile}. */
  public static GovernedTerms of(CertifiedCore core, long seed) {
    return worstOf(List.of(core), seed);
  }

  /**
   * What holds whichever of these cores applies, for a message of which one does not know for whom
   * it is: a term is governed if any of them has it, and stands as badly as it does in any of those
   * that have it (revoked, refused, untested, certified).
   *
   * @param cores one or more
   */
  public static GovernedTerms worstOf(List<CertifiedCore> cores, long seed) {
    Map<String, GovernedTerm> worst = new TreeMap<>();
    for (CertifiedCore core : cores) {
      for (GovernedTerm term : core.terms()) {
        worst.merge(term.key(), term, GovernedTerms::worse);
      }
    }
    List<GovernedTerm> terms =
        worst.values().stream()
            .map(term ->
                new GovernedTerm(
                    term.key(),
                    term.status(),
                    term.alternative().filter(key -> isCertified(worst, key))))
            .toList();
    return new GovernedTerms(
        TermMatcher.compile(terms.stream().map(GovernedTerm::key).toList(), seed), terms);
  }

  private static boolean isCertified(Map<String, GovernedTerm> terms, String key) {
    GovernedTerm term = terms.get(key);
    return term != null && term.status() == TermStatus.CERTIFIED;
  }

  private static GovernedTerm worse(GovernedTerm one, GovernedTerm other) {
    GovernedTerm worse = badness(other.status()) > badness(one.status()) ? other : one;
    return new GovernedTerm(worse.key(), worse.status(), one.alternative().or(other::alternative));
  }

  private static int badness(TermStatus status) {
    return switch (status) {
      case CERTIFIED -> 0;
      case UNTESTED -> 1;
      case REFUSED -> 2;
      case REVOKED -> 3;
    };
  }

  /** Finds the terms; its numbers are those of the methods below. */
  public TermMatcher matcher() {
    return matcher;
  }

  /** The keys of all terms, by their numbers. */
  public List<String> keys() {
    return List.of(keys);
  }

  /** How many terms there are. */
  public int size() {
    return keys.length;
  }

  /** True if the term of this key is governed. */
  public boolean has(String key) {
    return Arrays.binarySearch(keys, key) >= 0;
  }

  /** Key of the term with this number. */
  public String key(int term) {
    return keys[term];
  }

  /** Where the term with this number stands. */
  public TermStatus status(int term) {
    return statuses[term];
  }

  /** The certified term to use instead of the one with this number, if there is one. */
  public Optional<String> alternative(int term) {
    return alternatives.get(term);
  }
}
