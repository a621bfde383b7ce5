package dev.parlance.control.lexicon;

import dev.parlance.control.certify.LedgerView.BoardListener;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Hears what happens on boards, whatever replica wrote it: notes which have changed, and tells who
 * watches.
 */
final class BoardWatches implements BoardListener {
  private final BoardChanges changes;
  private final Runnable wake;
  private final Set<Consumer<BoardHappening>> watchers = ConcurrentHashMap.newKeySet();

  /** Terms that were leaked before the turn that is taken in; empty while nobody watches. */
  private Set<TermRef> leaked = Set.of();

  /**
   * @param wake called when something has changed
   */
  BoardWatches(BoardChanges changes, Runnable wake) {
    this.changes = changes;
    this.wake = wake;
  }

  /**
   * Tells a watcher of everything from now on; what is given back ends it.
   *
   * @param watcher may not wait
   */
  Runnable add(Consumer<BoardHappening> watcher) {
    watchers.add(watcher);
    return () -> watchers.remove(watcher);
  }

  int size() {
    return watchers.size();
  }

  @Override
  public void before(LexiconEntry entry, LedgerState state) {
    if (!watchers.isEmpty() && entry instanceof LexiconEntry.Used used && mayLeak(used)) {
      leaked =
          state
              .board(used.board())
              .map(board ->
                  board.board().entries().stream()
                      .filter(BoardEntry::leaked)
                      .map(BoardEntry::ref)
                      .collect(Collectors.toSet()))
              .orElse(Set.of());
    }
  }

  private static boolean mayLeak(LexiconEntry.Used used) {
    return isPublic(used.id().channel())
        && used.uses().stream().anyMatch(use -> !isPublic(use.visibility()));
  }

  private static boolean isPublic(String channel) {
    return channel.equals(Channel.PUBLIC.toString());
  }

  @Override
  public void counted(LexiconEntry entry, LedgerState state) {
    changes.note(entry.board(), !(entry instanceof LexiconEntry.Used));
    if (!watchers.isEmpty()) {
      state.board(entry.board()).ifPresent(board -> tell(entry, board));
    }
    wake.run();
  }

  private void tell(LexiconEntry entry, BoardRecord board) {
    switch (entry) {
      case LexiconEntry.BoardOpened _ -> {
        // a board without terms is nothing to look at
      }
      case LexiconEntry.Used used ->
          used.uses().stream()
              .map(use -> new TermRef(Channel.of(use.visibility()).orElseThrow(), use.key()))
              .forEach(term ->
                  board
                      .term(term)
                      .filter(found -> board.status(found) != CoinedStatus.RETIRED)
                      .flatMap(found -> type(used, found, board.board().rules()))
                      .ifPresent(type ->
                          tell(board, term, type.code(), used.id().speaker(), used.atMs())));
      case LexiconEntry.Coined coined ->
          tell(
              board,
              new TermRef(
                  Channel.of(coined.id().channel()).orElseThrow(), BoardRules.key(coined.term())),
              BoardEvent.Type.COIN.code(),
              coined.id().speaker(),
              coined.atMs());
      case LexiconEntry.Challenged challenged ->
          tell(
              board,
              challenged.ref(),
              BoardEvent.Type.CHALLENGE.code(),
              challenged.id().speaker(),
              challenged.atMs());
      case LexiconEntry.Repaired repaired ->
          tell(
              board,
              repaired.ref(),
              BoardEvent.Type.REPAIR.code(),
              repaired.id().speaker(),
              repaired.atMs());
      case LexiconEntry.Shared shared ->
          tell(board, shared.ref(), "share", shared.by(), shared.atMs());
      case LexiconEntry.Promoted promoted ->
          tell(board, promoted.ref(), "promote", promoted.by(), promoted.atMs());
      case LexiconEntry.Retired retired ->
          tell(board, retired.ref(), "retire", retired.by(), retired.atMs());
      case LexiconEntry.Retracted _ -> {
        // what nobody heard has not happened
      }
    }
  }

  /** What the use is; empty if its speaker cannot use the term there. */
  private Optional<BoardEvent.Type> type(
      LexiconEntry.Used used, BoardEntry entry, BoardRules rules) {
    boolean isMember = rules.hears(used.id().speaker(), entry.visibility());
    boolean isEscape = isPublic(used.id().channel()) && !entry.visibility().isPublic();
    if (!isEscape) {
      return isMember ? Optional.of(BoardEvent.Type.REUSE) : Optional.empty();
    }
    boolean isLeaked = leaked.contains(entry.ref());
    if (isMember) {
      return Optional.of(isLeaked ? BoardEvent.Type.REUSE : BoardEvent.Type.LEAK);
    }
    return isLeaked ? Optional.of(BoardEvent.Type.ECHO) : Optional.empty();
  }

  private void tell(BoardRecord board, TermRef term, String type, String by, long atMs) {
    String name = board.term(term).map(BoardEntry::term).orElse(term.key());
    BoardHappening happening = new BoardHappening(board.id(), type, name, by, atMs);
    watchers.forEach(watcher -> watcher.accept(happening));
  }
}
