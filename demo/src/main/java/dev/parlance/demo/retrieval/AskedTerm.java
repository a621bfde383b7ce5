package dev.parlance.demo.retrieval;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The term that a question asks the meaning of, and how strongly a text defines it (ASP paper,
 * section 5.2).
 *
 * @param term as it stands in the question
 */
record AskedTerm(String term) {
  /** Bonus for {@code "X" means} and {@code "X" shall mean}. */
  static final double DEFINITION_BONUS = 1.0;

  /**
   * Bonus for other definition syntax: {@code (the "X")}, {@code "X" is defined as}, and the like.
   */
  static final double OTHER_DEFINITION_BONUS = 0.5;

  private static final Pattern QUOTED = Pattern.compile("[\"\u201c]([^\"\u201d]{1,60})[\"\u201d]");
  private static final Pattern ASKED =
      Pattern.compile(
          "^\\s*(?:what|who)\\s+(?:is|are|does|counts\\s+as|is\\s+meant\\s+by)\\s+(?:an?\\s+|the\\s+)?([\\p{L}\\p{N}"
              + " -]{1,60}?)(?:\\s+(?:mean|under|in)\\b.*)?\\s*\\?*\\s*$",
          Pattern.CASE_INSENSITIVE);

  static Optional<AskedTerm> in(String question) {
    Matcher quoted = QUOTED.matcher(question);
    if (quoted.find()) {
      return Optional.of(new AskedTerm(quoted.group(1).strip()));
    }
    Matcher asked = ASKED.matcher(question);
    return asked.matches() ? Optional.of(new AskedTerm(asked.group(1).strip())) : Optional.empty();
  }

  /** 1.0, 0.5 or 0.0: what the paper adds to the score of a text. */
  double bonus(String text) {
    String quoted = "\"" + Pattern.quote(term) + "\"";
    if (finds(quoted + "(?: \\(or \"[^\"]+\"\\))?(?: form)? (?:shall mean|means)\\b", text)) {
      return DEFINITION_BONUS;
    }
    boolean defined =
        finds("\\(the " + quoted + "\\)", text)
            || finds(
                "(?:" + quoted + "|\\b" + Pattern.quote(term) + ") (?:is defined as|refers to)",
                text);
    return defined ? OTHER_DEFINITION_BONUS : 0.0;
  }

  private static boolean finds(String regex, String text) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).matcher(text).find();
  }
}
