package dev.parlance.policy.text;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps what was read of texts that come again and again. What it says of a text must be exactly
 * what reading its bytes gives; whether it says anything changes no result.
 *
 * @param <T> what reading a text gives; immutable
 */
public interface KnownTexts<T> {
  /** What a text is known by; empty if it is of those that are always read. */
  Optional<TextKey> key(Utf8Span text);

  /** What was read of a text; empty if it has to be read. */
  Optional<T> find(TextKey key);

  /**
   * Offers what was read of a text that was not found.
   *
   * @param reading makes it, if it is to be kept; keeps nothing of the bytes under the text
   */
  void keep(TextKey key, Supplier<T> reading);

  /** Knows nothing. */
  static <T> KnownTexts<T> none() {
    return new KnownTexts<>() {
      @Override
      public Optional<TextKey> key(Utf8Span text) {
        return Optional.empty();
      }

      @Override
      public Optional<T> find(TextKey key) {
        return Optional.empty();
      }

      @Override
      public void keep(TextKey key, Supplier<T> reading) {}
    };
  }
}
