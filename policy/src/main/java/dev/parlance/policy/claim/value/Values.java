package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.Objects;

/**
 * The values of one or several texts: numbers, dates, times, versions, names with digits, each with
 * its range of bytes and what it says, whatever the notation.
 *
 * <p>Reusable, for one thread. {@link #read} or {@link #add} scan the original bytes in linear
 * time; nothing is allocated for a value but room for more of them. Values stand in the order of
 * their texts. Those of two instances can be compared ({@link ValueComparison}, {@link ValueIndex})
 * if both were made with the same {@link ValueLexicon}.
 *
 * <table>
 * <caption>What becomes of it</caption>
 * <tr><td>{@code -12.5 %}, {@code at least 5 kW}, {@code €1.2m}, {@code two thirds}</td><td>one
 * {@link ValueKind#NUMBER} with sign, bound and unit</td></tr>
 * <tr><td>{@code 10–35 °C}, {@code between 10 and 35}, {@code 10 to 35}</td><td>two numbers: {@link
 * Bound#FROM} and {@link Bound#TO}</td></tr>
 * <tr><td>{@code 1.200} where neither the text's use nor its language decides</td><td>one number
 * with two readings</td></tr>
 * <tr><td>{@code 200¹ euros}</td><td>200 euros</td></tr>
 * <tr><td>{@code 1. Switch}, {@code Step 1:}, {@code ## 2.1}, {@code [12]}</td><td>{@link
 * #isLabel}: numbers something, claims nothing</td></tr>
 * <tr><td>{@code one} without a unit, {@code ein}, {@code un}</td><td>{@link #isWeak}: rather a word
 * than a number; as evidence it counts</td></tr>
 * </table>
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public final class Values {
  /** What a number is the bound of. */
  public enum Bound {
    NONE,
    ABOUT,
    LESS,
    AT_MOST,
    MORE,
    AT_LEAST,
    FROM,
    TO;

    private static final Bound[] ALL = values();

    /** True of bounds that the value lies above. */
    public boolean isLower() {
      return this == MORE || this == AT_LEAST || this == FROM;
    }

    /** True of bounds that the value lies below. */
    public boolean isUpper() {
      return this == LESS || this == AT_MOST || this == TO;
    }
  }

  /** What {@link ValueLexicon#look} says of the key of a unit. */
  @FunctionalInterface
  public interface Look {
    int of(Units words, int unit);

    /** The lexicon itself, asked anew for each unit. */
    static Look in(ValueLexicon lexicon) {
      return (words, unit) -> lexicon.look(words.key(unit));
    }
  }

  static final int BOUND = 7;
  static final int MINUS = 1 << 3;
  static final int PLUS = 1 << 4;
  static final int PLUS_MINUS = 1 << 5;
  static final int AMBIGUOUS = 1 << 6;
  static final int WORDS = 1 << 7;
  static final int WEAK = 1 << 8;
  static final int LABEL = 1 << 9;
  static final int ORDINAL = 1 << 10;
  static final int FINGERPRINT = 1 << 11;
  static final int RATIONAL = 1 << 12;
  static final int NAMED = 1 << 13;
  static final int SYMBOL_BOUND = 1 << 14;
  static final int PLAIN = 1 << 15;

  /** The value of a field or a cell, which has no place for a bound but its name. */
  static final int FIELD = 1 << 16;

  /** The bound is said by a name: the maximum pressure. */
  static final int SOFT_BOUND = 1 << 17;

  /** The bound is what decides when something is done. */
  static final int CONDITION = 1 << 18;

  private static final int KEEP = 8192;
  private static final ValueKind[] KINDS = ValueKind.values();

  // Of each value so many numbers, side by side.
  private static final int INTS = 7;

  private static final int START = 0;
  private static final int END = 1;
  private static final int KIND = 2;
  private static final int FLAGS = 3;
  private static final int EXPONENT = 4;
  private static final int PLACE = 5;
  private static final int UNIT = 6;
  private static final int LONGS = 3;
  private static final int MANTISSA = 0;
  private static final int BEFORE = 1;
  private static final int AFTER = 2;

  private final ValueReader reader;
  private int count;
  private int[] ints = new int[64 * INTS];
  private long[] longs = new long[64 * LONGS];

  /** The values of a text, to be added again without reading it. Immutable. */
  public static final class Kept {
    private final int[] ints;
    private final long[] longs;

    private Kept(int[] ints, long[] longs) {
      this.ints = ints;
      this.longs = longs;
    }

    /** Memory that they take. */
    public long memoryBytes() {
      return (long) Integer.BYTES * ints.length + (long) Long.BYTES * longs.length;
    }
  }

  /** For texts whose values are compared with those of others made with this lexicon. */
  public Values(ValueLexicon lexicon) {
    this(lexicon, Look.in(lexicon));
  }

  /**
   * The same with a quicker way to {@link ValueLexicon#look}.
   *
   * @param look what that says of the units that are read
   */
  public Values(ValueLexicon lexicon, Look look) {
    reader = new ValueReader(lexicon, look, this);
  }

  /**
   * Forgets the values there are and reads those of a text.
   *
   * @param words the units of the text, of the lexicon's seed
   */
  public void read(Utf8Span text, Units words) {
    clear();
    add(text, words);
  }

  /** Reads the values of one more text behind those there are; their bytes count from its start. */
  public void add(Utf8Span text, Units words) {
    reader.read(text, words);
  }

  /** Adds the values of a text that was read before. */
  public void add(Kept text) {
    int more = text.ints.length / INTS;
    while (ints.length < (count + more) * INTS) {
      resize(ints.length / INTS * 2);
    }
    System.arraycopy(text.ints, 0, ints, count * INTS, more * INTS);
    System.arraycopy(text.longs, 0, longs, count * LONGS, more * LONGS);
    count += more;
  }

  /** Those from one value on, which are all of a text. */
  public Kept keptFrom(int value) {
    return new Kept(
        Arrays.copyOfRange(ints, value * INTS, count * INTS),
        Arrays.copyOfRange(longs, value * LONGS, count * LONGS));
  }

  /** Forgets all values. */
  public void clear() {
    count = 0;
  }

  /** Forgets all values, and memory that only long texts need. */
  public void release() {
    count = 0;
    if (ints.length > KEEP * INTS) {
      resize(KEEP);
    }
  }

  /** How many values there are. */
  public int count() {
    return count;
  }

  /** The first byte of a value in its text. */
  public int start(int value) {
    return ints[check(value) * INTS + START];
  }

  /** Behind the last byte of a value in its text, the unit included. */
  public int end(int value) {
    return ints[check(value) * INTS + END];
  }

  public ValueKind kind(int value) {
    return KINDS[ints[check(value) * INTS + KIND]];
  }

  public Bound bound(int value) {
    return Bound.ALL[ints[check(value) * INTS + FLAGS] & BOUND];
  }

  /** True if it numbers a list item, a step, a heading or a footnote. */
  public boolean isLabel(int value) {
    return is(value, LABEL);
  }

  /** True of words like one, ein, un: rather articles than numbers. Never miss them in evidence. */
  public boolean isWeak(int value) {
    return is(value, WEAK);
  }

  /** True of the value of a field whose name stands before it. */
  public boolean isNamed(int value) {
    return is(value, FIELD) && longs[value * LONGS + BEFORE] != 0;
  }

  /** True of this whole number. */
  public boolean isWhole(int value, int number) {
    return kind(value) == ValueKind.NUMBER
        && ValueComparison.wholeNumber(this, value) == number
        && !is(value, MINUS);
  }

  /** True if a unit or currency belongs to the number. */
  public boolean hasUnit(int value) {
    return ints[check(value) * INTS + UNIT] != ValueLexicon.NO_UNIT;
  }

  /** True of a unit that says what it is for: euros a month, micrograms per kilogram. */
  public boolean isQuotient(int value) {
    int unit = ints[check(value) * INTS + UNIT];
    return unit < 0 && CompoundUnit.right(unit) != 0;
  }

  /**
   * The key of the next word behind the value that is no article or the like, 0 if there is none in
   * the same clause. Keys are those of {@link WordKey} with the lexicon's seed.
   */
  public long wordAfter(int value) {
    return longs[check(value) * LONGS + AFTER];
  }

  /** The key of the last such word before it, or 0. */
  public long wordBefore(int value) {
    return longs[check(value) * LONGS + BEFORE];
  }

  /** Marks the values of a range that touch these bytes as labels: what stands in a citation. */
  public void label(int from, int to, int firstByte, int endByte) {
    for (int i = from; i < to; i++) {
      if (ints[i * INTS + START] < endByte && ints[i * INTS + END] > firstByte) {
        addFlag(i, LABEL);
      }
    }
  }

  boolean is(int value, int flag) {
    return (ints[check(value) * INTS + FLAGS] & flag) != 0;
  }

  int flags(int value) {
    return ints[value * INTS + FLAGS];
  }

  long mantissa(int value) {
    return longs[value * LONGS + MANTISSA];
  }

  int exponent(int value) {
    return ints[value * INTS + EXPONENT];
  }

  int lastPlace(int value) {
    return ints[value * INTS + PLACE];
  }

  int unit(int value) {
    return ints[value * INTS + UNIT];
  }

  private int check(int value) {
    return Objects.checkIndex(value, count);
  }

  /** Adds a value; what it says comes with the setters that follow. */
  int append(ValueKind kind, int start, int end, long mantissa, int exponent, int flag) {
    if ((count + 1) * INTS > ints.length) {
      resize(2 * count);
    }
    int at = count * INTS;
    ints[at + START] = start;
    ints[at + END] = end;
    ints[at + KIND] = kind.ordinal();
    ints[at + FLAGS] = flag;
    ints[at + EXPONENT] = exponent;
    ints[at + PLACE] = exponent;
    ints[at + UNIT] = ValueLexicon.NO_UNIT;
    longs[count * LONGS + MANTISSA] = mantissa;
    setWords(count, 0, 0);
    return count++;
  }

  void addFlag(int value, int flag) {
    ints[value * INTS + FLAGS] |= flag;
  }

  void setUnit(int value, int unit) {
    ints[value * INTS + UNIT] = unit;
  }

  void scale(int value, int power) {
    ints[value * INTS + EXPONENT] += mantissa(value) == 0 || is(value, RATIONAL) ? 0 : power;
    ints[value * INTS + PLACE] += power;
  }

  void setLastPlace(int value, int place) {
    ints[value * INTS + PLACE] = place;
  }

  void setWords(int value, long wordBefore, long wordAfter) {
    longs[value * LONGS + BEFORE] = wordBefore;
    longs[value * LONGS + AFTER] = wordAfter;
  }

  void setBound(int value, Bound bound) {
    ints[value * INTS + FLAGS] = (flags(value) & ~BOUND) | bound.ordinal();
  }

  void setDate(int value, long date) {
    ints[value * INTS + KIND] = ValueKind.DATE.ordinal();
    longs[value * LONGS + MANTISSA] = date;
    ints[value * INTS + EXPONENT] = 0;
  }

  /** Makes one number of the last two, as of 1 h 30 min: a whole number of a unit. */
  void merge(long whole, int unit) {
    int end = ints[(count - 1) * INTS + END];
    count--;
    int at = (count - 1) * INTS;
    long mantissa = whole;
    int exponent = 0;
    while (mantissa != 0 && mantissa % 10 == 0) {
      mantissa /= 10;
      exponent++;
    }
    ints[at + END] = end;
    ints[at + EXPONENT] = exponent;
    ints[at + PLACE] = 0;
    ints[at + UNIT] = unit;
    longs[(count - 1) * LONGS + MANTISSA] = mantissa;
  }

  private void resize(int size) {
    ints = Arrays.copyOf(ints, size * INTS);
    longs = Arrays.copyOf(longs, size * LONGS);
  }
}
