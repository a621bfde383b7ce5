package dev.parlance.control.lexicon;

import dev.parlance.control.lexicon.BoardRegistry.LexiconContext;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What people decide about coined terms. As everywhere, an entry is written and then looked at;
 * deciding again what is decided changes nothing.
 */
public final class TermDecisions {
  private static final String OPERATOR = "operator";

  private final BoardRegistry boards;
  private final LexiconContext context;
  private final BoardJournal journal;
  private final TermPromotions promotions;

  TermDecisions(BoardRegistry boards, LexiconContext context, BoardJournal journal) {
    this.boards = boards;
    this.context = context;
    this.journal = journal;
    this.promotions = new TermPromotions(context, this);
  }

  TermPromotions promotions() {
    return promotions;
  }

  /** Puts a term into a plan as an untested governed term. */
  public Result<BoardRecord> promote(String board, TermRef term, String plan) {
    return context.counted("promote", promotions.promote(board, term, plan, OPERATOR));
  }

  /** Lets a term be seen that waits. */
  public Result<BoardRecord> share(String board, TermRef term) {
    return context.counted(
        "share",
        found(board, term)
            .then(found ->
                found.status() == CoinedStatus.RETIRED
                    ? retired(term)
                    : decided(
                        found,
                        now ->
                            new LexiconEntry.Shared(
                                board, term.visibility().toString(), term.key(), OPERATOR, now),
                        record -> !record.waiting().contains(term))));
  }

  /** Takes a term off the board. */
  public Result<BoardRecord> retire(String board, TermRef term) {
    return context.counted(
        "retire",
        found(board, term)
            .then(found ->
                decided(
                    found,
                    now ->
                        new LexiconEntry.Retired(
                            board, term.visibility().toString(), term.key(), OPERATOR, now),
                    record -> record.retired().contains(term))));
  }

  /** A term with its board. */
  record Found(BoardRecord board, BoardEntry entry) {
    CoinedStatus status() {
      return board.status(entry);
    }
  }

  Result<Found> found(String board, TermRef term) {
    return boards
        .find(board)
        .then(record ->
            record
                .term(term)
                .map(entry -> Result.done(new Found(record, entry)))
                .orElseGet(() ->
                    Result.refused(
                        Result.Kind.NOT_FOUND,
                        "term_unknown",
                        "the board has no such term that is " + term.visibility())));
  }

  static <T> Result<T> retired(TermRef term) {
    return Result.refused(
        Result.Kind.PRECONDITION, "term_retired", "\"" + term.key() + "\" is off the board");
  }

  /** Makes an entry of this time. */
  interface Deciding {
    LexiconEntry at(long nowMs);
  }

  /** Writes an entry unless what it says stands already. */
  Result<BoardRecord> decided(Found found, Deciding entry, Predicate<BoardRecord> stands) {
    if (stands.test(found.board())) {
      return Result.done(found.board());
    }
    Optional<Result.Refused<BoardRecord>> written =
        journal.append(List.<Entry>of(entry.at(context.store().nowMs())));
    Optional<BoardRecord> now = journal.now(state -> state.board(found.board().id()));
    if (now.filter(stands).isPresent()) {
      return Result.done(now.get());
    }
    return written
        .<Result<BoardRecord>>map(refused -> refused)
        .orElseGet(() ->
            Result.refused(
                Result.Kind.CONFLICT,
                "board_changed",
                "the board has changed meanwhile; look again"));
  }
}
