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
  /**
   * What a text is known by: a keyed digest of all its bytes, equal for equal texts only. To be
   * used again and again, by one thread; what it is made for knows what is in it.
   */
  interface Key {}

  /** A key for {@link #find} and {@link #keep} of this. */
  Key newKey();

  /**
   * What was read of a text; empty if it has to be read. Keeps nothing of the view.
   *
   * @param key becomes that of the text
   */
  Optional<T> find(Utf8Span text, Key key);

  /**
   * Offers what was read of a text that was not found.
   *
   * @param key as it is after {@link #find}
   * @param reading makes it, if it is to be kept; of bytes that stay as they are
   */
  void keep(Key key, Supplier<T> reading);

  /** Knows nothing. */
  static <T> KnownTexts<T> none() {
    return new KnownTexts<>() {
      @Override
      public Key newKey() {
        return new Key() {};
      }

      @Override
      public Optional<T> find(Utf8Span text, Key key) {
        return Optional.empty();
      }

      @Override
      public void keep(Key key, Supplier<T> reading) {}
    };
  }
}
