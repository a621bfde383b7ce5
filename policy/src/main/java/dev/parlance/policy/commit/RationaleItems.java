package dev.parlance.policy.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a rationale into the claims that it lists, {@code parlance-items-1}: lines, sentences,
 * parts between semicolons and behind marks such as "(1)" or "b)", and behind "because" or a colon
 * the statements between commas and "and", where each of these has a verb of its own that is told
 * by its form. A statement with a condition or a reservation stays whole. The words are left as
 * they are; marks, and commas and full stops at the ends, are no part of them.
 */
final class RationaleItems {
  /** A longer text is no list but an essay; it is compared as a whole. */
  private static final int MAX_CHARS = 4_000;

  private static final Pattern PARTS =
      Pattern.compile(
          "\\R+|;|(?<=[.!?])\\s+(?=[\\p{Lu}\\p{N}(*\u2022-])"
              + "|(?<=^|[\\s:,])\\(?(?:\\d{1,2}|[a-h]|i{1,3}|iv|vi{0,3})[.)]\\s+");

  private static final Pattern LEAD = Pattern.compile("(?i)\\bbecause\\b(?!\\s+of\\b)|:(?=\\s)");

  private static final Pattern JOINTS = Pattern.compile("(?i),\\s+(?:and\\s+)?|\\s+and\\s+");

  private static final Pattern VERB =
      Pattern.compile(
          "(?i)\\b(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|may|must|shall"
              + "|should|cannot|isn't|aren't|wasn't|weren't|hasn't|haven't|doesn't|don't|won't"
              + "|can't)\\b");

  private static final Pattern BOUND =
      Pattern.compile(
          "(?i)\\b(?:if|unless|provided|except|until|only|although|though|but|either|or|neither"
              + "|nor|whether|that)\\b");

  private static final Pattern MARKS =
      Pattern.compile(
          "^(?:[\\s*\u2022\u2013\u2014>#-]+|\\(?(?:\\d{1,2}|[a-h])[.)](?=\\s)"
              + "|(?i:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|finally|lastly|also"
              + "|moreover|furthermore|besides|additionally|in addition),\\s|(?i:and|also)\\s)+");

  private static final Pattern ENDS = Pattern.compile("[\\s.,;:!?]+$");

  private RationaleItems() {}

  /**
   * The items of a text in order; none if there are more than {@link ListedClaims#MAX_OF_TEXT}, or
   * it is too long for a list.
   */
  static List<String> of(String text) {
    if (text.length() > MAX_CHARS) {
      return List.of();
    }
    List<String> items = new ArrayList<>();
    for (String part : PARTS.split(text, -1)) {
      statements(part, items);
    }
    return items.size() > ListedClaims.MAX_OF_TEXT ? List.of() : List.copyOf(items);
  }

  /** What a sentence says in front of "because" or a colon, and what it lists behind it. */
  private static void statements(String sentence, List<String> items) {
    if (BOUND.matcher(sentence).find()) {
      add(sentence, items);
      return;
    }
    Matcher lead = LEAD.matcher(sentence);
    boolean isLed = lead.find();
    if (isLed) {
      add(sentence.substring(0, lead.start()), items);
    }
    joined(isLed ? sentence.substring(lead.end()) : sentence, items);
  }

  private static void joined(String statements, List<String> items) {
    List<String> parts = new ArrayList<>(List.of(JOINTS.split(statements, -1)));
    boolean isEachOne =
        parts.stream().allMatch(part -> VERB.matcher(part).find() && hasSubject(part));
    if (isEachOne) {
      parts.forEach(part -> add(part, items));
    } else {
      add(statements, items);
    }
  }

  /** False for "is signed": what is said of goes on from the statement before. */
  private static boolean hasSubject(String part) {
    Matcher verb = VERB.matcher(part);
    return verb.find() && !part.substring(0, verb.start()).isBlank();
  }

  private static void add(String raw, List<String> items) {
    String item =
        ENDS.matcher(MARKS.matcher(raw.strip()).replaceFirst("")).replaceFirst("").strip();
    if (!item.isEmpty()) {
      items.add(item);
    }
  }
}
