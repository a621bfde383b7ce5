package dev.parlance.ledger.record;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.text.Coded;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A board of coined terms as the ledger has it.
 *
 * @param opened how it was opened
 * @param index where that stands
 * @param board its terms, those that wait and those that are retired included
 * @param waiting terms that a person has not shared yet
 * @param retired terms that are off the board
 * @param promoted terms that are in a plan
 * @param revision how many entries of the board count
 * @param changes how many turns have changed the board
 * @param number the largest number of a turn
 * @param changedAtMs time of the last entry that counts
 */
public record BoardRecord(
    LexiconEntry.BoardOpened opened,
    long index,
    Board board,
    Set<TermRef> waiting,
    Set<TermRef> retired,
    Map<TermRef, LexiconEntry.Promoted> promoted,
    long revision,
    long changes,
    long number,
    long changedAtMs) {
  /** Keeps copies. */
  public BoardRecord {
    waiting = Set.copyOf(waiting);
    retired = Set.copyOf(retired);
    promoted = Map.copyOf(promoted);
  }

  /** What has become of a coined term. */
  public enum CoinedStatus implements Coded {
    /** Only its coiner sees it until a person has shared it. */
    WAITING,
    /** It can be used. */
    ACTIVE,
    /** It was challenged and not repaired since. */
    CONTESTED,
    /** It is off the board. */
    RETIRED
  }

  /**
   * What became of a turn on the ledger.
   *
   * @param accepted numbers of the lines that count
   * @param refused by number of line, why it does not
   */
  public record TurnRecord(Set<Integer> accepted, SortedMap<Integer, Applied.Cause> refused) {
    /** Keeps copies. */
    public TurnRecord {
      accepted = Set.copyOf(accepted);
      refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    }
  }

  /** The board's id. */
  public String id() {
    return opened.board();
  }

  /** The term; empty if none of the board. */
  public Optional<BoardEntry> term(TermRef term) {
    return board.entries().stream().filter(entry -> entry.ref().equals(term)).findFirst();
  }

  /** What has become of a term of the board. */
  public CoinedStatus status(BoardEntry entry) {
    if (retired.contains(entry.ref())) {
      return CoinedStatus.RETIRED;
    }
    if (waiting.contains(entry.ref())) {
      return CoinedStatus.WAITING;
    }
    return entry.contested() ? CoinedStatus.CONTESTED : CoinedStatus.ACTIVE;
  }

  /** True if the term is in a plan, and was repaired since it came into it. */
  public boolean isRepaired(BoardEntry entry) {
    LexiconEntry.Promoted last = promoted.get(entry.ref());
    return last != null && entry.version() > last.version();
  }
}
