package dev.parlance.demo.debate;

import dev.parlance.policy.lexicon.KnownTerms;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A message as an agent reads it: the words, and the block of known terms that stands behind them.
 * The agent reads the block as a model would, from its text; nothing tells it who put it there.
 *
 * @param words without the block
 * @param block as it stands in the message; empty if none does
 * @param terms the lines of the block
 */
public record ShownTerms(String words, String block, List<ShownTerm> terms) {
  private static final Pattern LINE =
      Pattern.compile("(?m)^- (.+?) = (.+) \\(by (\\S+), used (\\d+)(, contested)?\\)$");

  /** Copies the list. */
  public ShownTerms {
    terms = List.copyOf(terms);
  }

  /**
   * A line of the block.
   *
   * @param term the term
   * @param definition what it means
   * @param by who has coined it
   * @param contested true if it was challenged
   */
  public record ShownTerm(String term, String definition, String by, boolean contested) {
    String named() {
      return (("aeiou".indexOf(term.charAt(0)) < 0) ? "a " : "an ") + term;
    }
  }

  /** Reads a message. */
  public static ShownTerms in(String message) {
    int start = message.indexOf(KnownTerms.HEADING);
    int end = message.indexOf(KnownTerms.END);
    if (start < 0 || end < start) {
      return new ShownTerms(message, "", List.of());
    }
    String block = message.substring(start, end + KnownTerms.END.length());
    String rest = message.substring(end + KnownTerms.END.length());
    return new ShownTerms(
        (message.substring(0, start).stripTrailing() + rest).strip(),
        block,
        LINE.matcher(block).results().map(ShownTerms::line).toList());
  }

  private static ShownTerm line(MatchResult line) {
    return new ShownTerm(line.group(1), line.group(2), line.group(3), line.group(5) != null);
  }

  /** The term for a point. */
  Optional<ShownTerm> termFor(ProofPoint point) {
    return terms.stream()
        .filter(one -> ProofPoint.definedAs(one.definition()).equals(Optional.of(point)))
        .findFirst();
  }
}
