package dev.parlance.cli.simulate;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.finality.AdversaryRow;
import dev.parlance.sim.finality.DiagnosticRow;
import dev.parlance.sim.finality.FinalityResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The numbers of the finality simulation as JSON. */
record FinalityView(
    long seed,
    List<Bucket> diagnostic,
    List<Study> study,
    Map<String, Long> refused,
    long equivocations,
    List<Study> control,
    long breaches) {
  /**
   * A row of the diagnostic.
   *
   * @param meanDegrees null without semantic commits, as are the others
   */
  record Bucket(
      String bucket,
      int n,
      int f,
      String poison,
      int episodes,
      int semanticCommits,
      int verdictCommits,
      int aborts,
      @Nullable Double meanDegrees,
      @Nullable Double largestDegrees,
      @Nullable Double meanDegreesToHonest,
      @Nullable Double largestDegreesToHonest) {}

  /** A row of the study. */
  record Study(
      String attack,
      long rounds,
      long semanticCommits,
      long verdictCommits,
      Map<String, Long> aborts,
      long noOutcome,
      long wrongVerdict,
      long infeasibleCommit,
      long boundExceeded,
      long denied,
      long orderMatters,
      double largestErrorOfBound,
      double largestDegrees) {}

  static FinalityView of(FinalityResult result) {
    Map<String, Long> refused = new LinkedHashMap<>();
    for (RoundRefusal reason : RoundRefusal.values()) {
      refused.put(reason.code(), result.refused().getOrDefault(reason, 0L));
    }
    return new FinalityView(
        result.options().seed(),
        result.diagnostic().stream().map(FinalityView::bucket).toList(),
        result.study().stream().map(FinalityView::study).toList(),
        refused,
        result.equivocations(),
        result.control().stream().map(FinalityView::study).toList(),
        result.breaches());
  }

  private static Bucket bucket(DiagnosticRow row) {
    return new Bucket(
        row.bucket().kind(),
        row.bucket().size(),
        row.bucket().faults(),
        row.poison().code(),
        row.episodes(),
        row.semantic(),
        row.verdict(),
        row.aborts(),
        row.deviation().map(DiagnosticRow.Deviation::meanToClaim).orElse(null),
        row.deviation().map(DiagnosticRow.Deviation::maxToClaim).orElse(null),
        row.deviation().map(DiagnosticRow.Deviation::meanToHonest).orElse(null),
        row.deviation().map(DiagnosticRow.Deviation::maxToHonest).orElse(null));
  }

  private static Study study(AdversaryRow row) {
    Map<String, Long> aborts = new LinkedHashMap<>();
    for (AbortReason reason : AbortReason.values()) {
      aborts.put(reason.code(), row.aborts().getOrDefault(reason, 0L));
    }
    AdversaryRow.Breaches breaches = row.breaches();
    return new Study(
        row.attack().code(),
        row.rounds(),
        row.semantic(),
        row.verdict(),
        aborts,
        breaches.noOutcome(),
        breaches.wrongVerdict(),
        breaches.infeasibleCommit(),
        breaches.boundExceeded(),
        breaches.denied(),
        breaches.orderMatters(),
        row.largestOfBound(),
        row.largestDegrees());
  }
}
