package dev.parlance.demo.license;

import dev.parlance.demo.license.Retriever.Passage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /** Words of a text for the index: lower-case runs of letters and digits. */
  static final class IndexWords {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");

    /** Words that say nothing about what a question is after. */
    private static final Set<String> FUNCTION_WORDS =
        Set.of(
            "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does",
            "for", "from", "happens", "have", "how", "i", "if", "in", "is", "it", "its", "mean",
            "means", "must", "of", "on", "or", "shall", "should", "that", "the", "there", "this",
            "to", "under", "what", "when", "where", "which", "who", "with", "you", "your");

    private IndexWords() {}

    static List<String> of(String text) {
      List<String> words = new ArrayList<>();
      Matcher matcher = WORD.matcher(text);
      while (matcher.find()) {
        words.add(matcher.group().toLowerCase(Locale.ROOT));
      }
      return words;
    }

    static List<String> contentWords(String text) {
      return of(text).stream().filter(word -> !FUNCTION_WORDS.contains(word)).toList();
    }
  }

  /**
   * The term that a question asks the meaning of, and how strongly a text defines it (ASP paper,
   * section 5.2).
   *
   * @param term as it stands in the question
   */
  record AskedTerm(String term) {
    /** Bonus for {@code "X" means} and {@code "X" shall mean}. */
    static final double DEFINITION_BONUS = 1.0;

    /**
     * Bonus for other definition syntax: {@code (the "X")}, {@code "X" is defined as}, and the
     * like.
     */
    static final double OTHER_DEFINITION_BONUS = 0.5;

    private static final Pattern QUOTED =
        Pattern.compile("[\"\u201c]([^\"\u201d]{1,60})[\"\u201d]");
    private static final Pattern ASKED =
        Pattern.compile(
            "^\\s*(?:what|who)\\s+(?:is|are|does|counts\\s+as|is\\s+meant\\s+by)\\s+(?:an?\\s+|the\\s+)?([\\p{L}\\p{N}"
                + " -]{1,60}?)(?:\\s+(?:mean|under|in)\\b.*)?\\s*\\?*\\s*$",
            Pattern.CASE_INSENSITIVE);

    static Optional<AskedTerm> in(String question) {
      Matcher quoted = QUOTED.matcher(question);
      if (quoted.find()) {
        return Optional.of(new AskedTerm(quoted.group(1).strip()));
      }
      Matcher asked = ASKED.matcher(question);
      return asked.matches()
          ? Optional.of(new AskedTerm(asked.group(1).strip()))
          : Optional.empty();
    }

    /** 1.0, 0.5 or 0.0: what the paper adds to the score of a text. */
    double bonus(String text) {
      String quoted = "\"" + Pattern.quote(term) + "\"";
      if (finds(quoted + "(?: \\(or \"[^\"]+\"\\))?(?: form)? (?:shall mean|means)\\b", text)) {
        return DEFINITION_BONUS;
      }
      boolean defined =
          finds("\\(the " + quoted + "\\)", text)
              || finds(
                  "(?:" + quoted + "|\\b" + Pattern.quote(term) + ") (?:is defined as|refers to)",
                  text);
      return defined ? OTHER_DEFINITION_BONUS : 0.0;
    }

    private static boolean finds(String regex, String text) {
      return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).matcher(text).find();
    }
  }

  /**
   * Cuts a document into overlapping pieces as in section 5.2 of the ASP paper: whole paragraphs up
   * to about 220 words, and the last paragraph of a piece opens the next one.
   *
   * <p>The paper does not say how much may overlap. Here a paragraph is repeated only if it is at
   * most half a piece long; otherwise long paragraphs would make every piece mostly a copy of the
   * last one.
   */
  public static final class Chunker {
    /** Words of a piece, from the paper. */
    static final int TARGET_WORDS = 220;

    private static final Pattern BLANK_LINES = Pattern.compile("\\R\\s*\\R");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Chunker() {}

    /** The pieces of {@code document} in its order; none if it has no words. */
    public static List<Passage> chunk(String document) {
      List<Passage> passages = new ArrayList<>();
      List<String> open = new ArrayList<>();
      int openWords = 0;
      boolean news = false;
      for (String raw : BLANK_LINES.split(document, -1)) {
        String paragraph = SPACE.matcher(raw.strip()).replaceAll(" ");
        int words = Retriever.IndexWords.of(paragraph).size();
        if (words == 0) {
          continue;
        }
        if (news && openWords + words > TARGET_WORDS) {
          passages.add(close(passages.size(), open));
          String last = open.getLast();
          open.clear();
          openWords = 0;
          int lastWords = Retriever.IndexWords.of(last).size();
          if (lastWords <= TARGET_WORDS / 2) {
            open.add(last);
            openWords = lastWords;
          }
        }
        open.add(paragraph);
        openWords += words;
        news = true;
      }
      if (news) {
        passages.add(close(passages.size(), open));
      }
      return List.copyOf(passages);
    }

    private static Passage close(int before, List<String> paragraphs) {
      return new Passage(
          String.format(Locale.ROOT, "c%02d", before + 1), String.join("\n", paragraphs));
    }
  }
}
