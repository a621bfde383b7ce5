package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Tokens;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The terms that speakers have coined for each other, and what they made of them (convention {@code
 * board-1}; the idea is COGENT's, section 3). Immutable: {@link #step} gives the next board.
 *
 * <p>A turn has these effects, in this order. What it coins is not used, challenged or repaired in
 * the same turn.
 *
 * <table>
 *   <caption>Effects of a turn</caption>
 *   <tr><th>Found</th><th>Condition</th><th>Effect</th><th>Event</th></tr>
 *   <tr><td>anything</td><td>speaker is not of the channel's faction</td><td>none</td><td>denied</td></tr>
 *   <tr><td>a term in what is said</td><td>visible, or leaked and the channel is public</td>
 *       <td>reuse + 1, its occurrences, a public speaker</td>
 *       <td>leak (member, public, first time: leaked), echo (no member), else reuse</td></tr>
 *   <tr><td>{@code CHALLENGE}</td><td>the same, with a reason</td><td>contested</td>
 *       <td>challenge, else challenge_unknown or challenge_invalid</td></tr>
 *   <tr><td>{@code REPAIR}</td><td>the same, with a definition</td><td>definition, version + 1,
 *       not contested</td><td>repair, else repair_unknown or repair_invalid</td></tr>
 *   <tr><td>a definition</td><td>passes every check of {@link CoinRefusal.Reason}</td>
 *       <td>a new entry</td><td>coin, else a refusal</td></tr>
 *   <tr><td>a checkpoint</td><td>coined in an earlier turn, public</td><td>an interval ends</td>
 *       <td></td></tr>
 * </table>
 *
 * @param rules what it takes
 * @param entries the terms in the order of their coinage
 * @param turns how many turns there were, those that were denied included
 * @param lastCheckpoint the number of the last turn with a checkpoint, -1 before the first
 * @param publicLogTokens tokens of all public turns that were not denied, definitions included
 */
public record Board(
    BoardRules rules,
    List<BoardEntry> entries,
    int turns,
    int lastCheckpoint,
    long publicLogTokens) {
  /** Keeps a copy. */
  public Board {
    entries = List.copyOf(entries);
    if (turns < 0 || lastCheckpoint < -1 || lastCheckpoint >= turns || publicLogTokens < 0) {
      throw new IllegalArgumentException("no such board: " + turns + " turns");
    }
  }

  /**
   * What a turn led to.
   *
   * @param next the board behind it
   * @param events uses in the order of their first occurrence, then directives, then coinages
   * @param refusals definitions that coined nothing, in the order of their lines
   * @param accepted the numbers of the lines that coined, challenged or repaired, from 0
   */
  public record Step(
      Board next, List<BoardEvent> events, List<CoinRefusal> refusals, Set<Integer> accepted) {
    /** Keeps copies. */
    public Step {
      events = List.copyOf(events);
      refusals = List.copyOf(refusals);
      accepted = Set.copyOf(accepted);
    }
  }

  /** A board without terms. */
  public static Board empty(BoardRules rules) {
    return new Board(rules, List.of(), 0, -1, 0);
  }

  /** The board behind a turn, and what the turn did. */
  public Step step(Turn turn) {
    if (!rules.hears(turn.speaker(), turn.channel())) {
      Board next = new Board(rules, entries, turns + 1, lastCheckpoint, publicLogTokens);
      BoardEvent denied =
          new BoardEvent(turns, BoardEvent.Type.DENIED, Optional.empty(), turn.speaker());
      return new Step(next, List.of(denied), List.of(), Set.of());
    }
    return new Stepping(this, turn).step();
  }

  /** What can be counted on it. */
  public BoardMetrics metrics() {
    return BoardMetrics.of(this);
  }

  /** True if the speaker sees the entry without hearing it used. */
  boolean sees(String speaker, BoardEntry entry) {
    return rules.hears(speaker, entry.visibility());
  }

  /** One turn's way over a board. */
  private static final class Stepping {
    private final Board board;
    private final Turn turn;
    private final TurnText text;
    private final List<String> said;
    private final List<BoardEntry> entries;

    /** By key the one entry that the speaker means by it, as its place among the entries. */
    private final Map<String, Integer> usable = new HashMap<>();

    private final List<BoardEvent> events = new ArrayList<>();
    private final List<CoinRefusal> refusals = new ArrayList<>();
    private final Set<Integer> accepted = new HashSet<>();

    Stepping(Board board, Turn turn) {
      this.board = board;
      this.turn = turn;
      text = TurnText.of(turn.text());
      said = Tokens.of(text.said());
      entries = new ArrayList<>(board.entries);
      for (int place = 0; place < entries.size(); place++) {
        if (isUsable(entries.get(place))) {
          int candidate = place;
          usable.merge(
              entries.get(place).key(),
              candidate,
              (first, other) -> isOfChannel(first) || !isOfChannel(other) ? first : other);
        }
      }
    }

    private boolean isUsable(BoardEntry entry) {
      return board.sees(turn.speaker(), entry) || (turn.channel().isPublic() && entry.leaked());
    }

    private boolean isOfChannel(int place) {
      return entries.get(place).visibility().equals(turn.channel());
    }

    Step step() {
      use();
      for (int number = 0; number < text.lines().size(); number++) {
        if (text.lines().get(number) instanceof TurnText.Directive directive && direct(directive)) {
          accepted.add(number);
        }
      }
      coin();
      boolean checkpoint = turn.checkpoint();
      if (checkpoint) {
        entries.replaceAll(entry -> entry.checkpoint(board.turns, board.lastCheckpoint));
      }
      Board next =
          new Board(
              board.rules,
              entries,
              board.turns + 1,
              checkpoint ? board.turns : board.lastCheckpoint,
              board.publicLogTokens
                  + (turn.channel().isPublic() ? Tokens.of(turn.text()).size() : 0));
      return new Step(next, events, refusals, accepted);
    }

    /** Leftmost, longest, without overlap. */
    private void use() {
      Map<Integer, Integer> times = new LinkedHashMap<>();
      int at = 0;
      while (at < said.size()) {
        int words = Math.min(BoardRules.TERM_WORDS_MAX, said.size() - at);
        while (words > 0 && !usable.containsKey(String.join(" ", said.subList(at, at + words)))) {
          words--;
        }
        if (words > 0) {
          times.merge(usable.get(String.join(" ", said.subList(at, at + words))), 1, Integer::sum);
        }
        at += Math.max(1, words);
      }
      times.forEach((place, count) -> {
        BoardEntry entry = entries.get(place);
        boolean escapes = turn.channel().isPublic() && !entry.visibility().isPublic();
        boolean member = board.sees(turn.speaker(), entry);
        boolean leaks = escapes && member && !entry.leaked();
        BoardEvent.Type type = BoardEvent.Type.REUSE;
        if (leaks) {
          type = BoardEvent.Type.LEAK;
        } else if (escapes && !member) {
          type = BoardEvent.Type.ECHO;
        }
        entries.set(place, entry.used(turn, board.turns, count, leaks));
        event(type, entry.term());
      });
    }

    /** False if the line has no effect. */
    private boolean direct(TurnText.Directive line) {
      boolean challenge = line.request() == TurnText.Request.CHALLENGE;
      Optional<Integer> place = Optional.ofNullable(usable.get(BoardRules.key(line.term())));
      if (place.isEmpty()) {
        event(
            challenge ? BoardEvent.Type.CHALLENGE_UNKNOWN : BoardEvent.Type.REPAIR_UNKNOWN,
            line.term());
        return false;
      }
      BoardEntry entry = entries.get(place.get());
      Optional<String> body =
          line.body()
              .filter(one -> fits(one, BoardRules.DEFINITION_LENGTH_MAX))
              .filter(one -> challenge ? !one.isEmpty() : !BoardRules.key(one).isEmpty());
      if (body.isEmpty()) {
        event(
            challenge ? BoardEvent.Type.CHALLENGE_INVALID : BoardEvent.Type.REPAIR_INVALID,
            entry.term());
        return false;
      }
      entries.set(place.get(), challenge ? entry.challenged() : entry.repaired(body.get()));
      event(challenge ? BoardEvent.Type.CHALLENGE : BoardEvent.Type.REPAIR, entry.term());
      return true;
    }

    private void coin() {
      boolean isFinal = isFinal();
      Set<String> visible = new HashSet<>();
      board.entries.stream()
          .filter(entry -> board.sees(turn.speaker(), entry))
          .forEach(entry -> visible.add(entry.key()));
      Set<String> inTurn = new HashSet<>();
      for (int number = 0; number < text.lines().size(); number++) {
        if (text.lines().get(number) instanceof TurnText.Coinage coinage) {
          String key = BoardRules.key(coinage.term());
          Optional<CoinRefusal.Reason> reason = refusal(coinage, key, isFinal, visible, inTurn);
          if (reason.isPresent()) {
            refusals.add(new CoinRefusal(board.turns, coinage.term(), reason.get()));
          } else {
            entries.add(
                BoardEntry.coined(
                    coinage.term(), key, coinage.definition().orElseThrow(), turn, board.turns));
            accepted.add(number);
            event(BoardEvent.Type.COIN, coinage.term());
          }
        }
      }
    }

    private Optional<CoinRefusal.Reason> refusal(
        TurnText.Coinage coinage,
        String key,
        boolean isFinal,
        Set<String> visible,
        Set<String> inTurn) {
      String definition = coinage.definition().orElse("");
      if (key.isEmpty() || BoardRules.key(definition).isEmpty()) {
        return Optional.of(CoinRefusal.Reason.SYNTAX);
      }
      if (isFinal) {
        return Optional.of(CoinRefusal.Reason.FINAL_MARKER);
      }
      List<String> tokens = List.of(key.split(" ", -1));
      if (tokens.size() > BoardRules.TERM_WORDS_MAX
          || !fits(coinage.term(), BoardRules.TERM_LENGTH_MAX)
          || !fits(definition, BoardRules.DEFINITION_LENGTH_MAX)) {
        return Optional.of(CoinRefusal.Reason.TOO_LONG);
      }
      if (board.rules.blocked().contains(key)) {
        return Optional.of(CoinRefusal.Reason.BLOCKED);
      }
      if (!inTurn.add(key)) {
        return Optional.of(CoinRefusal.Reason.DUPLICATE_IN_TURN);
      }
      if (visible.contains(key)) {
        return Optional.of(CoinRefusal.Reason.NOT_NOVEL);
      }
      return java.util.Collections.indexOfSubList(said, tokens) < 0
          ? Optional.of(CoinRefusal.Reason.NOT_USED)
          : Optional.empty();
    }

    /** Also in full-width or other letters that are the same when normalised. */
    private boolean isFinal() {
      String lower =
          Normalizer.normalize(turn.text(), Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
      return board.rules.markers().stream().anyMatch(lower::contains);
    }

    private static boolean fits(String text, int max) {
      return text.codePointCount(0, text.length()) <= max;
    }

    private void event(BoardEvent.Type type, String term) {
      events.add(new BoardEvent(board.turns, type, Optional.of(term), turn.speaker()));
    }
  }
}
