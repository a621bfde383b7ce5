package dev.parlance.ledger.record;

import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.policy.lexicon.TurnFacts;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What recomputing a ledger came to.
 *
 * @param entries entries read
 * @param plans plan revisions
 * @param tests verdicts that count
 * @param unanswered absences that count
 * @param audits audits that have ended
 * @param failed those of them that ended without decisions
 * @param decisions decisions recomputed, and equal to what is on the ledger
 * @param cores cores recomputed to their last byte
 * @param fenced entries of replicas whose audit another one has taken over
 * @param duplicates entries that say what an earlier one says
 * @param rounds what rounds came to
 * @param pacts what pacts came to
 * @param boards what boards of coined terms came to
 * @param reviews decisions of persons about held messages
 * @param unfinished ids of audits that have not ended: their decisions cannot be recomputed yet,
 *     because the seed of their draw is not known
 * @param disagreements what is wrong, in the order found; at most {@link Recomputation#MAX_LISTED}
 * @param disagreementCount how many there are
 */
public record RecomputationReport(
    long entries,
    long plans,
    long tests,
    long unanswered,
    long audits,
    long failed,
    long decisions,
    long cores,
    long fenced,
    long duplicates,
    Rounds rounds,
    Pacts pacts,
    Boards boards,
    long reviews,
    List<String> unfinished,
    List<Disagreement> disagreements,
    long disagreementCount) {
  /** Most boards that people are shown. */
  private static final int MAX_SHOWN = 20;

  /**
   * What rounds came to.
   *
   * @param opened rounds, each epoch for itself
   * @param proposals proposals that were taken, with those kept as evidence of an equivocation
   * @param semanticCommits outcomes recomputed from proposals
   * @param verdictCommits the same
   * @param aborts the same
   * @param expired those of the aborts to which nobody had proposed
   * @param equivocations members that proposed two different things, in rounds that have ended
   * @param contradicted those who have signed both, which proves it; at most {@link
   *     Recomputation#MAX_LISTED}
   * @param unfinished rounds that have not ended
   * @param overtaken entries that came behind another replica's and count for nothing; at most
   *     {@link Recomputation#MAX_LISTED}
   * @param overtakenCount how many there are
   * @param signatures members' signatures under outcomes that count
   * @param certified outcomes that 2f+1 members have signed
   * @param notFinal commits that are their members' word and that fewer have signed; at most {@link
   *     Recomputation#MAX_LISTED}
   */
  public record Rounds(
      long opened,
      long proposals,
      long semanticCommits,
      long verdictCommits,
      long aborts,
      long expired,
      long equivocations,
      List<Contradicted> contradicted,
      List<String> unfinished,
      List<Overtaken> overtaken,
      long overtakenCount,
      long signatures,
      long certified,
      List<NotFinal> notFinal) {
    /** Copies the lists. */
    public Rounds {
      contradicted = List.copyOf(contradicted);
      unfinished = List.copyOf(unfinished);
      overtaken = List.copyOf(overtaken);
      notFinal = List.copyOf(notFinal);
    }
  }

  /** A member that has signed two different proposals in an epoch of a round. */
  public record Contradicted(String round, String member) {}

  /**
   * A commit that too few members have signed.
   *
   * @param withheld members that have not signed it
   */
  public record NotFinal(String round, List<String> withheld) {
    /** Copies the list. */
    public NotFinal {
      withheld = List.copyOf(withheld);
    }
  }

  /**
   * What pacts came to; every signature was checked with the keys that counted at its place.
   *
   * @param entries entries about pacts that count
   * @param attested pacts that both parties have signed
   * @param open those of them that hold or are disputed
   * @param parties parties that have a score
   */
  public record Pacts(long entries, long attested, long open, long parties) {}

  /**
   * What boards of coined terms came to.
   *
   * @param opened boards that were opened
   * @param turns turns that count
   * @param coined terms
   * @param challenged lines that contest a term
   * @param repaired lines that give one a new meaning
   * @param shared terms that a person has shared
   * @param promoted terms that came into a plan, again after a repair included
   * @param retired terms that are off their board
   * @param retracted turns that nobody heard
   * @param refused entries that count for nothing since another one was before, or a sidecar has
   *     asked for what it could not have
   * @param boards the boards as they are now, the last changed first; at most {@link
   *     Recomputation#MAX_LISTED}
   * @param kept how many there are; older ones are forgotten
   */
  public record Boards(
      long opened,
      long turns,
      long coined,
      long challenged,
      long repaired,
      long shared,
      long promoted,
      long retired,
      long retracted,
      long refused,
      List<KeptBoard> boards,
      long kept) {
    /** Copies the list. */
    public Boards {
      boards = List.copyOf(boards);
    }

    private void format(StringBuilder out) {
      boards.stream().limit(MAX_SHOWN).forEach(one -> out.append(one.format()).append('\n'));
      if (kept > MAX_SHOWN) {
        out.append("note: and " + (kept - MAX_SHOWN) + " more boards\n");
      }
    }
  }

  /**
   * A board at the end of the ledger.
   *
   * @param turns how many it has
   * @param counts what is counted on it
   * @param uptake uses a term
   * @param crossSpeakerShare share of terms with two public speakers or more
   * @param persistence share of the intervals in which a public term was used
   * @param footprint tokens of terms and definitions per token of the public turns
   * @param compression tokens of the speakers' last turns behind the last coinage per token of
   *     their first ones
   * @param documentSha256 hex SHA-256 of the text that the control plane signs for it
   */
  public record KeptBoard(
      String board,
      int turns,
      BoardMetrics counts,
      OptionalDouble uptake,
      OptionalDouble crossSpeakerShare,
      OptionalDouble persistence,
      OptionalDouble footprint,
      OptionalDouble compression,
      String documentSha256) {
    static KeptBoard of(BoardRecord record, List<TurnFacts> turns) {
      BoardMetrics metrics = record.board().metrics();
      return new KeptBoard(
          record.id(),
          record.board().turns(),
          metrics,
          metrics.uptake(),
          metrics.crossSpeakerShare(),
          metrics.persistence(),
          metrics.footprint(),
          BoardMetrics.compression(turns),
          BoardNote.documentSha256(BoardDocument.of(record)));
    }

    private String format() {
      return "note: board "
          + board
          + (": " + turns + " turns, " + counts.terms() + " terms, reuse " + counts.reuse())
          + (", uptake " + shown(uptake) + ", cross-speaker share " + shown(crossSpeakerShare))
          + (", persistence " + shown(persistence) + ", footprint " + shown(footprint))
          + (", compression " + shown(compression) + ", document " + documentSha256);
    }

    private static String shown(OptionalDouble ratio) {
      return ratio.isPresent() ? String.valueOf(ratio.getAsDouble()) : "none";
    }
  }

  /**
   * An entry that came behind another replica's, and so counts for nothing.
   *
   * @param index of the entry
   * @param code {@code late}, {@code equivocated}, {@code round_exists}
   */
  public record Overtaken(long index, String code) {}

  /** Copies the lists. */
  public RecomputationReport {
    unfinished = List.copyOf(unfinished);
    disagreements = List.copyOf(disagreements);
  }

  /** Whether everything follows. */
  public boolean agrees() {
    return disagreementCount == 0;
  }

  /** Lines for people. */
  public String format() {
    StringBuilder out = new StringBuilder();
    disagreements.forEach(one -> out.append(one.format()).append('\n'));
    if (disagreementCount > disagreements.size()) {
      out.append("and ").append(disagreementCount - disagreements.size()).append(" more\n");
    }
    unfinished.forEach(
        audit -> out.append("note: audit ").append(audit).append(" has not ended\n"));
    rounds
        .unfinished()
        .forEach(round -> out.append("note: round ").append(round).append(" has not ended\n"));
    rounds
        .overtaken()
        .forEach(one ->
            out.append("note: entry " + one.index() + " came too late: " + one.code() + "\n"));
    if (rounds.overtakenCount() > rounds.overtaken().size()) {
      out.append("and " + (rounds.overtakenCount() - rounds.overtaken().size()) + " more\n");
    }
    rounds
        .contradicted()
        .forEach(one ->
            out.append("note: " + one.member() + " has signed two proposals in round ")
                .append(one.round() + ": proof by ledger proofs\n"));
    rounds
        .notFinal()
        .forEach(one ->
            out.append("note: round " + one.round() + " is not final, not signed by ")
                .append(String.join(", ", one.withheld()) + "\n"));
    boards.format(out);
    return out.append(agrees() ? "recomputed: " : disagreementCount + " disagreements: ")
        .append(entries + " entries, " + plans + " plans, " + tests + " verdicts, ")
        .append(unanswered + " without answer, " + audits + " audits (" + failed + " failed), ")
        .append(decisions + " decisions, " + cores + " cores, ")
        .append(rounds.opened() + " rounds with " + rounds.proposals() + " proposals (")
        .append(rounds.semanticCommits() + " semantic commits, " + rounds.verdictCommits())
        .append(" verdict commits, " + rounds.aborts() + " aborts), ")
        .append(rounds.certified() + " outcomes signed by members; ")
        .append(pacts.attested() + " pacts (" + pacts.open() + " open) in ")
        .append(pacts.entries() + " entries; ")
        .append(boards.opened() + " boards with " + boards.turns() + " turns, ")
        .append(boards.coined() + " coined terms, " + boards.challenged() + " challenges, ")
        .append(boards.repaired() + " repairs (" + boards.refused() + " refused); ")
        .append(fenced + " fenced, " + duplicates + " repeated\n")
        .toString();
  }

  /**
   * An entry that is not what follows from the entries before it, or that has no place where it is.
   *
   * @param index index of the entry in the ledger
   * @param code stable code: unreadable_entry, one of {@link Applied.Cause}, seed_mismatch,
   *     not_drawn, events_exhausted, entrenchment_differs, decision_differs, decision_missing,
   *     decision_not_due, core_differs, core_missing, core_not_due, core_version_differs,
   *     ledger_size_differs, round_decision_differs, outcome_not_signed
   * @param stands what is on the ledger
   * @param follows what should be
   */
  public record Disagreement(long index, String code, String stands, String follows) {
    /** One line for people. */
    public String format() {
      return "entry " + index + " " + code + ": stands " + stands + "; follows " + follows;
    }
  }
}
