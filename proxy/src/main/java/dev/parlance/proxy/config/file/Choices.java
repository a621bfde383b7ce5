package dev.parlance.proxy.config.file;

import java.util.Optional;
import java.util.function.Function;

/** Constants by their stable names. */
final class Choices {
  private Choices() {}

  static <E> Optional<E> find(String text, E[] all, Function<E, String> code) {
    for (E one : all) {
      if (code.apply(one).equals(text)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  static <E> E of(Optional<String> text, E[] all, Function<E, String> code, E byDefault) {
    return text.flatMap(given -> find(given, all, code)).orElse(byDefault);
  }
}
