package dev.parlance.control.lexicon;

import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.control.lexicon.BoardRegistry.LexiconContext;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.TurnRecord;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.service.MinuteQuota;
import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The turns of boards, as sidecars tell of them: put on the ledger before they are said if they
 * change a board, afterwards if they only use terms, and taken off it if nobody heard them.
 */
public final class BoardTurns {
  /** Most turns of one report. */
  static final int MAX_TURNS = 256;

  /** Most boards that an agent opens at one replica within a minute. */
  private static final int BOARDS_A_MINUTE = 600;

  private final LexiconContext context;
  private final BoardJournal journal;
  private final MinuteQuota quota = new MinuteQuota(BOARDS_A_MINUTE);

  BoardTurns(LexiconContext context, BoardJournal journal) {
    this.context = context;
    this.journal = journal;
  }

  /** What came of a turn that coins. */
  public record Coinage(
      Set<Integer> accepted, SortedMap<Integer, String> refused, Optional<BoardRecord> board) {}

  /** What came of a report: how many turns. */
  public record Reported(int counted, int repeated, int ignored) {}

  /**
   * Puts a turn that coins, challenges or repairs on the ledger.
   *
   * @param agent whose sidecar says so: the speaker's or the listener's, which both hear the
   *     channel
   * @param whole true: nothing is written unless every line would count
   */
  public Result<Coinage> coin(ReportedTurn turn, String agent, boolean whole) {
    return context.counted(
        "coin", context.settings().enabled() ? coined(turn, agent, whole) : off());
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
      context.metrics().count(ControlMeter.LEXICON_TURNS, "repeated", 1);
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
      check
          .refused()
          .values()
          .forEach(code -> context.metrics().count(ControlMeter.LEXICON_REJECTED, code));
      return Result.done(new Coinage(Set.of(), check.refused(), stands));
    }
    if (stands.isEmpty() && !quota.take(agent, now)) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "too_many_boards",
          agent + " has opened " + BOARDS_A_MINUTE + " boards within a minute");
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
      context.metrics().count(ControlMeter.LEXICON_TURNS, "coined", 1);
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
    all.values().forEach(code -> context.metrics().count(ControlMeter.LEXICON_REJECTED, code));
    return new Coinage(
        became.accepted(), all, journal.now(state -> state.board(turn.id().board())));
  }

  private void countReuse(ReportedTurn turn) {
    context
        .metrics()
        .count(
            ControlMeter.LEXICON_REUSE,
            turn.facts().channel().isPublic() ? "public" : "faction",
            turn.facts().uses().size());
  }

  /**
   * Counts turns without coinage; the first report of a turn counts.
   *
   * @param agent whose sidecar says so
   */
  public Result<Reported> report(List<ReportedTurn> turns, String agent) {
    return context.counted("report", context.settings().enabled() ? reported(turns, agent) : off());
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
    context.metrics().count(ControlMeter.LEXICON_TURNS, "counted", counted.size());
    context.metrics().count(ControlMeter.LEXICON_TURNS, "repeated", repeated);
    context.metrics().count(ControlMeter.LEXICON_TURNS, "ignored", ignored);
    return Result.done(new Reported(counted.size(), repeated, ignored));
  }

  /**
   * Takes a turn off its board that nobody heard.
   *
   * @param agent whose sidecar says so
   * @return false if it stays, because its terms were taken up
   */
  public Result<Boolean> retract(ReportedTurn turn, String agent) {
    return context.counted(
        "retract", context.settings().enabled() ? retracted(turn, agent) : off());
  }

  private Result<Boolean> retracted(ReportedTurn turn, String agent) {
    Optional<Result.Refused<Boolean>> behind = journal.catchUp();
    if (behind.isPresent()) {
      return behind.get();
    }
    if (!isKnown(turn)) {
      return Result.done(true);
    }
    if (!isHeard(turn, agent)) {
      return Result.done(false);
    }
    Optional<Result.Refused<Boolean>> written =
        journal.append(
            List.of(
                new LexiconEntry.Retracted(
                    turn.id().board(), turn.id().turn(), agent, context.store().nowMs())));
    if (written.isPresent()) {
      return written.get(); // asked again, it is gone or not
    }
    boolean gone = !isKnown(turn);
    if (gone) {
      context.metrics().count(ControlMeter.LEXICON_TURNS, "retracted", 1);
    }
    return Result.done(gone);
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
}
