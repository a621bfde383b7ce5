package dev.parlance.policy.core;

import dev.parlance.policy.core.TermMatcher.Coinages;
import dev.parlance.policy.text.NormalizedText;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the governed terms of a text and the terms that agents have coined, in one pass: the tokens
 * are read and looked up once for both. Immutable; the scratch is in {@link TermHits}.
 *
 * <p>Governed terms are found exactly as {@link TermMatcher} finds them, whatever was coined: a
 * coined term hides none, also if one is within it. Coined terms are found as {@code board-1}
 * counts them: leftmost, longest, without overlap. A term of both vocabularies is found for both.
 */
public final class CoinedTermMatcher {
  /** Of all terms, the governed ones and those that are coined. */
  private final TermMatcher all;

  private final int governed;
  private final int coined;
  private final Coinages coinages;

  private CoinedTermMatcher(List<String> governedKeys, List<String> coinedKeys, long seed) {
    governed = governedKeys.size();
    coined = coinedKeys.size();
    Map<String, Integer> ofGoverned = numbers(governedKeys);
    Map<String, Integer> ofCoined = numbers(coinedKeys);
    Set<String> different = new LinkedHashSet<>(ofGoverned.keySet());
    different.addAll(ofCoined.keySet());
    List<String> keys = List.copyOf(different);
    int[] longest = new int[2 * keys.size()];
    for (int term = 0; term < keys.size(); term++) {
      longest[2 * term] = longest(keys.get(term), ofGoverned);
      longest[2 * term + 1] = longest(keys.get(term), ofCoined);
    }
    coinages = new Coinages(longest);
    all = TermMatcher.compile(keys, seed);
  }

  private static Map<String, Integer> numbers(List<String> keys) {
    Map<String, Integer> numbers = LinkedHashMap.newLinkedHashMap(keys.size());
    for (String key : keys) {
      if (numbers.put(key, numbers.size()) != null) {
        throw new IllegalArgumentException("a term is there twice: \"" + key + "\"");
      }
    }
    return numbers;
  }

  /** The longest term of a vocabulary that a key is or begins with; 0 if there is none. */
  private static int longest(String key, Map<String, Integer> vocabulary) {
    int longest = 0;
    int words = 0;
    for (int end = 0; end < key.length(); end++) {
      end = key.indexOf(' ', end) < 0 ? key.length() : key.indexOf(' ', end);
      words++;
      Integer number = vocabulary.get(key.substring(0, end));
      longest = number == null ? longest : Coinages.of(number, words);
    }
    return longest;
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
