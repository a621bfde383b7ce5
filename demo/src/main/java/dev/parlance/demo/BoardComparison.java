package dev.parlance.demo;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.TermView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Holds a board of the control plane against the one that follows from a transcript. */
final class BoardComparison {
  private BoardComparison() {}

  /** In what they differ, in words. */
  static List<String> differences(BoardView board, Board wanted) {
    List<String> differences = new ArrayList<>();
    for (BoardEntry entry : wanted.entries()) {
      String follows = words(entry);
      String is = term(board, entry.term()).map(BoardComparison::words).orElse("not there");
      if (!follows.equals(is)) {
        differences.add(entry.term() + " is " + is + "; expected " + follows);
      }
    }
    if (board.getTermsCount() != wanted.entries().size()) {
      differences.add(board.getTermsCount() + " terms; expected " + wanted.entries().size());
    }
    return differences;
  }

  /** The term of that name. */
  static Optional<TermView> term(BoardView board, String name) {
    return board.getTermsList().stream().filter(one -> one.getTerm().equals(name)).findFirst();
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

  private static String words(TermView term) {
    return words(
            term.getDefinition(),
            term.getVersion(),
            term.getStatus(),
            term.getBy(),
            term.getVisibility(),
            term.getLeaked())
        + used(term.getReuse(), term.getSpeakersList());
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
