package dev.parlance.control.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Meters of rounds; labels are from sets known at compile time, any other value is {@code other}.
 */
public final class RoundMetrics {
  private static final String OTHER = "other";
  private static final Set<String> OPENINGS =
      Set.of(
          "opened",
          "known",
          "bad_round",
          "bad_epoch",
          "bad_members",
          "bad_faults",
          "bad_deadline",
          "bad_margin",
          "bad_cos_min",
          "cos_min_missing",
          "subject_too_large",
          "wrong_epoch",
          "round_open",
          "round_exists",
          "round_committed",
          "too_many_rounds",
          "ledger_unavailable");
  private static final Set<String> PROPOSALS =
      Set.of(
          "accepted",
          "repeated",
          "equivocated",
          "late",
          "wrong_epoch",
          "not_a_member",
          "token_of_another_agent",
          "round_unknown",
          "bad_verdict",
          "bad_proposal",
          "subject_differs",
          "encoder_unavailable",
          "ledger_unavailable");
  private static final Set<String> OUTCOMES =
      Set.of(
          "semantic_commit",
          "verdict_commit",
          "BFT_INFEASIBLE",
          "INSUFFICIENT_DELIVERY",
          "VERDICT_TIE",
          "NO_VERDICT_QUORUM",
          "WEAK_VERDICT_MARGIN",
          "SEMANTIC_DISPERSED");
  private static final Set<String> MEANINGS = Set.of("vector", "malformed", "unencoded");

  private final MeterRegistry registry;
  private final Map<String, Counter> openings;
  private final Map<String, Counter> proposals;
  private final Map<String, Counter> outcomes;
  private final Map<String, Counter> meanings;
  private final Counter takeovers;
  private final Timer deciding;

  RoundMetrics(MeterRegistry registry) {
    this.registry = registry;
    openings = counters("openings", "Requests to open a round, by result", "result", OPENINGS);
    proposals = counters("proposals", "Proposals, by result", "result", PROPOSALS);
    outcomes =
        counters("ended", "Rounds that this replica has ended, by outcome", "outcome", OUTCOMES);
    meanings =
        counters(
            "texts", "Texts of proposals, by what the encoder made of them", "meaning", MEANINGS);
    takeovers =
        Counter.builder("parlance.control.rounds.taken.over")
            .description("Rounds that this replica ended though it had no part in them")
            .register(registry);
    deciding =
        Timer.builder("parlance.control.rounds.deciding")
            .description("From seeing a round complete or over to its outcome on the ledger")
            .serviceLevelObjectives(
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(2))
            .register(registry);
  }

  private Map<String, Counter> counters(
      String name, String description, String label, Set<String> values) {
    Map<String, Counter> all = new HashMap<>();
    for (String value : values) {
      all.put(value, counter(name, description, label, value));
    }
    all.put(OTHER, counter(name, description, label, OTHER));
    return Map.copyOf(all);
  }

  private Counter counter(String name, String description, String label, String value) {
    return Counter.builder("parlance.control.rounds." + name)
        .description(description)
        .tag(label, value)
        .register(registry);
  }

  private static void count(Map<String, Counter> counters, String value) {
    Optional.ofNullable(counters.get(value))
        .or(() -> Optional.ofNullable(counters.get(OTHER)))
        .ifPresent(Counter::increment);
  }

  /** Shows how many rounds have not ended, and how many calls watch some. */
  public void bind(Supplier<Number> unfinished, Supplier<Number> watchers) {
    Gauge.builder("parlance.control.rounds.unfinished", unfinished)
        .description("Rounds that have not ended, over all replicas")
        .register(registry);
    Gauge.builder("parlance.control.rounds.watchers", watchers)
        .description("Calls that watch a round at this replica")
        .register(registry);
  }

  /** A request to open a round: opened, known, or the reason it was refused for. */
  public void opening(String result) {
    count(openings, result);
  }

  /** A proposal: accepted, repeated, equivocated, or the reason it was refused for. */
  public void proposal(String result) {
    count(proposals, result);
  }

  /** A text was given a meaning. */
  public void text(String meaning) {
    count(meanings, meaning);
  }

  /**
   * This replica has put the end of a round on the ledger.
   *
   * @param outcome kind of a commit, or the reason of an abort
   */
  public void ended(String outcome, long tookNs) {
    count(outcomes, outcome);
    deciding.record(Duration.ofNanos(tookNs));
  }

  /** It had no part in that round before. */
  public void takenOver() {
    takeovers.increment();
  }
}
