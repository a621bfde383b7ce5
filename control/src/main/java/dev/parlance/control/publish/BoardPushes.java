package dev.parlance.control.publish;

import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The boards that one sidecar wants to be pushed. What waits is the name of a board, never a
 * document: whatever happens to a board while a push of it is under way, the next push is of what
 * it has come to. A revision that was refused is not sent again.
 */
final class BoardPushes {
  /** Most boards of a sidecar; of more, those that were asked for first are pushed no longer. */
  static final int MAX_BOARDS = 4_096;

  private static final long NOTHING = 0;

  private final Map<String, Standing> wanted = new LinkedHashMap<>();
  private final Set<String> waiting = new LinkedHashSet<>();

  /**
   * What is known of a board at the sidecar.
   *
   * @param revision that it holds; 0: none
   * @param refused that it did not take last; 0: none
   * @param underWay that was sent and has no answer; 0: none
   */
  private record Standing(long revision, long refused, long underWay, long sentNs) {
    static final Standing UNKNOWN = new Standing(NOTHING, NOTHING, NOTHING, 0);

    Standing sent(long next, long nowNs) {
      return new Standing(revision, refused, next, nowNs);
    }

    long known() {
      return Math.max(revision, refused);
    }
  }

  /** Wants a board from now on; the boards that this crowds out. */
  List<String> want(String board, long revision) {
    Standing before = wanted.remove(board);
    wanted.put(
        board,
        new Standing(
            Math.max(revision, NOTHING),
            NOTHING,
            before == null ? NOTHING : before.underWay(),
            before == null ? 0 : before.sentNs()));
    waiting.add(board);
    List<String> gone = new ArrayList<>();
    Iterator<String> eldest = wanted.keySet().iterator();
    while (wanted.size() > MAX_BOARDS) {
      gone.add(eldest.next());
      eldest.remove();
    }
    gone.forEach(waiting::remove);
    return gone;
  }

  /** Wants it no longer. */
  void drop(String board) {
    wanted.remove(board);
    waiting.remove(board);
  }

  /** There is a newer revision. */
  void changed(String board) {
    if (wanted.containsKey(board)) {
      waiting.add(board);
    }
  }

  /** The next board to send, which is under way then. */
  Optional<PublishedBoard> next(Function<String, Optional<PublishedBoard>> source, long nowNs) {
    for (Iterator<String> all = waiting.iterator(); all.hasNext(); ) {
      String id = all.next();
      Standing standing = wanted.getOrDefault(id, Standing.UNKNOWN);
      if (standing.underWay() != NOTHING) {
        continue; // it stays here until there is an answer
      }
      all.remove();
      Optional<PublishedBoard> board =
          source.apply(id).filter(one -> one.revision() > standing.known());
      if (board.isPresent()) {
        wanted.put(id, standing.sent(board.get().revision(), nowNs));
        return board;
      }
    }
    return Optional.empty();
  }

  /** The board is in force; false if this revision was not under way. */
  boolean acked(String board, long revision) {
    return answered(board, revision, new Standing(revision, NOTHING, NOTHING, 0));
  }

  /** The board was refused; false if this revision was not under way. */
  boolean refused(String board, long revision) {
    Standing before = wanted.get(board);
    return before != null
        && answered(board, revision, new Standing(before.revision(), revision, NOTHING, 0));
  }

  private boolean answered(String board, long revision, Standing now) {
    Standing before = wanted.get(board);
    if (before == null || revision == NOTHING || before.underWay() != revision) {
      return false; // says nothing about what was sent
    }
    wanted.put(board, now);
    return true;
  }

  /** True if a push has had no answer for this long. */
  boolean hasUnanswered(long olderThanNs, long nowNs) {
    return wanted.values().stream()
        .anyMatch(one -> one.underWay() != NOTHING && nowNs - one.sentNs() > olderThanNs);
  }

  /** Every board that is wanted. */
  Collection<String> all() {
    return List.copyOf(wanted.keySet());
  }
}
