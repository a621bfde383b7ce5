package dev.parlance.demo.api;

import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.TermResult;
import java.util.List;

/**
 * An audit as the control plane reports it.
 *
 * @param id id of the audit
 * @param kind its kind, as the API names it
 * @param questions questions planned
 * @param answered questions answered
 * @param unanswered questions that ended without an answer
 * @param coreVersion version of the core that it issued; 0 while none
 * @param terms a decision for each term; empty before the end
 */
public record AuditResult(
    String id,
    String kind,
    int questions,
    int answered,
    int unanswered,
    long coreVersion,
    List<Term> terms) {
  /** Copies the list. */
  public AuditResult {
    terms = List.copyOf(terms);
  }

  /** Kinds of audits. */
  public enum Kind {
    /** Every term of the plan. */
    CERTIFY,
    /** The certified terms, on fresh events. */
    RECERTIFY,
    /** Terms outside the core, after an offer to use them otherwise. */
    RENEGOTIATE
  }

  /**
   * The decision about a term.
   *
   * @param term the term
   * @param eligible comparisons
   * @param contradictions comparisons that contradict each other
   * @param upper bound of the true rate of contradictions
   * @param coverage share of the events on which both decide
   * @param outcome certified, kept, restored, refused or revoked
   * @param reason code of the reason; empty if certified
   */
  public record Term(
      String term,
      int eligible,
      int contradictions,
      double upper,
      double coverage,
      String outcome,
      String reason) {
    /** True for outcomes after which the term is in the core. */
    public boolean inCore() {
      return List.of("certified", "kept", "restored").contains(outcome);
    }
  }

  static AuditResult of(Audit audit) {
    return new AuditResult(
        audit.getId(),
        audit.getKind().name(),
        audit.getQuestions(),
        audit.getAnswered(),
        audit.getUnanswered(),
        audit.getCoreVersion(),
        audit.getResultsList().stream().map(AuditResult::term).toList());
  }

  private static Term term(TermResult result) {
    return new Term(
        result.getTerm(),
        result.getEligible(),
        result.getContradictions(),
        result.getUpper(),
        result.getCoverage(),
        result.getOutcome(),
        result.getReason());
  }
}
