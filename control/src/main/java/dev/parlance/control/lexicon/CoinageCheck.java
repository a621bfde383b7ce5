package dev.parlance.control.lexicon;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which lines of a turn would change the board as it is now. Only these are put on the ledger,
 * whose order then decides: what cannot count leaves no definition there.
 *
 * @param changes entries of the lines that would count, in the order of their lines
 * @param refused by number of line, the code of why it would not
 */
record CoinageCheck(List<LexiconEntry.Change> changes, SortedMap<Integer, String> refused) {
  private static final String CHALLENGE_INVALID = "challenge_invalid";
  private static final String REPAIR_INVALID = "repair_invalid";

  /**
   * Looks at every line.
   *
   * @param agent whose sidecar tells of the turn
   */
  static CoinageCheck of(ReportedTurn turn, String agent, BoardRecord record, long atMs) {
    return new Looking(turn, agent, record, atMs).look();
  }

  /** One turn being looked at. */
  private static final class Looking {
    private final ReportedTurn turn;
    private final String agent;
    private final BoardRecord record;
    private final long atMs;
    private final List<LexiconEntry.Change> changes = new ArrayList<>();
    private final SortedMap<Integer, String> refused = new TreeMap<>();
    private int room;

    Looking(ReportedTurn turn, String agent, BoardRecord record, long atMs) {
      this.turn = turn;
      this.agent = agent;
      this.record = record;
      this.atMs = atMs;
      this.room = BoardHistory.TERMS_MAX - record.board().entries().size();
    }

    CoinageCheck look() {
      TurnFacts facts = turn.facts();
      BoardRules rules = record.board().rules();
      if (!rules.hears(facts.speaker(), facts.channel()) || !rules.hears(agent, facts.channel())) {
        facts.directives().forEach(line -> refused.put(line.line(), Cause.NOT_HEARD.code()));
        facts.coinages().forEach(line -> refused.put(line.line(), Cause.NOT_HEARD.code()));
        return result();
      }
      List<TurnFacts.Directed> open = facts.directives().stream().filter(this::isOpen).toList();
      Board.Step step =
          record
              .board()
              .apply(
                  new TurnFacts(
                      facts.speaker(),
                      facts.channel(),
                      facts.tokens(),
                      facts.checkpoint(),
                      List.of(),
                      open,
                      facts.coinages()));
      for (TurnFacts.Directed line : open) {
        if (step.accepted().contains(line.line())) {
          take(line.line(), () -> directed(line));
        } else {
          refused.put(line.line(), invalid(line));
        }
      }
      Iterator<CoinRefusal> why = step.refusals().iterator();
      for (TurnFacts.Coined line : facts.coinages()) {
        if (!step.accepted().contains(line.line())) {
          refused.put(line.line(), why.next().reason().code());
        } else if (room == 0) {
          refused.put(line.line(), Cause.BOARD_FULL.code());
        } else {
          room--;
          take(
              line.line(),
              () ->
                  new LexiconEntry.Coined(
                      turn.id(), line.line(), line.term(), line.definition(), atMs));
        }
      }
      return result();
    }

    private CoinageCheck result() {
      changes.sort(Comparator.comparingInt(LexiconEntry.Change::line));
      return new CoinageCheck(List.copyOf(changes), refused);
    }

    /** A term that waits is its coiner's alone, and a retired one nobody's. */
    private boolean isOpen(TurnFacts.Directed line) {
      Optional<BoardEntry> entry = line.term().flatMap(record::term);
      Optional<CoinedStatus> status = entry.map(record::status);
      if (status.filter(CoinedStatus.RETIRED::equals).isPresent()) {
        refused.put(line.line(), Cause.TERM_RETIRED.code());
        return false;
      }
      boolean isSeen =
          entry.isPresent()
              && (status.get() != CoinedStatus.WAITING
                  || entry.get().by().equals(turn.facts().speaker()));
      if (!isSeen) {
        refused.put(line.line(), Cause.TERM_NOT_SEEN.code());
      }
      return isSeen;
    }

    private String invalid(TurnFacts.Directed line) {
      boolean isUsable =
          line.term()
              .flatMap(record::term)
              .filter(entry ->
                  record.board().rules().hears(turn.facts().speaker(), entry.visibility())
                      || (turn.facts().channel().isPublic() && entry.leaked()))
              .isPresent();
      if (!isUsable) {
        return Cause.TERM_NOT_SEEN.code();
      }
      return line.request() == TurnText.Request.CHALLENGE ? CHALLENGE_INVALID : REPAIR_INVALID;
    }

    private interface Making {
      LexiconEntry.Change entry();
    }

    private void take(int line, Making making) {
      if (changes.size() == BoardHistory.LINES_MAX) {
        refused.put(line, Cause.TOO_MANY_LINES.code());
        return;
      }
      try {
        changes.add(making.entry());
      } catch (IllegalArgumentException impossible) {
        refused.put(line, CoinRefusal.Reason.SYNTAX.code()); // a line feed in it, for one
      }
    }

    private LexiconEntry.Change directed(TurnFacts.Directed line) {
      TurnFacts.TermRef term = line.term().orElseThrow();
      String visibility = term.visibility().toString();
      String body = line.body().orElseThrow();
      return line.request() == TurnText.Request.CHALLENGE
          ? new LexiconEntry.Challenged(turn.id(), line.line(), visibility, term.key(), body, atMs)
          : new LexiconEntry.Repaired(turn.id(), line.line(), visibility, term.key(), body, atMs);
    }
  }
}
