package dev.parlance.policy.lexicon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The terms that speakers have coined for each other, and what they made of them (convention {@code
 * board-1}; the idea is COGENT's, section 3). Immutable: {@link #step} gives the next board, and is
 * {@link #read} behind which comes {@link #apply}: what needs the text, and what does not.
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
    return apply(read(turn));
  }

  /** What a turn is to this board. */
  public TurnFacts read(Turn turn) {
    return TurnReader.read(this, turn);
  }

  /**
   * The board behind a turn that was read, perhaps with an older board: what does not hold on this
   * one has no effect, a coinage that is not new any more is refused.
   */
  public Step apply(TurnFacts facts) {
    if (!rules.hears(facts.speaker(), facts.channel())) {
      Board next = new Board(rules, entries, turns + 1, lastCheckpoint, publicLogTokens);
      BoardEvent denied =
          new BoardEvent(turns, BoardEvent.Type.DENIED, Optional.empty(), facts.speaker());
      return new Step(next, List.of(denied), List.of(), Set.of());
    }
    return new Applying(this, facts).step();
  }

  /** What can be counted on it. */
  public BoardMetrics metrics() {
    return BoardMetrics.of(this);
  }

  /** True if the speaker sees the entry without hearing it used. */
  boolean sees(String speaker, BoardEntry entry) {
    return rules.hears(speaker, entry.visibility());
  }

  /** True if the speaker can use the entry there. */
  boolean isUsable(String speaker, Channel channel, BoardEntry entry) {
    return sees(speaker, entry) || (channel.isPublic() && entry.leaked());
  }

  /** The facts of one turn on their way onto a board. */
  private static final class Applying {
    private final Board board;
    private final TurnFacts facts;
    private final List<BoardEntry> entries;
    private final Map<TurnFacts.TermRef, Integer> places;
    private final List<BoardEvent> events = new ArrayList<>();
    private final List<CoinRefusal> refusals = new ArrayList<>();
    private final Set<Integer> accepted = new HashSet<>();

    Applying(Board board, TurnFacts facts) {
      this.board = board;
      this.facts = facts;
      entries = new ArrayList<>(board.entries);
      places = places(board, facts);
    }

    Step step() {
      facts.uses().forEach(this::use);
      facts.directives().forEach(this::direct);
      coin();
      if (facts.checkpoint()) {
        entries.replaceAll(entry -> entry.checkpoint(board.turns, board.lastCheckpoint));
      }
      Board next =
          new Board(
              board.rules,
              entries,
              board.turns + 1,
              facts.checkpoint() ? board.turns : board.lastCheckpoint,
              board.publicLogTokens + (facts.channel().isPublic() ? facts.tokens() : 0));
      return new Step(next, events, refusals, accepted);
    }

    /** Where the terms stand that the turn means, were there before it, and can be used by it. */
    private static Map<TurnFacts.TermRef, Integer> places(Board board, TurnFacts facts) {
      Set<TurnFacts.TermRef> meant = new HashSet<>();
      facts.uses().forEach(use -> meant.add(use.term()));
      facts.directives().forEach(line -> line.term().ifPresent(meant::add));
      if (meant.isEmpty()) {
        return Map.of();
      }
      Set<String> keys = meant.stream().map(TurnFacts.TermRef::key).collect(Collectors.toSet());
      Map<TurnFacts.TermRef, Integer> places = new HashMap<>();
      for (int place = 0; place < board.entries.size(); place++) {
        BoardEntry entry = board.entries.get(place);
        if (keys.contains(entry.key())
            && meant.contains(entry.ref())
            && board.isUsable(facts.speaker(), facts.channel(), entry)) {
          places.putIfAbsent(entry.ref(), place);
        }
      }
      return places;
    }

    private OptionalInt place(TurnFacts.TermRef term) {
      Integer place = places.get(term);
      return place == null ? OptionalInt.empty() : OptionalInt.of(place);
    }

    private void use(TurnFacts.Use use) {
      OptionalInt place = place(use.term());
      if (place.isEmpty()) {
        return;
      }
      BoardEntry entry = entries.get(place.getAsInt());
      boolean escapes = facts.channel().isPublic() && !entry.visibility().isPublic();
      boolean member = board.sees(facts.speaker(), entry);
      boolean leaks = escapes && member && !entry.leaked();
      BoardEvent.Type type = BoardEvent.Type.REUSE;
      if (leaks) {
        type = BoardEvent.Type.LEAK;
      } else if (escapes && !member) {
        type = BoardEvent.Type.ECHO;
      }
      entries.set(place.getAsInt(), entry.used(facts, board.turns, use.times(), leaks));
      event(type, entry.term());
    }

    private void direct(TurnFacts.Directed line) {
      boolean challenge = line.request() == TurnText.Request.CHALLENGE;
      OptionalInt place = line.term().map(this::place).orElse(OptionalInt.empty());
      if (place.isEmpty()) {
        event(
            challenge ? BoardEvent.Type.CHALLENGE_UNKNOWN : BoardEvent.Type.REPAIR_UNKNOWN,
            line.written());
        return;
      }
      BoardEntry entry = entries.get(place.getAsInt());
      Optional<String> body =
          line.body().filter(challenge ? BoardRules::isReason : BoardRules::isDefinition);
      if (body.isEmpty()) {
        event(
            challenge ? BoardEvent.Type.CHALLENGE_INVALID : BoardEvent.Type.REPAIR_INVALID,
            entry.term());
        return;
      }
      entries.set(place.getAsInt(), challenge ? entry.challenged() : entry.repaired(body.get()));
      accepted.add(line.line());
      event(challenge ? BoardEvent.Type.CHALLENGE : BoardEvent.Type.REPAIR, entry.term());
    }

    private void coin() {
      if (facts.coinages().isEmpty()) {
        return;
      }
      Set<String> keys =
          facts.coinages().stream().map(TurnFacts.Coined::key).collect(Collectors.toSet());
      Set<String> visible = board.visibleAmong(keys, facts.speaker());
      Set<String> inTurn = new HashSet<>();
      for (TurnFacts.Coined line : facts.coinages()) {
        Optional<CoinRefusal.Reason> reason =
            line.refusal().or(() -> board.rules.refusal(line.term(), line.definition()));
        if (reason.filter(CoinRefusal.Reason::isOfTheLine).isEmpty() && !inTurn.add(line.key())) {
          reason = Optional.of(CoinRefusal.Reason.DUPLICATE_IN_TURN);
        }
        if (reason.isEmpty() && visible.contains(line.key())) {
          reason = Optional.of(CoinRefusal.Reason.NOT_NOVEL);
        }
        if (reason.isPresent()) {
          refusals.add(new CoinRefusal(board.turns, line.term(), reason.get()));
        } else {
          entries.add(BoardEntry.coined(line, facts, board.turns));
          accepted.add(line.line());
          event(BoardEvent.Type.COIN, line.term());
        }
      }
    }

    private void event(BoardEvent.Type type, String term) {
      events.add(new BoardEvent(board.turns, type, Optional.of(term), facts.speaker()));
    }
  }

  /** Those of the keys whose entries the speaker sees without hearing them used. */
  Set<String> visibleAmong(Set<String> keys, String speaker) {
    Set<String> visible = new HashSet<>();
    for (BoardEntry entry : entries) {
      if (keys.contains(entry.key()) && sees(speaker, entry)) {
        visible.add(entry.key());
      }
    }
    return visible;
  }
}
