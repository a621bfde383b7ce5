package dev.parlance.cli.api;

import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardSummary;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.TermView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A board of coined terms as a control plane shows it.
 *
 * @param waiting terms that wait for a person
 * @param metrics by name; one without data is left out
 */
public record BoardInfo(
    String board,
    long turns,
    long reuse,
    int waiting,
    long changedAtMs,
    List<TermInfo> terms,
    Map<String, Double> metrics) {
  /**
   * A coined term.
   *
   * @param status waiting, active, contested, retired
   * @param plan the plan that it is in
   * @param standing there: untested, certified, uncertified
   */
  public record TermInfo(
      String term,
      String key,
      String definition,
      int version,
      String status,
      String by,
      int turn,
      String visibility,
      boolean leaked,
      int reuse,
      long occurrences,
      List<String> speakers,
      @Nullable String plan,
      @Nullable String standing) {
    static TermInfo of(TermView term) {
      return new TermInfo(
          term.getTerm(),
          term.getKey(),
          term.getDefinition(),
          term.getVersion(),
          term.getStatus(),
          term.getBy(),
          term.getTurn(),
          term.getVisibility(),
          term.getLeaked(),
          term.getReuse(),
          term.getOccurrences(),
          term.getSpeakersList(),
          term.getPlan().isEmpty() ? null : term.getPlan(),
          term.getStanding().isEmpty() ? null : term.getStanding());
    }
  }

  /**
   * A board in a list.
   *
   * @param terms without retired ones
   * @param waiting of them, those that wait for a person
   */
  public record Listed(
      String board, int terms, int waiting, long reuse, long turns, long changedAtMs) {
    static Listed of(BoardSummary board) {
      return new Listed(
          board.getBoard(),
          board.getTerms(),
          board.getWaiting(),
          board.getReuse(),
          board.getTurns(),
          board.getChangedAtMs());
    }
  }

  /**
   * Something that happened on a board.
   *
   * @param type coin, reuse, leak, echo, challenge, repair, share, promote, retire
   * @param by who did it
   */
  public record Happening(String board, String type, String term, String by, long atMs) {
    static Happening of(BoardChange change) {
      return new Happening(
          change.getBoard(), change.getType(), change.getTerm(), change.getBy(), change.getAtMs());
    }
  }

  static BoardInfo of(BoardView view) {
    BoardSummary summary = view.getSummary();
    return new BoardInfo(
        summary.getBoard(),
        summary.getTurns(),
        summary.getReuse(),
        summary.getWaiting(),
        summary.getChangedAtMs(),
        view.getTermsList().stream().map(TermInfo::of).toList(),
        new TreeMap<>(view.getMetricsMap()));
  }
}
