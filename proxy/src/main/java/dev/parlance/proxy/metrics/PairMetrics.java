package dev.parlance.proxy.metrics;

import dev.parlance.policy.route.Route;
import io.micrometer.core.instrument.Counter;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What becomes of messages between the local agent and each other one. Ids of agents come out of
 * the configuration, never from a message; the first few have series of their own.
 */
final class PairMetrics {
  /** The peer where a route with a core does not know who is on the other side. */
  static final String UNKNOWN = "unknown";

  /** Peers that have series of their own, {@link #UNKNOWN} among them. */
  static final int MAX_PEERS = 8;

  private final SidecarMetrics all;
  private final LabelValues peers = LabelValues.names(MAX_PEERS, UNKNOWN);
  private final Family<Counter> verdicts;
  private final Family<Distribution> drift;

  PairMetrics(SidecarMetrics all) {
    this.all = all;
    verdicts =
        all.counters(Meter.PAIR_VERDICTS, peers, LabelValues.of(Route.values(), Route::code));
    drift = all.sharedHistograms(Meter.PAIR_DRIFT, peers);
  }

  @SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
  void judged(Optional<String> peer, Route route, OptionalDouble driftSqrtJsd) {
    int index = all.index(peers, peer.orElse(UNKNOWN), Meter.PAIR_VERDICTS);
    verdicts.get(index, route.ordinal()).increment();
    if (driftSqrtJsd.isPresent()) {
      drift.get(index).observe(driftSqrtJsd.getAsDouble());
    }
  }
}
