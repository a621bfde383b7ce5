package dev.parlance.policy.text;

import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps what was read of texts that come again and again. What it says of a text must be exactly
 * what reading its bytes gives; whether it says anything changes no result.
 *
 * @param <T> what reading a text gives; immutable
 */
public interface KnownTexts<T> {
  /** What was read of a text; empty if it has to be read. Keeps nothing of the view. */
  Optional<T> find(Utf8Span text);

  /**
   * Offers what was read of a text that was not found.
   *
   * @param reading makes it, if it is to be kept; of a copy of the text that stays as it is
   */
  void keep(Utf8Span text, Function<Utf8Span, T> reading);

  /** Knows nothing. */
  static <T> KnownTexts<T> none() {
    return new KnownTexts<>() {
      @Override
      public Optional<T> find(Utf8Span text) {
        return Optional.empty();
      }

      @Override
      public void keep(Utf8Span text, Function<Utf8Span, T> reading) {}
    };
  }
}
