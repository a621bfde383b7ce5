package dev.parlance.demo;

import static java.util.stream.Collectors.toSet;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.TermView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Terms of a board of the control plane: in words, and held against those that are to be there. */
final class BoardTerms {
  private BoardTerms() {}

  /** As below; a board that there is not differs. */
  static List<String> differences(Optional<BoardView> board, Board wanted) {
    return board.map(now -> differences(now, wanted)).orElse(List.of("no board"));
  }

  /** In what a board differs from the one that follows from the transcript, in words. */
  static List<String> differences(BoardView board, Board wanted) {
    Set<String> is = board.getTermsList().stream().map(BoardTerms::words).collect(toSet());
    Set<String> follows = wanted.entries().stream().map(BoardTerms::words).collect(toSet());
    return Stream.concat(
            follows.stream().filter(one -> !is.contains(one)).map(one -> "expected " + one),
            is.stream().filter(one -> !follows.contains(one)).map(one -> "there is " + one))
        .toList();
  }

  /** The term of that name. */
  static Optional<TermView> term(BoardView board, String name) {
    return board.getTermsList().stream().filter(one -> one.getTerm().equals(name)).findFirst();
  }

  private static String words(BoardEntry one) {
    return words(
        one.term(),
        one.definition(),
        one.version(),
        one.contested() ? "contested" : "active",
        one.by(),
        one.visibility(),
        one.leaked(),
        one.reuse(),
        one.speakers().stream().sorted().toList());
  }

  private static String words(TermView one) {
    return words(
        one.getTerm(),
        one.getDefinition(),
        one.getVersion(),
        one.getStatus(),
        one.getBy(),
        one.getVisibility(),
        one.getLeaked(),
        one.getReuse(),
        one.getSpeakersList().stream().sorted().toList());
  }

  private static String words(Object... of) {
    return "%s = \"%s\", version %d, %s, by %s, %s, leaked: %s, used %d times, in public by %s"
        .formatted(of);
  }

  /** What became of a term, by what was heard of the board. */
  static String life(TermView term, String group, List<BoardChange> news) {
    boolean isPublic = term.getVisibility().equals("public");
    List<String> life = new ArrayList<>();
    life.add(shortly(term.getBy()) + " coins it" + (isPublic ? "" : " within " + group));
    for (BoardChange one : new LinkedHashSet<>(news)) {
      if (!one.getTerm().equals(term.getTerm())) {
        continue;
      }
      switch (one.getType()) {
        case "challenge" -> life.add(shortly(one.getBy()) + " challenges it");
        case "repair" -> life.add(shortly(one.getBy()) + " repairs it");
        case "leak" -> life.add(shortly(one.getBy()) + " leaks it");
        case "echo" -> life.add(shortly(one.getBy()) + " echoes it");
        default -> {} // coined, and used
      }
    }
    life.add(
        "used in %d turns, said in public by %d"
            .formatted(term.getReuse(), term.getSpeakersCount()));
    return String.join(", ", life);
  }

  private static String shortly(String agent) {
    return agent.replace("license-", "");
  }

  /** A measure; 0 where there are no data. */
  static double metric(BoardView board, String name) {
    return board.getMetricsOrDefault(name, 0.0);
  }

  /** How often each of these things has happened. */
  static Map<String, Integer> counts(List<BoardChange> news, Set<String> types) {
    Map<String, Integer> counts = new TreeMap<>();
    news.stream()
        .map(BoardChange::getType)
        .filter(types::contains)
        .forEach(type -> counts.merge(type, 1, Integer::sum));
    return counts;
  }
}
