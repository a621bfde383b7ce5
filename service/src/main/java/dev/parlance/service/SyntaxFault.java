package dev.parlance.service;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * What is wrong with a text that is no JSON or YAML, and where, in words for whoever wrote it:
 * never the text's own, which may be anything, nor those of the library that reads it.
 */
public final class SyntaxFault {
  private SyntaxFault() {}

  /** As {@link #words(String, JacksonException)}, of JSON. */
  public static String json(JacksonException problem) {
    return words("JSON", problem);
  }

  /**
   * For example {@code not JSON (line 3, column 17)}; without the place where there is none.
   *
   * @param format what the text should be
   */
  public static String words(String format, JacksonException problem) {
    String what =
        problem instanceof StreamConstraintsException
            ? "nested too deeply, or longer than is read"
            : problem.getOriginalMessage().startsWith("Duplicate")
                ? "a member name stands twice in one object"
                : "not " + format;
    TokenStreamLocation at = problem.getLocation();
    return at == null || at.getLineNr() < 1 || at.getColumnNr() < 1
        ? what
        : "%s (line %s, column %s)".formatted(what, at.getLineNr(), at.getColumnNr());
  }
}
