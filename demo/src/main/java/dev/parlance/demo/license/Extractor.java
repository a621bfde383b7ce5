package dev.parlance.demo.license;

import dev.parlance.demo.license.Retriever.Passage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Picks the sentences of retrieved pieces that answer a question, word for word.
 *
 * @param retriever how words are weighed
 */
public record Extractor(Retriever retriever) {
  /** Sentences shorter than this are headings. */
  private static final int SENTENCE_WORDS_MIN = 6;

  /** A second sentence is quoted only if it is about as telling as the first. */
  private static final double SECOND_SENTENCE_SHARE = 0.75;

  private static final int SECOND_SENTENCE_WORDS_MAX = 60;
  private static final double DEFINITION_WEIGHT = 10.0;
  private static final Pattern SENTENCE_END =
      Pattern.compile("\\n|(?<=[.!?])\\s+(?=[\"(]?\\p{Lu})");

  /**
   * A sentence and where it stands.
   *
   * @param passageId id of its piece
   * @param text the sentence as it stands in the document
   */
  public record Quote(String passageId, String text) {}

  /**
   * One or two quotes, the most telling first; none if no sentence shares a word with the question.
   */
  public List<Quote> quotes(String question, List<Passage> passages) {
    Set<String> asked = new HashSet<>(Retriever.IndexWords.contentWords(question));
    Optional<Retriever.AskedTerm> term = Retriever.AskedTerm.in(question);
    record Scored(Quote quote, double score, int words) {}
    List<Scored> scored = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Passage passage : passages) {
      for (String sentence : SENTENCE_END.split(passage.text(), -1)) {
        List<String> words = Retriever.IndexWords.of(sentence);
        // Neighbouring pieces overlap by a paragraph: the same sentence counts once.
        if (words.size() < SENTENCE_WORDS_MIN || !seen.add(sentence)) {
          continue;
        }
        Set<String> distinct = new HashSet<>(words);
        double score = term.map(t -> t.bonus(sentence) * DEFINITION_WEIGHT).orElse(0.0);
        for (String word : asked) {
          if (distinct.contains(word)) {
            score += retriever.inverseDocumentFrequency(word);
          }
        }
        if (score > 0.0) {
          scored.add(new Scored(new Quote(passage.id(), sentence), score, words.size()));
        }
      }
    }
    scored.sort(Comparator.comparingDouble(Scored::score).reversed());
    List<Quote> quotes = new ArrayList<>();
    for (Scored candidate : scored) {
      if (quotes.isEmpty()) {
        quotes.add(candidate.quote());
      } else if (candidate.score() >= SECOND_SENTENCE_SHARE * scored.getFirst().score()
          && candidate.words() <= SECOND_SENTENCE_WORDS_MAX) {
        quotes.add(candidate.quote());
        break;
      }
    }
    return List.copyOf(quotes);
  }
}
