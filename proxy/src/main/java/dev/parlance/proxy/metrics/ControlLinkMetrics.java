package dev.parlance.proxy.metrics;

import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.service.metric.Family;
import dev.parlance.service.metric.LabelValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tag;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Metrics of the control plane's side: cores, stream and questions. A sidecar without a control
 * plane shows none of them. Methods may be called from any thread.
 */
public final class ControlLinkMetrics {
  /** Domains that have series of their own; cores of further ones are held but not shown. */
  static final int MAX_DOMAINS = 8;

  private static final int SERIES_OF_A_DOMAIN = 2 + CoreState.values().length;

  private static final LabelValues RESULTS = LabelValues.of("in_force", "unchanged", "refused");
  private static final LabelValues REASONS =
      LabelValues.words(
          "older conflicting unsigned foreign_signature malformed impossible too_large"
              + " wrong_agent storage");
  private static final LabelValues OUTCOMES =
      LabelValues.words(
          "extension plain agent_unreachable agent_refused unreadable_answer timeout"
              + " no_agent bad_question repeated");

  private final SidecarMetrics all;
  private final Family<Counter> pushes;
  private final Family<Counter> refused;
  private final Family<Counter> reconnects;
  private final Family<Counter> questions;
  private final Set<String> shown = new HashSet<>();

  /** Where the values of gauges are asked, at each scrape. */
  public interface Source {
    /** True while the control plane has welcomed the sidecar and the stream holds. */
    boolean isConnected();

    /** Where the worst core of a domain stands. */
    CoreState state(String domain);

    /** Seconds since the oldest core of a domain was confirmed. */
    double ageSeconds(String domain);

    /** Highest version of a domain's cores; 0 if there is none. */
    long version(String domain);
  }

  ControlLinkMetrics(SidecarMetrics all) {
    this.all = all;
    pushes = all.families().sure(Meter.CONTROL_PUSHES, RESULTS);
    refused = all.families().counters(Meter.CORE_REJECTED, REASONS);
    reconnects = all.families().sure(Meter.CONTROL_RECONNECTS);
    questions = all.families().counters(Meter.CONTROL_QUESTIONS, OUTCOMES);
    all.families().budget().reserve(1);
  }

  /** There is a control plane: shows the gauges and the counters from now on. */
  public void bind(Source source) {
    all.families().gauge(Meter.CONTROL_CONNECTED, () -> source.isConnected() ? 1 : 0);
    reconnects.get().increment(0);
  }

  /** These domains have cores, or routes that want one. */
  public synchronized void domains(Collection<String> domains, Source source) {
    for (String domain : domains) {
      if (shown.contains(domain)) {
        continue;
      }
      if (shown.size() == MAX_DOMAINS || !all.families().budget().take(SERIES_OF_A_DOMAIN)) {
        all.dropped(Meter.CORE_STATE);
        return;
      }
      shown.add(domain);
      Tag tag = Tag.of("domain", domain);
      all.families().gauge(Meter.CORE_AGE, () -> source.ageSeconds(domain), tag);
      all.families().gauge(Meter.CORE_VERSION, () -> source.version(domain), tag);
      for (CoreState state : CoreState.values()) {
        all.families()
            .gauge(
                Meter.CORE_STATE,
                () -> source.state(domain) == state ? 1 : 0,
                tag,
                Tag.of("state", state.code()));
      }
    }
  }

  /** A core was pushed: in_force, unchanged or refused. */
  public void push(String result) {
    pushes.of(result).increment();
  }

  /** A core was refused, pushed or read from disk; the reason's code. */
  public void coreRejected(String reason) {
    refused.of(reason).increment();
  }

  /** Another stream was begun after the first. */
  public void reconnect() {
    reconnects.get().increment();
  }

  /** A question was dealt with: the form of the answer, or why there is none. */
  public void question(String outcome) {
    questions.of(outcome).increment();
  }
}
