package dev.parlance.control.lexicon;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.control.metrics.LexiconMetrics;
import dev.parlance.control.publish.BoardReaders;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.store.Store;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.TurnRecord;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The boards of a control plane. Any replica takes any call; what counts is the order of the ledger
 * ({@code ledger.record.LexiconLedger}), so a call writes entries and then looks what they came to.
 * What a call writes is durable when it returns, and repeating it is safe: a turn is known by its
 * digest. For any number of threads; blocks.
 */
public final class BoardRegistry implements AutoCloseable {
  /** Most turns of one report. */
  static final int MAX_TURNS = 256;

  private final LexiconContext context;
  private final BoardJournal journal;
  private final BoardPublisher publisher;
  private final BoardQuota quota = new BoardQuota();
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
      LexiconMetrics metrics,
      LexiconSettings settings,
      BoardReaders readers,
      int pollMs) {}

  /** What came of a turn that coins. */
  public record Coinage(
      Set<Integer> accepted, SortedMap<Integer, String> refused, Optional<BoardRecord> board) {}

  /** What came of a report: how many turns. */
  public record Reported(int counted, int repeated, int ignored) {}

  /** Begins to tell of changes at once; the ledger must have been read. */
  public BoardRegistry(LexiconContext context) {
    this.context = context;
    this.journal = new BoardJournal(context.ledger(), context.view());
    TermCounts counts = new TermCounts(context.view());
    context.metrics().bind(() -> context.view().read(LedgerState::boardCount), counts::of);
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

  // ---- turns ----

  /**
   * Puts a turn that coins, challenges or repairs on the ledger.
   *
   * @param agent whose sidecar says so: the speaker's or the listener's, which both hear the
   *     channel
   * @param whole true: nothing is written unless every line would count
   */
  public Result<Coinage> coin(ReportedTurn turn, String agent, boolean whole) {
    return counted("coin", context.settings().enabled() ? coined(turn, agent, whole) : off());
  }

  private static <T> Result<T> off() {
    return Result.refused(
        Result.Kind.PRECONDITION, "lexicon_off", "this control plane keeps no boards");
  }

  private Result<Coinage> coined(ReportedTurn turn, String agent, boolean whole) {
    String board = turn.id().board();
    Optional<Result.Refused<Coinage>> behind = journal.catchUp();
    if (behind.isPresent()) {
      return behind.get();
    }
    Optional<TurnRecord> known = journal.now(state -> state.boardTurn(board, turn.id().turn()));
    if (known.isPresent()) {
      context.metrics().turns("repeated", 1);
      return Result.done(told(turn, known.get(), new TreeMap<>()));
    }
    long now = context.store().nowMs();
    Optional<BoardRecord> stands = journal.now(state -> state.board(board));
    BoardRecord before = stands.orElseGet(() -> fresh(board, now));
    if (before.board().turns() >= BoardHistory.TURNS_MAX) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "board_full",
          "board " + board + " has " + BoardHistory.TURNS_MAX + " turns");
    }
    CoinageCheck check = CoinageCheck.of(turn, agent, before, now);
    if (check.changes().isEmpty()) {
      // The turn is one without coinage; it is reported as such if it goes on.
      return Result.done(told(turn, new TurnRecord(Set.of(), new TreeMap<>()), check.refused()));
    }
    if (whole && !check.refused().isEmpty()) {
      check.refused().values().forEach(context.metrics()::rejected);
      return Result.done(new Coinage(Set.of(), check.refused(), stands));
    }
    if (stands.isEmpty() && !quota.take(agent, now)) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "too_many_boards",
          agent + " has opened " + BoardQuota.BOARDS_A_MINUTE + " boards within a minute");
    }
    List<Entry> entries = new ArrayList<>();
    if (stands.isEmpty()) {
      entries.add(before.opened());
    }
    entries.add(turn.used(now));
    entries.addAll(check.changes());
    Optional<Result.Refused<Coinage>> written = journal.append(entries);
    // The answer of the ledger may have been lost, or somebody was faster: what stands decides.
    Optional<TurnRecord> became = journal.now(state -> state.boardTurn(board, turn.id().turn()));
    if (became.isPresent()) {
      context.metrics().turns("coined", 1);
      countReuse(turn);
      return Result.done(told(turn, became.get(), check.refused()));
    }
    return written
        .<Result<Coinage>>map(refused -> refused)
        .orElseGet(() ->
            Result.refused(
                Result.Kind.PRECONDITION,
                "board_full",
                "board " + board + " has taken as many turns as one may have"));
  }

  /** A board as it would be opened now. */
  private BoardRecord fresh(String board, long nowMs) {
    List<LexiconEntry.Group> groups = new ArrayList<>();
    context
        .settings()
        .groups()
        .forEach((name, members) -> groups.add(new LexiconEntry.Group(name, members)));
    LexiconEntry.BoardOpened opened =
        new LexiconEntry.BoardOpened(
            board,
            groups,
            context.settings().share() == Sharing.AUTO
                ? LexiconEntry.Share.AUTO
                : LexiconEntry.Share.REVIEWED,
            nowMs);
    return new BoardRecord(
        opened, 0, Board.empty(opened.rules()), Set.of(), Set.of(), Map.of(), 1, 0, 0, nowMs);
  }

  /** Every line of the turn either counts or has a reason why not. */
  private Coinage told(ReportedTurn turn, TurnRecord became, SortedMap<Integer, String> refused) {
    SortedMap<Integer, String> all = new TreeMap<>(refused);
    became.refused().forEach((line, cause) -> all.put(line, cause.code()));
    TurnFacts facts = turn.facts();
    facts.directives().forEach(line -> all.putIfAbsent(line.line(), "turn_known"));
    facts.coinages().forEach(line -> all.putIfAbsent(line.line(), "turn_known"));
    all.keySet().removeAll(became.accepted());
    all.values().forEach(context.metrics()::rejected);
    return new Coinage(
        became.accepted(), all, journal.now(state -> state.board(turn.id().board())));
  }

  private void countReuse(ReportedTurn turn) {
    context.metrics().reused(turn.facts().channel().isPublic(), turn.facts().uses().size());
  }

  /**
   * Counts turns without coinage; the first report of a turn counts.
   *
   * @param agent whose sidecar says so
   */
  public Result<Reported> report(List<ReportedTurn> turns, String agent) {
    return counted("report", context.settings().enabled() ? reported(turns, agent) : off());
  }

  private Result<Reported> reported(List<ReportedTurn> turns, String agent) {
    if (turns.size() > MAX_TURNS) {
      return Result.refused(
          Result.Kind.INVALID,
          "bad_turn",
          "got " + turns.size() + " turns, expected at most " + MAX_TURNS);
    }
    Optional<Result.Refused<Reported>> behind = journal.catchUp();
    if (behind.isPresent()) {
      return behind.get();
    }
    long now = context.store().nowMs();
    List<ReportedTurn> fresh = new ArrayList<>();
    Set<String> digests = new HashSet<>();
    int repeated = 0;
    for (ReportedTurn turn : turns) {
      if (!isHeard(turn, agent)) {
        continue;
      }
      if (isKnown(turn) || !digests.add(turn.id().board() + turn.id().turn())) {
        repeated++;
      } else {
        fresh.add(turn);
      }
    }
    if (!fresh.isEmpty()) {
      Optional<Result.Refused<Reported>> written =
          journal.append(fresh.stream().<Entry>map(turn -> turn.used(now)).toList());
      if (written.isPresent()) {
        return written.get(); // sent again, those that are there all the same are repeated
      }
    }
    List<ReportedTurn> counted = fresh.stream().filter(this::isKnown).toList();
    counted.forEach(this::countReuse);
    int ignored = turns.size() - repeated - counted.size();
    context.metrics().turns("counted", counted.size());
    context.metrics().turns("repeated", repeated);
    context.metrics().turns("ignored", ignored);
    return Result.done(new Reported(counted.size(), repeated, ignored));
  }

  private boolean isHeard(ReportedTurn turn, String agent) {
    TurnFacts facts = turn.facts();
    return journal
        .now(state -> state.board(turn.id().board()))
        .map(board -> board.board().rules())
        .filter(rules -> rules.hears(facts.speaker(), facts.channel()))
        .filter(rules -> rules.hears(agent, facts.channel()))
        .isPresent();
  }

  private boolean isKnown(ReportedTurn turn) {
    return journal.now(state -> state.boardTurn(turn.id().board(), turn.id().turn())).isPresent();
  }

  // ---- boards ----

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

  <T> Result<T> counted(String call, Result<T> result) {
    context
        .metrics()
        .counted(
            call,
            switch (result) {
              case Result.Done<T> _ -> "done";
              case Result.Refused<T> refused -> refused.reason();
            });
    return result;
  }

  @Override
  public void close() {
    rule.close();
    publisher.close();
  }
}
