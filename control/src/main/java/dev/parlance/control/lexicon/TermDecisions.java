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

  /**
   * Puts a term into a plan as an untested governed term.
   *
   * @param instead another term of the plan, in whose place it is offered once it is certified
   */
  public Result<BoardRecord> promote(
      String board, TermRef term, String plan, Optional<String> instead) {
    return context.counted("promote", promotions.promote(board, term, plan, instead, OPERATOR));
  }

  /** Lets a term be seen that waits. */
  public Result<BoardRecord> share(String board, TermRef term) {
    return context.counted("share", found(board, term).then(found -> share(found, OPERATOR)));
  }

  private Result<BoardRecord> share(Found found, String by) {
    TermRef term = found.entry().ref();
    return found.status() == CoinedStatus.RETIRED
        ? retired(term)
        : decided(
            found,
            now ->
                new LexiconEntry.Shared(
                    found.board().id(), term.visibility().toString(), term.key(), by, now),
            record -> !record.waiting().contains(term));
  }

  /** Takes a term off the board. */
  public Result<BoardRecord> retire(String board, TermRef term) {
    return context.counted("retire", found(board, term).then(found -> retire(found, OPERATOR)));
  }

  private Result<BoardRecord> retire(Found found, String by) {
    TermRef term = found.entry().ref();
    return decided(
        found,
        now ->
            new LexiconEntry.Retired(
                found.board().id(), term.visibility().toString(), term.key(), by, now),
        record -> record.retired().contains(term));
  }

  /**
   * A person has looked at a term that waits: it is shared or retired. One that does not wait stays
   * as it is.
   *
   * @param agent at whose sidecar the person is; it hears the term's channel
   * @return whether it is shared now
   */
  public Result<Boolean> review(String board, TermRef term, boolean share, String agent) {
    return context.counted(
        "review",
        found(board, term)
            .then(found ->
                !found.board().board().rules().hears(agent, term.visibility())
                    ? unknown(term)
                    : found.status() != CoinedStatus.WAITING
                        ? Result.done(found.board())
                        : share ? share(found, agent) : retire(found, agent))
            .then(record -> Result.done(!record.retired().contains(term))));
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
                .orElseGet(() -> unknown(term)));
  }

  private static <T> Result<T> unknown(TermRef term) {
    return Result.refused(
        Result.Kind.NOT_FOUND,
        "term_unknown",
        "the board has no such term that is " + term.visibility());
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
