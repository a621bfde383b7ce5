package dev.parlance.demo.retrieval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the pieces of a document that bear on a question: cosine of TF-IDF vectors plus the
 * definition bonus (ASP paper, section 5.2).
 *
 * <p>{@code tf = 1 + ln(count)}, {@code idf = 1 + ln((1 + N) / (1 + df))}. The cosine lies in
 * [0,1], so the paper's bonus of 1.0 puts a formal definition of the asked term before everything
 * else.
 */
public final class Retriever {
  /** Pieces per question, from the paper. */
  public static final int TOP = 3;

  private final List<Passage> passages;
  private final List<Map<String, Double>> vectors;
  private final Map<String, Integer> documentFrequency = new HashMap<>();

  /** Indexes the pieces. */
  public Retriever(List<Passage> passages) {
    this.passages = List.copyOf(passages);
    for (Passage passage : passages) {
      for (String word : new LinkedHashSet<>(IndexWords.contentWords(passage.text()))) {
        documentFrequency.merge(word, 1, Integer::sum);
      }
    }
    List<Map<String, Double>> all = new ArrayList<>();
    for (Passage passage : passages) {
      all.add(vector(passage.text()));
    }
    vectors = List.copyOf(all);
  }

  /** The best {@code k} pieces, best first; fewer if fewer share a word with the question. */
  public List<Passage> top(String question, int k) {
    Map<String, Double> asked = vector(question);
    Optional<AskedTerm> term = AskedTerm.in(question);
    record Scored(Passage passage, double score) {}
    List<Scored> scored = new ArrayList<>();
    for (int i = 0; i < passages.size(); i++) {
      String text = passages.get(i).text();
      double bonus = term.map(asks -> asks.bonus(text)).orElse(0.0);
      double score = cosine(asked, vectors.get(i)) + bonus;
      if (score > 0.0) {
        scored.add(new Scored(passages.get(i), score));
      }
    }
    return scored.stream()
        .sorted(Comparator.comparingDouble(Scored::score).reversed())
        .limit(k)
        .map(Scored::passage)
        .toList();
  }

  /** How telling a word is: high for rare words, 1 + ln(1 + N) for unknown ones. */
  double inverseDocumentFrequency(String word) {
    int frequency = documentFrequency.getOrDefault(word, 0);
    return 1.0 + Math.log((1.0 + passages.size()) / (1.0 + frequency));
  }

  private Map<String, Double> vector(String text) {
    Map<String, Double> counts = new HashMap<>();
    for (String word : IndexWords.contentWords(text)) {
      counts.merge(word, 1.0, Double::sum);
    }
    counts.replaceAll((word, count) -> (1.0 + Math.log(count)) * inverseDocumentFrequency(word));
    double norm = Math.sqrt(counts.values().stream().mapToDouble(weight -> weight * weight).sum());
    if (norm > 0.0) {
      counts.replaceAll((word, weight) -> weight / norm);
    }
    return counts;
  }

  private static double cosine(Map<String, Double> left, Map<String, Double> right) {
    double sum = 0.0;
    for (Map.Entry<String, Double> entry : left.entrySet()) {
      sum += entry.getValue() * right.getOrDefault(entry.getKey(), 0.0);
    }
    return sum;
  }

  /**
   * A piece of a document, about 220 words long.
   *
   * @param id how an answer cites it: {@code c01}, {@code c02}, ... in the order of the document
   * @param text its paragraphs, one per line
   */
  public record Passage(String id, String text) {
    /** Refuses a piece that cannot be cited or says nothing. */
    public Passage {
      if (!id.matches("c\\d{2,4}") || text.isBlank()) {
        throw new IllegalArgumentException("expected an id like c07 and a text, got id " + id);
      }
    }
  }
}
