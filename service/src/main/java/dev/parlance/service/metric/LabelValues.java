package dev.parlance.service.metric;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The values that one label may have, each with an index. The last index is always {@code other}:
 * it stands for every value that is not admitted.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public final class LabelValues {
  static final String OTHER = "other";

  private static final int MAX_CHARS = 40;
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final Map<String, Integer> indexes = new ConcurrentHashMap<>();
  private final String[] values;
  private final int room;
  private final Predicate<String> admitted;
  private int used;

  private LabelValues(List<String> known, int room, int size, Predicate<String> admitted) {
    this.room = room;
    this.admitted = admitted;
    this.values = new String[size];
    if (size > room) {
      values[room] = OTHER;
    }
    known.forEach(this::admit);
  }

  /** Exactly these values, and {@code other} for all else. */
  public static LabelValues of(String... known) {
    return words(String.join(" ", known));
  }

  /**
   * Exactly the codes of these constants; the index of each is its ordinal, and nothing is other.
   */
  public static <E extends Enum<E>> LabelValues of(E[] constants, Function<E, String> code) {
    String[] codes = new String[constants.length];
    for (E constant : constants) {
      codes[constant.ordinal()] = code.apply(constant);
    }
    return new LabelValues(List.of(codes), codes.length, codes.length, _ -> false);
  }

  /** Exactly the values in a text, each a word, and {@code other} for all else. */
  public static LabelValues words(String known) {
    List<String> words = listed(known);
    return new LabelValues(words, words.size(), words.size() + 1, _ -> false);
  }

  /** The words of a text. */
  public static List<String> listed(String words) {
    return BLANKS.splitAsStream(words).filter(word -> !word.isEmpty()).toList();
  }

  /**
   * The values in a text, each a word, and, while there is room, others that look like our own
   * reason codes, {@code [a-z][a-z0-9_]{0,39}}. For codes that are constants elsewhere in the
   * process.
   */
  public static LabelValues growing(int room, String known) {
    return new LabelValues(listed(known), room, room + 1, LabelValues::isCode);
  }

  /**
   * These values and, while there is room, others that are admitted: out of the configuration,
   * never what a peer sends.
   */
  public static LabelValues admitting(int room, Predicate<String> admitted, String... known) {
    return new LabelValues(List.of(known), room, room + 1, admitted);
  }

  /** How many values there can ever be, {@code other} included where there is one. */
  public int size() {
    return values.length;
  }

  /** Index of the value, {@link #otherIndex} if it is not admitted. */
  public int index(String value) {
    Integer index = indexes.get(value);
    if (index != null) {
      return index;
    }
    return admitted.test(value) ? admit(value) : room;
  }

  public int otherIndex() {
    return room;
  }

  synchronized String value(int index) {
    return values[index];
  }

  private synchronized int admit(String value) {
    Integer before = indexes.get(value);
    if (before != null) {
      return before;
    }
    if (used == room || value.equals(OTHER)) {
      return room;
    }
    values[used] = value;
    indexes.put(value, used);
    return used++;
  }

  private static boolean isCode(String value) {
    if (value.isEmpty() || value.length() > MAX_CHARS || !isLetter(value.charAt(0))) {
      return false;
    }
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!isLetter(c) && c != '_' && (c < '0' || c > '9')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }
}
