package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.text.WordTable.WordCursor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WordTableTest {
  @Test
  void longWordsWithEqualHashes_stayDifferentWords() {
    List<String> words = List.of("a".repeat(17), "b".repeat(17), "a".repeat(18), "al");
    WordTable table = new WordTable(words, 1, 0L);
    assertThat(words(table, words, "al " + String.join(" ", words) + " " + "a".repeat(19)))
        .containsExactly("al", words.get(0), words.get(1), words.get(2), "al", "");
  }

  @Test
  void whatIsFoundDoesNotDependOnTheSeed() {
    List<String> words = List.of("one", "two", "three");
    for (long seed : new long[] {0, 1, -1, 20261121}) {
      assertThat(words(WordTable.of(words, seed), words, "three, two; one! four"))
          .containsExactly("three", "two", "one", "");
    }
  }

  /**
   * Held against a map, with texts of its words and of others that differ from them in one place.
   */
  @Test
  void onRandomVocabularies_exactlyTheirWordsAreTold() {
    SplittableRandom random = new SplittableRandom(20261122);
    for (int round = 0; round < 300; round++) {
      TreeSet<String> words = new TreeSet<>();
      int count = random.nextInt(round % 50 == 0 ? 5_000 : 60);
      while (words.size() < count) {
        words.add(word(random));
      }
      List<String> said = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String next = i % 2 == 0 || words.isEmpty() ? word(random) : words.floor("" + word(random));
        next = next == null ? words.first() : next;
        next = random.nextInt(4) == 0 ? next + "x" : next;
        said.add(random.nextInt(3) == 0 ? next.toUpperCase(Locale.ROOT) : next);
        expected.add(words.contains(next) ? next : "");
      }
      WordTable table = WordTable.of(words, random.nextLong());
      assertThat(table.size()).isEqualTo(count);
      assertThat(words(table, words, String.join(" ", said))).isEqualTo(expected);
    }
  }

  private static String word(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    int length = 1 + random.nextInt(random.nextInt(8) == 0 ? 24 : 6);
    for (int i = 0; i < length; i++) {
      word.append(
          (char)
              (random.nextInt(12) == 0 ? '\u00e0' + random.nextInt(8) : 'a' + random.nextInt(5)));
    }
    return word.toString();
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
    assertThat(numbers[0]).isEqualTo(WordTable.UNKNOWN);
    assertThat(numbers[1]).isNotEqualTo(WordTable.UNKNOWN);
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
    List<String> expected = new ArrayList<>(words);
    expected.add("");
    assertThat(words(table, words, String.join(" ", words) + " " + "w".repeat(129)))
        .isEqualTo(expected);
  }

  /** The words of a text as the table tells them; empty for those that it does not know. */
  private static List<String> words(WordTable table, Collection<String> known, String said) {
    Map<Integer, String> byNumber = new HashMap<>();
    for (String word : known) {
      int number = table.numberOf(word);
      assertThat(number).isBetween(1, table.highest());
      assertThat(byNumber.put(number, word)).isNull();
    }
    NormalizedText text = new NormalizedText();
    text.set(Utf8Span.of(said));
    WordCursor cursor = new WordCursor();
    cursor.start(text, table);
    List<String> words = new ArrayList<>();
    int[] some = new int[WordCursor.MAX_TOKENS];
    for (int count = cursor.read(some, 0); count > 0; count = cursor.read(some, 0)) {
      for (int i = 0; i < count; i++) {
        words.add(some[i] == WordTable.UNKNOWN ? "" : byNumber.get(some[i]));
      }
    }
    return words;
  }
}
