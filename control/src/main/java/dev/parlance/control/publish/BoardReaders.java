package dev.parlance.control.publish;

import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Which sidecars of this replica want which boards. For any number of threads; its lock is taken
 * before that of a stream.
 */
public final class BoardReaders {
  private final Function<String, Optional<PublishedBoard>> source;
  private final Map<String, Set<SidecarStream>> readers = new HashMap<>();

  /**
   * Nobody wants any.
   *
   * @param source a board as it is to be pushed now, if there is one; may not wait
   */
  public BoardReaders(Function<String, Optional<PublishedBoard>> source) {
    this.source = source;
  }

  Function<String, Optional<PublishedBoard>> source() {
    return source;
  }

  /** True if there are any. */
  public synchronized boolean areAny() {
    return !readers.isEmpty();
  }

  /** True if somebody wants this one. */
  public synchronized boolean isRead(String board) {
    return readers.containsKey(board);
  }

  /** These boards have newer revisions: they go to whoever wants them. */
  public void changed(Collection<String> boards) {
    Set<SidecarStream> concerned = new LinkedHashSet<>();
    synchronized (this) {
      for (String board : boards) {
        for (SidecarStream stream : readers.getOrDefault(board, Set.of())) {
          stream.boardChanged(board);
          concerned.add(stream);
        }
      }
    }
    long now = System.nanoTime();
    concerned.forEach(stream -> stream.pump(now));
  }

  /** A sidecar wants a board from now on; nothing changes if it is gone. */
  synchronized void want(SidecarStream stream, String board, long revision) {
    if (stream.isOver()) {
      return;
    }
    stream.want(board, revision).forEach(old -> forget(old, stream));
    readers.computeIfAbsent(board, _ -> new HashSet<>()).add(stream);
  }

  /** It wants it no longer. */
  synchronized void drop(SidecarStream stream, String board) {
    stream.dropBoard(board);
    forget(board, stream);
  }

  /** Its stream is over. */
  synchronized void gone(SidecarStream stream) {
    stream.wantedBoards().forEach(board -> forget(board, stream));
  }

  private void forget(String board, SidecarStream stream) {
    Set<SidecarStream> all = readers.getOrDefault(board, Set.of());
    if (all.remove(stream) && all.isEmpty()) {
      readers.remove(board);
    }
  }
}
