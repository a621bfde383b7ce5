package dev.parlance.ledger.record;

import dev.parlance.policy.core.Names;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.KnownTerms;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A board as the sidecar of one agent is told it (docs/evidence.md). It holds every term, since
 * what others say to the agent is read with it: a faction's term that leaks is noticed by whoever
 * hears it. A definition stands in it only where the agent itself may read the term.
 *
 * @param board its id
 * @param revision how many entries of the board count
 * @param changes how many turns have changed it
 * @param number the largest number of a turn
 * @param turns how many turns there were
 * @param audience whose sidecar it is for
 * @param groups the factions, sorted by name
 * @param terms in the order of their coinage, without retired ones
 */
public record BoardDocument(
    String board,
    long revision,
    long changes,
    long number,
    int turns,
    String audience,
    List<LexiconEntry.Group> groups,
    List<Term> terms) {
  /** Keeps copies, refuses what is no board. */
  public BoardDocument {
    if (!LexiconEntry.BOARD.matcher(board).matches()) {
      throw new IllegalArgumentException("expected the id of a board, got " + board);
    }
    Checks.atLeast(1, revision, "revision");
    Checks.atLeast(0, changes, "changes");
    Checks.atLeast(0, number, "number");
    Checks.atLeast(0, turns, "turns");
    Names.checked(audience);
    groups = List.copyOf(groups);
    terms = List.copyOf(terms);
  }

  /**
   * A term as this audience is told it.
   *
   * @param visibility who sees it, {@code public} or {@code faction:NAME}
   * @param term as it was coined
   * @param definition absent if the audience is not shown it
   * @param version 1, and one more for each repair
   * @param contested true from a challenge to the next repair
   * @param by who coined it
   * @param turn the number of the turn that coined it, from 0
   * @param leaked true once a member of its faction has used it in public
   * @param reuse turns in which somebody used it
   * @param plan the plan that it is in
   * @param repaired true if it was repaired since it came into the plan: nothing that was certified
   *     holds for its meaning now
   */
  public record Term(
      String visibility,
      String term,
      Optional<String> definition,
      int version,
      boolean contested,
      String by,
      int turn,
      boolean leaked,
      int reuse,
      Optional<String> plan,
      boolean repaired) {
    /** Refuses what is no term of a board. */
    public Term {
      if (Channel.of(visibility).isEmpty()
          || definition.filter(one -> !BoardRules.isDefinition(one)).isPresent()) {
        throw new IllegalArgumentException("expected a term and a definition, got " + term);
      }
      Names.checked(by);
      plan.ifPresent(Names::checked);
      entry(visibility, term, definition, version, contested, by, turn, leaked, reuse);
    }

    /** The entry of a board that it is read as; without definition where there is none. */
    public BoardEntry entry() {
      return entry(visibility, term, definition, version, contested, by, turn, leaked, reuse);
    }

    private static BoardEntry entry(
        String visibility,
        String term,
        Optional<String> definition,
        int version,
        boolean contested,
        String by,
        int turn,
        boolean leaked,
        int reuse) {
      return new BoardEntry(
          term,
          BoardRules.key(term),
          definition.orElse(""),
          version,
          contested,
          by,
          turn,
          Channel.of(visibility).orElseThrow(),
          leaked,
          reuse,
          reuse,
          List.of(),
          0,
          0,
          turn);
    }
  }

  /** The board as this agent's sidecar is to have it. */
  public static BoardDocument of(BoardRecord record, String audience) {
    return new BoardDocument(
        record.id(),
        record.revision(),
        record.changes(),
        record.number(),
        record.board().turns(),
        audience,
        record.opened().groups(),
        record.board().entries().stream()
            .filter(entry -> !record.retired().contains(entry.ref()))
            .map(entry -> term(record, audience, entry))
            .toList());
  }

  private static Term term(BoardRecord record, String audience, BoardEntry entry) {
    Optional<LexiconEntry.Promoted> promoted =
        Optional.ofNullable(record.promoted().get(entry.ref()));
    return new Term(
        entry.visibility().toString(),
        entry.term(),
        record.isShownTo(audience, entry) ? Optional.of(entry.definition()) : Optional.empty(),
        entry.version(),
        entry.contested(),
        entry.by(),
        entry.turn(),
        entry.leaked(),
        entry.reuse(),
        promoted.map(LexiconEntry.Promoted::plan),
        record.isRepaired(entry));
  }

  /** The board that turns are read with, whoever speaks. */
  public Board readable() {
    Map<String, Set<String>> factions =
        groups.stream()
            .collect(
                Collectors.toMap(LexiconEntry.Group::name, one -> new TreeSet<>(one.members())));
    return new Board(
        BoardRules.DEFAULT.with(factions), terms.stream().map(Term::entry).toList(), turns, -1, 0);
  }

  /** What the agent itself may be shown. */
  public List<KnownTerms.Term> shown() {
    return terms.stream()
        .filter(one -> one.definition().isPresent())
        .map(one -> KnownTerms.Term.of(one.entry()))
        .toList();
  }
}
