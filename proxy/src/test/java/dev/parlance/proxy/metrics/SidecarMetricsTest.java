package dev.parlance.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.file.ConfigRefusalReason;
import dev.parlance.proxy.metrics.MetricLabel.ForgedSource;
import dev.parlance.proxy.metrics.MetricLabel.OpenCheck;
import dev.parlance.proxy.metrics.MetricLabel.ReviewDecision;
import dev.parlance.proxy.metrics.MetricLabel.RoundMetric;
import dev.parlance.proxy.metrics.MetricLabel.Stage;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.TokenUsage;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SidecarMetricsTest {
  private static final int MAX_SERIES = 400;

  private final SidecarMetrics metrics = new SidecarMetrics("0.1.0");

  private PromText scrape() {
    return new PromText(metrics.scrape());
  }

  @Test
  void metersHoldWhatTheyRead_whateverIsCollected() {
    AtomicLong dropped = new AtomicLong(7);
    metrics.bindDecisionLog(dropped::get);
    WeakReference<Object> canary = new WeakReference<>(new Object());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> {
          System.gc();
          return canary.refersTo(null);
        });
    double seconds = scrape().sum("parlance_jvm_gc_seconds_total", Map.of());

    dropped.set(9);
    System.gc();

    assertThat(scrape().sum("parlance_decision_log_dropped_total", Map.of())).isEqualTo(9);
    assertThat(seconds).isPositive();
    assertThat(scrape().sum("parlance_jvm_gc_seconds_total", Map.of())).isGreaterThan(seconds);
  }

  /** One of everything. */
  private void countOnce() {
    metrics.request(Direction.INBOUND, () -> "a2a-1.0", Route.WARN, 200);
    metrics.requestUnjudged(Direction.OUTBOUND, () -> "none", 502);
    metrics.requestDuration(Direction.INBOUND, () -> "a2a-1.0", 30_000_000);
    metrics.overhead(Stage.JUDGE, 120_000);
    metrics.verdict(Route.WARN, Reason.D_WARN, Mode.ENFORCE);
    metrics.signals(Direction.INBOUND, 0.5, 0.8, 0.1, 0.15);
    metrics.regeneration(Reason.G_LOW);
    metrics.round(RoundMetric.CLAIM, "outcome_mismatch");
    metrics.bindPacts(() -> 1);
    metrics.pacts().transition("negotiation", "agreed");
    metrics.pacts().negotiated(0.01);
    metrics.draftTokens(new TokenUsage(12, 5, 17));
    metrics.evidenceCut(7);
    metrics.cardElsewhere();
    metrics.entailment("late", 300_000_000);
    metrics.lexicon().reused(true, 2);
    metrics.lexicon().rejected("not_novel");
    metrics.lexicon().injected(30);
    metrics.lexicon().readOnce();
    metrics.lexicon().dropped("full", 1);
    metrics.pactViolation(PactCategory.SCOPE);
    metrics.errorBudgetExhausted();
    metrics.reviewEscalated();
    metrics.coreChecked(CORE, new GuardOutcome(Route.WARN, Reason.CORE_STALE));
    metrics.pair(Optional.of("bob"), Route.WARN, OptionalDouble.of(0.15));
    metrics.reviewDecision(ReviewDecision.RELEASED);
    metrics.sharedDecision("heard");
    metrics.peerVerdict("believed");
    metrics.rejected("http1", "bare_lf");
    metrics.unjudged("content_type", OnFailure.BLOCK);
    metrics.plumbing(Plumbing.HEALTH);
    metrics.forgedHeader(ForgedSource.AGENT);
    metrics.failOpen(OpenCheck.UNJUDGED, OnFailure.WARN);
    metrics.configRejected(ConfigRefusalReason.INVALID);
    metrics.streamCut("stream_limit");
    metrics.streamFirstByte(1_000_000);
    metrics.configApplied(1_500);
    metrics.connectionOpened(Direction.INBOUND);
    metrics.http2Cut("ping");
    metrics.opaqueConnection("tls");
    metrics.originError("connect_refused");
    metrics.originError("weather");
    metrics.bindReview(() -> new SidecarMetrics.ReviewLoad(3, 10, 4096, 65536, 1500), () -> 0.5);
    metrics.bindDecisionLog(() -> 7);
    IdentityMetrics identity = metrics.identity(Optional::empty, () -> 0);
    identity.connection(Direction.INBOUND, "ok");
    identity.update("taken");
    metrics.traces("exported dropped").accept("dropped", 2);
    metrics.control().bind(SOURCE);
    metrics.control().domains(List.of("license"), SOURCE);
    metrics.control().push("in_force");
    metrics.control().coreRejected("older");
    metrics.control().question("plain");
  }

  private static final ControlLinkMetrics.Source SOURCE =
      new ControlLinkMetrics.Source() {
        @Override
        public boolean isConnected() {
          return true;
        }

        @Override
        public CoreState state(String domain) {
          return CoreState.STALE;
        }

        @Override
        public double ageSeconds(String domain) {
          return 61.5;
        }

        @Override
        public long version(String domain) {
          return 7;
        }
      };

  @Test
  void ageStateAndVersionOfACore_areShown_andDomainsPastTheBoundAreNot() {
    metrics.control().bind(SOURCE);
    metrics.control().domains(List.of("license"), SOURCE);
    metrics.control().domains(List.of("license"), SOURCE);
    PromText text = scrape();
    Map<String, String> license = Map.of("domain", "license");
    assertThat(text.sum("parlance_core_age_seconds", license)).isEqualTo(61.5);
    assertThat(text.sum("parlance_core_version", license)).isEqualTo(7);
    assertThat(text.sum("parlance_core_state", Map.of("state", "stale"))).isEqualTo(1);
    assertThat(text.sum("parlance_core_state", Map.of())).isEqualTo(1);
    assertThat(text.sum("parlance_control_connected", Map.of())).isEqualTo(1);
    for (int i = 0; i < 1_000; i++) {
      metrics.control().domains(List.of("d" + i), SOURCE);
    }
    assertThat(scrape().sum("parlance_core_state", Map.of()))
        .isEqualTo(ControlLinkMetrics.MAX_DOMAINS);
    assertThat(
            scrape()
                .sum(
                    "parlance_metrics_series_dropped_total",
                    Map.of("metric", "parlance_core_state")))
        .isEqualTo(1_001 - ControlLinkMetrics.MAX_DOMAINS);
  }

  @Test
  void pairs_haveTheirMeanDrift_andPeersPastTheBoundAreOneSeries() {
    metrics.pair(Optional.empty(), Route.EXECUTE, OptionalDouble.empty());
    for (int i = 0; i < 100; i++) {
      metrics.pair(Optional.of("agent-" + i), Route.YIELD, OptionalDouble.of(0.25));
    }
    PromText text = scrape();
    assertThat(text.sum("parlance_pair_verdicts_total", Map.of("peer", "unknown"))).isEqualTo(1);
    assertThat(text.sum("parlance_pair_verdicts_total", Map.of("peer", "agent-0"))).isEqualTo(1);
    assertThat(text.sum("parlance_pair_verdicts_total", Map.of("peer", "other")))
        .isEqualTo(100.0 - (SidecarMetrics.MAX_PEERS - 1));
    assertThat(text.sum("parlance_pair_drift_jsd_sum", Map.of("peer", "agent-0"))).isEqualTo(0.25);
    assertThat(text.sum("parlance_pair_drift_jsd_count", Map.of("peer", "unknown"))).isZero();
  }

  @Test
  void withoutAControlPlane_noneOfItsMetricsIsShown() {
    assertThat(metrics.scrape()).doesNotContain("parlance_control").doesNotContain("core_age");
  }

  @Test
  void scrape_passesTheLint_beforeAndAfterTheFirstMessage() {
    assertThat(scrape().lint()).isEmpty();
    countOnce();
    assertThat(scrape().lint()).isEmpty();
  }

  @Test
  void everyMeterOfTheEnum_isScraped_withItsTypeHelpAndLabels() {
    countOnce();
    PromText text = scrape();
    for (Meter meter : Meter.values()) {
      String name = meter.metricName();
      assertThat(text.types().get(name).equals("counter"))
          .as(name)
          .isEqualTo(name.endsWith("_total"));
      assertThat(text.helps()).containsEntry(name, meter.facts().help());
      Set<String> labels =
          text.samples().stream()
              .filter(sample -> sample.name().equals(name) || sample.name().startsWith(name + "_"))
              .flatMap(sample -> sample.labels().keySet().stream())
              .filter(label -> !label.equals("le"))
              .collect(Collectors.toSet());
      assertThat(labels).as(name).containsExactlyInAnyOrderElementsOf(meter.facts().labels());
    }
    Set<String> known =
        Set.of(Meter.values()).stream().map(Meter::metricName).collect(Collectors.toSet());
    assertThat(new TreeSet<>(text.types().keySet())).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void countsAndValues_areThoseThatWereGiven() {
    countOnce();
    PromText text = scrape();
    assertThat(
            text.sum(
                "parlance_requests_total",
                Map.of(
                    "direction",
                    "inbound",
                    "protocol",
                    "a2a-1.0",
                    "route",
                    "warn",
                    "code_class",
                    "2xx")))
        .isEqualTo(1);
    assertThat(text.sum("parlance_requests_total", Map.of("route", "none", "code_class", "5xx")))
        .isEqualTo(1);
    assertThat(
            text.sum(
                "parlance_verdicts_total",
                Map.of("route", "warn", "reason", "d_warn", "mode", "enforce")))
        .isEqualTo(1);
    assertThat(text.sum("parlance_request_duration_seconds_sum", Map.of()))
        .isEqualTo(0.03, within(1e-9));
    assertThat(text.sum("parlance_drift_jsd_bucket", Map.of("le", "0.12"))).isZero();
    assertThat(text.sum("parlance_drift_jsd_bucket", Map.of("le", "0.16"))).isEqualTo(1);
    assertThat(text.sum("parlance_review_queue_depth", Map.of())).isEqualTo(3);
    assertThat(text.sum("parlance_review_oldest_age_seconds", Map.of())).isEqualTo(1.5);
    assertThat(text.sum("parlance_review_kappa", Map.of())).isEqualTo(0.5);
    assertThat(text.sum("parlance_decision_log_dropped_total", Map.of())).isEqualTo(7);
    assertThat(text.sum("parlance_config_last_success_timestamp_seconds", Map.of())).isEqualTo(1.5);
    assertThat(text.sum("parlance_connections_active", Map.of("direction", "inbound")))
        .isEqualTo(1);
    assertThat(text.sum("parlance_origin_errors_total", Map.of("reason", "other"))).isEqualTo(1);
    assertThat(text.sum("parlance_build_info", Map.of("version", "0.1.0"))).isEqualTo(1);
    assertThat(text.sum("parlance_jvm_heap_used_bytes", Map.of())).isPositive();
    metrics.connectionClosed(Direction.INBOUND);
    assertThat(scrape().sum("parlance_connections_active", Map.of())).isZero();
  }

  @Test
  void governedTerms_areCountedByDomainAndStatus_andDomainsAreBounded() {
    metrics.coreChecked(CORE, new GuardOutcome(Route.WARN, Reason.CORE_STALE));
    metrics.coreChecked(CORE, new GuardOutcome(Route.WARN, Reason.CORE_STALE));
    PromText text = scrape();
    String name = "parlance_core_terms_checked_total";
    assertThat(text.sum(name, Map.of("domain", "Loans/eu.v2", "status", "certified"))).isEqualTo(8);
    assertThat(text.sum(name, Map.of("status", "unknown"))).isEqualTo(2);
    assertThat(text.sum(name, Map.of("status", "revoked"))).isZero();
    assertThat(
            text.sum("parlance_core_guard_total", Map.of("route", "warn", "reason", "core_stale")))
        .isEqualTo(2);
    for (int i = 0; i < 100; i++) {
      metrics.coreChecked(
          CoreGuard.withoutCore(HeldCore.absent("d" + i, Optional.empty())),
          new GuardOutcome(Route.YIELD, Reason.CORE_ABSENT));
    }
    assertThat(
            scrape().samples().stream()
                .filter(sample -> sample.name().equals(name))
                .map(sample -> sample.labels().get("domain"))
                .distinct())
        .hasSize(9)
        .contains("other");
  }

  private static final CoreFindings CORE =
      new CoreFindings(
          new HeldCore(
              "Loans/eu.v2",
              Optional.empty(),
              CoreState.STALE,
              List.of(new CoreVersion(new CoreId(List.of("a", "b"), "Loans/eu.v2"), 1)),
              9),
          4,
          1,
          0,
          List.of(new CoreFindings.Offence("rate", TermStatus.REFUSED, Optional.empty())));

  @Test
  void ratioHistograms_have8Buckets() {
    metrics.signals(Direction.OUTBOUND, 1, 0, 1, 0);
    PromText text = scrape();
    for (String name :
        List.of(
            "parlance_signal_certainty_ratio",
            "parlance_signal_grounding_ratio",
            "parlance_signal_stochasticity_ratio",
            "parlance_drift_jsd")) {
      assertThat(text.samples().stream().filter(sample -> sample.name().equals(name + "_bucket")))
          .as(name)
          .hasSize(9);
    }
  }

  @Test
  void O6_100000HostileValuesOfEveryLabel_makeNoSeries_andAreCounted() {
    Random random = new Random(6);
    for (int i = 0; i < 100_000; i++) {
      String hostile = hostile(random, i);
      Direction direction = i % 2 == 0 ? Direction.INBOUND : Direction.OUTBOUND;
      metrics.request(direction, () -> hostile, Route.EXECUTE, random.nextInt());
      metrics.requestUnjudged(direction, () -> hostile, random.nextInt(1_200) - 100);
      metrics.requestDuration(direction, () -> hostile, random.nextLong());
      metrics.rejected(hostile, hostile(random, i));
      metrics.round(RoundMetric.PROPOSAL, hostile(random, i));
      metrics.unjudged(hostile, OnFailure.ALLOW);
      metrics.originError(hostile);
    }
    String scraped = metrics.scrape();
    PromText text = new PromText(scraped);
    assertThat(text.lint()).isEmpty();
    assertThat(text.samples()).hasSizeLessThan(MAX_SERIES);
    assertThat(text.sum("parlance_unjudged_total", Map.of("what", "other"))).isEqualTo(100_000);
    assertThat(text.sum("parlance_origin_errors_total", Map.of("reason", "other")))
        .isEqualTo(100_000);
    assertThat(
            text.sum(
                "parlance_metrics_series_dropped_total",
                Map.of("metric", "parlance_origin_errors_total")))
        .isEqualTo(100_000);
    assertThat(text.sum("parlance_rejected_total", Map.of())).isEqualTo(100_000);
    assertThat(text.sum("parlance_rounds_total", Map.of())).isEqualTo(100_000);
  }

  @Test
  void O6_everythingThatCanBeCounted_makesAtMost400Series() {
    countOnce();
    countEverything();
    countEverything();
    PromText text = scrape();
    assertThat(text.lint()).isEmpty();
    assertThat(text.samples()).hasSizeBetween(300, MAX_SERIES);
    // Nothing is lost by it.
    assertThat(text.sum("parlance_regenerations_total", Map.of()))
        .isEqualTo(1 + 2 * Reason.values().length);
    assertThat(text.sum("parlance_fail_open_total", Map.of("check", "other"))).isZero();
    assertThat(text.sum("parlance_metrics_series_dropped_total", Map.of())).isPositive();
  }

  /** Every value of every label with every other one, and names that nobody has heard of. */
  private void countEverything() {
    metrics.control().bind(SOURCE);
    for (Direction direction : Direction.values()) {
      for (String protocol : List.of("a2a-1.0", "a2a-0.3", "mcp", "openai", "json", "x")) {
        for (Route route : Route.values()) {
          for (int status = 100; status <= 600; status += 100) {
            metrics.request(direction, () -> protocol, route, status);
            metrics.requestDuration(direction, () -> protocol, status);
          }
        }
      }
      metrics.signals(direction, 0.5, 0.5, 0.5, 0.5);
    }
    for (Reason reason : Reason.values()) {
      metrics.regeneration(reason);
      for (Route route : Route.values()) {
        for (Mode mode : Mode.values()) {
          metrics.verdict(route, reason, mode);
        }
        metrics.coreChecked(CORE, new GuardOutcome(route, reason));
      }
    }
    for (Stage stage : Stage.values()) {
      metrics.overhead(stage, 1);
    }
    for (OnFailure policy : OnFailure.values()) {
      for (OpenCheck check : OpenCheck.values()) {
        metrics.failOpen(check, policy);
      }
    }
    for (ConfigRefusalReason reason : ConfigRefusalReason.values()) {
      metrics.configRejected(reason);
    }
    for (int i = 0; i < 100; i++) {
      String name = "n" + i;
      metrics.rejected(i % 2 == 0 ? "http1" : "json", name);
      metrics.unjudged(name, OnFailure.WARN);
      metrics.originError(name);
      metrics.http2Cut(name);
      metrics.streamCut(name);
      metrics.round(RoundMetric.PROPOSAL, name);
      metrics.pair(Optional.of(name), Route.WARN, OptionalDouble.of(0.5));
      metrics.control().domains(List.of(name), SOURCE);
      metrics.control().push(name);
      metrics.control().coreRejected(name);
      metrics.control().question(name);
    }
  }

  @Test
  void rejectionsBeforeAFlood_keepTheirPlace_andThoseBehindItAreCountedAsOther() {
    metrics.rejected("json", "duplicate_key");
    for (int i = 0; i < 1_000; i++) {
      metrics.rejected("http1", "made_up_" + i);
    }
    metrics.rejected("json", "duplicate_key");
    metrics.rejected("size", "body_too_large");
    PromText text = scrape();
    String name = "parlance_rejected_total";
    assertThat(text.sum(name, Map.of("layer", "json", "reason", "duplicate_key"))).isEqualTo(2);
    assertThat(text.sum(name, Map.of())).isEqualTo(1_003);
    assertThat(text.sum(name, Map.of("layer", "other", "reason", "other"))).isGreaterThan(900);
    assertThat(text.sum("parlance_metrics_series_dropped_total", Map.of("metric", name)))
        .isGreaterThan(900);
  }

  private static String hostile(Random random, int i) {
    return switch (random.nextInt(5)) {
      case 0 -> "agent_" + i;
      case 1 -> "x".repeat(random.nextInt(300));
      case 2 -> "\"} 1\nfake_total{a=\"" + i;
      case 3 -> "\u0000\uffff" + random.nextLong();
      default -> Integer.toHexString(random.nextInt()).toUpperCase(Locale.ROOT);
    };
  }
}
