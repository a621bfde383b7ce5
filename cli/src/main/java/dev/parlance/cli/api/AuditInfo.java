package dev.parlance.cli.api;

import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.TermResult;
import java.util.List;
import java.util.Locale;

/**
 * An audit, members as in the message {@code Audit}; what {@code -o json} prints.
 *
 * @param results the decisions, one for each term and pair
 */
public record AuditInfo(
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
  /** State of an audit that has ended with decisions. */
  public static final String COMPLETED = "completed";

  /** State of an audit that has ended without. */
  public static final String ABANDONED = "abandoned";

  /** A term's decision for one pair, members as in the message {@code TermResult}. */
  public record Result(
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

  static AuditInfo of(Audit audit) {
    return new AuditInfo(
        audit.getId(),
        audit.getPlan(),
        audit.getPlanRevision(),
        name(audit.getKind()),
        name(audit.getState()),
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

  /** True if nothing more comes of it. */
  public boolean hasEnded() {
    return state.equals(COMPLETED) || state.equals(ABANDONED);
  }

  /** The last word of a constant's name; {@code unknown} for one that says nothing. */
  private static String name(Enum<?> constant) {
    String word = constant.name().substring(constant.name().lastIndexOf('_') + 1);
    return word.equals("UNSPECIFIED") || word.equals("UNRECOGNIZED")
        ? "unknown"
        : word.toLowerCase(Locale.ROOT);
  }
}
