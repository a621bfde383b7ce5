package dev.parlance.ledger.record;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.lexicon.TurnText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Boards of coined terms as the order of their entries has them: the first entry of a turn's digest
 * counts, its changes are the lines directly behind it, and {@link BoardHistory} says where a turn
 * stands that was told late. What waits for a person is used and contested by its coiner alone, and
 * what is retired by nobody, from that entry on.
 *
 * <p>Keeps the boards that changed last: at most {@link #BOARDS_MAX}, with {@link #WEIGHT_MAX}
 * turns and terms together.
 */
final class LexiconLedger {
  /** Most boards that are kept. */
  static final int BOARDS_MAX = 10_000;

  /** Most turns and terms of all boards that are kept. */
  static final long WEIGHT_MAX = 200_000;

  private final int boardsMax;
  private final long weightMax;

  /** The last changed behind all others. */
  private final LinkedHashMap<String, Kept> boards = new LinkedHashMap<>();

  private long weight;

  /** A board, and the turn whose lines may follow. */
  private static final class Kept {
    final LexiconEntry.BoardOpened opened;
    final long index;
    final BoardHistory history;
    final Map<String, Optional<Lines>> turns = new HashMap<>();
    final Map<TermRef, String> coiners = new HashMap<>();
    final Set<TermRef> waiting = new HashSet<>();
    final Set<TermRef> retired = new HashSet<>();
    final Map<TermRef, LexiconEntry.Promoted> promoted = new HashMap<>();
    String lastTurn = "";
    long revision;
    long changedAtMs;

    Kept(LexiconEntry.BoardOpened opened, long index) {
      this.opened = opened;
      this.index = index;
      history = new BoardHistory(opened.rules());
      changedAtMs = opened.atMs();
      revision = index + 1; // larger than any that the board had if it was opened before
    }

    long weight() {
      return (long) history.turns() + coiners.size();
    }

    /** Whether this speaker can mean the term, as far as a person has a say in it. */
    boolean isOpenTo(String speaker, TermRef term) {
      return !retired.contains(term)
          && (!waiting.contains(term) || speaker.equals(coiners.get(term)));
    }

    BoardRecord record() {
      return new BoardRecord(
          opened,
          index,
          history.board(),
          waiting,
          retired,
          promoted,
          revision,
          history.changes(),
          history.number(),
          changedAtMs);
    }
  }

  /** The lines of a turn that would change its board. */
  private static final class Lines {
    /** Names the turn in the history. */
    final long told;

    final Set<TermRef> coined = new HashSet<>();
    final Set<Integer> accepted = new HashSet<>();
    final TreeMap<Integer, Cause> refused = new TreeMap<>();

    Lines(long told) {
      this.told = told;
    }
  }

  LexiconLedger() {
    this(BOARDS_MAX, WEIGHT_MAX);
  }

  LexiconLedger(int boardsMax, long weightMax) {
    this.boardsMax = boardsMax;
    this.weightMax = weightMax;
  }

  // ---- questions ----

  Optional<BoardRecord> of(String id) {
    return Optional.ofNullable(boards.get(id)).map(Kept::record);
  }

  List<BoardRecord> last(int limit) {
    return boards.sequencedValues().reversed().stream().limit(limit).map(Kept::record).toList();
  }

  int count() {
    return boards.size();
  }

  /** How the term last came into a plan. */
  Optional<LexiconEntry.Promoted> promotion(String id, TermRef term) {
    return Optional.ofNullable(boards.get(id))
        .flatMap(board -> Optional.ofNullable(board.promoted.get(term)));
  }

  List<TurnFacts> facts(String id) {
    return Optional.ofNullable(boards.get(id)).map(one -> one.history.facts()).orElse(List.of());
  }

  Optional<BoardRecord.TurnRecord> turn(String id, String turn) {
    return Optional.ofNullable(boards.get(id))
        .flatMap(board -> Optional.ofNullable(board.turns.get(turn)))
        .map(lines ->
            lines
                .map(some -> new BoardRecord.TurnRecord(some.accepted, some.refused))
                .orElse(new BoardRecord.TurnRecord(Set.of(), new TreeMap<>())));
  }

  // ---- entries ----

  Applied apply(long index, LexiconEntry entry) {
    Kept board = boards.get(entry.board());
    if (entry instanceof LexiconEntry.BoardOpened opened) {
      return board == null ? opened(index, opened) : again(board.opened, opened);
    }
    if (board == null) {
      return Applied.ignored(Cause.BOARD_UNKNOWN);
    }
    long before = board.weight();
    Optional<Cause> cause =
        switch (entry) {
          case LexiconEntry.Used used -> used(board, used);
          case LexiconEntry.Change change -> change(board, change);
          case LexiconEntry.Shared shared -> shared(board, shared);
          case LexiconEntry.Promoted promoted -> promoted(board, promoted);
          case LexiconEntry.Retired retired -> retired(board, retired);
          case LexiconEntry.Retracted retracted -> retracted(board, retracted);
          case LexiconEntry.BoardOpened _ -> throw new IllegalStateException("taken in above");
        };
    if (cause.isPresent()) {
      return Applied.ignored(cause.get());
    }
    board.revision++;
    board.changedAtMs = entry.atMs();
    keep(board, board.weight() - before);
    return Applied.COUNTED;
  }

  private Applied opened(long index, LexiconEntry.BoardOpened opened) {
    keep(new Kept(opened, index), 0);
    return Applied.COUNTED;
  }

  private static Applied again(LexiconEntry.BoardOpened first, LexiconEntry.BoardOpened second) {
    boolean same = first.groups().equals(second.groups()) && first.share() == second.share();
    return Applied.ignored(same ? Cause.DUPLICATE : Cause.BOARD_EXISTS);
  }

  /** The board has changed last; those that changed longest ago make room for it. */
  private void keep(Kept board, long heavier) {
    boards.putLast(board.opened.board(), board);
    weight += heavier;
    while (boards.size() > 1 && (boards.size() > boardsMax || weight > weightMax)) {
      weight -= boards.pollFirstEntry().getValue().weight();
    }
  }

  private static Optional<Cause> used(Kept board, LexiconEntry.Used used) {
    LexiconEntry.TurnId id = used.id();
    board.lastTurn = "";
    if (board.turns.containsKey(id.turn())) {
      return Optional.of(Cause.DUPLICATE);
    }
    List<TurnFacts.Use> uses =
        used.uses().stream()
            .map(use -> new TurnFacts.Use(ref(use.visibility(), use.key()), use.times()))
            .filter(use -> board.isOpenTo(id.speaker(), use.term()))
            .toList();
    TurnFacts facts =
        new TurnFacts(
            id.speaker(),
            channel(id.channel()),
            used.tokens(),
            used.checkpoint(),
            uses,
            List.of(),
            List.of());
    if (!board.history.add(facts, used.after(), used.number())) {
      return Optional.of(Cause.BOARD_FULL);
    }
    board.turns.put(id.turn(), Optional.empty());
    board.lastTurn = id.turn();
    return Optional.empty();
  }

  private static Optional<Cause> change(Kept board, LexiconEntry.Change change) {
    String turn = change.id().turn();
    if (!turn.equals(board.lastTurn)) {
      return Optional.of(board.turns.containsKey(turn) ? Cause.DUPLICATE : Cause.TURN_UNKNOWN);
    }
    Lines lines =
        board
            .turns
            .getOrDefault(turn, Optional.empty())
            .orElseGet(() -> new Lines(board.history.lastTold()));
    board.turns.put(turn, Optional.of(lines));
    if (lines.accepted.contains(change.line()) || lines.refused.containsKey(change.line())) {
      return Optional.of(Cause.DUPLICATE);
    }
    Optional<Cause> cause =
        switch (change) {
          case LexiconEntry.Coined coined -> coined(board, lines, coined);
          case LexiconEntry.Challenged challenged ->
              directed(board, challenged, TurnText.Request.CHALLENGE, challenged.reason());
          case LexiconEntry.Repaired repaired ->
              directed(board, repaired, TurnText.Request.REPAIR, repaired.definition());
        };
    if (cause.isEmpty()) {
      lines.accepted.add(change.line());
    } else if (lines.refused.size() < BoardHistory.LINES_MAX) {
      lines.refused.put(change.line(), cause.get());
    }
    return cause;
  }

  private static Optional<Cause> coined(Kept board, Lines lines, LexiconEntry.Coined coined) {
    String key = BoardRules.key(coined.term());
    Optional<Cause> cause =
        cause(
            board.history.coin(
                new TurnFacts.Coined(
                    coined.line(), coined.term(), key, coined.definition(), Optional.empty())));
    if (cause.isEmpty()) {
      TermRef term = ref(coined.id().channel(), key);
      lines.coined.add(term);
      board.coiners.put(term, coined.id().speaker());
      if (board.opened.share() == LexiconEntry.Share.REVIEWED) {
        board.waiting.add(term);
      }
    }
    return cause;
  }

  private static <T extends LexiconEntry.Change & LexiconEntry.OfTerm> Optional<Cause> directed(
      Kept board, T change, TurnText.Request request, String body) {
    TermRef term = change.ref();
    if (!board.isOpenTo(change.id().speaker(), term)) {
      return Optional.of(board.retired.contains(term) ? Cause.TERM_RETIRED : Cause.TERM_NOT_SEEN);
    }
    return cause(
        board.history.direct(
            new TurnFacts.Directed(
                change.line(), request, term.key(), Optional.of(term), Optional.of(body))));
  }

  private static Optional<Cause> cause(BoardHistory.Line line) {
    return switch (line) {
      case COUNTED -> Optional.empty();
      case NOT_NOVEL -> Optional.of(Cause.NOT_NOVEL);
      case DUPLICATE_IN_TURN -> Optional.of(Cause.DUPLICATE_IN_TURN);
      case TERM_UNKNOWN -> Optional.of(Cause.TERM_NOT_SEEN);
      case DENIED -> Optional.of(Cause.NOT_HEARD);
      case FULL -> Optional.of(Cause.BOARD_FULL);
      case TOO_MANY_LINES -> Optional.of(Cause.TOO_MANY_LINES);
    };
  }

  private static Optional<Cause> shared(Kept board, LexiconEntry.Shared shared) {
    if (!board.coiners.containsKey(shared.ref())) {
      return Optional.of(Cause.TERM_NOT_SEEN);
    }
    if (board.retired.contains(shared.ref())) {
      return Optional.of(Cause.TERM_RETIRED);
    }
    return board.waiting.remove(shared.ref()) ? Optional.empty() : Optional.of(Cause.DUPLICATE);
  }

  private static Optional<Cause> promoted(Kept board, LexiconEntry.Promoted promoted) {
    TermRef term = promoted.ref();
    Optional<BoardEntry> entry =
        board.history.board().entries().stream().filter(one -> one.ref().equals(term)).findFirst();
    if (entry.isEmpty()) {
      return Optional.of(Cause.TERM_NOT_SEEN);
    }
    if (board.retired.contains(term)) {
      return Optional.of(Cause.TERM_RETIRED);
    }
    if (board.waiting.contains(term)) {
      return Optional.of(Cause.TERM_WAITS);
    }
    if (promoted.uses() > entry.get().reuse()
        || promoted.speakers() > entry.get().speakers().size()
        || promoted.version() > entry.get().version()) {
      return Optional.of(Cause.TOO_FEW_USES);
    }
    LexiconEntry.Promoted before = board.promoted.get(term);
    if (before != null
        && before.plan().equals(promoted.plan())
        && before.version() >= promoted.version()) {
      return Optional.of(Cause.DUPLICATE);
    }
    board.promoted.put(term, promoted);
    return Optional.empty();
  }

  private static Optional<Cause> retired(Kept board, LexiconEntry.Retired retired) {
    if (!board.coiners.containsKey(retired.ref())) {
      return Optional.of(Cause.TERM_NOT_SEEN);
    }
    return board.retired.add(retired.ref()) ? Optional.empty() : Optional.of(Cause.DUPLICATE);
  }

  /** Once its digest is unknown again, the turn counts if it is said after all. */
  private static Optional<Cause> retracted(Kept board, LexiconEntry.Retracted retracted) {
    Optional<Lines> lines = board.turns.getOrDefault(retracted.turn(), Optional.empty());
    if (lines.filter(some -> !some.accepted.isEmpty()).isEmpty()) {
      return Optional.of(Cause.TURN_UNKNOWN);
    }
    Set<TermRef> coined = lines.get().coined;
    if (board.history.board().entries().stream()
        .anyMatch(term -> coined.contains(term.ref()) && isTakenUp(board, term))) {
      return Optional.of(Cause.TAKEN_UP);
    }
    board.history.retract(lines.get().told);
    board.turns.remove(retracted.turn());
    board.coiners.keySet().removeAll(coined);
    board.waiting.removeAll(coined);
    board.lastTurn = "";
    return Optional.empty();
  }

  private static boolean isTakenUp(Kept board, BoardEntry term) {
    return term.reuse() > 0
        || term.contested()
        || term.version() > 1
        || board.retired.contains(term.ref())
        || board.promoted.containsKey(term.ref());
  }

  private static TermRef ref(String visibility, String key) {
    return new TermRef(channel(visibility), key);
  }

  private static Channel channel(String name) {
    return Channel.of(name).orElseThrow();
  }
}
