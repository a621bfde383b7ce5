package dev.parlance.proxy.metrics;

import dev.parlance.ledger.verdict.VerdictFault;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.file.ConfigRefusalReason;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.metrics.MetricLabel.ForgedSource;
import dev.parlance.proxy.metrics.MetricLabel.OpenCheck;
import dev.parlance.proxy.metrics.MetricLabel.ReviewDecision;
import dev.parlance.proxy.metrics.MetricLabel.RoundMetric;
import dev.parlance.proxy.metrics.MetricLabel.Stage;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.metric.Family;
import dev.parlance.service.metric.Family.Room;
import dev.parlance.service.metric.Histograms.Distribution;
import dev.parlance.service.metric.LabelValues;
import dev.parlance.service.metric.Metric;
import dev.parlance.service.metric.MetricFamilies;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.plumbing.Shape;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tag;
import io.netty.util.Version;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All metrics of one sidecar. Label values come from enums or from known sets; any other value is
 * counted as {@code other} and in {@code parlance_metrics_series_dropped_total}, so nothing that a
 * peer sends can make series. Methods may be called from any thread and do not block.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public final class SidecarMetrics {
  /** Most series of one sidecar, whatever is counted. */
  static final int MAX_SERIES = 400;

  private static final double SECONDS_PER_NANO = 1e-9;
  private static final int REJECTION_REASONS = 96;

  // Most series of single families, so that what strangers can vary does not take all the room.
  // Of all combinations only few occur: a protocol is spoken in one direction, with few codes.

  private static final int REQUEST_SERIES = 32;
  private static final int DURATION_SERIES = 3;
  private static final int VERDICT_SERIES = 24;
  private static final int REJECTION_SERIES = 16;
  private static final int UNJUDGED_SERIES = 10;
  private static final int CUT_SERIES = 8;
  private static final int REGENERATION_SERIES = 8;
  private static final int GUARD_SERIES = 10;
  private static final int ROUND_SERIES = 10;
  private static final int PACT_SERIES = 12;
  private static final int LEXICON_SERIES = 8;

  /** Codes of ours and the control plane's. */
  private static final int LEXICON_REASONS = 24;

  private static final int DOMAINS = 8;

  /** Labels of protocols with some to spare: codecs make them, never a peer. */
  private static final int PROTOCOLS = 12;

  /** The peer where a route with a core does not know who is on the other side. */
  private static final String UNKNOWN_PEER = "unknown";

  /** Peers that have series of their own, {@link #UNKNOWN_PEER} among them. */
  static final int MAX_PEERS = 8;

  /** Gauges and counters of the constructor that have no labels. */
  private static final int FIXED_GAUGES = 15;

  /** Ours and the control plane's codes; what it may say besides counts as other. */
  private static final int ROUND_RESULTS = 40;

  /** Some of OpenTelemetry's bounds for HTTP durations, in seconds, and more: agents think long. */
  private static final double[] NEGOTIATION_SECONDS = {0.005, 0.01, 0.02, 0.05, 0.2, 0.5, 2, 5};

  private static final double[] DURATION_SECONDS = {0.025, 0.1, 0.25, 1, 2.5, 10, 30, 120};

  /** 50 microseconds to 50 milliseconds. */
  private static final double[] OVERHEAD_SECONDS = {
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.05
  };

  /** Eight bounds, the paper's thresholds .12 and .22 among them. */
  private static final double[] DRIFT = {0.04, 0.08, 0.12, 0.16, 0.22, 0.3, 0.5, 1};

  private static final int NO_ROUTE = Route.values().length;
  private static final int OTHER_CODE = 5;

  private static final LabelValues DIRECTIONS = LabelValues.of(Direction.values(), Direction::code);
  private static final LabelValues POLICIES = LabelValues.of(OnFailure.values(), OnFailure::code);
  private static final LabelValues REASONS = LabelValues.of(Reason.values(), Reason::code);

  private final MetricFamilies families = new MetricFamilies(MAX_SERIES, this::dropped);

  private final LabelValues protocols =
      LabelValues.admitting(PROTOCOLS, Names::isName, AgentProtocol.NONE.label());

  /** Ids of agents come out of the configuration; the first few have series of their own. */
  private final LabelValues peers = LabelValues.admitting(MAX_PEERS, Names::isName, UNKNOWN_PEER);

  private final Family<Counter> requests =
      families.counters(
          Meter.REQUESTS,
          Room.SHARED,
          REQUEST_SERIES,
          DIRECTIONS,
          protocols,
          LabelValues.words("execute warn regenerate yield none"),
          LabelValues.words("1xx 2xx 3xx 4xx 5xx"));
  private final Family<Distribution> requestDuration =
      histograms(Meter.REQUEST_DURATION, Room.SHARED, DURATION_SERIES, DIRECTIONS, protocols);
  private final Family<Distribution> overhead =
      histograms(Meter.PROXY_OVERHEAD, LabelValues.of(Stage.values(), Stage::code));
  private final Family<Counter> verdicts =
      families.counters(
          Meter.VERDICTS,
          Room.RESERVED,
          VERDICT_SERIES,
          LabelValues.of(Route.values(), Route::code),
          REASONS,
          LabelValues.of(Mode.values(), Mode::code));
  private final Family<Distribution> certainty = histograms(Meter.SIGNAL_CERTAINTY, DIRECTIONS);
  private final Family<Distribution> grounding = histograms(Meter.SIGNAL_GROUNDING, DIRECTIONS);
  private final Family<Distribution> stochasticity =
      histograms(Meter.SIGNAL_STOCHASTICITY, DIRECTIONS);
  private final Family<Distribution> drift = histograms(Meter.DRIFT, DIRECTIONS);
  private final Family<Counter> coreTerms =
      families.counters(
          Meter.CORE_TERMS,
          LabelValues.admitting(DOMAINS, Names::isName),
          LabelValues.of(TermStatus.CERTIFIED.code(), "unknown", TermStatus.REVOKED.code()));
  private final Family<Counter> coreGuard =
      families.counters(
          Meter.CORE_GUARD,
          Room.SHARED,
          GUARD_SERIES,
          LabelValues.of(Route.values(), Route::code),
          REASONS);
  private final Family<Counter> rounds =
      families.counters(
          Meter.ROUNDS,
          Room.SHARED,
          ROUND_SERIES,
          LabelValues.of(RoundMetric.values(), RoundMetric::code),
          LabelValues.growing(ROUND_RESULTS, "accepted holds ended round_unavailable"));
  private final Family<Counter> pactTransitions =
      families.counters(
          Meter.PACT_TRANSITIONS,
          Room.SHARED,
          PACT_SERIES,
          LabelValues.of("negotiation", "attestation", "pact"),
          LabelValues.of(
              Stream.concat(
                      Stream.of(
                          "agreed",
                          "refused",
                          "escalated",
                          "no_peer",
                          "unavailable",
                          "attested",
                          "adopted"),
                      Arrays.stream(Ending.values()).map(Ending::code))
                  .toArray(String[]::new)));
  private final Family<Counter> pactViolations =
      families.counters(
          Meter.PACT_VIOLATIONS,
          LabelValues.of(
              PactCategory.VIOLABLE.stream().map(PactCategory::code).toArray(String[]::new)));
  private final Family<Distribution> pactNegotiation =
      histograms(Meter.PACT_NEGOTIATION, Room.SHARED, 1);
  private final Family<Counter> lexiconReuse =
      families.counters(Meter.LEXICON_REUSE, LabelValues.of("public", "faction"));
  private final Family<Counter> lexiconRejected =
      families.counters(
          Meter.LEXICON_REJECTED,
          Room.SHARED,
          LEXICON_SERIES,
          LabelValues.growing(LEXICON_REASONS, "not_novel not_used too_long syntax"));
  private final Family<Counter> draftTokens =
      families.counters(Meter.DRAFT_TOKENS, LabelValues.of("input", "output"));
  private final Family<Counter> entailments =
      families.counters(Meter.ENTAILMENT, LabelValues.words("answered late full broken"));
  private final Family<Counter> entailmentWait = families.counters(Meter.ENTAILMENT_WAIT);
  private final Family<Counter> evidenceCut = families.counters(Meter.EVIDENCE_CUT);
  private final Family<Counter> cardsElsewhere = families.counters(Meter.CARDS_ELSEWHERE);
  private final Family<Counter> lexiconInjected = families.counters(Meter.LEXICON_INJECTED);
  private final Family<Counter> lexiconJointPasses = families.counters(Meter.LEXICON_JOINT_PASSES);
  private final Family<Counter> lexiconDropped =
      families.counters(Meter.LEXICON_DROPPED, LabelValues.words("full ignored refused internal"));
  private final Family<Counter> regenerations =
      families.counters(Meter.REGENERATIONS, Room.SHARED, REGENERATION_SERIES, REASONS);
  private final Family<Counter> budgetExhausted = families.sure(Meter.ERROR_BUDGET_EXHAUSTED);
  private final Family<Counter> reviewDecisions =
      families.sure(
          Meter.REVIEW_DECISIONS, LabelValues.of(ReviewDecision.values(), ReviewDecision::code));
  private final Family<Counter> reviewEscalations = families.sure(Meter.REVIEW_ESCALATIONS);
  private final Family<Counter> peerVerdicts =
      families.counters(
          Meter.PEER_VERDICTS,
          LabelValues.of(
              Stream.concat(
                      Stream.of("sent", "believed", "released", "under_pact"),
                      Arrays.stream(VerdictFault.values()).map(VerdictFault::code))
                  .toArray(String[]::new)));
  private final Family<Counter> sharedDecisions =
      families.counters(
          Meter.SHARED_DECISIONS, LabelValues.words("said taken refused heard followed settled"));
  private final Family<Counter> rejected =
      families.counters(
          Meter.REJECTED,
          Room.SHARED,
          REJECTION_SERIES,
          LabelValues.words(
              "stream review http1 http2 size time connections encoding json message"
                  + " destination interception identity"),
          LabelValues.growing(
              REJECTION_REASONS,
              "bad_encoding bad_json duplicate_key json_limit bad_message body_too_large"
                  + " bad_coding inflation_limit bad_charset incomplete"));
  private final Family<Counter> opaque =
      families.sure(
          Meter.OPAQUE_CONNECTIONS,
          LabelValues.of("port", "tls", "connect", "upgrade", "body", "grpc", "not_http"));
  private final Family<Counter> unjudged =
      families.counters(
          Meter.UNJUDGED,
          Room.SHARED,
          UNJUDGED_SERIES,
          LabelValues.words(
              "content_type method stream batch binary_part shape pointer codec malformed"
                  + " status_text history_text error_text coded_stream stream_comment event_name"
                  + " data_names unread_request judging_limit mcp_http_sse plumbing_off"
                  + " plumbing_target plumbing_terms body_too_large upgrade open_call"
                  + " "
                  + Shape.SIZE
                  + " "
                  + Shape.TYPE
                  + " "
                  + Shape.WORDS),
          POLICIES);
  private final Family<Counter> plumbing =
      families.counters(Meter.PLUMBING, LabelValues.of(Plumbing.values(), Plumbing::code));
  private final Family<Counter> forged =
      families.sure(Meter.FORGED_HEADER, LabelValues.of(ForgedSource.values(), ForgedSource::code));
  private final Family<Counter> failOpen =
      families.sure(Meter.FAIL_OPEN, LabelValues.of(OpenCheck.values(), OpenCheck::code), POLICIES);
  private final Family<Counter> streamCut =
      families.counters(
          Meter.STREAM_CUT,
          LabelValues.words(
              "regenerate yield unjudged malformed origin internal_error stream_limit"
                  + " stream_timeout stream_turned_bad"));
  private final Family<Distribution> streamFirstByte = histograms(Meter.STREAM_FIRST_BYTE).filled();
  private final Family<Counter> configRejected =
      families.sure(
          Meter.CONFIG_REJECTED,
          LabelValues.of(ConfigRefusalReason.values(), ConfigRefusalReason::code));
  private final Family<Counter> http2Cuts =
      families.counters(
          Meter.HTTP2_CUT,
          Room.SHARED,
          CUT_SERIES,
          LabelValues.words(
              "ping settings window_update priority empty_data small_data reset refused"
                  + " unknown_frame closed_stream protocol_error internal_error flow_control_error"
                  + " stream_closed frame_size_error compression_error enhance_your_calm"));
  private final Family<Counter> originErrors =
      families.counters(
          Meter.ORIGIN_ERRORS,
          LabelValues.words(
              "connect_refused connect_timeout unknown_host response_timeout response_incomplete"
                  + " response_malformed response_too_large origin_closed origin_limit"
                  + " origin_streams origin_protocol destination_denied tls_handshake"
                  + " tls_no_identity tls_wrong_peer tls_denied tls_not_svid tls_expired"
                  + " tls_not_yet_valid tls_unknown_domain tls_untrusted shutting_down"));
  private final Family<Counter> seriesDropped =
      families.counters(Meter.SERIES_DROPPED, LabelValues.of(Meter.values(), Meter::metricName));

  private final Family<Counter> pairVerdicts =
      families.counters(Meter.PAIR_VERDICTS, peers, LabelValues.of(Route.values(), Route::code));
  private final Family<Distribution> pairDrift =
      histograms(Meter.PAIR_DRIFT, Room.SHARED, Integer.MAX_VALUE, peers);

  private final LongAdder guarded = new LongAdder();
  private final ControlLinkMetrics control = new ControlLinkMetrics(this);

  private final AtomicInteger[] connections = new AtomicInteger[Direction.values().length];
  private final AtomicInteger streamsOpen = new AtomicInteger();
  private final AtomicLong configAppliedAtMs = new AtomicLong();
  private volatile DoubleSupplier streamHeldBytes = () -> 0;
  private volatile DoubleSupplier pactsActive = () -> 0;
  private volatile Supplier<ReviewLoad> review = () -> ReviewLoad.NONE;
  private volatile DoubleSupplier reviewKappa = () -> 0;
  private volatile DoubleSupplier decisionLogDropped = () -> 0;

  /** Metrics of a sidecar of this version. */
  public SidecarMetrics(String version) {
    families.info(Meter.BUILD_INFO, version, Runtime.version().toString(), nettyVersion());
    for (Direction direction : Direction.values()) {
      AtomicInteger open = new AtomicInteger();
      connections[direction.ordinal()] = open;
      families.budget().reserve(1);
      families.gauge(Meter.CONNECTIONS_ACTIVE, open::get, Tag.of("direction", direction.code()));
    }
    families.budget().reserve(FIXED_GAUGES);
    families.gauge(Meter.CONFIG_LAST_SUCCESS, () -> configAppliedAtMs.get() / 1000.0);
    families.gauge(Meter.STREAMS_OPEN, streamsOpen::get);
    families.gauge(Meter.PACTS_ACTIVE, () -> pactsActive.getAsDouble());
    families.gauge(Meter.STREAM_HELD, () -> streamHeldBytes.getAsDouble());
    families.gauge(Meter.REVIEW_QUEUE_DEPTH, () -> review.get().depth());
    families.gauge(Meter.REVIEW_QUEUE_CAPACITY, () -> review.get().capacity());
    families.gauge(Meter.REVIEW_QUEUE_BYTES, () -> review.get().bytes());
    families.gauge(Meter.REVIEW_QUEUE_CAPACITY_BYTES, () -> review.get().capacityBytes());
    families.gauge(Meter.REVIEW_OLDEST_AGE, () -> review.get().oldestAgeMs() / 1000.0);
    families.gauge(Meter.REVIEW_KAPPA, () -> reviewKappa.getAsDouble());
    families.gauge(Meter.HEAP_USED, JvmGauges::heapUsedBytes);
    families.gauge(Meter.HEAP_MAX, JvmGauges::heapMaxBytes);
    families.gauge(Meter.DIRECT_USED, JvmGauges::directUsedBytes);
    families.gauge(Meter.THREADS, JvmGauges::threads);
    families.counter(Meter.GC_TIME, JvmGauges::gcSeconds);
    families.counter(Meter.DECISION_LOG_DROPPED, () -> decisionLogDropped.getAsDouble());
    budgetExhausted.get().increment(0);
  }

  /** An exchange ended. */
  public void request(Direction direction, AgentProtocol protocol, Route route, int status) {
    countRequest(direction, protocol, route.ordinal(), status);
  }

  /** An exchange ended in which nothing was judged. */
  public void requestUnjudged(Direction direction, AgentProtocol protocol, int status) {
    countRequest(direction, protocol, NO_ROUTE, status);
  }

  private void countRequest(Direction direction, AgentProtocol protocol, int route, int status) {
    int codeClass = status >= 100 && status < 600 ? status / 100 - 1 : OTHER_CODE;
    int protocolIndex = requests.index(1, protocol.label());
    requests.get(direction.ordinal(), protocolIndex, route, codeClass).increment();
  }

  /** How long an exchange took from its request's head to its response's end. */
  public void requestDuration(Direction direction, AgentProtocol protocol, long nanos) {
    requestDuration
        .get(direction.ordinal(), requestDuration.index(1, protocol.label()))
        .observe(nanos * SECONDS_PER_NANO);
  }

  /** How long the sidecar itself worked. */
  public void overhead(Stage stage, long nanos) {
    overhead.get(stage.ordinal()).observe(nanos * SECONDS_PER_NANO);
  }

  /** A message was judged. */
  public void verdict(Route route, Reason primaryReason, Mode mode) {
    verdicts.get(route.ordinal(), primaryReason.ordinal(), mode.ordinal()).increment();
  }

  /** The signals of a judged message, all in [0,1]. */
  public void signals(
      Direction direction,
      double certaintyRatio,
      double groundingRatio,
      double stochasticityRatio,
      double driftSqrtJsd) {
    certainty.get(direction.ordinal()).observe(certaintyRatio);
    grounding.get(direction.ordinal()).observe(groundingRatio);
    stochasticity.get(direction.ordinal()).observe(stochasticityRatio);
    drift.get(direction.ordinal()).observe(driftSqrtJsd);
  }

  /**
   * A message on a route with a core was judged.
   *
   * @param peer id of the agent on the other side, out of the configuration
   * @param route what became of it
   * @param driftSqrtJsd 0 to 1, if it has signals
   */
  public void pair(Optional<String> peer, Route route, OptionalDouble driftSqrtJsd) {
    int index = pairVerdicts.index(0, peer.orElse(UNKNOWN_PEER));
    pairVerdicts.get(index, route.ordinal()).increment();
    if (driftSqrtJsd.isPresent()) {
      pairDrift.get(index).observe(driftSqrtJsd.getAsDouble());
    }
  }

  /** A message was held against a certified core. */
  public void coreChecked(CoreFindings findings, GuardOutcome outcome) {
    int domain = coreTerms.index(0, findings.core().domain());
    coreTerms.get(domain, 0).increment(findings.certified());
    coreTerms.get(domain, 1).increment(findings.unknown());
    coreTerms.get(domain, 2).increment(findings.revoked());
    coreGuard.get(outcome.route().ordinal(), outcome.reason().ordinal()).increment();
    if (outcome.route() == Route.REGENERATE || outcome.route() == Route.YIELD) {
      guarded.increment();
    }
  }

  /** Messages that the core guard asked to be held back or sent back since start. */
  public long guardedMessages() {
    return guarded.sum();
  }

  /** A message had to do with a round; the result is a code of ours or of the control plane. */
  public void round(RoundMetric matter, String result) {
    rounds.of(matter.code(), result).increment();
  }

  /** Shows how many pacts hold. */
  public void bindPacts(DoubleSupplier active) {
    pactsActive = active;
  }

  /** What is counted of pacts beside the message path. */
  public Pacts.Events pacts() {
    return new Pacts.Events() {
      @Override
      public void transition(String phase, String outcome) {
        pactTransitions.of(phase, outcome).increment();
      }

      @Override
      public void negotiated(double seconds) {
        pactNegotiation.get().observe(seconds);
      }
    };
  }

  /** A draft that took so much is asked for again. */
  public void draftTokens(TokenUsage usage) {
    draftTokens.get(0).increment((double) usage.input());
    draftTokens.get(1).increment((double) usage.output());
  }

  /** The second stage was asked about a message. */
  public void entailment(String outcome, long tookNs) {
    entailments.of(outcome).increment();
    entailmentWait.get().increment(tookNs * SECONDS_PER_NANO);
  }

  /** Chunks of evidence were not looked at. */
  public void evidenceCut(int chunks) {
    evidenceCut.get().increment(chunks);
  }

  /** What is counted of coined terms; a term is never a label. */
  public Lexicons.Events lexicon() {
    return new Lexicons.Events() {
      @Override
      public void reused(boolean inPublic, int terms) {
        lexiconReuse.get(inPublic ? 0 : 1).increment(terms);
      }

      @Override
      public void rejected(String code) {
        lexiconRejected.of(code).increment();
      }

      @Override
      public void injected(int tokens) {
        lexiconInjected.get().increment(tokens);
      }

      @Override
      public void readOnce() {
        lexiconJointPasses.get().increment();
      }

      @Override
      public void dropped(String code, int turns) {
        lexiconDropped.of(code).increment(turns);
      }
    };
  }

  /** A message did not keep to a pact; the category is that which decided what became of it. */
  public void pactViolation(PactCategory category) {
    pactViolations.of(category.code()).increment();
  }

  /** An author was asked again. */
  public void regeneration(Reason primaryReason) {
    regenerations.get(primaryReason.ordinal()).increment();
  }

  /** A message was held because its flow's error budget was spent. */
  public void errorBudgetExhausted() {
    budgetExhausted.get().increment();
  }

  /** A held message was decided. */
  public void reviewDecision(ReviewDecision decision) {
    reviewDecisions.get(decision.ordinal()).increment();
  }

  /** Nobody decided a held message in time. */
  public void reviewEscalated() {
    reviewEscalations.get().increment();
  }

  /** Something became of a decision that two sidecars share; a code of ours. */
  public void sharedDecision(String event) {
    sharedDecisions.of(event).increment();
  }

  /** Something came of a verdict that goes from sidecar to sidecar; a code of ours. */
  public void peerVerdict(String result) {
    peerVerdicts.of(result).increment();
  }

  /** A limit or the strict guard refused something; layer and reason are our own codes. */
  public void rejected(String layer, String reason) {
    rejected.of(layer, reason).increment();
  }

  /** A redirected connection goes on unread; {@code reason} is {@code port, tls, not_http}. */
  public void opaqueConnection(String reason) {
    opaque.of(reason).increment();
  }

  /** No codec could read a message; {@code what} as in {@code Reading.Unjudged}. */
  public void unjudged(String what, OnFailure policy) {
    unjudged.of(what, policy.code()).increment();
  }

  /** A request goes to the agent for its name. */
  public void plumbing(Plumbing name) {
    plumbing.get(name.ordinal()).increment();
  }

  /** An agent's card was fetched that leads its clients past this sidecar. */
  public void cardElsewhere() {
    cardsElsewhere.get().increment();
  }

  /** Fields of ours were taken out of a message. */
  public void forgedHeader(ForgedSource source) {
    forged.get(source.ordinal()).increment();
  }

  /** A message went on although a check could not be made. */
  public void failOpen(OpenCheck check, OnFailure policy) {
    failOpen.get(check.ordinal(), policy.ordinal()).increment();
  }

  /** A streamed answer begins to arrive. */
  public void streamOpened() {
    streamsOpen.incrementAndGet();
  }

  /** A streamed answer is over, in whatever way. */
  public void streamClosed() {
    streamsOpen.decrementAndGet();
  }

  /** A stream ended otherwise than its agent would have ended it; the reason is a code of ours. */
  public void streamCut(String reason) {
    streamCut.of(reason).increment();
  }

  /** How long a caller waited for the first byte of a stream. */
  public void streamFirstByte(long nanos) {
    streamFirstByte.get().observe(nanos * SECONDS_PER_NANO);
  }

  /** Where the bytes that streams hold are asked from now on, at each scrape. */
  public void bindStreams(DoubleSupplier heldBytes) {
    streamHeldBytes = heldBytes;
  }

  /** A configuration file was refused. */
  public void configRejected(ConfigRefusalReason reason) {
    configRejected.get(reason.ordinal()).increment();
  }

  /** A configuration was applied at this time. */
  public void configApplied(long epochMs) {
    configAppliedAtMs.set(epochMs);
  }

  /** A client connected. */
  public void connectionOpened(Direction direction) {
    connections[direction.ordinal()].incrementAndGet();
  }

  /** A client's connection is closed. */
  public void connectionClosed(Direction direction) {
    connections[direction.ordinal()].decrementAndGet();
  }

  /** A client's HTTP/2 connection was cut; {@code reason} as in {@code RelayEvents.http2Cut}. */
  public void http2Cut(String reason) {
    http2Cuts.of(reason).increment();
  }

  /** An origin did not answer; {@code code} as in {@code OriginResult.Failed}. */
  public void originError(String code) {
    originErrors.of(code).increment();
  }

  /**
   * How full the review queue is.
   *
   * @param depth messages that wait
   * @param capacity most of them
   * @param bytes memory of those that wait or are released
   * @param capacityBytes most of it
   * @param oldestAgeMs how long the oldest has waited
   */
  public record ReviewLoad(
      int depth, int capacity, long bytes, long capacityBytes, long oldestAgeMs) {
    private static final ReviewLoad NONE = new ReviewLoad(0, 0, 0, 0, 0);
  }

  /**
   * Where the load of the review queue, and the agreement of its reviewers beyond chance, are asked
   * from now on, at each scrape.
   */
  public void bindReview(Supplier<ReviewLoad> load, DoubleSupplier kappa) {
    review = load;
    reviewKappa = kappa;
  }

  /** Where the number of dropped decision log lines is asked from now on, at each scrape. */
  public void bindDecisionLog(DoubleSupplier dropped) {
    decisionLogDropped = dropped;
  }

  /**
   * Metrics of identity, shown from now on.
   *
   * @param now the identity in force, asked at each scrape
   * @param denied entries of the pushed deny list
   */
  public IdentityMetrics identity(Supplier<Optional<Svid>> now, DoubleSupplier denied) {
    return new IdentityMetrics(this, now, denied);
  }

  /**
   * Spans, counted from now on; the counter takes an outcome and how many.
   *
   * @param outcomes all that there are, with blanks between them
   */
  public ObjIntConsumer<String> traces(String outcomes) {
    Family<Counter> spans = families.counters(Meter.TRACE_SPANS, LabelValues.words(outcomes));
    return (outcome, count) -> spans.of(outcome).increment(count);
  }

  /** Metrics of the control plane's side. */
  public ControlLinkMetrics control() {
    return control;
  }

  /** All metrics in the Prometheus text format 0.0.4. */
  public String scrape() {
    return families.scrape();
  }

  private Family<Distribution> histograms(Meter meter, LabelValues... labels) {
    return histograms(meter, Room.RESERVED, Integer.MAX_VALUE, labels);
  }

  private Family<Distribution> histograms(Meter meter, Room room, int most, LabelValues... labels) {
    return families.histograms(meter, bounds(meter), room, most, labels);
  }

  /** Upper bounds of the buckets: eight each, for every one is a series in every sidecar. */
  static double[] bounds(Meter meter) {
    return switch (meter) {
      case PACT_NEGOTIATION -> NEGOTIATION_SECONDS;
      case REQUEST_DURATION, STREAM_FIRST_BYTE -> DURATION_SECONDS;
      case PROXY_OVERHEAD -> OVERHEAD_SECONDS;
      case DRIFT -> DRIFT;
      // None but the one that has all: sum and count, for a mean.
      case PAIR_DRIFT -> new double[0];
      // Eight equal parts, each of two values of a digit of the ASP header.
      case SIGNAL_CERTAINTY, SIGNAL_GROUNDING, SIGNAL_STOCHASTICITY ->
          IntStream.rangeClosed(1, 8).mapToDouble(i -> i / 8.0).toArray();
      default -> throw new IllegalArgumentException(meter + " is no histogram");
    };
  }

  /** All of it, for those who show some. */
  MetricFamilies families() {
    return families;
  }

  /** Something was counted or shown under no label of its own. */
  void dropped(Metric metric) {
    if (metric instanceof Meter meter && meter != Meter.SERIES_DROPPED) {
      seriesDropped.get(meter.ordinal()).increment();
    }
  }

  private static String nettyVersion() {
    // of its jar's manifest: Version.identify() opens every jar of the class path
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
