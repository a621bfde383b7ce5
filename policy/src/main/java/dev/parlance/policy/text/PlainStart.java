package dev.parlance.policy.text;

/** What can be said of a text from its first bytes alone, before any of it is normalised. */
public final class PlainStart {
  private PlainStart() {}

  /**
   * True if {@code text} has a token that no citation marker can hold, as far as its beginning
   * tells; false if the whole has to be looked at.
   *
   * <p>Up to the first bracket or character beyond ASCII nothing is in a marker, and a letter or
   * digit there stays one whatever follows: a mark behind it composes with it to a letter or stays
   * beside it. So for nearly every text the first word is enough.
   */
  public static boolean hasToken(Utf8Span text) {
    byte[] bytes = text.array();
    int from = text.arrayOffset();
    for (int i = from; i < from + text.length(); i++) {
      byte b = bytes[i];
      if (b < 0 || b == '[' || b == '(') {
        return false;
      }
      if (Letters.ASCII_LOWER[b] != 0) {
        return true;
      }
    }
    return false;
  }
}
