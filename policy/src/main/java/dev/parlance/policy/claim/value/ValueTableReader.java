package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.BOUNDS;
import static dev.parlance.policy.claim.value.ValueLexicon.LANGUAGES;
import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueLexicon.UNKNOWN;

import dev.parlance.policy.claim.Folding;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.claim.value.JoinedNumbers.Piece;
import dev.parlance.policy.claim.value.UnitTable.Unit;
import dev.parlance.policy.claim.value.ValueLexicon.Word;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads {@code values.txt}, which says itself how to read it, into the tables of a {@link
 * ValueLexicon}.
 */
@SuppressWarnings("StringSplitter") // lines of our own file
final class ValueTableReader {
  final LongTable folded = new LongTable();
  final LongTable exact = new LongTable();
  final LongTable phrases = new LongTable();

  /** See {@link ValueLexicon#filterSlot}. */
  final long[] filter = new long[1 << 10];

  final List<Word> words = new ArrayList<>(List.of(new Word()));
  final List<Piece> pieces = new ArrayList<>();
  final UnitTable unitTable;

  private final WordKey hash;
  private final Map<String, Integer> dimensions = new HashMap<>();
  private final List<Unit> units = new ArrayList<>(List.of(new Unit(0, 1, 0, false)));
  private final List<String> aliases = new ArrayList<>();

  ValueTableReader(List<String> lines, long seed) {
    hash = new WordKey(seed);
    for (String line : lines) {
      if (!line.isBlank() && line.charAt(0) != '#') {
        int colon = line.indexOf(": ");
        read(line.substring(0, colon).split(" "), line.substring(colon + 2));
      }
    }
    aliases.forEach(this::alias);
    unitTable = new UnitTable(units, this::dimension, this::exactUnit);
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
            entry(word).roles |= WordRole.valueOf(head[1].toUpperCase(Locale.ROOT)).bit;
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
    if (JoinedNumbers.isJoining(language)) {
      pieces.add(new Piece(Spelling.foldedText(word), value, language));
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
    entry(before ? tokens.getLast() : tokens.getFirst()).roles |= WordRole.BOUND.bit;
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
    double factor = new BigDecimal(given.factor()).round(new MathContext(12)).doubleValue();
    Unit unit = new Unit(given.dimension(), factor, given.offset(), given.currency());
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
    return words.get(exact.get(exactKeyOf(symbol))).unit;
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
      found = words.size();
      words.add(new Word());
      table.put(key, found);
      int slot = ValueLexicon.filterSlot(key);
      filter[slot >> 6] |= 1L << slot;
    }
    return words.get(found);
  }

  private static boolean isGated(String word) {
    return word.endsWith("?");
  }

  private static String ungated(String word) {
    return isGated(word) ? word.substring(0, word.length() - 1) : word;
  }

  private long keyOf(String word) {
    hash.reset();
    word.codePoints().forEach(c -> Spelling.addFolded(hash, c));
    return hash.end();
  }

  private long exactKeyOf(String symbol) {
    hash.reset();
    symbol.codePoints().forEach(c -> Spelling.addSymbol(hash, c));
    return hash.end();
  }
}
