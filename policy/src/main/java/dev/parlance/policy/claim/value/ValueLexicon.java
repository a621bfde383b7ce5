package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.TableFile;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The words and symbols that stand round numbers: number words, months, units, currencies, bounds.
 * Made of the resource {@code values.txt} by {@link ValueTableReader}. Immutable, and shared by
 * threads.
 *
 * <p>A word is asked for by its key; the answer is an entry, a small number by which all that is
 * known of the word is asked for. Units are numbers too: simple ones count from 1, compound ones
 * ({@code km/h}) are negative, made of their parts.
 */
public final class ValueLexicon {
  /** The entry of every word that is not in the table. */
  static final int UNKNOWN = 0;

  /** No unit. */
  static final int NO_UNIT = 0;

  static final int ENGLISH = 1;

  /** Most words of a phrase. */
  static final int MAX_PHRASE = 5;

  /** Languages that number words belong to, the first being none that is known. */
  static final List<String> LANGUAGES =
      List.of(
          "", "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "pl", "tr", "ru", "uk", "cs",
          "fi", "ro");

  static final int TURKISH = LANGUAGES.indexOf("tr");

  /** What a phrase says of the number beside it, by what {@link #phrase} answers. */
  static final List<String> BOUNDS =
      List.of("", "about", "less", "atmost", "more", "atleast", "within");

  /** What {@link #phrase} says of "within": at most, or up to what is no bound. */
  static final int WITHIN = BOUNDS.indexOf("within");

  /** What is known of one word. */
  static final class Word {
    long roles;
    long number = -1;

    /** Languages in which the number counts; 0: in all. */
    int numberLanguages;

    boolean numberAnywhere;
    int rank;
    int roman;
    int month;
    boolean monthGated;
    int unit;
    int scale = -1;
    int languages;
    boolean function;
  }

  /** Roles of words that a value may be, or begin with. */
  private static final long VALUES =
      WordRole.ARTICLE.bit
          | WordRole.HALFPART.bit
          | WordRole.HALFOF.bit
          | WordRole.QUARTER.bit
          | WordRole.NOON.bit
          | WordRole.MIDNIGHT.bit;

  private final long seed;
  private final LongTable folded;

  /** A bit for some bits of each key of {@link #folded}, so that most others are not looked for. */
  private final long[] filter;

  private final LongTable exact;
  private final LongTable phrases;
  private final Word[] words;
  private final boolean[] first;
  private final boolean[] number;
  private final int[] looks;
  private final int[] languages;

  final UnitTable units;
  final JoinedNumbers joined;

  private ValueLexicon(ValueTableReader read, long seed) {
    this.seed = seed;
    folded = read.folded;
    filter = read.filter;
    exact = read.exact;
    phrases = read.phrases;
    units = read.unitTable;
    joined = new JoinedNumbers(read.pieces);
    words = read.words.toArray(Word[]::new);
    first = new boolean[words.length];
    number = new boolean[words.length];
    looks = new int[words.length];
    languages = new int[words.length];
    for (int i = 0; i < words.length; i++) {
      first[i] =
          words[i].month != 0
              || words[i].rank > 0
              || words[i].roman > 0
              || (words[i].roles & VALUES) != 0;
      number[i] = words[i].number >= 0;
      languages[i] = words[i].languages;
      int all = (1 << LANGUAGES.size()) - 1;
      int inLanguages = words[i].numberAnywhere ? all : words[i].numberLanguages;
      looks[i] = UnitLooks.ofWord(i, number[i] ? inLanguages : 0, first[i]);
    }
  }

  /** What keys its words and all that is compared by fingerprint. */
  long seed() {
    return seed;
  }

  /** Reads the resource. Keys are those of words of units with the same seed. */
  public static ValueLexicon load(long seed) {
    List<String> lines =
        new String(TableFile.bytes(ValueLexicon.class, "values.txt"), StandardCharsets.UTF_8)
            .lines()
            .toList();
    return new ValueLexicon(new ValueTableReader(lines, seed), seed);
  }

  /** The entry of a folded word. */
  int word(long key) {
    int slot = filterSlot(key);
    return (filter[slot >> 6] >>> slot & 1) == 0 ? UNKNOWN : folded.get(key);
  }

  static int filterSlot(long key) {
    return (int) (key >>> 48);
  }

  /** What a folded word is to the reader of values, as a number of {@link UnitLooks}. */
  public int look(long key) {
    return looks[word(key)];
  }

  /** True if a value may begin with this word alone. */
  boolean isFirst(int entry) {
    return first[entry];
  }

  /** The unit of a symbol whose case counts, or {@link #NO_UNIT}. */
  int symbolUnit(long key) {
    return words[exact.get(key)].unit;
  }

  /** True if the word has one of the roles. */
  boolean is(int entry, WordRole role) {
    return (words[entry].roles & role.bit) != 0;
  }

  /** The number that a word is in a text of this language, or -1. */
  long number(int entry, int language) {
    if (!number[entry]) {
      return -1;
    }
    Word word = words[entry];
    return word.numberAnywhere || (word.numberLanguages >> language & 1) != 0 ? word.number : -1;
  }

  /** Which one an ordinal word says, or 0. */
  int rank(int entry) {
    return words[entry].rank;
  }

  /** What a Roman numeral says, or 0. */
  int roman(int entry) {
    return words[entry].roman;
  }

  int month(int entry) {
    return words[entry].month;
  }

  /** True if the word is a month only beside a day or a year. */
  boolean isMonthGated(int entry) {
    return words[entry].monthGated;
  }

  int unit(int entry) {
    return words[entry].unit;
  }

  /** The power of ten that the word multiplies by, or -1. */
  int scale(int entry) {
    return words[entry].scale;
  }

  /** Counts the languages that a word is common in. */
  void count(int entry, int[] votes) {
    for (int rest = languages[entry]; rest != 0; rest &= rest - 1) {
      votes[Integer.numberOfTrailingZeros(rest)]++;
    }
  }

  /** True of articles, prepositions and the like, which no number belongs to. */
  boolean isFunctionWord(int entry) {
    return words[entry].function
        || (words[entry].roles & (WordRole.OF.bit | WordRole.PER.bit)) != 0;
  }

  /** What a phrase before a number says (an index of a bound), and one behind it, times 256. */
  int phrase(long key) {
    return phrases.get(key);
  }
}
