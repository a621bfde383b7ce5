package dev.parlance.proxy.metrics;

import dev.parlance.proxy.config.Direction;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.SvidException;
import dev.parlance.service.metric.Family;
import dev.parlance.service.metric.LabelValues;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Metrics of identity and encrypted connections; a sidecar without an identity shows none of them.
 */
@SuppressWarnings("EnumOrdinal") // index of a list that never leaves this process
public final class IdentityMetrics {
  private static final LabelValues RESULTS =
      LabelValues.of(
          Stream.concat(
                  Stream.of(
                      "ok",
                      "clear_text",
                      "clear_text_refused",
                      "no_identity",
                      "no_certificate",
                      "timeout",
                      "handshake",
                      "denied",
                      "wrong_peer"),
                  Arrays.stream(SvidException.Fault.values()).map(SvidException.Fault::code))
              .toArray(String[]::new));
  private static final LabelValues UPDATES = LabelValues.of("taken", "refused");

  private final Family<Counter> connections;
  private final Family<Counter> updates;

  IdentityMetrics(SidecarMetrics all, Supplier<Optional<Svid>> identity, DoubleSupplier denied) {
    this.connections =
        all.families()
            .counters(
                Meter.TLS_CONNECTIONS,
                LabelValues.of(Direction.values(), Direction::code),
                RESULTS);
    this.updates = all.families().counters(Meter.IDENTITY_UPDATES, UPDATES);
    all.families().budget().reserve(3);
    all.families().gauge(Meter.IDENTITY_DENIED, denied);
    all.families()
        .gauge(
            Meter.IDENTITY_EXPIRY,
            () -> identity.get().map(svid -> svid.notAfter().getEpochSecond()).orElse(0L));
    all.families()
        .gauge(
            Meter.IDENTITY_LIFETIME,
            () ->
                identity
                    .get()
                    .map(svid -> Duration.between(svid.notBefore(), svid.notAfter()).toSeconds())
                    .orElse(0L));
  }

  /** What came of a connection; {@code result} as in {@code RelayEvents.handshake}. */
  public void connection(Direction direction, String result) {
    connections.of(direction.code(), result).increment();
  }

  /** An identity was offered; {@code result} is {@code taken} or {@code refused}. */
  public void update(String result) {
    updates.of(result).increment();
  }
}
