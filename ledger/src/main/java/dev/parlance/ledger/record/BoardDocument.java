package dev.parlance.ledger.record;

import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.KnownTerms;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A board as every sidecar is told it ({@code docs/evidence.md}); every member follows from the
 * ledger. It holds all terms: a turn is read as its speaker sees the board, and who counts a leak
 * has no agent of the faction. Who is shown a term is asked of {@link #shownTo}.
 *
 * @param board its id
 * @param revision the number of the entry that opened it, from 0, and how many of its entries
 *     count: one that was forgotten and opened anew has none that it had before
 * @param changes how many turns have changed it
 * @param number the largest number of a turn
 * @param turns how many turns there were
 * @param lastCheckpoint the number of the last turn with a checkpoint, from 0; empty before the
 *     first
 * @param publicLogTokens tokens of all public turns
 * @param share when a coined term is seen by others
 * @param groups the factions, sorted by name
 * @param terms in the order of their coinage
 */
public record BoardDocument(
    String board,
    long revision,
    long changes,
    long number,
    int turns,
    Optional<Integer> lastCheckpoint,
    long publicLogTokens,
    LexiconEntry.Share share,
    List<LexiconEntry.Group> groups,
    List<Term> terms) {
  /** Keeps copies, refuses what is no board. */
  public BoardDocument {
    // Both check what they are made of.
    LexiconEntry.BoardOpened opened = new LexiconEntry.BoardOpened(board, groups, share, 0);
    new Board(opened.rules(), List.of(), turns, lastCheckpoint.orElse(-1), publicLogTokens);
    Checks.atLeast(1, revision, "revision");
    Checks.atLeast(0, changes, "changes");
    Checks.atLeast(0, number, "number");
    groups = opened.groups();
    terms = List.copyOf(terms);
    // An entry refuses counts that no turns lead to.
    long different = terms.stream().map(term -> term.entry().ref()).distinct().count();
    if (different < terms.size() || terms.size() > BoardHistory.TERMS_MAX) {
      throw new IllegalArgumentException("expected at most 1000 terms, each once");
    }
  }

  /**
   * A term of a board.
   *
   * @param visibility who sees it, {@code public} or {@code faction:NAME}
   * @param term as it was coined
   * @param key in what it is compared
   * @param definition its meaning now
   * @param version 1, and one more for each repair
   * @param status what has become of it
   * @param contested true from a challenge to the next repair
   * @param by who coined it
   * @param turn the number of the turn that coined it, from 0
   * @param leaked true once a member of its faction has used it in public
   * @param reuse turns in which somebody used it
   * @param occurrences how often it stands in those turns
   * @param speakers how many used it in public
   * @param checkpoints the intervals between checkpoints since it was coined
   * @param persisted those of them in which it was used
   * @param lastUse the number of the last turn that used it
   * @param plan the plan that it is in
   * @param domain of that plan; there exactly if a plan is
   * @param repaired true if it was repaired since it came into the plan: what was certified does
   *     not hold for its meaning now
   */
  public record Term(
      String visibility,
      String term,
      String key,
      String definition,
      int version,
      CoinedStatus status,
      boolean contested,
      String by,
      int turn,
      boolean leaked,
      int reuse,
      long occurrences,
      int speakers,
      int checkpoints,
      int persisted,
      int lastUse,
      Optional<String> plan,
      Optional<String> domain,
      boolean repaired) {
    /** Refuses what is no term of a board. */
    public Term {
      if (Channel.of(visibility).isEmpty()
          || !key.equals(BoardRules.key(term))
          || BoardRules.DEFAULT.refusal(term, definition).isPresent()) {
        throw new IllegalArgumentException("expected a term and a definition, got " + term);
      }
      Names.checked(by);
      plan.ifPresent(Names::checked);
      domain.ifPresent(Names::checked);
      if (plan.isPresent() != domain.isPresent()) {
        throw new IllegalArgumentException("expected a plan with its domain, or neither");
      }
      Checks.atLeast(0, speakers, "speakers");
    }

    /** What a board has of it; nobody is known to have used it. */
    public BoardEntry entry() {
      return new BoardEntry(
          term,
          key,
          definition,
          version,
          contested,
          by,
          turn,
          Channel.of(visibility).orElseThrow(),
          leaked,
          reuse,
          occurrences,
          List.of(),
          checkpoints,
          persisted,
          lastUse);
    }
  }

  /** The board as its sidecars are to have it. */
  public static BoardDocument of(BoardRecord record) {
    Board board = record.board();
    return new BoardDocument(
        record.id(),
        record.revision(),
        record.changes(),
        record.number(),
        board.turns(),
        board.lastCheckpoint() < 0 ? Optional.empty() : Optional.of(board.lastCheckpoint()),
        board.publicLogTokens(),
        record.opened().share(),
        record.opened().groups(),
        board.entries().stream().map(entry -> term(record, entry)).toList());
  }

  private static Term term(BoardRecord record, BoardEntry entry) {
    Optional<LexiconEntry.Promoted> promoted =
        Optional.ofNullable(record.promoted().get(entry.ref()));
    return new Term(
        entry.visibility().toString(),
        entry.term(),
        entry.key(),
        entry.definition(),
        entry.version(),
        record.status(entry),
        entry.contested(),
        entry.by(),
        entry.turn(),
        entry.leaked(),
        entry.reuse(),
        entry.occurrences(),
        entry.speakers().size(),
        entry.checkpoints(),
        entry.persisted(),
        entry.lastUse(),
        promoted.map(LexiconEntry.Promoted::plan),
        promoted.map(LexiconEntry.Promoted::domain),
        record.isRepaired(entry));
  }

  /** What the board takes. */
  public BoardRules rules() {
    return new LexiconEntry.BoardOpened(board, groups, share, 0).rules();
  }

  /** What reads turns with it; made once, for many. */
  public BoardReader reader() {
    return new BoardReader(this);
  }

  /** The board that a turn of this speaker is read with, see {@link BoardReader#by}. */
  public Board readableBy(String speaker) {
    return reader().by(speaker);
  }

  /** What this agent may be shown, see {@link BoardReader#shownTo}. */
  public List<KnownTerms.Term> shownTo(String agent) {
    return reader().shownTo(agent);
  }

  /** A document as turns are read with it. Immutable. */
  public static final class BoardReader {
    private final BoardDocument document;
    private final Board open;
    private final Set<String> haveWaiting;

    private BoardReader(BoardDocument document) {
      this.document = document;
      this.open = board(document.rules(), term -> isOpenTo(Optional.empty(), term));
      this.haveWaiting =
          document.terms.stream()
              .filter(term -> term.status() == CoinedStatus.WAITING)
              .map(Term::by)
              .collect(Collectors.toUnmodifiableSet());
    }

    private Board board(BoardRules rules, Predicate<Term> isOpen) {
      return new Board(
          rules,
          document.terms.stream().filter(isOpen).map(Term::entry).toList(),
          document.turns,
          document.lastCheckpoint.orElse(-1),
          document.publicLogTokens);
    }

    /**
     * The board that a turn of this speaker is read with: without retired terms, and without what
     * waits unless the speaker has coined it.
     */
    public Board by(String speaker) {
      return haveWaiting.contains(speaker)
          ? board(open.rules(), term -> isOpenTo(Optional.of(speaker), term))
          : open;
    }

    /** What this agent may be shown. */
    public List<KnownTerms.Term> shownTo(String agent) {
      return by(agent).entries().stream()
          .filter(entry -> open.rules().hears(agent, entry.visibility()) || entry.leaked())
          .map(KnownTerms.Term::of)
          .toList();
    }

    private static boolean isOpenTo(Optional<String> agent, Term term) {
      return switch (term.status()) {
        case RETIRED -> false;
        case WAITING -> agent.filter(term.by()::equals).isPresent();
        case ACTIVE, CONTESTED -> true;
      };
    }
  }
}
