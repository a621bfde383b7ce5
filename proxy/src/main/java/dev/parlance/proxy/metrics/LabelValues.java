package dev.parlance.proxy.metrics;

import dev.parlance.policy.core.Names;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The values that one label may have, each with an index. The last index is always {@code other}:
 * it stands for every value that is not admitted.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class LabelValues {
  static final String OTHER = "other";

  private static final int MAX_CHARS = 40;

  private final Map<String, Integer> indexes = new ConcurrentHashMap<>();
  private final String[] values;
  private final int room;
  private final Predicate<String> admitted;
  private int used;

  private LabelValues(List<String> known, int room, int size) {
    this(known, room, size, LabelValues::isCode);
  }

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
  static LabelValues of(String... known) {
    return new LabelValues(List.of(known), known.length, known.length + 1);
  }

  /**
   * Exactly the codes of these constants; the index of each is its ordinal, and nothing is other.
   */
  static <E extends Enum<E>> LabelValues of(E[] constants, Function<E, String> code) {
    String[] codes = new String[constants.length];
    for (E constant : constants) {
      codes[constant.ordinal()] = code.apply(constant);
    }
    return new LabelValues(List.of(codes), codes.length, codes.length);
  }

  /**
   * These values and, while there is room, others that look like our own reason codes, {@code
   * [a-z][a-z0-9_]{0,39}}. For codes that are constants elsewhere in the sidecar.
   */
  static LabelValues growing(int room, String... known) {
    return new LabelValues(List.of(known), room, room + 1);
  }

  /** Names out of the configuration while there is room: {@link Names}, never what a peer sends. */
  static LabelValues names(int room, String... known) {
    return new LabelValues(List.of(known), room, room + 1, Names::isName);
  }

  /** How many values there can ever be, {@code other} included where there is one. */
  int size() {
    return values.length;
  }

  /** Index of the value, {@link #otherIndex} if it is not admitted. */
  int index(String value) {
    Integer index = indexes.get(value);
    if (index != null) {
      return index;
    }
    return admitted.test(value) ? admit(value) : room;
  }

  int otherIndex() {
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
