package dev.parlance.demo.agent;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What agent B makes of an answer: a risk class and one sentence why (ASP paper, section 7.1). It
 * believes what it receives, which is the danger that the paper describes.
 */
final class Officer {
  /** The decision where nothing may be decided yet. */
  static final String HELD = "NO DECISION: held for review";

  private static final int REASON_CHARS_MAX = 140;
  private static final List<String> HIGH =
      List.of(
          "terminate",
          "litigation",
          "liable",
          "damages",
          "penalties",
          "royalty",
          "% of",
          "court",
          "jurisdiction",
          "indemnify",
          "delete all");
  private static final List<String> MODERATE =
      List.of(
          "must",
          "provided that",
          "condition",
          "except",
          "not grant",
          "excluding",
          "without",
          "fee",
          "own risk",
          "authorized");
  private static final Pattern CITATION = Pattern.compile("\\s*\\[Chunk c\\d{2,4}]");
  private static final Pattern FIRST_SENTENCE = Pattern.compile("^.*?[.;!?](?=\\s|$)");

  private Officer() {}

  static String decide(Reply reply) {
    return switch (reply) {
      case Reply.Answered answered -> decide(answered.text());
      case Reply.Withheld withheld ->
          withheld.taskState().equals("rejected")
              ? HELD
              : "NO DECISION: the task is " + withheld.taskState();
      case Reply.Failed failed -> "NO DECISION: " + failed.why();
    };
  }

  private static String decide(String answer) {
    String lower = answer.toLowerCase(Locale.ROOT);
    String risk =
        HIGH.stream().anyMatch(lower::contains)
            ? "HIGH RISK"
            : MODERATE.stream().anyMatch(lower::contains) ? "MODERATE RISK" : "LOW RISK";
    Matcher cited = CITATION.matcher(answer);
    String source =
        cited.find() ? "the source " + cited.group().strip() : "an answer that names no source";
    return risk + ": " + source + " says: " + reason(answer);
  }

  private static String reason(String answer) {
    String plain = CITATION.matcher(answer).replaceAll("").replaceAll("\\s+", " ").strip();
    Matcher first = FIRST_SENTENCE.matcher(plain);
    String sentence = first.find() ? first.group() : plain;
    return sentence.length() <= REASON_CHARS_MAX
        ? sentence
        : sentence.substring(0, REASON_CHARS_MAX - 3).stripTrailing() + "...";
  }
}
