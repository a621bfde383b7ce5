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
    assertThat(cursor.next()).isEqualTo(WordCursor.END);
    NormalizedText text = new NormalizedText();
    text.set(Utf8Span.of("one two"));
    cursor.start(text, WordTable.of(List.of("two"), 3));
    assertThat(cursor.next()).isEqualTo(WordTable.UNKNOWN);
    cursor.release();
    assertThat(cursor.next()).isEqualTo(WordCursor.END);
  }

  private static List<Integer> numbers(WordTable table, String said) {
    NormalizedText text = new NormalizedText();
    text.set(Utf8Span.of(said));
    WordCursor cursor = new WordCursor();
    cursor.start(text, table);
    List<Integer> numbers = new ArrayList<>();
    for (int word = cursor.next(); word != WordCursor.END; word = cursor.next()) {
      numbers.add(word);
    }
    return numbers;
  }
}
