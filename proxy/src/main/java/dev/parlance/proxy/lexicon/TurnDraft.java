package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.exchange.Check.Words;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A turn on its way: what it says, and which of its lines would change the board that it was read
 * with. A turn without a line that could is not read here at all, but later, where nobody waits.
 */
final class TurnDraft {
  private final Spoken spoken;
  private final Optional<Read> read;

  /**
   * What was read.
   *
   * @param facts without lines that change nothing; empty if it has passed before, and changes
   *     nothing any more
   * @param lines numbers of those that would change the board, or did
   * @param refusals why definitions would not
   */
  private record Read(
      TurnText text,
      Optional<TurnFacts> facts,
      Set<Integer> lines,
      List<CoinRefusal.Reason> refusals) {}

  private TurnDraft(Spoken spoken, Optional<Read> read) {
    this.spoken = spoken;
    this.read = read;
  }

  /** One that nobody needs to read now. */
  static TurnDraft unread(Spoken spoken) {
    return new TurnDraft(spoken, Optional.empty());
  }

  /**
   * Reads it with its board.
   *
   * @param governed true for the key of a term that has its meaning from elsewhere: nobody coins it
   */
  static TurnDraft read(Spoken spoken, Predicate<String> governed) {
    Board board = spoken.held().readableBy(spoken.speaker());
    TurnFacts all = board.read(turn(spoken)).refusing(governed);
    Board.Step step = board.apply(all);
    Set<Integer> lines =
        step.accepted().stream()
            .sorted()
            .limit(BoardHistory.LINES_MAX)
            .collect(Collectors.toCollection(TreeSet::new));
    return new TurnDraft(
        spoken,
        Optional.of(
            new Read(
                TurnText.of(spoken.text()),
                Optional.of(only(all, lines)),
                lines,
                step.refusals().stream().map(CoinRefusal::reason).toList())));
  }

  /**
   * One that has passed before.
   *
   * @param lines numbers of those that were left out of what was judged
   */
  static TurnDraft again(Spoken spoken, Set<Integer> lines) {
    return new TurnDraft(
        spoken,
        Optional.of(new Read(TurnText.of(spoken.text()), Optional.empty(), lines, List.of())));
  }

  private static Turn turn(Spoken spoken) {
    return new Turn(spoken.speaker(), spoken.channel(), spoken.text(), false);
  }

  private static TurnFacts only(TurnFacts all, Set<Integer> lines) {
    return new TurnFacts(
        all.speaker(),
        all.channel(),
        all.tokens(),
        all.checkpoint(),
        all.uses(),
        all.directives().stream().filter(one -> lines.contains(one.line())).toList(),
        all.coinages().stream().filter(one -> lines.contains(one.line())).toList());
  }

  /** The same, in which only these of its lines change the board. */
  TurnDraft only(Set<Integer> some) {
    return new TurnDraft(
        spoken,
        read.map(one ->
            new Read(
                one.text(), one.facts().map(facts -> only(facts, some)), some, one.refusals())));
  }

  /** What was said. */
  Spoken spoken() {
    return spoken;
  }

  /**
   * Terms of factions that it uses in public, if its speaker may give one away; it is read for it.
   */
  Set<TermRef> leaks() {
    if (!spoken.channel().isPublic() || !spoken.held().canLeak(spoken.speaker())) {
      return Set.of();
    }
    List<TurnFacts.Use> uses =
        read.flatMap(Read::facts).map(TurnFacts::uses).orElseGet(() -> uses(spoken).facts().uses());
    return uses.stream()
        .map(TurnFacts.Use::term)
        .filter(term -> !term.visibility().isPublic())
        .collect(Collectors.toSet());
  }

  /** True if its lines were looked at. */
  boolean isRead() {
    return read.isPresent();
  }

  /** Numbers of the lines that would change the board, or did. */
  Set<Integer> lines() {
    return read.map(Read::lines).orElse(Set.of());
  }

  /** Why definitions of it would coin nothing. */
  List<CoinRefusal.Reason> refusals() {
    return read.map(Read::refusals).orElse(List.of());
  }

  /** True if there is one that would. */
  boolean changes() {
    return read.flatMap(Read::facts).isPresent() && !lines().isEmpty();
  }

  /** The turn for the ledger. */
  TurnReport report() {
    TurnFacts facts =
        read.flatMap(Read::facts)
            .orElseThrow(() -> new IllegalStateException("nobody has read this turn"));
    return report(spoken, facts);
  }

  /** A turn without its text. */
  static TurnReport report(Spoken spoken, TurnFacts facts) {
    return new TurnReport(
        spoken.held().id(), spoken.digest(), spoken.number(), spoken.held().changes(), facts);
  }

  /** A turn of which only the uses count. */
  static TurnReport uses(Spoken spoken) {
    TurnFacts facts = spoken.held().readableBy(spoken.speaker()).read(turn(spoken));
    return report(spoken, only(facts, Set.of()));
  }

  /**
   * Its words, divided.
   *
   * @param noClaims numbers of lines that are not measured
   */
  Words words(Set<Integer> noClaims) {
    TurnText text = read.orElseThrow(() -> new IllegalStateException("not read")).text();
    return new Words(
        Utf8Span.of(text.judged(noClaims::contains)),
        Utf8Span.of(lines(text, noClaims::contains)),
        noClaims.size());
  }

  private static String lines(TurnText text, IntPredicate which) {
    List<TurnText.Line> all = text.lines();
    StringBuilder beside = new StringBuilder();
    for (int number = 0; number < all.size(); number++) {
      if (which.test(number)) {
        beside.append(beside.isEmpty() ? "" : "\n").append(all.get(number).text());
      }
    }
    return beside.toString();
  }
}
