package dev.parlance.policy.core;

import dev.parlance.policy.core.TermMatcher.Coinages;
import dev.parlance.policy.text.NormalizedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the governed terms of a text and the terms that agents have coined, in one pass: the tokens
 * are read and looked up once for both. Immutable; the scratch is in {@link TermHits}.
 *
 * <p>Governed terms are found exactly as {@link TermMatcher} finds them, whatever was coined: a
 * coined term hides none, also if one is within it. Coined terms are found as {@code board-1}
 * counts them: leftmost, longest, without overlap. A term of both vocabularies is found for both.
 */
public final class CoinedTermMatcher {
  /** Of all terms: the governed ones by their numbers, then those that are only coined. */
  private final TermMatcher all;

  private final int governed;
  private final int coined;
  private final Coinages coinages;

  private CoinedTermMatcher(List<String> governedKeys, List<String> coinedKeys, long seed) {
    governed = governedKeys.size();
    coined = coinedKeys.size();
    List<String> keys = new ArrayList<>(governedKeys);
    Map<String, Integer> numbers = new HashMap<>();
    for (int term = 0; term < governed; term++) {
      numbers.put(governedKeys.get(term), term);
    }
    int[] places = new int[governed + coined];
    Arrays.fill(places, Coinages.NOTHING);
    for (int term = 0; term < coined; term++) {
      String key = coinedKeys.get(term);
      int number = numbers.computeIfAbsent(key, _ -> keys.size());
      if (number == keys.size()) {
        keys.add(key);
      } else if (places[number] != Coinages.NOTHING) {
        throw new IllegalArgumentException("a term is there twice: \"" + key + "\"");
      }
      places[number] = term;
    }
    boolean shared = keys.size() < governed + coined;
    coinages = new Coinages(governed, shared, Arrays.copyOf(places, keys.size()));
    all = TermMatcher.compile(keys, seed);
  }

  /**
   * A matcher for these terms; each has the number of its place in its list.
   *
   * @param governed as {@link TermKey} makes them, distinct
   * @param coined the same; may be governed, too
   * @param seed as in {@link TermMatcher#compile}
   */
  public static CoinedTermMatcher compile(List<String> governed, List<String> coined, long seed) {
    return new CoinedTermMatcher(governed, coined, seed);
  }

  /**
   * Adds every term of {@code text} to the hits of its vocabulary.
   *
   * @param hits of governed terms
   * @param coinedHits of coined terms; others than {@code hits}
   */
  public void scan(NormalizedText text, TermHits hits, TermHits coinedHits) {
    hits.reserve(governed);
    coinedHits.reserve(coined);
    all.scan(text, hits, coinages, coinedHits);
  }

  /** Memory of all arrays. */
  public long memoryBytes() {
    return all.memoryBytes() + coinages.memoryBytes();
  }
}
