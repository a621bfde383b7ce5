package dev.parlance.policy.lexicon;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The turns of a board in the order in which they count, however late they are told of. A turn that
 * changes the board stands where it was told. A turn that only uses stands behind as many changes
 * as were on the board that it was read with and before the next one, among its like by number and
 * then as they were told.
 *
 * <pre>
 * uses with after = 0 | change 1 | uses with after = 1 | change 2 | uses with after = 2 | ...
 * </pre>
 *
 * <p>What is a change stays one and what was refused stays refused, whatever is told later: a late
 * use can only leak a term, which takes no right from anybody. A turn that nobody heard is taken
 * out again; the others stay where they are. Keeps the facts of every turn and a board at every
 * {@value #STRIDE}th. Not for several threads.
 */
public final class BoardHistory {
  /** Most turns of a board; further ones are not counted. */
  public static final int TURNS_MAX = 10_000;

  /** Most terms of a board; further ones are not coined. */
  public static final int TERMS_MAX = 1_000;

  /** Most lines of a turn that change its board. */
  public static final int LINES_MAX = 8;

  private static final int STRIDE = 64;

  private static final Comparator<Placed> ORDER =
      Comparator.comparingLong(Placed::after)
          .thenComparing(Placed::isChange)
          .thenComparingLong(Placed::number)
          .thenComparingLong(Placed::told);

  /**
   * A turn at its place.
   *
   * @param after how many changes come before it
   * @param told the how-many-th one it was that was told of
   */
  private record Placed(long after, boolean isChange, long number, long told, TurnFacts facts) {}

  /** What became of a line that would change the board. */
  public enum Line {
    /** It does. */
    COUNTED,
    /** The speaker sees a term of that key already. */
    NOT_NOVEL,
    /** An earlier line of the turn coins it, or has its number. */
    DUPLICATE_IN_TURN,
    /** The speaker sees no such term. */
    TERM_UNKNOWN,
    /** The speaker does not hear the channel. */
    DENIED,
    /** There are {@link #TERMS_MAX} terms. */
    FULL,
    /** There are {@link #LINES_MAX} lines of the turn. */
    TOO_MANY_LINES
  }

  private final List<Placed> turns = new ArrayList<>();

  /** Boards by the number of turns on them. */
  private final TreeMap<Integer, Board> boards = new TreeMap<>();

  private Optional<Placed> last = Optional.empty();

  /**
   * False while the last turn may still become a change: nothing is computed for it to be moved.
   */
  private boolean isLastPlaced = true;

  private Board current;
  private long told;
  private long changes;
  private long number;

  /** A board without turns. */
  public BoardHistory(BoardRules rules) {
    current = Board.empty(rules);
    boards.put(0, current);
  }

  /** The board that all turns lead to. */
  public Board board() {
    place();
    return computed();
  }

  private Board computed() {
    int done = current.turns();
    if (done < turns.size()) {
      for (Placed turn : turns.subList(done, turns.size())) {
        current = current.apply(turn.facts()).next();
        if (current.turns() % STRIDE == 0) {
          boards.put(current.turns(), current);
        }
      }
    }
    return current;
  }

  /** How many turns there are. */
  public int turns() {
    return turns.size() + (isLastPlaced ? 0 : 1);
  }

  /** How many turns have changed the board. */
  public long changes() {
    return changes;
  }

  /** The largest number of a turn. */
  public long number() {
    return number;
  }

  /** The facts of every turn in order. */
  public List<TurnFacts> facts() {
    place();
    return turns.stream().map(Placed::facts).toList();
  }

  /**
   * Takes a turn in, as one that only uses; {@link #coin} and {@link #direct} may make it another.
   *
   * @param facts what it uses; what it would change is left out
   * @param after how many changes were on the board that it was read with; not more than there are
   * @param number that its message carried
   * @return false, and nothing changed, if there are {@link #TURNS_MAX}
   */
  public boolean add(TurnFacts facts, long after, long number) {
    if (turns() == TURNS_MAX) {
      return false;
    }
    place();
    TurnFacts uses =
        new TurnFacts(
            facts.speaker(),
            facts.channel(),
            facts.tokens(),
            facts.checkpoint(),
            facts.uses(),
            List.of(),
            List.of());
    this.number = Math.max(this.number, number);
    last = Optional.of(new Placed(Math.min(after, changes), false, number, told++, uses));
    isLastPlaced = false;
    return true;
  }

  /** Names the turn that was added last for {@link #retract}. */
  public long lastTold() {
    return last().told();
  }

  /** Takes a turn out that was told so; how many changes there were stays as it is. */
  public void retract(long turn) {
    place();
    turns.stream().filter(one -> one.told() == turn).findFirst().ifPresent(this::remove);
    last = last.filter(one -> one.told() != turn);
  }

  /** The turn that was added last coins a term as well. */
  public Line coin(TurnFacts.Coined line) {
    return change(line.line(), last().facts().and(line));
  }

  /** The turn that was added last challenges or repairs a term as well. */
  public Line direct(TurnFacts.Directed line) {
    return change(line.line(), last().facts().and(line));
  }

  private Line change(int line, TurnFacts facts) {
    Placed before = last();
    if (lines().contains(line)) {
      return Line.DUPLICATE_IN_TURN;
    }
    if (facts.coinages().size() + facts.directives().size() > LINES_MAX) {
      return Line.TOO_MANY_LINES;
    }
    if (isLastPlaced) {
      remove(before);
      isLastPlaced = false;
    }
    Board.Step step = computed().apply(facts);
    Line became = became(step, line, facts);
    if (became == Line.COUNTED) {
      long behind = before.isChange() ? before.after() : changes++;
      last = Optional.of(new Placed(behind, true, before.number(), before.told(), facts));
    }
    return became;
  }

  private static Line became(Board.Step step, int line, TurnFacts facts) {
    if (step.next().entries().size() > TERMS_MAX) {
      return Line.FULL;
    }
    if (step.accepted().contains(line)) {
      return Line.COUNTED;
    }
    if (!step.next().rules().hears(facts.speaker(), facts.channel())) {
      return Line.DENIED;
    }
    if (step.refusals().isEmpty()) {
      return Line.TERM_UNKNOWN;
    }
    return step.refusals().getLast().reason() == CoinRefusal.Reason.DUPLICATE_IN_TURN
        ? Line.DUPLICATE_IN_TURN
        : Line.NOT_NOVEL;
  }

  private Placed last() {
    return last.orElseThrow(() -> new IllegalStateException("there is no turn to change"));
  }

  private void place() {
    if (!isLastPlaced) {
      Placed turn = last();
      int at = -1 - Collections.binarySearch(turns, turn, ORDER);
      forget(at);
      turns.add(at, turn);
      isLastPlaced = true;
    }
  }

  private void remove(Placed turn) {
    int at = Collections.binarySearch(turns, turn, ORDER);
    forget(at);
    turns.remove(at);
  }

  /** Boards with this turn on them are none any more. */
  private void forget(int turn) {
    if (current.turns() > turn) {
      boards.tailMap(turn, false).clear();
      current = boards.floorEntry(turn).getValue();
    }
  }

  private Set<Integer> lines() {
    TurnFacts facts = last().facts();
    return Stream.concat(
            facts.directives().stream().map(TurnFacts.Directed::line),
            facts.coinages().stream().map(TurnFacts.Coined::line))
        .collect(Collectors.toSet());
  }
}
