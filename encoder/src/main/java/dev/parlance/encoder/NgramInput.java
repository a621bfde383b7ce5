package dev.parlance.encoder;

import dev.parlance.encoder.Clause.Concept;
import dev.parlance.encoder.Clause.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns a text into rows of the model's table, with weights. The same text gives the same rows on
 * every machine.
 *
 * <ol>
 *   <li>{@link TokenScanner} cuts the text into words, numbers and signs; {@link ClosedWords} puts
 *       signs for negation, obligation, comparison and the like, {@link NumberWords} digits for
 *       numbers in words. A text of nothing but such words is taken as it is.
 *   <li>{@link Clause} parts it at verbs, tells denied from affirmed ones and doers from objects.
 *   <li>Every concept (a {@link Stem stem}, a number, a sign) gives features of the families below,
 *       and every two concepts with at most one between them in a chain give one of the family
 *       {@code PAIR}. In a clause that tells only who says what follows, all weigh a quarter. A
 *       feature's row is its hash inside its family's range of rows.
 *   <li>Weights of the same row are added; {@code sign(w) * sqrt(|w|)} of the sum is the weight.
 * </ol>
 *
 * <table>
 *   <caption>Families, each with its range in sixteenths of the rows</caption>
 *   <tr><th>family</th><th>range</th><th>what is hashed</th><th>weight</th></tr>
 *   <tr><td>CONCEPT</td><td>0-4</td><td>concept</td><td>1</td></tr>
 *   <tr><td>STANCE</td><td>4-8</td><td>concept</td><td>1 affirmed, -1 denied</td></tr>
 *   <tr><td>SIDE</td><td>8-12</td><td>concept</td><td>1 doer, -1 object, none else</td></tr>
 *   <tr><td>PAIR</td><td>12-15</td><td>two concepts, in order</td><td>1 affirmed, -1 denied</td></tr>
 *   <tr><td>LETTERS</td><td>15-16</td><td>three letters of a word with its ends</td>
 *       <td>1/sqrt(number of them in the word)</td></tr>
 * </table>
 *
 * <p>A concept has the same place in the ranges of the first three families. The hash is 64-bit
 * FNV-1a over the family's number and the UTF-8 bytes (for the first three: number 0), folded by
 * {@code h ^ h >>> 32}, as an unsigned number modulo the range.
 *
 * @param form version of these rules, {@link #FORM}
 * @param rows rows of the model's table, a multiple of 16
 * @param maxTokens words and numbers read; what is longer is cut
 */
public record NgramInput(String form, int rows, int maxTokens) {
  /** The one version there is. */
  public static final String FORM = "ngram-1";

  private static final int PARTS = 16;

  /** Who says it matters little beside what is said. */
  private static final double OF_SAYING = 0.25;

  private static final int LETTERS_LENGTH = 3;
  private static final int MAX_LETTERS_WORD = 24;

  /** Refuses impossible values. */
  public NgramInput {
    if (!form.equals(FORM)) {
      throw new IllegalArgumentException("expected the form \"ngram-1\", got \"" + form + "\"");
    }
    if (rows < 256 || rows > 1 << 20 || rows % PARTS != 0) {
      throw new IllegalArgumentException(
          "expected 256 to 1048576 rows, a multiple of 16, got " + rows);
    }
    if (maxTokens < 1 || maxTokens > 8_192) {
      throw new IllegalArgumentException("expected maxTokens of 1 to 8192, got " + maxTokens);
    }
  }

  /** Kinds of features, in the order of their rows. */
  public enum Family {
    /** What is named. */
    CONCEPT(0, 4),
    /** What is named, with whether it is affirmed. */
    STANCE(4, 8),
    /** What is named, with its side of the deed. */
    SIDE(8, 12),
    /** What is named one after the other. */
    PAIR(12, 15),
    /** How it is spelled. */
    LETTERS(15, 16);

    private final int from;
    private final int to;

    Family(int from, int to) {
      this.from = from;
      this.to = to;
    }

    /** First row of the family in a table of that many. */
    public int firstRow(int rows) {
      return rows / PARTS * from;
    }

    /** Number of its rows. */
    public int rowCount(int rows) {
      return rows / PARTS * (to - from);
    }
  }

  /** The features of a text; a text without a word has the single row 0 of weight 0. */
  public NgramFeatures features(String text) {
    TreeMap<Integer, Double> found = new TreeMap<>();
    for (Clause clause : clauses(text)) {
      double share = clause.saying() ? OF_SAYING : 1.0;
      double stance = clause.affirmed() ? share : -share;
      for (Concept concept : clause.concepts()) {
        add(found, Family.CONCEPT, concept.key(), share);
        add(found, Family.STANCE, concept.key(), stance);
        if (concept.role() != Role.NONE) {
          add(found, Family.SIDE, concept.key(), concept.role() == Role.DOER ? share : -share);
        }
        letters(found, concept.key(), share);
      }
      for (List<String> chain : clause.chains()) {
        for (int i = 0; i < chain.size(); i++) {
          for (int j = i + 1; j < Math.min(chain.size(), i + 3); j++) {
            add(found, Family.PAIR, chain.get(i) + " " + chain.get(j), stance);
          }
        }
      }
    }
    return weighted(found);
  }

  /** The clauses; of a text of closed words only, these words. */
  private List<Clause> clauses(String text) {
    List<Token> scanned = TokenScanner.scan(text, maxTokens);
    List<Clause> clauses = Clause.all(NumberWords.toDigits(ClosedWords.replace(scanned)));
    return clauses.isEmpty() ? Clause.all(scanned) : clauses;
  }

  private void letters(TreeMap<Integer, Double> found, String key, double share) {
    if (!Character.isLetter(key.codePointAt(0))) {
      return;
    }
    int[] word = ("^" + key + "$").codePoints().limit(MAX_LETTERS_WORD).toArray();
    List<String> pieces = new ArrayList<>();
    for (int i = 0; i + LETTERS_LENGTH <= word.length; i++) {
      pieces.add(new String(word, i, LETTERS_LENGTH));
    }
    for (String piece : pieces) {
      add(found, Family.LETTERS, piece, share / Math.sqrt(pieces.size()));
    }
  }

  private void add(TreeMap<Integer, Double> found, Family family, String key, double weight) {
    int number =
        switch (family) {
          case CONCEPT, STANCE, SIDE -> 0;
          case PAIR -> 1;
          case LETTERS -> 2;
        };
    long place = Long.remainderUnsigned(hash(number, key), family.rowCount(rows));
    found.merge(family.firstRow(rows) + (int) place, weight, Double::sum);
  }

  private static NgramFeatures weighted(TreeMap<Integer, Double> found) {
    found.values().removeIf(weight -> weight == 0.0);
    if (found.isEmpty()) {
      return new NgramFeatures(new long[1], new float[1]);
    }
    long[] ids = new long[found.size()];
    float[] weights = new float[found.size()];
    int i = 0;
    for (Map.Entry<Integer, Double> entry : found.entrySet()) {
      double weight = entry.getValue();
      ids[i] = entry.getKey();
      weights[i++] = (float) (Math.signum(weight) * Math.sqrt(Math.abs(weight)));
    }
    return new NgramFeatures(ids, weights);
  }

  private static long hash(int family, String key) {
    long h = (0xcbf29ce484222325L ^ family) * 0x100000001b3L;
    for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
      h = (h ^ (b & 0xff)) * 0x100000001b3L;
    }
    return h ^ (h >>> 32);
  }

  /**
   * What the model reads of a text: rows of its table, with weights.
   *
   * @param ids rows, each once, ascending; never empty
   * @param weights one for each; finite
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  public record NgramFeatures(long[] ids, float[] weights) {
    /** Refuses impossible values. */
    public NgramFeatures {
      if (ids.length == 0 || ids.length != weights.length) {
        throw new IllegalArgumentException(
            "expected as many weights as ids, got " + weights.length + " and " + ids.length);
      }
    }
  }
}
