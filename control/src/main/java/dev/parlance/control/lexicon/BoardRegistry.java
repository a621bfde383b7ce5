package dev.parlance.control.lexicon;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.BoardReaders;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.store.Store;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.service.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The boards of a control plane. Any replica takes any call; what counts is the order of the ledger
 * ({@code ledger.record.LexiconLedger}), so a call writes entries and then looks what they came to.
 * What a call writes is durable when it returns, and repeating it is safe: a turn is known by its
 * digest. For any number of threads; blocks.
 */
public final class BoardRegistry implements AutoCloseable {
  private final LexiconContext context;
  private final BoardJournal journal;
  private final BoardPublisher publisher;
  private final BoardTurns turns;
  private final TermDecisions decisions;
  private final PromotionRule rule;

  /**
   * What boards work with.
   *
   * @param noteKey signs boards
   * @param plans what terms are promoted into
   * @param readers sidecars that are told of boards
   * @param pollMs how often the ledger is asked for what other replicas wrote
   */
  public record LexiconContext(
      Store store,
      LedgerWriter ledger,
      LedgerView view,
      SignerKey noteKey,
      Plans plans,
      ControlMetrics metrics,
      LexiconSettings settings,
      BoardReaders readers,
      int pollMs) {
    <T> Result<T> counted(String call, Result<T> result) {
      return metrics.counted(ControlMeter.ofCall("LEXICON", call), result);
    }
  }

  /** Begins to tell of changes at once; the ledger must have been read. */
  public BoardRegistry(LexiconContext context) {
    this.context = context;
    this.journal = new BoardJournal(context.ledger(), context.view());
    TermCounts counts = new TermCounts(context.view());
    context.metrics().bindLexicon(() -> context.view().read(LedgerState::boardCount), counts::of);
    this.turns = new BoardTurns(context, journal);
    this.decisions = new TermDecisions(this, context, journal);
    this.rule = new PromotionRule(context, journal, decisions.promotions());
    this.publisher =
        new BoardPublisher(
            journal,
            context.readers(),
            new SignedBoards(context.noteKey()),
            rule::note,
            context.pollMs());
    context.view().listen(publisher.watches());
  }

  /** The factions of boards that are opened from now on, sorted by name; members sorted. */
  public SortedMap<String, List<String>> groups() {
    return context.settings().groups();
  }

  /** What sidecars say of turns. */
  public BoardTurns turns() {
    return turns;
  }

  /** A board as it is. */
  public Result<BoardRecord> find(String id) {
    return journal
        .read(state -> state.board(id))
        .then(found ->
            found
                .map(Result::done)
                .orElseGet(() ->
                    Result.refused(
                        Result.Kind.NOT_FOUND, "board_unknown", "there is no such board")));
  }

  /** Boards, the last changed first. */
  public Result<List<BoardRecord>> list(int limit) {
    return journal.read(state -> state.boards(limit));
  }

  /**
   * How the terms stand that are in plans: {@code certified}; {@code untested} while no audit has
   * decided on what they mean now; {@code uncertified} if one has, against them.
   */
  public Map<TermRef, String> standings(BoardRecord board) {
    return journal.now(state -> {
      Map<TermRef, String> standings = new HashMap<>();
      board
          .promoted()
          .forEach((term, promoted) -> standings.put(term, standing(state, board, promoted)));
      return standings;
    });
  }

  private static String standing(
      LedgerState state, BoardRecord board, LexiconEntry.Promoted promoted) {
    boolean isRepaired = board.term(promoted.ref()).filter(board::isRepaired).isPresent();
    TermStatus status =
        isRepaired
            ? TermStatus.UNTESTED
            : state
                .plan(promoted.plan())
                .map(plan -> state.status(plan, promoted.key()))
                .orElse(TermStatus.UNTESTED);
    return switch (status) {
      case CERTIFIED -> "certified";
      case UNTESTED -> "untested";
      case REFUSED, REVOKED -> "uncertified";
    };
  }

  /** Tokens of its speakers' last turns per token of their first ones. */
  public OptionalDouble compression(BoardRecord board) {
    return BoardMetrics.compression(journal.now(state -> state.boardFacts(board.id())));
  }

  /** A board as sidecars are told it. */
  public PublishedBoard signed(BoardRecord board) {
    return publisher.signed(board);
  }

  /**
   * A board as sidecars were told it last. Does not wait: one that was not signed yet is empty, and
   * its readers hear of it as of a change.
   */
  public Optional<PublishedBoard> published(String id) {
    return publisher.last(id);
  }

  /**
   * Tells of everything that happens from now on; what is given back ends it.
   *
   * @param watcher may not wait
   */
  public Runnable watch(Consumer<BoardHappening> watcher) {
    return publisher.watches().add(watcher);
  }

  /** What people decide about terms. */
  public TermDecisions decisions() {
    return decisions;
  }

  @Override
  public void close() {
    rule.close();
    publisher.close();
  }
}
