package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    Set<String> words = new HashSet<>(said);
    for (TurnText.Line line : text.lines()) {
      if (line instanceof TurnText.Directive one) {
        words.addAll(Tokens.of(one.term()));
      }
    }
    for (BoardEntry entry : board.entries()) {
      if (words.contains(firstWord(entry.key()))
          && board.isUsable(turn.speaker(), turn.channel(), entry)) {
        usable.merge(
            entry.key(),
            entry,
            (first, other) -> isOfChannel(first) || !isOfChannel(other) ? first : other);
      }
    }
  }

  private static String firstWord(String key) {
    int end = key.indexOf(' ');
    return end < 0 ? key : key.substring(0, end);
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
    List<TurnFacts.Coined> coinages = new ArrayList<>();
    for (int line = 0; line < text.lines().size(); line++) {
      if (text.lines().get(line) instanceof TurnText.Coinage one) {
        coinages.add(
            new TurnFacts.Coined(
                line,
                one.term(),
                BoardRules.key(one.term()),
                one.definition().orElse(""),
                Optional.empty()));
      }
    }
    if (coinages.isEmpty()) {
      return coinages;
    }
    Set<String> keys = coinages.stream().map(TurnFacts.Coined::key).collect(Collectors.toSet());
    Set<String> visible = board.visibleAmong(keys, turn.speaker());
    Set<String> saidKeys = saidAmong(keys);
    boolean isFinal = board.rules().isFinal(turn.text());
    Set<String> inTurn = new HashSet<>();
    coinages.replaceAll(one -> one.refused(refusal(one, isFinal, visible, saidKeys, inTurn)));
    return coinages;
  }

  private Optional<CoinRefusal.Reason> refusal(
      TurnFacts.Coined one,
      boolean isFinal,
      Set<String> visible,
      Set<String> saidKeys,
      Set<String> inTurn) {
    Optional<CoinRefusal.Reason> ofLine = board.rules().refusal(one.term(), one.definition());
    if (isFinal && ofLine.filter(CoinRefusal.Reason.SYNTAX::equals).isEmpty()) {
      return Optional.of(CoinRefusal.Reason.FINAL_MARKER);
    }
    return ofLine.or(() -> inContext(one.key(), visible, saidKeys, inTurn));
  }

  private Optional<CoinRefusal.Reason> inContext(
      String key, Set<String> visible, Set<String> saidKeys, Set<String> inTurn) {
    if (!inTurn.add(key)) {
      return Optional.of(CoinRefusal.Reason.DUPLICATE_IN_TURN);
    }
    if (visible.contains(key)) {
      return Optional.of(CoinRefusal.Reason.NOT_NOVEL);
    }
    return saidKeys.contains(key) ? Optional.empty() : Optional.of(CoinRefusal.Reason.NOT_USED);
  }

  /** Those of the keys that are said: one look at the text, however many there are. */
  private Set<String> saidAmong(Set<String> keys) {
    Set<String> found = new HashSet<>();
    for (int at = 0; at < said.size(); at++) {
      int most = Math.min(BoardRules.TERM_WORDS_MAX, said.size() - at);
      for (int words = 1; words <= most; words++) {
        String key = String.join(" ", said.subList(at, at + words));
        if (keys.contains(key)) {
          found.add(key);
        }
      }
    }
    return found;
  }
}
