package dev.parlance.policy.core;

import dev.parlance.policy.text.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The canonical form of a term, in which terms are compared: the tokens of the text (convention
 * {@code asp-text-1}) joined by one blank, so that "Derivative-Work" and "derivative work" are one
 * term.
 */
public final class TermKey {
  /** Most words in a term. */
  public static final int MAX_TOKENS = 8;

  /** Most UTF-8 bytes in a key. */
  public static final int MAX_BYTES = 128;

  private TermKey() {}

  /** The key of a text; empty if it has no token, more than 8, or is longer than 128 bytes. */
  public static Optional<String> of(String text) {
    if (text.length() > 4 * MAX_BYTES) {
      return Optional.empty();
    }
    List<String> tokens = Tokens.of(text);
    if (tokens.isEmpty() || tokens.size() > MAX_TOKENS) {
      return Optional.empty();
    }
    String key = String.join(" ", tokens);
    return key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
        ? Optional.empty()
        : Optional.of(key);
  }

  /** Refuses a text that is not its own key. */
  public static String checked(String key) {
    if (!of(key).equals(Optional.of(key))) {
      throw new IllegalArgumentException(
          "expected lower-case tokens joined by single blanks, 1 to "
              + MAX_TOKENS
              + " of them and at most "
              + MAX_BYTES
              + " bytes, got \""
              + key
              + "\"");
    }
    return key;
  }
}
