package dev.parlance.control.metrics;

import dev.parlance.control.metrics.RoundMetrics.Counters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
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
  private static final Set<String> REVIEW_RESULTS =
      Set.of("taken", "malformed", "dropped", "acked", "unanswered");
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

  private static final Set<String> IDENTITY_RESULTS =
      Set.of(
          "issued",
          "bad_key",
          "identities_off",
          "no_cluster",
          "token_wrong",
          "token_of_another_agent",
          "token_review_unavailable",
          "agent_without_id",
          "identity_denied",
          "no_authority",
          "busy");
  private static final Set<String> ENCODER_STATES = Set.of("ready", "off", "failed");
  private static final Set<String> ENCODER_RESULTS =
      Set.of("encoded", "encoder_unavailable", "encoder_busy", "text_too_large");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Counters questions;
  private final Counters pushes;
  private final Counters reviews;
  private final Counters identities;
  private final Counters auditEnds;
  private final Counters attachRefusals;
  private final Counter leaseLosses;
  private final Counter takeovers;
  private final Counter storeFailures;
  private final Counter appendRefusals;
  private final Counter appendedEntries;
  private final Timer appends;
  private final Timer acks;
  private final Counters encoderTexts;
  private final DistributionSummary encoderBatches;
  private final Timer encoderRuns;
  private final RoundMetrics rounds = new RoundMetrics(registry);
  private final PactMetrics pacts = new PactMetrics(registry);
  private final LexiconMetrics lexicon = new LexiconMetrics(registry);

  /** Metrics of a replica. */
  public ControlMetrics(String version, String replica) {
    questions =
        counters(
            "parlance.control.questions", "Questions to agents, by outcome", QUESTION_OUTCOMES);
    pushes = counters("parlance.control.core.pushes", "Core pushes, by result", PUSH_RESULTS);
    reviews =
        counters(
            "parlance.control.reviews",
            "Decisions of persons, taken from and pushed to sidecars",
            REVIEW_RESULTS);
    identities =
        counters(
            "parlance.control.identities",
            "Certificates asked for by sidecars, by result",
            IDENTITY_RESULTS);
    auditEnds = counters("parlance.control.audits.ended", "Audits ended here, by how", AUDIT_ENDS);
    attachRefusals =
        counters(
            "parlance.control.attach.refused", "Attach streams refused, by why", ATTACH_REFUSALS);
    leaseLosses =
        counter(
            "parlance.control.lease.losses",
            "Audits that stopped here because their lease was lost");
    takeovers =
        counter(
            "parlance.control.audits.taken.over",
            "Audits that this replica took over from another one");
    storeFailures = counter("parlance.control.store.failures", "Calls of the store that failed");
    appendRefusals =
        counter(
            "parlance.control.ledger.append.refused",
            "Appends that the ledger did not acknowledge");
    appendedEntries =
        counter(
            "parlance.control.ledger.appended.entries",
            "Entries that this replica has put on the ledger");
    appends =
        timer(
            "parlance.control.ledger.append",
            "From handing entries to the ledger to its acknowledgement",
            1,
            5,
            20,
            100,
            500,
            2_000);
    acks =
        timer(
            "parlance.control.core.ack",
            "From seeing a published core to a sidecar's acknowledgement",
            5,
            20,
            50,
            100,
            250,
            1_000,
            5_000);
    encoderTexts =
        counters(
            "parlance.control.encoder.texts", "Texts for the encoder, by result", ENCODER_RESULTS);
    encoderBatches =
        DistributionSummary.builder("parlance.control.encoder.batch.texts")
            .description("Texts that were encoded together")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32)
            .register(registry);
    encoderRuns =
        timer(
            "parlance.control.encoder.run",
            "Runs of the encoder's model",
            0.1,
            1,
            5,
            20,
            100,
            500,
            2_000);
    Gauge.builder("parlance.control.build.info", () -> 1)
        .description("The software that runs")
        .tag("version", version)
        .tag("replica", replica)
        .register(registry);
  }

  private Counters counters(String name, String description, Set<String> values) {
    return new Counters(registry, name, description, "result", values);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Timer timer(String name, String description, double... boundsMs) {
    return timer(registry, name, description, boundsMs);
  }

  static Timer timer(MeterRegistry registry, String name, String description, double... boundsMs) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(
            Arrays.stream(boundsMs)
                .mapToObj(ms -> Duration.ofNanos(Math.round(ms * 1e6)))
                .toArray(Duration[]::new))
        .register(registry);
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  /** Shows when the certificate of the listeners expires. */
  public void bindCertificate(Supplier<Instant> notAfter) {
    gauge(
        "parlance.control.certificate.expiry.timestamp.seconds",
        "When the certificate of the listeners expires, in seconds since 1970",
        () -> notAfter.get().getEpochSecond());
  }

  /** Shows when the authority that issues identities expires, and how many entries deny some. */
  public void bindAuthority(Supplier<Optional<Instant>> notAfter, Supplier<Number> denied) {
    gauge(
        "parlance.control.authority.expiry.timestamp.seconds",
        "When the authority that issues identities expires, in seconds since 1970; 0: there is"
            + " none",
        () -> notAfter.get().map(Instant::getEpochSecond).orElse(0L));
    gauge("parlance.control.denied.identities", "Entries of the deny list", denied);
  }

  /** Shows how many sidecars are attached here. */
  public void bindAttached(Supplier<Number> attached) {
    gauge("parlance.control.attached.sidecars", "Sidecars attached to this replica", attached);
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
    gauge("parlance.control.ledger.size", "Entries on the ledger", size::getAsDouble);
    gauge(
        "parlance.control.ledger.checkpoint.age.seconds",
        "Since this replica last saw the ledger grow",
        checkpointAgeSeconds::getAsDouble);
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
    gauge("parlance.control.encoder.waiting", "Texts that wait for the encoder", waiting);
  }

  /** Texts were encoded together. */
  public void encoded(int texts, long tookNs) {
    encoderTexts.count("encoded", texts);
    encoderBatches.record(texts);
    encoderRuns.record(Duration.ofNanos(tookNs));
  }

  /** A text got no vector: the encoder's code says why. */
  public void encoderRefused(String code) {
    encoderTexts.count(code);
  }

  /** A question ended: {@code verdict}, {@code reply}, or the code of a failure. */
  public void question(String outcome) {
    questions.count(outcome);
  }

  /** A core push ended: {@code acked}, {@code unanswered}, or the sidecar's reason. */
  public void push(String result) {
    pushes.count(result);
  }

  /** What became of a person's decision: {@code taken}, {@code acked} .. */
  public void review(String result) {
    reviews.count(result);
  }

  /** A certificate was issued, or not: {@code issued} or the reason. */
  public void identity(String result) {
    identities.count(result);
  }

  /** An audit ended here: {@code completed} or its failure. */
  public void auditEnded(String how) {
    auditEnds.count(how);
  }

  /** An attach stream was refused. */
  public void attachRefused(String reason) {
    attachRefusals.count(reason);
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

  /** Meters of pacts. */
  public PactMetrics pacts() {
    return pacts;
  }

  /** Meters of boards of coined terms. */
  public LexiconMetrics lexicon() {
    return lexicon;
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
