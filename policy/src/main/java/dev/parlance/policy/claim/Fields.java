package dev.parlance.policy.claim;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a field of a record as words: {@code price_eur} with {@code 340} as {@code price: 340
 * EUR}. Names are cut into words; a unit at the end of a name goes behind its number.
 */
final class Fields {
  /** Longest name that is looked at; a longer one stays as it is. */
  private static final int MAX_NAME_BYTES = 80;

  private static final Pattern UNIT_OF_NAME =
      Pattern.compile(
          "^(.*?[\\p{L}\\d)])[\\s_./-]*[\\s_(\\[./-](?:in"
              + " )?([\\p{L}%\u00b0\u00b2\u00b3$\u20ac\u00a3/]{1,10})[)\\]]?$");

  /** What makes the unit behind it what something is counted by: {@code price_per_month}. */
  private static final Pattern PER =
      Pattern.compile("(?:^|[\\s_./-])(?:per|pro|par|por|each|every)$", Pattern.CASE_INSENSITIVE);

  private static final Pattern CAMEL =
      Pattern.compile("(?<=[\\p{Ll}\\d])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");

  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("percent", "%"),
          Map.entry("pct", "%"),
          Map.entry("%", "%"),
          Map.entry("celsius", "\u00b0C"),
          Map.entry("\u00b0c", "\u00b0C"),
          Map.entry("degc", "\u00b0C"),
          Map.entry("fahrenheit", "\u00b0F"),
          Map.entry("\u00b0f", "\u00b0F"),
          Map.entry("degf", "\u00b0F"));

  private static final java.util.Set<String> OTHER_UNITS =
      java.util.Set.of(
          ("eur usd gbp chf jpy cny euro euros dollar dollars cents $ \u20ac \u00a3 kg g mg \u00b5g"
               + " ug lb lbs oz km m cm mm nm mi ft miles h hr hrs hour hours min mins minute"
               + " minutes s sec secs second seconds ms us \u00b5s ns day days week weeks month"
               + " months year years stunden tage jahre minuten w kw mw kwh mwh v kv ma hz khz mhz"
               + " ghz kb mb gb tb kib mib gib byte bytes pa kpa mpa bar mbar psi l ml rpm km/h kmh"
               + " mph m2 m3 m\u00b2 m\u00b3 pcs pieces units")
              .split(" "));

  /** What stands behind them is no unit, but what is so or not: is_day. */
  private static final java.util.Set<String> WHETHER =
      java.util.Set.of("is", "is_", "is-", "has", "has_", "has-");

  private static final java.util.Set<String> DATE_PARTS =
      java.util.Set.of("year", "month", "week", "day", "hour", "minute", "second");

  private Fields() {}

  /**
   * A name in words.
   *
   * @param words all of it
   * @param quantity the words before its unit
   * @param unit its unit as it is written behind a number; empty if it has none
   */
  record Name(String words, String quantity, String unit) {
    static final Name NONE = new Name("", "", "");

    static Name of(String name) {
      Matcher parts = UNIT_OF_NAME.matcher(name.length() > MAX_NAME_BYTES ? "" : name);
      if (!parts.matches()
          || isPartOfDate(name, parts.start(2), parts.group(2))
          || WHETHER.contains(parts.group(1).toLowerCase(Locale.ROOT))
          || !isUnit(parts.group(2))
          || PER.matcher(parts.group(1)).find()
          || (parts.group(2).length() == 1 && "_([".indexOf(name.charAt(parts.start(2) - 1)) < 0)) {
        return new Name(Fields.words(name), "", "");
      }
      String unit = parts.group(2);
      return new Name(
          Fields.words(name),
          Fields.words(parts.group(1)),
          UNITS.getOrDefault(unit.toLowerCase(Locale.ROOT), unit));
    }
  }

  /**
   * Writes {@code name: value}.
   *
   * @param nameOrigin where the name comes from
   * @param value where the value stands, already without quotes and escapes
   * @param origin of the value's first byte
   */
  static void write(
      Rewritten out, Name name, int nameOrigin, byte[] value, int from, int to, int origin) {
    boolean quantity = !name.unit().isEmpty() && isNumber(value, from, to);
    out.put(quantity ? name.quantity() : name.words(), nameOrigin);
    out.put(": ", nameOrigin);
    out.copy(value, from, to, origin);
    if (quantity) {
      out.put(" ", nameOrigin);
      out.put(name.unit(), nameOrigin);
    }
  }

  private static boolean isNumber(byte[] value, int from, int to) {
    boolean digit = false;
    for (int i = from; i < to; i++) {
      if ("0123456789.,' +-\u00e2\u0088\u0092\u00c2\u00a0".indexOf(value[i] & 0xFF) < 0) {
        return false;
      }
      digit |= Character.isDigit(value[i]);
    }
    return digit && to - from <= MAX_NAME_BYTES;
  }

  /** True of the member of a record that is a year, a day: {@code results year} counts no years. */
  private static boolean isPartOfDate(String name, int start, String word) {
    return name.charAt(start - 1) == ' ' && DATE_PARTS.contains(word.toLowerCase(Locale.ROOT));
  }

  private static boolean isUnit(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return UNITS.containsKey(lower) || OTHER_UNITS.contains(lower);
  }

  /** A name as words. */
  static String words(String name) {
    return name.length() > MAX_NAME_BYTES || name.indexOf(' ') >= 0
        ? name.strip()
        : CAMEL.matcher(name.replace('_', ' ').replace('-', ' ')).replaceAll(" ").strip();
  }
}
