package dev.parlance.demo;

import dev.parlance.demo.api.LexiconDesk.BoardShown;
import dev.parlance.demo.api.LexiconDesk.CoinedTerm;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Holds a board of the control plane against the one that follows from a transcript. */
final class BoardComparison {
  private BoardComparison() {}

  /** In what they differ, in words. */
  static List<String> differences(BoardShown board, Board wanted) {
    List<String> differences = new ArrayList<>();
    for (BoardEntry entry : wanted.entries()) {
      String follows = words(entry);
      String is = board.term(entry.term()).map(BoardComparison::words).orElse("not there");
      if (!follows.equals(is)) {
        differences.add(entry.term() + " is " + is + "; expected " + follows);
      }
    }
    if (board.terms().size() != wanted.entries().size()) {
      differences.add(board.terms().size() + " terms; expected " + wanted.entries().size());
    }
    return differences;
  }

  private static String words(BoardEntry entry) {
    return words(
            entry.definition(),
            entry.version(),
            entry.contested() ? "contested" : "active",
            entry.by(),
            entry.visibility().toString(),
            entry.leaked())
        + used(entry.reuse(), entry.speakers());
  }

  private static String words(CoinedTerm term) {
    return words(
            term.definition(),
            term.version(),
            term.status(),
            term.by(),
            term.visibility(),
            term.leaked())
        + used(term.reuse(), term.speakers());
  }

  private static String words(
      String definition, int version, String status, String by, String visibility, boolean leaked) {
    return "\"%s\", version %d, %s, by %s, %s%s"
        .formatted(definition, version, status, by, visibility, leaked ? ", leaked" : "");
  }

  private static String used(long times, Collection<String> speakers) {
    return ", used " + times + " times, in public by " + speakers.stream().sorted().toList();
  }
}
