package dev.parlance.sim.finality;

import dev.parlance.policy.commit.RoundState.RoundRefusal;
import java.util.List;
import java.util.Map;

/**
 * What came of it.
 *
 * @param options what was simulated
 * @param diagnostic the rows of the diagnostic
 * @param study the rows of the study, one an attack, with at most f faulty agents
 * @param refused proposals of the study that the round machine did not take, by reason
 * @param equivocations proposals of the study that were kept as evidence against their senders
 * @param control the study once more, smaller, with one faulty agent more than f: what must not
 *     happen above has to happen here, or the study would find nothing
 */
public record FinalityResult(
    FinalityOptions options,
    List<DiagnosticRow> diagnostic,
    List<AdversaryRow> study,
    Map<RoundRefusal, Long> refused,
    long equivocations,
    List<AdversaryRow> control) {
  /** Copies the lists. */
  public FinalityResult {
    diagnostic = List.copyOf(diagnostic);
    study = List.copyOf(study);
    refused = Map.copyOf(refused);
    control = List.copyOf(control);
  }

  /** Rounds in which a promise was broken, with at most f faulty agents. */
  public long breaches() {
    return study.stream().mapToLong(row -> row.breaches().total()).sum();
  }
}
