package dev.parlance.control.metrics;

import dev.parlance.control.metrics.RoundMetrics.Counters;
import dev.parlance.policy.pact.PactScore.Ending;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Meters of pacts; labels are from sets known at compile time, any other value is {@code other}.
 */
public final class PactMetrics {
  private static final Set<String> RESULTS =
      Set.of(
          "done",
          "bad_key",
          "key_unknown",
          "not_a_party",
          "not_the_arbiter",
          "note_bad_signature",
          "pact_malformed",
          "pact_not_signed",
          "pact_exists",
          "pact_expired",
          "pact_ended",
          "pact_unknown",
          "stale_counts",
          "wrong_reason",
          "ledger_unavailable");

  private final MeterRegistry registry;
  private final Map<String, Counters> calls = new HashMap<>();

  PactMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (String call : Set.of("key", "template", "attest", "report", "dissolve", "decide")) {
      calls.put(call, counters(call, RESULTS));
    }
    calls.put(
        "expire",
        counters(
            "expire",
            Ending.of(Ending.Source.TIME).stream().map(Ending::code).collect(Collectors.toSet())));
  }

  private Counters counters(String call, Set<String> results) {
    return new Counters(
        registry,
        "parlance.control.pacts." + call,
        "Calls about pacts that write, by result",
        "result",
        results);
  }

  /** Shows how many pacts hold or are disputed. */
  public void bind(Supplier<Number> open) {
    Gauge.builder("parlance.control.pacts.open", open)
        .description("Pacts that hold or are disputed")
        .register(registry);
  }

  /** A call that writes: done, or the reason it was refused for. */
  public void counted(String call, String result) {
    Counters counters = calls.get(call);
    if (counters == null) {
      throw new IllegalArgumentException("no meter of " + call);
    }
    counters.count(result);
  }
}
