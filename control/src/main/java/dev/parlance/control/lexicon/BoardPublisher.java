package dev.parlance.control.lexicon;

import dev.parlance.control.publish.BoardReaders;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what other replicas wrote, signs boards that have changed, and tells their readers. Only
 * its loop waits for the ledger: a stream of a sidecar finds boards signed, or hears of them later.
 */
final class BoardPublisher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BoardPublisher.class);

  private final BoardJournal journal;
  private final BoardReaders readers;
  private final SignedBoards signed;
  private final Consumer<Collection<String>> onChange;
  private final BoardChanges changes = new BoardChanges();
  private final BoardWatches watches;

  /** Boards that somebody wants and that are not signed. */
  private final Set<String> awaited = ConcurrentHashMap.newKeySet();

  private final Loop drive;

  /** Used by the loop alone. */
  private boolean isBehind;

  /**
   * Begins at once.
   *
   * @param onChange hears of boards that have changed; may not wait
   */
  BoardPublisher(
      BoardJournal journal,
      BoardReaders readers,
      SignedBoards signed,
      Consumer<Collection<String>> onChange,
      int pollMs) {
    this.journal = journal;
    this.readers = readers;
    this.signed = signed;
    this.onChange = onChange;
    this.watches = new BoardWatches(changes, this::wake);
    this.drive = Loop.start("control-boards", pollMs, this::turn);
  }

  private void wake() {
    drive.wake();
  }

  BoardWatches watches() {
    return watches;
  }

  /** A board as sidecars are told it. */
  PublishedBoard signed(BoardRecord board) {
    return signed.of(board);
  }

  /** A board as it was signed last; does not wait. */
  Optional<PublishedBoard> last(String id) {
    Optional<PublishedBoard> last = signed.last(id);
    if (last.isEmpty()) {
      awaited.add(id);
      drive.wake();
    }
    return last;
  }

  private void turn() {
    if (journal.now(LedgerState::boardCount) > 0 || readers.areAny() || watches.size() > 0) {
      Optional<Result.Refused<Boolean>> behind = journal.catchUp();
      if (behind.isPresent() && !isBehind) {
        log.atWarn().addKeyValue("detail", behind.get().message()).log("boards: no news for now");
      }
      isBehind = behind.isPresent();
    }
    List<String> due = changes.due(System.nanoTime());
    Set<String> news = new LinkedHashSet<>(due);
    for (String id : List.copyOf(awaited)) {
      awaited.remove(id);
      news.add(id);
    }
    List<String> ready = new ArrayList<>();
    for (String id : news) {
      // Before anything else: who asks from here on gets the next one or waits for it.
      signed.forget(id);
      if (readers.isRead(id) && sign(id)) {
        ready.add(id);
      }
    }
    if (!ready.isEmpty()) {
      readers.changed(ready);
    }
    if (!due.isEmpty()) {
      onChange.accept(due);
    }
  }

  private boolean sign(String id) {
    Optional<BoardRecord> board = journal.now(state -> state.board(id));
    board.ifPresent(signed::of);
    return board.isPresent();
  }

  @Override
  public void close() {
    drive.close();
  }
}
