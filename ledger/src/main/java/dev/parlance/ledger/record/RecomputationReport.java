package dev.parlance.ledger.record;

import java.util.List;

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
    List<String> unfinished,
    List<Disagreement> disagreements,
    long disagreementCount) {
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
   * @param unfinished rounds that have not ended
   * @param overtaken entries that came behind another replica's and count for nothing; at most
   *     {@link Recomputation#MAX_LISTED}
   * @param overtakenCount how many there are
   */
  public record Rounds(
      long opened,
      long proposals,
      long semanticCommits,
      long verdictCommits,
      long aborts,
      long expired,
      long equivocations,
      List<String> unfinished,
      List<Overtaken> overtaken,
      long overtakenCount) {
    /** Copies the lists. */
    public Rounds {
      unfinished = List.copyOf(unfinished);
      overtaken = List.copyOf(overtaken);
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
    return out.append(agrees() ? "recomputed: " : disagreementCount + " disagreements: ")
        .append(entries + " entries, " + plans + " plans, " + tests + " verdicts, ")
        .append(unanswered + " without answer, " + audits + " audits (" + failed + " failed), ")
        .append(decisions + " decisions, " + cores + " cores, ")
        .append(rounds.opened() + " rounds with " + rounds.proposals() + " proposals (")
        .append(rounds.semanticCommits() + " semantic commits, " + rounds.verdictCommits())
        .append(" verdict commits, " + rounds.aborts() + " aborts); ")
        .append(pacts.attested() + " pacts (" + pacts.open() + " open) in ")
        .append(pacts.entries() + " entries; ")
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
   *     ledger_size_differs, round_decision_differs
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
