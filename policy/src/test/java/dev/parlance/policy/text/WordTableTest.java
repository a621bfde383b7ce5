package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordTableTest {
  @Test
  void wordsWithEqualHashes_stayDifferentWords() {
    WordTable table = new WordTable(List.of("alpha", "beta", "alphabet", "al"), 1, 0L);
    assertThat(numbers(table, "al alphabet gamma BETA alpha a alphab"))
        .containsExactly(4, 3, WordTable.UNKNOWN, 2, 1, WordTable.UNKNOWN, WordTable.UNKNOWN);
  }

  @Test
  void theNumbersDoNotDependOnTheSeed() {
    List<String> words = List.of("one", "two", "three");
    for (long seed : new long[] {0, 1, -1, 20261121}) {
      assertThat(numbers(WordTable.of(words, seed), "three, two; one! four"))
          .containsExactly(3, 2, 1, WordTable.UNKNOWN);
    }
  }

  @Test
  void aWordTwice_anEmptyOne_andOneThatIsTooLong_areRefused() {
    for (List<String> words :
        List.of(List.of("a", "b", "a"), List.of(""), List.of("x".repeat(129)))) {
      assertThatThrownBy(() -> WordTable.of(words, 7)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aReleasedCursor_holdsNothing() {
    WordCursor cursor = new WordCursor();
    int[] numbers = new int[WordCursor.MAX_TOKENS];
    assertThat(cursor.read(numbers, 0)).isZero();
    NormalizedText text = new NormalizedText();
    text.set(Utf8Span.of("one two"));
    cursor.start(text, WordTable.of(List.of("two"), 3));
    assertThat(cursor.read(numbers, 0)).isEqualTo(2);
    assertThat(numbers).startsWith(WordTable.UNKNOWN, 1);
    cursor.start(text, WordTable.of(List.of("two"), 3));
    cursor.release();
    assertThat(cursor.read(numbers, 0)).isZero();
  }

  @Test
  void wordsOfEveryLength_areTold() {
    List<String> words = new ArrayList<>();
    for (int length = 1; length <= WordTable.MAX_WORD_BYTES; length++) {
      words.add("w".repeat(length));
    }
    WordTable table = WordTable.of(words, 5);
    List<Integer> expected = new ArrayList<>();
    for (int number = 1; number <= words.size(); number++) {
      expected.add(number);
    }
    expected.add(WordTable.UNKNOWN);
    assertThat(numbers(table, String.join(" ", words) + " " + "w".repeat(129))).isEqualTo(expected);
  }

  private static List<Integer> numbers(WordTable table, String said) {
    NormalizedText text = new NormalizedText();
    text.set(Utf8Span.of(said));
    WordCursor cursor = new WordCursor();
    cursor.start(text, table);
    List<Integer> numbers = new ArrayList<>();
    int[] some = new int[WordCursor.MAX_TOKENS];
    for (int count = cursor.read(some, 0); count > 0; count = cursor.read(some, 0)) {
      for (int i = 0; i < count; i++) {
        numbers.add(some[i]);
      }
    }
    return numbers;
  }
}
