package dev.parlance.wire.openai;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.JsonDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * What tells one conversation with a model from another: for whom and with which model it is held,
 * its ids, its instructions, and what the user said before the question, up to the first time that
 * it was asked. The instructions stand without the material that follows them and without what is a
 * date or a time, so that a clock in them does not begin another conversation with each request.
 */
final class OpenAiConversation {
  private static final List<String> NAMING =
      List.of("model", "user", "safety_identifier", "previous_response_id", "conversation");

  private static final String MONTH =
      "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}+\\.?";
  private static final String DAY = "(?:0?[1-9]|[12]\\d|3[01])";

  /** Dates with a year of four digits, times of the day, weekdays, seconds since the epoch. */
  private static final Pattern CLOCK =
      Pattern.compile(
          "\\b\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?)?"
              + "(?: ?Z\\b|[+-]\\d{2}:?\\d{2}\\b)?"
              + ("|\\b\\d{4}[/.]\\d{1,2}[/.]" + DAY + "\\b|\\b" + DAY + "[/.]\\d{1,2}[/.]\\d{4}\\b")
              + ("|\\b" + MONTH + " " + DAY + "(?:st|nd|rd|th)?(?:,? \\d{4})?\\b")
              + ("|\\b" + DAY + "(?:st|nd|rd|th|\\.)? " + MONTH + "(?:,? \\d{4})?\\b")
              + "|\\b\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[ap]\\.?m\\b)?"
              + "|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b"
              + "|(?<=\\b(?:time|now|epoch|timestamp|clock|date)[ :=]{1,3})\\d{10}(?:\\d{3})?\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern SEVERAL = Pattern.compile("#(?:[ ,]{0,3}#)+");

  /** Longer instructions count as they are. */
  private static final int MAX_INSTRUCTIONS = 64 * 1024;

  private final JsonDocument json;
  private final List<Utf8Span> instructions = new ArrayList<>();
  private final List<List<Utf8Span>> user = new ArrayList<>();

  /**
   * The conversation of a request.
   *
   * @param isOurs true for messages that sidecars have put there
   */
  OpenAiConversation(JsonDocument json, IntPredicate isOurs) {
    this.json = json;
    int root = json.root();
    instructions.addAll(OpenAiRequest.Context.content(json, json.member(root, "instructions")));
    for (String name : List.of("messages", "input")) {
      messages(json.member(root, name), isOurs);
    }
  }

  private void messages(int messages, IntPredicate isOurs) {
    int message = json.firstElement(messages);
    while (message != JsonDocument.NONE) {
      String role = json.optionalString(json.member(message, "role")).orElse("");
      List<Utf8Span> content = OpenAiRequest.Context.content(json, json.member(message, "content"));
      switch (role) {
        case "system", "developer" -> {
          if (!isOurs.test(message)) {
            instructions.addAll(content);
          }
        }
        case "user" -> user.add(content);
        default -> {}
      }
      message = json.nextElement(messages, message);
    }
  }

  /** Its parts, in an order of their own. */
  List<Utf8Span> parts() {
    List<Utf8Span> parts = new ArrayList<>();
    for (String name : NAMING) {
      int value = json.member(json.root(), name);
      parts.add(value == JsonDocument.NONE ? Utf8Span.EMPTY : json.bytes(value));
    }
    parts.add(Utf8Span.of(Integer.toString(instructions.size())));
    instructions.forEach(text -> parts.add(withoutClock(text)));
    if (!user.isEmpty()) {
      List<Utf8Span> question = user.getLast();
      user.stream().takeWhile(said -> !said.equals(question)).forEach(parts::addAll);
    }
    return parts;
  }

  private static Utf8Span withoutClock(Utf8Span instructions) {
    if (instructions.length() > MAX_INSTRUCTIONS) {
      return instructions;
    }
    Utf8Span alone = instructions.slice(0, MarkedMaterial.firstMark(instructions));
    String timeless = CLOCK.matcher(alone.toString()).replaceAll("#");
    return Utf8Span.of(SEVERAL.matcher(timeless).replaceAll("#"));
  }
}
