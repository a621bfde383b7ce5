package dev.parlance.wire.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of codec {@code json}: JSON Pointers (RFC 6901) into a request and into a
 * response.
 *
 * @param request into requests
 * @param response into responses
 */
public record JsonPointers(Side request, Side response) {
  /** No pointers: nothing can be read. */
  public static final JsonPointers NONE = new JsonPointers(Side.NONE, Side.NONE);

  /** Whether there is no pointer at all. */
  public boolean isNone() {
    return equals(NONE);
  }

  /**
   * Pointers into one body.
   *
   * @param text the message
   * @param context an array of {@code {id,text}} or of strings
   * @param citations an array of strings
   * @param confidence a number in [0,1]
   * @param question what was asked
   * @param round an object that says something of a round, a proposal, a claim or a status
   */
  public record Side(
      Optional<String> text,
      Optional<String> context,
      Optional<String> citations,
      Optional<String> confidence,
      Optional<String> question,
      Optional<String> round) {
    /** No pointers. */
    public static final Side NONE =
        new Side(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
  }

  /**
   * A JSON Pointer (RFC 6901), taken apart.
   *
   * @param tokens the reference tokens, unescaped
   */
  public record Pointer(List<String> tokens) {
    /** Most digits of an array index; longer ones point nowhere in a body of any allowed size. */
    private static final int MAX_INDEX_DIGITS = 9;

    public Pointer {
      tokens = List.copyOf(tokens);
    }

    /**
     * Takes a pointer apart.
     *
     * @throws IllegalArgumentException if it is not empty and does not start with a slash, or holds
     *     a tilde that escapes nothing
     */
    public static Pointer parse(String pointer) {
      List<String> tokens = new ArrayList<>();
      if (!pointer.isEmpty()) {
        if (pointer.charAt(0) != '/') {
          throw new IllegalArgumentException(
              "expected a JSON Pointer such as /a/b, got " + pointer);
        }
        for (String token : pointer.substring(1).split("/", -1)) {
          if (token.replace("~0", "").replace("~1", "").contains("~")) {
            throw new IllegalArgumentException("expected ~0 or ~1 after a tilde, got " + pointer);
          }
          tokens.add(token.replace("~1", "/").replace("~0", "~"));
        }
      }
      return new Pointer(tokens);
    }

    /** The node that this points to, or {@link JsonDocument#NONE}. */
    public int find(JsonDocument json) {
      int node = json.root();
      for (String token : tokens) {
        node = json.isArray(node) ? element(json, node, token) : json.member(node, token);
      }
      return node;
    }

    private static int element(JsonDocument json, int array, String token) {
      boolean digits = !token.isEmpty() && token.chars().allMatch(c -> c >= '0' && c <= '9');
      boolean leadingZero = token.length() > 1 && token.charAt(0) == '0';
      if (!digits || leadingZero || token.length() > MAX_INDEX_DIGITS) {
        return JsonDocument.NONE;
      }
      int node = json.first(array);
      for (int left = Integer.parseInt(token); left > 0 && node != JsonDocument.NONE; left--) {
        node = json.nextElement(array, node);
      }
      return node;
    }
  }
}
