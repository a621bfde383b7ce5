package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.proxy.gate.Lexicons.Group;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The boards of the control plane, as a sidecar asks about them. Nothing blocks; what is returned
 * completes in bounded time, on any thread, and never exceptionally.
 */
public interface LexiconControl {
  /** Most turns in one report. */
  int MAX_TURNS = 256;

  /**
   * What became of a turn that changes its board.
   *
   * @param accepted numbers of the lines that count
   * @param refused by number of line, the code why it does not
   * @param board behind it, if it could be read
   */
  record Receipt(
      Set<Integer> accepted, SortedMap<Integer, String> refused, Optional<HeldBoard> board) {
    /** Takes copies. */
    public Receipt {
      accepted = Set.copyOf(accepted);
      refused = new TreeMap<>(refused);
    }
  }

  /** What became of turns that were reported. */
  record Tally(int counted, int repeated, int ignored) {}

  /**
   * Puts a turn onto the ledger.
   *
   * @param whole true: only if every line counts; a line is neither accepted nor refused then if it
   *     would count without the others
   */
  CompletableFuture<Result<Receipt>> coin(TurnReport turn, boolean whole);

  /**
   * Has turns counted.
   *
   * @param turns at most {@value #MAX_TURNS}
   */
  CompletableFuture<Result<Tally>> report(List<TurnReport> turns);

  /**
   * Takes a turn off the ledger that nobody heard.
   *
   * @return false if it stays, because its terms were taken up
   */
  CompletableFuture<Result<Boolean>> retract(TurnReport turn);

  /**
   * Decides about a term that waits for a person.
   *
   * @param share false: it is retired
   * @return whether it is shared now; it may have been decided on before
   */
  CompletableFuture<Result<Boolean>> review(String board, TermRef term, boolean share);

  /** A board as it stands. */
  CompletableFuture<Result<HeldBoard>> board(String board);

  /** Has newer revisions of a board pushed from now on. */
  void want(String board, long revision);

  /** Wants it no longer. */
  void drop(String board);

  /**
   * Says where pushed boards go: what is returned says whether the board is in force.
   *
   * @param take called on one thread
   */
  void onPush(Function<HeldBoard, Taken> take);

  /**
   * Says where the factions go that the control plane names when it is reached.
   *
   * @param take called on one thread
   */
  void onGroups(Consumer<List<Group>> take);

  /** What became of a pushed board. */
  enum Taken {
    /** It is in force. */
    IN_FORCE,
    /** A newer one is. */
    OLDER,
    /** Nobody here wants it. */
    UNWANTED
  }
}
