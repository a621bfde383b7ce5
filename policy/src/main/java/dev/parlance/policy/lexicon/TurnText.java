package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Letters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.IntPredicate;

/**
 * The text of one turn, read line by line: what is said, what is coined, what is challenged and
 * repaired (conventions {@code board-1} and {@code lexicon-wire-1}).
 *
 * <p>Lines end at line feeds only; a blank is a space, a tab or a carriage return. Words are
 * compared in ASCII without regard to case and before any normalisation: what only looks like a
 * heading is text.
 *
 * @param lines every line in order
 */
public record TurnText(List<Line> lines) {
  private static final String PART_1 = "[part 1]";
  private static final String PART_2 = "[part 2]";

  /** One line. */
  public sealed interface Line {
    /** The line as it was written, without its line feed. */
    String text();
  }

  /** What the turn says. */
  public record Said(String text) implements Line {}

  /** A heading, or a line without content among the definitions: it says nothing. */
  public record Heading(String text) implements Line {}

  /**
   * A line among the definitions.
   *
   * @param term what stands before the first {@code =}, without blanks at its ends; the whole line
   *     where there is none
   * @param definition what stands behind it; empty if there is no {@code =}
   */
  public record Coinage(String text, String term, Optional<String> definition) implements Line {}

  /** What a line asks for a term that is there already. */
  public enum Request {
    /** {@code CHALLENGE term: reason}. */
    CHALLENGE(':'),
    /** {@code REPAIR term = definition}. */
    REPAIR('=');

    private final char separator;

    Request(char separator) {
      this.separator = separator;
    }
  }

  /**
   * A line that challenges or repairs a term.
   *
   * @param term without blanks at its ends, never empty
   * @param body the reason or the new definition; empty if what separates it from the term is
   *     missing
   */
  public record Directive(String text, Request request, String term, Optional<String> body)
      implements Line {}

  /** Keeps a copy. */
  public TurnText {
    lines = List.copyOf(lines);
  }

  /** Reads a text. */
  public static TurnText of(String text) {
    List<Line> lines = new ArrayList<>();
    boolean defining = false;
    for (String line : text.split("\n", -1)) {
      String bare = strip(line);
      boolean begins = equalsAscii(bare, PART_2);
      defining |= begins;
      if (begins || equalsAscii(bare, PART_1) || (defining && bare.isEmpty())) {
        lines.add(new Heading(line));
      } else if (defining) {
        lines.add(coinage(line, bare));
      } else {
        Optional<Directive> directive = directive(line, bare);
        lines.add(directive.isPresent() ? directive.get() : new Said(line));
      }
    }
    return new TurnText(lines);
  }

  private static Coinage coinage(String line, String bare) {
    String item = bare.startsWith("- ") || bare.startsWith("* ") ? strip(bare.substring(2)) : bare;
    int equals = item.indexOf('=');
    return equals < 0
        ? new Coinage(line, item, Optional.empty())
        : new Coinage(
            line, strip(item.substring(0, equals)), Optional.of(strip(item.substring(equals + 1))));
  }

  private static Optional<Directive> directive(String line, String bare) {
    for (Request request : Request.values()) {
      String word = request.name();
      int length = word.length();
      if (bare.length() > length
          && equalsAscii(bare.substring(0, length), word)
          && (bare.charAt(length) == ' ' || bare.charAt(length) == '\t')) {
        String rest = bare.substring(length);
        int at = rest.indexOf(request.separator);
        String term = strip(at < 0 ? rest : rest.substring(0, at));
        Optional<String> body =
            at < 0 ? Optional.empty() : Optional.of(strip(rest.substring(at + 1)));
        return term.isEmpty()
            ? Optional.empty()
            : Optional.of(new Directive(line, request, term, body));
      }
    }
    return Optional.empty();
  }

  /** What was said: the text in which terms are used, without directives and definitions. */
  public String said() {
    return join(number -> lines.get(number) instanceof Said);
  }

  /**
   * The text that is judged if every coinage was accepted and every directive meets a term: what is
   * said, and directives that lack their separator.
   */
  public String judged() {
    return judged(number ->
        switch (lines.get(number)) {
          case Coinage _ -> true;
          case Directive one -> one.body.isPresent();
          case Said _, Heading _ -> false;
        });
  }

  /**
   * The text that is judged: all lines but headings and those that are not claims, each with every
   * character, joined by line feeds.
   *
   * @param noClaim true for the number of a line, from 0, that the board has accepted
   */
  public String judged(IntPredicate noClaim) {
    return join(number -> !(lines.get(number) instanceof Heading) && !noClaim.test(number));
  }

  private String join(IntPredicate stays) {
    StringJoiner text = new StringJoiner("\n");
    for (int number = 0; number < lines.size(); number++) {
      if (stays.test(number)) {
        text.add(lines.get(number).text());
      }
    }
    return text.toString();
  }

  private static String strip(String text) {
    return Letters.trim(text, " \t\r");
  }

  /** Unlike {@link String#equalsIgnoreCase} not true for a long s or a dotless i. */
  private static boolean equalsAscii(String text, String word) {
    if (text.length() != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (lower(text.charAt(i)) != lower(word.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
  }
}
