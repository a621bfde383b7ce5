package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Folding;
import dev.parlance.policy.claim.TableFile;
import dev.parlance.policy.claim.WordKey;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The words and symbols that stand round numbers: number words, months, units, currencies, bounds.
 * Made of the resource {@code values.txt}, which says how to read it. Immutable.
 *
 * <p>A word is asked for by its key; the answer is an entry, a small number by which all that is
 * known of the word is asked for. Units are numbers too: simple ones count from 1, compound ones
 * ({@code km/h}) are negative, made of their parts.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "StringSplitter"
}) // index of an array that never leaves this process; lines of our own files
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

  /** Those that write several number words in one. */
  private static final int[] JOINING =
      Stream.of("de", "nl", "it", "sv", "da", "fi").mapToInt(LANGUAGES::indexOf).toArray();

  private static final List<String> BOUNDS =
      List.of("", "about", "less", "atmost", "more", "atleast", "within");

  /** What {@link #phrase} says of "within": at most, or up to what is no bound. */
  static final int WITHIN = BOUNDS.indexOf("within");

  /** Roles of words in the grammar, in the order of their bits. */
  enum Role {
    THE,
    BETWEEN,
    AND,
    TO,
    PER,
    SQUARE,
    CUBIC,
    AM,
    PM,
    CLOCK,
    ATTIME,
    VERSION,
    LABEL,
    PHONE,
    MINUS,
    PLUS,
    ORDINAL,
    OF,
    DECADE,
    QUARTER,
    HALFPART,
    THIRDS,
    QUARTERS,
    ZONE,
    UTC,
    PERCENTBEFORE,

    /** In the name of a field: what is at most so much, what is at least. */
    UPPER,
    LOWER,

    /** The name of a field that is no unit: its value counts days of the calendar. */
    DATEPART,
    UNITNAME,

    /** If, when. */
    CONDITION,

    /** Stands beside the number in a phrase that says a bound. */
    BOUND,

    /** Says that a number becomes another one: from one to the other is no range. */
    CHANGES,
    FROM,

    /** Before a currency: that of this country. */
    STATES,

    /** Max and min, which a value may have lost and is the same. */
    LIMIT,

    /** In the phrase before a number: that is the most there is. */
    TOPMOST,

    /** Before a length of time: one of it. */
    ARTICLE,
    HALFHOUR,
    PASTHOUR,
    TOHOUR,

    /** Twelve o'clock, by day and by night. */
    NOON,
    MIDNIGHT,

    /** Behind percent: not so many hundredths, but so many of them more or less. */
    POINTS;

    final long bit = 1L << ordinal();
  }

  private static final class Word {
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

  /** A number word of a language that writes several of them in one; value -1 is the word and. */
  record Piece(String text, long value, int language) {
    boolean isAt(char[] word, int from) {
      for (int i = 0; i < text.length(); i++) {
        if (word[from + i] != text.charAt(i)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Roles of words that a value may be, or begin with. */
  private static final long VALUES =
      Role.ARTICLE.bit | Role.HALFPART.bit | Role.QUARTER.bit | Role.NOON.bit | Role.MIDNIGHT.bit;

  private record Unit(int dimension, double factor, double offset, boolean currency) {}

  private final long seed;
  private final WordKey hash;
  private final LongTable folded = new LongTable();

  /** A bit for some bits of each key of {@link #folded}, so that most others are not looked for. */
  private final long[] filter = new long[1 << 10];

  private final LongTable exact = new LongTable();
  private final LongTable phrases = new LongTable();
  private final List<Word> building = new ArrayList<>(List.of(new Word()));
  private final Map<String, Integer> dimensions = new HashMap<>();
  private final List<Unit> units = new ArrayList<>(List.of(new Unit(0, 1, 0, false)));
  private final List<Piece> numberPieces = new ArrayList<>();
  private final List<String> aliases = new ArrayList<>();

  private final Word[] words;
  private final boolean[] first;
  private final boolean[] number;
  private final int[] looks;
  private final int[] languages;
  private final int length;
  private final int months;
  private final int area;
  private final int volume;
  private final int proportion;
  private final int angle;
  private final int temperature;
  private final int hour;
  private final int metre;
  private final int points;
  private final Unit[] unitTable;

  /** The values of number words that are written together, by their first letter. */
  private final Piece[] @Nullable [] pieces = new Piece[128][];

  /** A bit for the three letters that such a word begins with. */
  private final long[] beginnings = new long[1 << 9];

  private ValueLexicon(List<String> lines, long seed) {
    this.seed = seed;
    hash = new WordKey(seed);
    for (String line : lines) {
      if (!line.isBlank() && line.charAt(0) != '#') {
        int colon = line.indexOf(": ");
        read(line.substring(0, colon).split(" "), line.substring(colon + 2));
      }
    }
    aliases.forEach(this::alias);
    words = building.toArray(Word[]::new);
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
    length = dimension("length");
    months = dimension("months");
    area = dimension("area");
    volume = dimension("volume");
    proportion = dimension("proportion");
    angle = dimension("angle");
    temperature = dimension("temperature");
    hour = unitOf("h");
    metre = unitOf("m");
    points = unitOf("pp");
    unitTable = units.toArray(Unit[]::new);
    for (Piece piece : numberPieces) {
      if (piece.text.length() < 3) {
        continue;
      }
      int slot = beginning(piece.text.charAt(0), piece.text.charAt(1), piece.text.charAt(2));
      beginnings[slot >> 6] |= 1L << slot;
    }
    numberPieces.add(new Piece("und", -1, LANGUAGES.indexOf("de")));
    numberPieces.add(new Piece("en", -1, LANGUAGES.indexOf("nl")));
    numberPieces.add(new Piece("og", -1, LANGUAGES.indexOf("da")));
    numberPieces.sort(Comparator.comparingInt((Piece piece) -> piece.text.length()).reversed());
    for (char letter = 'a'; letter <= 'z'; letter++) {
      String first = String.valueOf(letter);
      Piece[] list =
          numberPieces.stream().filter(p -> p.text.startsWith(first)).toArray(Piece[]::new);
      pieces[letter] = list.length == 0 ? null : list;
    }
  }

  /** What keys its words and all that is compared by fingerprint. */
  long seed() {
    return seed;
  }

  /** Reads the resource. Keys are those of words of units with the same seed. */
  public static ValueLexicon load(long seed) {
    return new ValueLexicon(
        new String(TableFile.bytes(ValueLexicon.class, "values.txt"), StandardCharsets.UTF_8)
            .lines()
            .toList(),
        seed);
  }

  private void read(String[] head, String tail) {
    switch (head[0]) {
      case "language", "hint" -> {
        for (String word : tail.split(" ")) {
          entry(word).languages |= 1 << LANGUAGES.indexOf(head[1]);
          entry(word).function |= head[0].equals("language");
        }
      }
      case "number" -> {
        for (String word : tail.split(" ")) {
          number(LANGUAGES.indexOf(head[1]), word);
        }
      }
      case "ordinal" -> {
        for (String word : tail.split(" ")) {
          entry(word).rank = Integer.parseInt(head[1]);
        }
      }
      case "roman" -> {
        String[] numerals = tail.split(" ");
        for (int i = 0; i < numerals.length; i++) {
          entry(numerals[i]).roman = i + Integer.parseInt(head[1]);
        }
      }
      case "month" -> {
        for (String word : tail.split(" ")) {
          Word entry = entry(ungated(word));
          entry.monthGated = entry.month != 0 ? entry.monthGated && isGated(word) : isGated(word);
          entry.month = Integer.parseInt(head[1]);
        }
      }
      case "unit" -> unit(head, tail.split(" "));
      case "currency" -> {
        int unit = unitOf(new Unit(dimension("currency " + head[1]), 1, 0, true));
        for (String word : tail.split(" ")) {
          if (!isGated(word)) {
            unitEntry(word).unit = unit;
          }
        }
      }
      case "alias" -> aliases.addAll(List.of(tail.split(" =")));
      case "scale" -> {
        for (String word : tail.split(" ")) {
          entry(ungated(word)).scale = Integer.parseInt(head[1]);
        }
      }
      case "bound", "after" -> {
        for (String phrase : tail.split("; ?")) {
          phrase(head, ungated(phrase));
        }
      }
      case "role" -> {
        for (String word : tail.split(" ")) {
          if (!isGated(word)) {
            entry(word).roles |= Role.valueOf(head[1].toUpperCase(Locale.ROOT)).bit;
          }
        }
      }
      default -> throw new IllegalStateException("values.txt: " + head[0]);
    }
  }

  private void number(int language, String definition) {
    int equals = definition.indexOf('=');
    String word = definition.substring(0, equals);
    boolean gated = isGated(definition);
    long value =
        Long.parseLong(definition.substring(equals + 1, definition.length() - (gated ? 1 : 0)));
    Word entry = entry(word);
    if (entry.number >= 0 && entry.number != value) {
      throw new IllegalStateException("values.txt: two numbers of " + word);
    }
    entry.number = value;
    entry.numberAnywhere |= !gated;
    entry.numberLanguages |= 1 << language;
    if (isJoining(language)) {
      numberPieces.add(new Piece(foldedText(word), value, language));
    }
  }

  private void phrase(String[] head, String phrase) {
    long key = 0;
    boolean before = head[0].equals("bound");
    List<String> tokens = new ArrayList<>();
    for (String word : phrase.split(" ")) {
      // Han and kana are one token each, as the reader sees them.
      boolean han = Folding.kind(Folding.of(word.codePointAt(0))) == Folding.HAN;
      tokens.addAll(List.of(han ? word.split("") : new String[] {word}));
    }
    for (String token : tokens) {
      key = key == 0 ? keyOf(token) : hash.pair(key, keyOf(token));
    }
    entry(before ? tokens.getLast() : tokens.getFirst()).roles |= Role.BOUND.bit;
    int bound = BOUNDS.indexOf(head[1]);
    phrases.put(key, phrases.get(key) | (before ? bound : bound << 8));
  }

  private void unit(String[] head, String[] tail) {
    int dimension = dimension(head[1]);
    double factor = Double.parseDouble(head[2]);
    double offset = 0;
    String prefixes = "";
    if (head.length > 3) {
      if (Character.isDigit(head[3].charAt(0))) {
        offset = Double.parseDouble(head[3]);
      } else {
        prefixes = head[3];
      }
    }
    add(tail, "", "", new Unit(dimension, factor, offset, false));
    boolean names = prefixes.endsWith("w");
    for (int i = 0; i < prefixes.length(); i++) {
      char prefix = prefixes.charAt(i);
      int power = "pnumcdhkMGTP".indexOf(prefix);
      if (power >= 0) {
        double times =
            new double[] {1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 1e-1, 1e2, 1e3, 1e6, 1e9, 1e12, 1e15}
                [power];
        String name =
            List.of(
                    "pico", "nano", "micro", "milli", "centi", "deci", "hekto", "kilo", "mega",
                    "giga", "tera", "peta")
                .get(power);
        Unit unit = new Unit(dimension, factor * times, 0, false);
        add(tail, prefix == 'u' ? "\u03bc" : String.valueOf(prefix), names ? name : "-", unit);
      }
    }
  }

  private void add(String[] tail, String prefix, String name, Unit unit) {
    int number = unitOf(unit);
    for (String word : tail) {
      if (isGated(word)) {
        continue;
      }
      if (word.charAt(0) == '=') {
        unitEntry("=" + prefix + word.substring(1)).unit = number;
        if (prefix.equals("\u03bc")) {
          unitEntry("=u" + word.substring(1)).unit = number;
        }
      } else if (name.isEmpty() || (!name.equals("-") && word.charAt(0) < 0x250)) {
        unitEntry(name + word).unit = number;
      }
    }
  }

  private int unitOf(Unit given) {
    // Products of powers of ten are not exact.
    double factor = new BigDecimal(given.factor).round(new MathContext(12)).doubleValue();
    Unit unit = new Unit(given.dimension, factor, given.offset, given.currency);
    int known = units.indexOf(unit);
    if (known > 0) {
      return known;
    }
    units.add(unit);
    return units.size() - 1;
  }

  private int dimension(String name) {
    return dimensions.computeIfAbsent(name, _ -> dimensions.size() + 1);
  }

  private void alias(String definition) {
    String[] parts = definition.replace("=", "").trim().split(" ");
    int slash = parts[1].indexOf('/');
    int left = exactUnit(parts[1].substring(0, slash));
    int right = exactUnit(parts[1].substring(slash + 1));
    if (left != NO_UNIT && right != NO_UNIT) {
      unitEntry("=" + parts[0]).unit = CompoundUnit.quotient(left, right);
    }
  }

  private int exactUnit(String symbol) {
    return building.get(exact.get(exactKeyOf(symbol))).unit;
  }

  private Word unitEntry(String word) {
    return word.charAt(0) == '=' ? exactEntry(word.substring(1)) : entry(word);
  }

  private Word entry(String word) {
    return wordAt(folded, keyOf(word));
  }

  private Word exactEntry(String symbol) {
    return wordAt(exact, exactKeyOf(symbol));
  }

  private Word wordAt(LongTable table, long key) {
    int found = table.get(key);
    if (found == UNKNOWN) {
      found = building.size();
      building.add(new Word());
      table.put(key, found);
      filter[filterSlot(key) >> 6] |= 1L << filterSlot(key);
    }
    return building.get(found);
  }

  private static boolean isGated(String word) {
    return word.endsWith("?");
  }

  private static String ungated(String word) {
    return isGated(word) ? word.substring(0, word.length() - 1) : word;
  }

  private long keyOf(String word) {
    hash.reset();
    word.codePoints().forEach(c -> addFolded(hash, c));
    return hash.end();
  }

  private long exactKeyOf(String symbol) {
    hash.reset();
    symbol.codePoints().forEach(c -> addSymbol(hash, c));
    return hash.end();
  }

  private static String foldedText(String word) {
    StringBuilder text = new StringBuilder();
    word.codePoints()
        .forEach(c -> {
          long entry = Folding.of(c);
          text.appendCodePoint(Folding.first(entry));
          if (Folding.kind(entry) == Folding.SEVERAL) {
            text.appendCodePoint(Folding.second(entry));
          }
        });
    return text.toString();
  }

  /** Adds a code point as spelling folds it. */
  static void addFolded(WordKey key, int codePoint) {
    long entry = Folding.of(codePoint);
    switch (Folding.kind(entry)) {
      case Folding.IGNORED -> {}
      case Folding.ACCENT -> {
        int added = Folding.afterAccent(key.lastCodePoint(), Folding.first(entry));
        if (added != 0) {
          key.add(added);
        }
      }
      case Folding.SEVERAL -> {
        key.add(Folding.first(entry));
        key.add(Folding.second(entry));
        if (Folding.third(entry) != 0) {
          key.add(Folding.third(entry));
        }
      }
      default -> key.add(Folding.first(entry));
    }
  }

  /** Adds a code point of a symbol whose case counts, as what it stands for. */
  static void addSymbol(WordKey key, int codePoint) {
    if (codePoint < 0x80) {
      key.add(codePoint);
      return;
    }
    int[] plain = PlainSymbols.of(codePoint);
    for (int c : plain) {
      key.add(c);
    }
    if (plain.length == 0 && Folding.kind(Folding.of(codePoint)) != Folding.IGNORED) {
      key.add(sameSymbol(codePoint));
    }
  }

  /** One code point for those that look and mean the same: micro, ohm. */
  static int sameSymbol(int codePoint) {
    return switch (codePoint) {
      case 0xB5 -> 0x3BC;
      case 0x2126 -> 0x3A9;
      case 0x66A -> '%';
      default -> codePoint;
    };
  }

  /** The entry of a folded word. */
  int word(long key) {
    int slot = filterSlot(key);
    return (filter[slot >> 6] >>> slot & 1) == 0 ? UNKNOWN : folded.get(key);
  }

  private static int filterSlot(long key) {
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

  /** The unit of a symbol of the resource. */
  int unitOf(String symbol) {
    return symbolUnit(exactKeyOf(symbol));
  }

  /** True if the word has one of the roles. */
  boolean is(int entry, Role role) {
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
    return words[entry].function || (words[entry].roles & (Role.OF.bit | Role.PER.bit)) != 0;
  }

  /** What a phrase before a number says (an index of a bound), and one behind it, times 256. */
  int phrase(long key) {
    return phrases.get(key);
  }

  /** False if no number word that is written together with others begins with these bytes. */
  boolean mayBeginWithPiece(int first, int second, int third) {
    if ((first | 0x20) < 'a' || (first | 0x20) > 'z') {
      return false;
    }
    if ((second | 0x20) < 'a' || (third | 0x20) < 'a') {
      return pieces[first | 0x20] != null;
    }
    int slot = beginning(first, second, third);
    return (beginnings[slot >> 6] >>> slot & 1) != 0;
  }

  private static int beginning(int first, int second, int third) {
    return (first & 31) << 10 | (second & 31) << 5 | (third & 31);
  }

  /** The longest number word (or the word for and, -1) of a language that stands in a text here. */
  @Nullable Piece piece(char[] text, int from, int to, int language) {
    Piece[] all = text[from] < pieces.length ? pieces[text[from]] : null;
    if (all != null) {
      for (Piece piece : all) {
        int length = piece.text.length();
        if (length <= to - from && piece.language == language && piece.isAt(text, from)) {
          return piece;
        }
      }
    }
    return null;
  }

  /** The languages that write several number words in one. */
  static int[] joining() {
    return JOINING;
  }

  /** True of one of them. */
  static boolean isJoining(int language) {
    for (int joining : JOINING) {
      if (joining == language) {
        return true;
      }
    }
    return false;
  }

  /** What two units must have in common to be converted into one another; 0 if nothing may. */
  int dimension(int unit) {
    if (unit > 0) {
      return unitTable[unit].dimension;
    }
    if (unit == NO_UNIT || CompoundUnit.isHashed(unit)) {
      return 0;
    }
    int left = unitTable[CompoundUnit.left(unit)].dimension;
    int right = CompoundUnit.right(unit);
    int power = CompoundUnit.leftPower(unit);
    if (right == 0 && left == length && (power == 2 || power == 3)) {
      return power == 2 ? area : volume;
    }
    return -(left
        | (power & 7) << 8
        | (right == 0 ? 0 : unitTable[right].dimension) << 12
        | (CompoundUnit.rightPower(unit) & 0xF) << 20);
  }

  boolean isAngle(int unit) {
    return unit > 0 && unitTable[unit].dimension == angle;
  }

  boolean isTemperature(int unit) {
    return unit > 0 && unitTable[unit].dimension == temperature;
  }

  /** The unit of hours, whose number may be a time of day. */
  boolean isHour(int unit) {
    return unit == hour && unit != NO_UNIT;
  }

  /** The unit of metres, whose letter stands for million, too. */
  boolean isMetre(int unit) {
    return unit == metre && unit != NO_UNIT;
  }

  /** Percentage points. */
  int points() {
    return points;
  }

  /** True of a unit of time, however long. */
  boolean isDuration(int unit) {
    return isTime(unit) || (unit > 0 && unitTable[unit].dimension == months);
  }

  /** True of a unit that is a number of seconds. */
  boolean isTime(int unit) {
    return unit > 0 && unitTable[unit].dimension == unitTable[hour].dimension;
  }

  boolean isCurrency(int unit) {
    return unit > 0 && unitTable[unit].currency;
  }

  /** True of percent, per mille and the like, which are numbers themselves. */
  boolean isProportion(int unit) {
    return unit > 0 && unitTable[unit].dimension == proportion;
  }

  /** What so many of a unit that has a dimension are in the base of it. */
  double inBase(int unit, double value) {
    if (unit > 0) {
      return (value + unitTable[unit].offset) * unitTable[unit].factor;
    }
    double factor = raised(CompoundUnit.left(unit), CompoundUnit.leftPower(unit));
    int right = CompoundUnit.right(unit);
    return value * (right == 0 ? factor : factor * raised(right, CompoundUnit.rightPower(unit)));
  }

  private double raised(int unit, int power) {
    return StrictMath.pow(unitTable[unit].factor, power);
  }
}
