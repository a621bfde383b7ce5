package dev.parlance.policy.text;

import java.util.ArrayList;
import java.util.List;

/** The tokens of a short text in sequence, as strings; not for the message path. */
public final class Tokens {
  private Tokens() {}

  /** The tokens of {@code text} by convention {@code asp-text-1}, steps 1 and 3, in order. */
  public static List<String> of(String text) {
    NormalizedText normal = new NormalizedText();
    normal.set(Utf8Span.of(text));
    List<String> tokens = new ArrayList<>();
    StringBuilder run = new StringBuilder();
    boolean[] hasLetterOrNumber = new boolean[1];
    normal
        .toString()
        .codePoints()
        .forEach(codePoint -> {
          int type = Character.getType(codePoint);
          if (Letters.isOwnToken(codePoint)) {
            end(run, hasLetterOrNumber, tokens);
            tokens.add(Character.toString(codePoint));
          } else if (Letters.isLetterOrNumber(type) || Letters.isMark(type)) {
            run.appendCodePoint(Character.toLowerCase(codePoint));
            hasLetterOrNumber[0] |= Letters.isLetterOrNumber(type);
          } else {
            end(run, hasLetterOrNumber, tokens);
          }
        });
    end(run, hasLetterOrNumber, tokens);
    return tokens;
  }

  private static void end(StringBuilder run, boolean[] hasLetterOrNumber, List<String> tokens) {
    if (hasLetterOrNumber[0]) {
      tokens.add(run.toString());
    }
    run.setLength(0);
    hasLetterOrNumber[0] = false;
  }
}
