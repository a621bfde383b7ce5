package dev.parlance.demo.retrieval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IndexWords of a text for the index: lower-case runs of letters and digits. */
final class IndexWords {
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");

  /** IndexWords that say nothing about what a question is after. */
  private static final Set<String> FUNCTION_WORDS =
      Set.of(
          "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does",
          "for", "from", "happens", "have", "how", "i", "if", "in", "is", "it", "its", "mean",
          "means", "must", "of", "on", "or", "shall", "should", "that", "the", "there", "this",
          "to", "under", "what", "when", "where", "which", "who", "with", "you", "your");

  private IndexWords() {}

  static List<String> of(String text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) {
      words.add(matcher.group().toLowerCase(Locale.ROOT));
    }
    return words;
  }

  static List<String> contentWords(String text) {
    return of(text).stream().filter(word -> !FUNCTION_WORDS.contains(word)).toList();
  }
}
