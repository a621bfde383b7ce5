package dev.parlance.policy.text;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A constant with a stable name in files, on the wire, on the ledger, in logs and metrics: its own
 * name in lower case, unless it says another.
 */
public interface Coded {
  /** The name in the code. */
  String name();

  /** The stable name. */
  default String code() {
    String code = Codes.OF.get(getClass()).get(this);
    return code == null ? name().toLowerCase(Locale.ROOT) : code;
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

  /** Stable names by constant, made once a class: they are asked for with every message. */
  final class Codes {
    private static final ClassValue<Map<Object, String>> OF =
        new ClassValue<>() {
          @Override
          protected Map<Object, String> computeValue(Class<?> type) {
            Map<Object, String> codes = new HashMap<>();
            if (type.isEnum()) {
              for (Object constant : type.getEnumConstants()) {
                codes.put(constant, ((Enum<?>) constant).name().toLowerCase(Locale.ROOT));
              }
            }
            return codes;
          }
        };

    private Codes() {}
  }
}
