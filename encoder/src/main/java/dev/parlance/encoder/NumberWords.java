package dev.parlance.encoder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers in words become numbers in digits: "twenty-one thousand" is 21000. */
final class NumberWords {
  private static final Map<String, Integer> SMALL = small();
  private static final Map<String, Long> SCALES =
      Map.of("thousand", 1_000L, "million", 1_000_000L, "billion", 1_000_000_000L);
  private static final int HUNDRED = 100;

  private NumberWords() {}

  /**
   * Replaces numbers in words; a number that stands again in brackets behind, as in "thirty (30)",
   * is dropped there.
   */
  static List<Token> toDigits(List<Token> tokens) {
    List<Token> out = new ArrayList<>();
    int at = 0;
    while (at < tokens.size()) {
      int end = at;
      while (end < tokens.size() && isNumberWord(tokens, end, end > at)) {
        end++;
      }
      if (end > at) {
        out.add(Token.number(value(tokens.subList(at, end))));
        at = end;
      } else {
        out.add(tokens.get(at));
        at++;
      }
    }
    return withoutRepetitions(out);
  }

  /** A number that follows itself in brackets goes, and the brackets with it. */
  private static List<Token> withoutRepetitions(List<Token> tokens) {
    List<Token> out = new ArrayList<>();
    for (int at = 0; at < tokens.size(); at++) {
      out.add(tokens.get(at));
      boolean again =
          tokens.get(at).is(Token.Kind.NUMBER)
              && at + 3 < tokens.size()
              && tokens.get(at + 1).is(Token.Kind.COMMA)
              && tokens.get(at + 2).equals(tokens.get(at))
              && tokens.get(at + 3).is(Token.Kind.COMMA);
      if (again) {
        at += 3;
      }
    }
    return out;
  }

  private static boolean isNumberWord(List<Token> tokens, int at, boolean inside) {
    Token token = tokens.get(at);
    if (!token.is(Token.Kind.WORD) && !token.is(Token.Kind.FILLER)) {
      return false;
    }
    String word = token.text();
    if (SMALL.containsKey(word)) {
      return true;
    }
    if (!inside) {
      return false;
    }
    boolean joins =
        word.equals("and")
            && at + 1 < tokens.size()
            && SMALL.containsKey(tokens.get(at + 1).text());
    return (joins && isLarge(tokens.get(at - 1).text())) || isLarge(word);
  }

  private static boolean isLarge(String word) {
    return word.equals("hundred") || SCALES.containsKey(word);
  }

  private static String value(List<Token> words) {
    long total = 0;
    long part = 0;
    for (Token token : words) {
      String word = token.text();
      Integer small = SMALL.get(word);
      Long scale = SCALES.get(word);
      if (small != null) {
        part += small;
      } else if (word.equals("hundred")) {
        part = Math.max(part, 1) * HUNDRED;
      } else if (scale != null) {
        total += Math.max(part, 1) * scale;
        part = 0;
      }
    }
    return Long.toString(total + part);
  }

  private static Map<String, Integer> small() {
    Map<String, Integer> map = new HashMap<>();
    String[] units =
        ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
                + " fifteen sixteen seventeen eighteen nineteen")
            .split(" ", -1);
    for (int i = 0; i < units.length; i++) {
      map.put(units[i], i);
    }
    String[] tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ", -1);
    for (int i = 0; i < tens.length; i++) {
      map.put(tens[i], 20 + 10 * i);
    }
    return Map.copyOf(map);
  }
}
