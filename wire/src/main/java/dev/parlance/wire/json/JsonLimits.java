package dev.parlance.wire.json;

/**
 * Bounds of one JSON document.
 *
 * @param depth deepest nesting of objects and arrays, 1 or more
 * @param tokens most tokens (names, values, brackets), 1 or more
 */
public record JsonLimits(int depth, int tokens) {
  /** The defaults of docs/limits.md. */
  public static final JsonLimits DEFAULT = new JsonLimits(64, 100_000);

  /** Refuses bounds below 1. */
  public JsonLimits {
    if (depth < 1 || tokens < 1) {
      throw new IllegalArgumentException(
          "expected bounds of at least 1, got depth " + depth + ", tokens " + tokens);
    }
  }
}
