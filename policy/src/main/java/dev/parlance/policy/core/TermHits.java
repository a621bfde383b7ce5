package dev.parlance.policy.core;

import dev.parlance.policy.text.WordTable.WordCursor;
import java.util.Arrays;

/**
 * The governed terms found in one text, each once with how often it was found, in the order of
 * their first occurrence. A reusable buffer, for one thread: nothing is allocated per token or per
 * hit once it has grown to what the texts need.
 */
public final class TermHits {
  /** Room for terms that is kept even if the next vocabulary needs far less. */
  private static final int KEEP_TERMS = 1 << 12;

  /** Reads the text; here because it is scratch of one thread as well. */
  final WordCursor cursor = new WordCursor();

  /** The next words of the text; those that a term may begin with that goes on are kept. */
  final int[] window = new int[TermKey.MAX_TOKENS + WordCursor.MAX_TOKENS];

  /** How many edges of the trie were looked for, ever. */
  long steps;

  /** The terms found, in the order of their first occurrence, and a place behind them all. */
  private int[] terms = {0};

  private int size;

  /** How often each term of the vocabulary was found, by its number. */
  private int[] counts = {};

  /** Forgets all hits. */
  public void clear() {
    for (int i = 0; i < size; i++) {
      counts[terms[i]] = 0;
    }
    size = 0;
  }

  /** Makes room for a vocabulary of so many terms; gives back what is far more than that. */
  void reserve(int vocabulary) {
    if (counts.length < vocabulary) {
      counts = Arrays.copyOf(counts, vocabulary);
      terms = Arrays.copyOf(terms, vocabulary + 1);
    } else if (size == 0 && counts.length > KEEP_TERMS && counts.length / 4 > vocabulary) {
      counts = new int[vocabulary];
      terms = new int[vocabulary + 1];
    }
  }

  /** How many different terms were found. */
  public int distinct() {
    return size;
  }

  /** The number of the {@code i}-th different term, as in the list that the matcher was made of. */
  public int term(int i) {
    return terms[java.util.Objects.checkIndex(i, size)];
  }

  /** How often the {@code i}-th different term was found. */
  public int count(int i) {
    return counts[term(i)];
  }

  /** How many times any term was found. */
  public int occurrences() {
    int occurrences = 0;
    for (int i = 0; i < size; i++) {
      occurrences += counts[terms[i]];
    }
    return occurrences;
  }

  /** The different terms that were found, to keep longer than this buffer has them. */
  public Found found() {
    return new Found(Arrays.copyOf(terms, size));
  }

  /**
   * Adds terms that were found before by the same matcher, each as found once.
   *
   * @param found what another buffer has had of a text
   * @param matcher has found them
   */
  public void addAll(Found found, TermMatcher matcher) {
    reserve(matcher.size());
    for (int term : found.terms) {
      add(term);
    }
  }

  /** The different terms of one text, in the order of their first occurrence. Immutable. */
  public static final class Found {
    private final int[] terms;

    private Found(int[] terms) {
      this.terms = terms;
    }
  }

  void add(int term) {
    // Without a branch, which would be taken at random: whether a term is a new one is not
    // foreseen.
    int before = counts[term]++;
    terms[size] = term;
    size += before == 0 ? 1 : 0;
  }
}
