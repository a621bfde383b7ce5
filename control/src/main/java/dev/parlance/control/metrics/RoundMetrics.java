package dev.parlance.control.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Meters of rounds; labels are from sets known at compile time, any other value is {@code other}.
 */
public final class RoundMetrics {
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
  private final Counters openings;
  private final Counters proposals;
  private final Counters outcomes;
  private final Counters meanings;
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
        ControlMetrics.timer(
            registry,
            "parlance.control.rounds.deciding",
            "From seeing a round complete or over to its outcome on the ledger",
            1,
            5,
            20,
            100,
            500,
            2_000);
  }

  private Counters counters(String name, String description, String label, Set<String> values) {
    return new Counters(registry, "parlance.control.rounds." + name, description, label, values);
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
    openings.count(result);
  }

  /** A proposal: accepted, repeated, equivocated, or the reason it was refused for. */
  public void proposal(String result) {
    proposals.count(result);
  }

  /** A text was given a meaning. */
  public void text(String meaning) {
    meanings.count(meaning);
  }

  /**
   * This replica has put the end of a round on the ledger.
   *
   * @param outcome kind of a commit, or the reason of an abort
   */
  public void ended(String outcome, long tookNs) {
    outcomes.count(outcome);
    deciding.record(Duration.ofNanos(tookNs));
  }

  /** It had no part in that round before. */
  public void takenOver() {
    takeovers.increment();
  }

  /** Counters of one name by one label; a value that is not known counts as {@code other}. */
  static final class Counters {
    private static final String OTHER = "other";

    private final Map<String, Counter> byValue = new HashMap<>();
    private final Counter other;

    Counters(
        MeterRegistry registry, String name, String description, String label, Set<String> values) {
      for (String value : values) {
        byValue.put(value, counter(registry, name, description, label, value));
      }
      other = counter(registry, name, description, label, OTHER);
    }

    private static Counter counter(
        MeterRegistry registry, String name, String description, String label, String value) {
      return Counter.builder(name).description(description).tag(label, value).register(registry);
    }

    void count(String value) {
      count(value, 1);
    }

    void count(String value, int howOften) {
      byValue.getOrDefault(value, other).increment(howOften);
    }
  }
}
