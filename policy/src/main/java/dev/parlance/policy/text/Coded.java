package dev.parlance.policy.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A constant with a stable name in files, on the wire, on the ledger, in logs and metrics: its own
 * name in lower case, unless it says another.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public interface Coded {
  /** The name in the code. */
  String name();

  /** The stable name. */
  default String code() {
    return this instanceof Enum<?> one
        ? Codes.OF.get(one.getDeclaringClass())[one.ordinal()]
        : name().toLowerCase(Locale.ROOT);
  }

  /** The constant with this stable name. */
  static <E extends Coded> Optional<E> find(E[] all, String code) {
    for (E one : all) {
      if (one.code().equals(code)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** Stable names by ordinal, made once an enum: they are asked for with every message. */
  final class Codes {
    private static final ClassValue<String[]> OF =
        new ClassValue<>() {
          @Override
          protected String[] computeValue(Class<?> type) {
            return Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
          }
        };

    private Codes() {}
  }
}
