package dev.parlance.loadtest;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds what options name. */
final class Codes {
  private Codes() {}

  /**
   * The one with this code.
   *
   * @param what for people
   * @throws IllegalArgumentException if there is none; names those that there are
   */
  static <T> T one(String word, String what, T[] all, Function<T, String> code) {
    return Arrays.stream(all)
        .filter(each -> code.apply(each).equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no "
                    + what
                    + " is called "
                    + word
                    + "; there are "
                    + Arrays.stream(all).map(code).collect(Collectors.joining(", "))));
  }

  /** The same for a list. */
  static <T> List<T> all(List<String> words, String what, T[] all, Function<T, String> code) {
    return words.stream().map(word -> one(word, what, all, code)).toList();
  }
}
