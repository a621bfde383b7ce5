package dev.parlance.control.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * All metrics of one replica. Every label value comes from a set that is known at compile time; any
 * other is counted as {@code other}, so nothing that a peer sends can make series. Methods may be
 * called from any thread and do not block.
 */
public final class ControlMetrics {
  /** Content type of {@link #scrape}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String OTHER = "other";
  private static final Set<String> QUESTION_OUTCOMES =
      Set.of(
          "verdict",
          "reply",
          "agent_unreachable",
          "agent_refused",
          "unreadable_answer",
          "timeout",
          "no_agent",
          "unmatched");
  private static final Set<String> PUSH_RESULTS =
      Set.of(
          "acked",
          "unanswered",
          "older",
          "unsigned",
          "foreign_signature",
          "malformed",
          "impossible",
          "too_large",
          "wrong_agent",
          "storage");
  private static final Set<String> AUDIT_ENDS =
      Set.of(
          "completed",
          "no_sidecar",
          "events_exhausted",
          "ledger_unavailable",
          "offer_declined",
          "plan_changed");
  private static final Set<String> ATTACH_REFUSALS =
      Set.of(
          "token_missing",
          "token_of_another_agent",
          "hello_late",
          "hello_first",
          "hello_twice",
          "bad_hello",
          "message_too_large",
          "too_many_streams");

  private static final Set<String> ENCODER_STATES = Set.of("ready", "off", "failed");
  private static final Set<String> ENCODER_RESULTS =
      Set.of("encoded", "encoder_unavailable", "encoder_busy", "text_too_large");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, Counter> questions;
  private final Map<String, Counter> pushes;
  private final Map<String, Counter> auditEnds;
  private final Map<String, Counter> attachRefusals;
  private final Counter leaseLosses;
  private final Counter takeovers;
  private final Counter storeFailures;
  private final Counter appendRefusals;
  private final Counter appendedEntries;
  private final Timer appends;
  private final Timer acks;
  private final Map<String, Counter> encoderTexts;
  private final DistributionSummary encoderBatches;
  private final Timer encoderRuns;
  private final RoundMetrics rounds = new RoundMetrics(registry);

  /** Metrics of a replica. */
  public ControlMetrics(String version, String replica) {
    questions =
        counters(
            "parlance.control.questions", "Questions to agents, by outcome", QUESTION_OUTCOMES);
    pushes = counters("parlance.control.core.pushes", "Core pushes, by result", PUSH_RESULTS);
    auditEnds = counters("parlance.control.audits.ended", "Audits ended here, by how", AUDIT_ENDS);
    attachRefusals =
        counters(
            "parlance.control.attach.refused", "Attach streams refused, by why", ATTACH_REFUSALS);
    leaseLosses =
        Counter.builder("parlance.control.lease.losses")
            .description("Audits that stopped here because their lease was lost")
            .register(registry);
    takeovers =
        Counter.builder("parlance.control.audits.taken.over")
            .description("Audits that this replica took over from another one")
            .register(registry);
    storeFailures =
        Counter.builder("parlance.control.store.failures")
            .description("Calls of the store that failed")
            .register(registry);
    appendRefusals =
        Counter.builder("parlance.control.ledger.append.refused")
            .description("Appends that the ledger did not acknowledge")
            .register(registry);
    appendedEntries =
        Counter.builder("parlance.control.ledger.appended.entries")
            .description("Entries that this replica has put on the ledger")
            .register(registry);
    appends =
        Timer.builder("parlance.control.ledger.append")
            .description("From handing entries to the ledger to its acknowledgement")
            .serviceLevelObjectives(
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(2))
            .register(registry);
    acks =
        Timer.builder("parlance.control.core.ack")
            .description("From seeing a published core to a sidecar's acknowledgement")
            .serviceLevelObjectives(
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                Duration.ofMillis(50),
                Duration.ofMillis(100),
                Duration.ofMillis(250),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5))
            .register(registry);
    encoderTexts =
        counters(
            "parlance.control.encoder.texts", "Texts for the encoder, by result", ENCODER_RESULTS);
    encoderBatches =
        DistributionSummary.builder("parlance.control.encoder.batch.texts")
            .description("Texts that were encoded together")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32)
            .register(registry);
    encoderRuns =
        Timer.builder("parlance.control.encoder.run")
            .description("Runs of the encoder's model")
            .serviceLevelObjectives(
                Duration.ofNanos(100_000),
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(2))
            .register(registry);
    Gauge.builder("parlance.control.build.info", () -> 1)
        .description("The software that runs")
        .tag("version", version)
        .tag("replica", replica)
        .register(registry);
  }

  private Map<String, Counter> counters(String name, String description, Set<String> values) {
    Map<String, Counter> all = new HashMap<>();
    for (String value : values) {
      all.put(value, counter(name, description, value));
    }
    all.put(OTHER, counter(name, description, OTHER));
    return Map.copyOf(all);
  }

  private Counter counter(String name, String description, String result) {
    return Counter.builder(name).description(description).tag("result", result).register(registry);
  }

  private static void count(Map<String, Counter> counters, String value) {
    count(counters, value, 1);
  }

  private static void count(Map<String, Counter> counters, String value, int howOften) {
    Counter counter = counters.get(value);
    if (counter == null) {
      counter = counters.get(OTHER);
    }
    if (counter != null) {
      counter.increment(howOften);
    }
  }

  /** Shows how many sidecars are attached here. */
  public void bindAttached(Supplier<Number> attached) {
    Gauge.builder("parlance.control.attached.sidecars", attached)
        .description("Sidecars attached to this replica")
        .register(registry);
  }

  /** Shows how many audits run here, and how many wait or run at all. */
  public void bindAudits(Supplier<Number> running, Supplier<Number> unfinished) {
    Gauge.builder("parlance.control.audits", running)
        .description("Audits, by state")
        .tag("state", "running_here")
        .register(registry);
    Gauge.builder("parlance.control.audits", unfinished)
        .description("Audits, by state")
        .tag("state", "unfinished")
        .register(registry);
  }

  /** Shows the ledger's size and the age of its newest checkpoint as this replica has read it. */
  public void bindLedger(DoubleSupplier size, DoubleSupplier checkpointAgeSeconds) {
    Gauge.builder("parlance.control.ledger.size", size::getAsDouble)
        .description("Entries on the ledger")
        .register(registry);
    Gauge.builder(
            "parlance.control.ledger.checkpoint.age.seconds", checkpointAgeSeconds::getAsDouble)
        .description("Since this replica last saw the ledger grow")
        .register(registry);
  }

  /**
   * Shows where the encoder stands, and how many texts wait for it.
   *
   * @param state {@code ready}, {@code off} or {@code failed}
   */
  public void bindEncoder(Supplier<String> state, Supplier<Number> waiting) {
    for (String each : ENCODER_STATES) {
      Gauge.builder("parlance.control.encoder.state", () -> state.get().equals(each) ? 1 : 0)
          .description("1 at the state that the encoder is in")
          .tag("state", each)
          .register(registry);
    }
    Gauge.builder("parlance.control.encoder.waiting", waiting)
        .description("Texts that wait for the encoder")
        .register(registry);
  }

  /** Texts were encoded together. */
  public void encoded(int texts, long tookNs) {
    count(encoderTexts, "encoded", texts);
    encoderBatches.record(texts);
    encoderRuns.record(Duration.ofNanos(tookNs));
  }

  /** A text got no vector: the encoder's code says why. */
  public void encoderRefused(String code) {
    count(encoderTexts, code);
  }

  /** A question ended: {@code verdict}, {@code reply}, or the code of a failure. */
  public void question(String outcome) {
    count(questions, outcome);
  }

  /** A core push ended: {@code acked}, {@code unanswered}, or the sidecar's reason. */
  public void push(String result) {
    count(pushes, result);
  }

  /** An audit ended here: {@code completed} or its failure. */
  public void auditEnded(String how) {
    count(auditEnds, how);
  }

  /** An attach stream was refused. */
  public void attachRefused(String reason) {
    count(attachRefusals, reason);
  }

  /** An audit stopped because its lease was lost. */
  public void leaseLost() {
    leaseLosses.increment();
  }

  /** An audit was taken over from another replica. */
  public void takenOver() {
    takeovers.increment();
  }

  /** The store could not be used. */
  public void storeFailed() {
    storeFailures.increment();
  }

  /** The ledger acknowledged entries. */
  public void appended(int entries, long tookNs) {
    appendedEntries.increment(entries);
    appends.record(Duration.ofNanos(tookNs));
  }

  /** The ledger did not acknowledge. */
  public void appendRefused() {
    appendRefusals.increment();
  }

  /** A sidecar has a core in force. */
  public void acknowledged(long tookNs) {
    acks.record(Duration.ofNanos(tookNs));
  }

  /** Meters of rounds. */
  public RoundMetrics rounds() {
    return rounds;
  }

  /** All of it in the text format of Prometheus. */
  public String scrape() {
    return registry.scrape();
  }
}
