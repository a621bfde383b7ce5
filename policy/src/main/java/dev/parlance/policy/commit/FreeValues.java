package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Wording.Numeral;
import dev.parlance.policy.commit.Wording.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The values of a text as {@link FreeComparer} holds them against those of another one: "three
 * weeks" is "21 days", "a fifth" is "20 percent".
 *
 * @param said values that have to be in the other text as well
 * @param implied values that may stand for one that the other text says: "a year", "a pair"
 */
record FreeValues(List<Value> said, List<Value> implied) {
  /** A month has not always as many days. */
  private static final double TOLERANCE = 0.02;

  private static final Map<String, Double> SECONDS =
      Map.ofEntries(
          Map.entry("second", 1.0),
          Map.entry("minut", 60.0),
          Map.entry("hour", 3_600.0),
          Map.entry("day", 86_400.0),
          Map.entry("week", 604_800.0),
          Map.entry("month", 2_629_800.0),
          Map.entry("year", 31_557_600.0),
          Map.entry("decad", 315_576_000.0),
          Map.entry("century", 3_155_760_000.0));

  private static final Map<String, Double> COUNTS =
      Map.of("pair", 2.0, "coupl", 2.0, "doubl", 2.0, "trio", 3.0, "tripl", 3.0);

  /** Parts of a whole as they are counted: "four fifths". */
  private static final Map<String, Integer> PARTS =
      Map.ofEntries(
          Map.entry("third", 3),
          Map.entry("quarter", 4),
          Map.entry("fourth", 4),
          Map.entry("fifth", 5),
          Map.entry("sixth", 6),
          Map.entry("seventh", 7),
          Map.entry("eighth", 8),
          Map.entry("ninth", 9),
          Map.entry("tenth", 10));

  private enum Measure {
    COUNT,
    SECONDS,
    PERCENT,
    /** A place in a row, or a part: "a fifth". */
    ORDINAL,
    /** What is no plain number: a time of day, a version. */
    SIGNS
  }

  /**
   * A value.
   *
   * @param unit of a count, empty without one; of signs these
   */
  private record Value(Measure measure, double amount, String unit) {
    boolean isLike(Value other) {
      if (measure == Measure.ORDINAL && other.measure == Measure.PERCENT) {
        return Math.abs(100 / amount - other.amount) < 1;
      }
      if (measure == Measure.PERCENT && other.measure == Measure.ORDINAL) {
        return other.isLike(this);
      }
      double far = TOLERANCE * Math.max(Math.abs(amount), Math.abs(other.amount));
      if (measure != other.measure) {
        // "eighty", said of a hundred; "12 May", "the twelfth of May"
        return measure != Measure.SECONDS
            && other.measure != Measure.SECONDS
            && amount == other.amount
            && unit.isEmpty()
            && other.unit.isEmpty();
      }
      return switch (measure) {
        case SECONDS, PERCENT, ORDINAL -> Math.abs(amount - other.amount) <= far;
        case COUNT ->
            amount == other.amount
                && (unit.isEmpty()
                    || other.unit.isEmpty()
                    || unit.equals(other.unit)
                    || EverydayWords.areAlike(unit, other.unit));
        case SIGNS -> unit.equals(other.unit);
      };
    }
  }

  /** The values of a text. */
  static FreeValues of(Wording wording) {
    FreeValues values = new FreeValues(new ArrayList<>(), new ArrayList<>());
    for (Numeral number : wording.numbers()) {
      boolean last = number.at() >= wording.words().size();
      values.add(number, last ? "" : wording.words().get(number.at()).stem());
    }
    for (Word word : wording.words()) {
      Double seconds = SECONDS.get(word.stem());
      if (seconds != null) {
        values.implied.add(new Value(Measure.SECONDS, seconds, ""));
      }
      Double count = COUNTS.get(word.stem());
      if (count != null) {
        values.implied.add(new Value(Measure.COUNT, count, ""));
      }
    }
    return values;
  }

  private void add(Numeral number, String behind) {
    String digits = number.digits();
    boolean ordinal = Character.isLetter(digits.charAt(digits.length() - 1));
    String plain = ordinal ? digits.substring(0, Math.max(0, digits.length() - 2)) : digits;
    if (!plain.matches("\\d{1,15}(?:\\.\\d{1,6})?")) {
      // "next" and "last" are no values
      if (!ordinal) {
        said.add(new Value(Measure.SIGNS, 0, digits));
      }
      return;
    }
    double value = Double.parseDouble(plain);
    Integer part = PARTS.get(behind);
    Double seconds = SECONDS.get(number.unit());
    if (ordinal) {
      // "first" joins, "second" is a time as well
      if (value > 2) {
        said.add(new Value(Measure.ORDINAL, value, ""));
      }
    } else if (part != null) {
      said.add(new Value(Measure.PERCENT, 100 * value / part, ""));
    } else if (seconds != null) {
      said.add(new Value(Measure.SECONDS, value * seconds, ""));
    } else if (number.unit().equals("percent")) {
      said.add(new Value(Measure.PERCENT, value, ""));
    } else if (value > 0 && value < 1) {
      said.add(new Value(Measure.PERCENT, 100 * value, ""));
    } else {
      // "the one who": no number
      (value == 1 && number.unit().isEmpty() ? implied : said)
          .add(new Value(Measure.COUNT, value, number.unit()));
    }
  }

  /** True if each value of one text is in the other. */
  boolean isAccountedFor(FreeValues other) {
    return isIn(said, other) && isIn(other.said, this);
  }

  private static boolean isIn(List<Value> said, FreeValues other) {
    return said.stream()
        .allMatch(value ->
            other.said.stream().anyMatch(value::isLike)
                || other.implied.stream().anyMatch(value::isLike));
  }
}
