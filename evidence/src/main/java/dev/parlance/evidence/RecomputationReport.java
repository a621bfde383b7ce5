package dev.parlance.evidence;

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
    List<String> unfinished,
    List<Disagreement> disagreements,
    long disagreementCount) {
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
    return out.append(agrees() ? "recomputed: " : disagreementCount + " disagreements: ")
        .append(entries + " entries, " + plans + " plans, " + tests + " verdicts, ")
        .append(unanswered + " without answer, " + audits + " audits (" + failed + " failed), ")
        .append(decisions + " decisions, " + cores + " cores; ")
        .append(fenced + " fenced, " + duplicates + " repeated\n")
        .toString();
  }
}
