package dev.parlance.cli.core;

import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.TermResult;
import java.util.List;

/**
 * An audit as JSON.
 *
 * @param results the decisions, one for each term and pair
 */
record AuditView(
    String id,
    String plan,
    long planRevision,
    String kind,
    String state,
    int questions,
    int answered,
    int unanswered,
    long startedAtMs,
    long endedAtMs,
    String replica,
    long epoch,
    long coreVersion,
    String failure,
    List<Result> results) {
  /** A term's decision for one pair, members as in {@code TermResult}. */
  record Result(
      String term,
      List<String> agents,
      int audited,
      int eligible,
      int contradictions,
      int unanswered,
      double upper,
      double coverage,
      String outcome,
      String reason,
      int needed) {
    static Result of(TermResult result) {
      return new Result(
          result.getTerm(),
          List.copyOf(result.getAgentsList()),
          result.getAudited(),
          result.getEligible(),
          result.getContradictions(),
          result.getUnanswered(),
          result.getUpper(),
          result.getCoverage(),
          result.getOutcome(),
          result.getReason(),
          result.getNeeded());
    }
  }

  static AuditView of(Audit audit) {
    return new AuditView(
        audit.getId(),
        audit.getPlan(),
        audit.getPlanRevision(),
        AuditNames.of(audit.getKind()),
        AuditNames.of(audit.getState()),
        audit.getQuestions(),
        audit.getAnswered(),
        audit.getUnanswered(),
        audit.getStartedAtMs(),
        audit.getEndedAtMs(),
        audit.getReplica(),
        audit.getEpoch(),
        audit.getCoreVersion(),
        audit.getFailure(),
        audit.getResultsList().stream().map(Result::of).toList());
  }
}
