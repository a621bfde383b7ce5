package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Tokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads one turn with a board: all that needs its text. */
final class TurnReader {
  private final Board board;
  private final Turn turn;
  private final TurnText text;
  private final List<String> said;

  /** By key the one entry that the speaker means by it. */
  private final Map<String, BoardEntry> usable = new HashMap<>();

  private TurnReader(Board board, Turn turn) {
    this.board = board;
    this.turn = turn;
    text = TurnText.of(turn.text());
    said = Tokens.of(text.said());
    for (BoardEntry entry : board.entries()) {
      if (board.isUsable(turn.speaker(), turn.channel(), entry)) {
        usable.merge(
            entry.key(),
            entry,
            (first, other) -> isOfChannel(first) || !isOfChannel(other) ? first : other);
      }
    }
  }

  private boolean isOfChannel(BoardEntry entry) {
    return entry.visibility().equals(turn.channel());
  }

  static TurnFacts read(Board board, Turn turn) {
    TurnReader reader = new TurnReader(board, turn);
    return new TurnFacts(
        turn.speaker(),
        turn.channel(),
        Tokens.of(turn.text()).size(),
        turn.checkpoint(),
        reader.uses(),
        reader.directives(),
        reader.coinages());
  }

  /** Leftmost, longest, without overlap. */
  private List<TurnFacts.Use> uses() {
    Map<BoardEntry, Integer> times = new LinkedHashMap<>();
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
    return times.entrySet().stream()
        .map(one -> new TurnFacts.Use(one.getKey().ref(), one.getValue()))
        .toList();
  }

  private List<TurnFacts.Directed> directives() {
    List<TurnFacts.Directed> directives = new ArrayList<>();
    for (int line = 0; line < text.lines().size(); line++) {
      if (text.lines().get(line) instanceof TurnText.Directive one) {
        directives.add(
            new TurnFacts.Directed(
                line,
                one.request(),
                one.term(),
                Optional.ofNullable(usable.get(BoardRules.key(one.term()))).map(BoardEntry::ref),
                one.body()));
      }
    }
    return directives;
  }

  private List<TurnFacts.Coined> coinages() {
    boolean isFinal = board.rules().isFinal(turn.text());
    Set<String> visible = Board.visibleKeys(board, turn.speaker());
    Set<String> inTurn = new HashSet<>();
    List<TurnFacts.Coined> coinages = new ArrayList<>();
    for (int line = 0; line < text.lines().size(); line++) {
      if (text.lines().get(line) instanceof TurnText.Coinage one) {
        String key = BoardRules.key(one.term());
        String definition = one.definition().orElse("");
        Optional<CoinRefusal.Reason> refusal = board.rules().refusal(one.term(), definition);
        if (isFinal && refusal.filter(CoinRefusal.Reason.SYNTAX::equals).isEmpty()) {
          refusal = Optional.of(CoinRefusal.Reason.FINAL_MARKER);
        } else if (refusal.isEmpty()) {
          refusal = inContext(key, visible, inTurn);
        }
        coinages.add(new TurnFacts.Coined(line, one.term(), key, definition, refusal));
      }
    }
    return coinages;
  }

  private Optional<CoinRefusal.Reason> inContext(
      String key, Set<String> visible, Set<String> inTurn) {
    if (!inTurn.add(key)) {
      return Optional.of(CoinRefusal.Reason.DUPLICATE_IN_TURN);
    }
    if (visible.contains(key)) {
      return Optional.of(CoinRefusal.Reason.NOT_NOVEL);
    }
    return Collections.indexOfSubList(said, List.of(key.split(" ", -1))) < 0
        ? Optional.of(CoinRefusal.Reason.NOT_USED)
        : Optional.empty();
  }
}
