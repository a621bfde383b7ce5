package dev.parlance.control.metrics;

import dev.parlance.service.Result;
import dev.parlance.service.metric.Family;
import dev.parlance.service.metric.Family.Room;
import dev.parlance.service.metric.Histograms.Distribution;
import dev.parlance.service.metric.MetricFamilies;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tag;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * All metrics of one replica. Every label value comes from a set that is known at compile time; any
 * other is counted as {@code other}, so nothing that a peer sends can make series. Methods may be
 * called from any thread and do not block.
 */
public final class ControlMetrics {
  private static final int MAX_SERIES = 1_000;
  private static final double SECONDS_PER_NANO = 1e-9;

  private final MetricFamilies families = new MetricFamilies(MAX_SERIES, _ -> {});
  private final Map<ControlMeter, Family<Counter>> counters = new EnumMap<>(ControlMeter.class);
  private final Map<ControlMeter, Family<Distribution>> histograms =
      new EnumMap<>(ControlMeter.class);

  /** Metrics of a replica. */
  public ControlMetrics(String version, String replica) {
    for (ControlMeter meter : ControlMeter.values()) {
      if (meter.isCounter()) {
        counters.put(meter, families.sure(meter, meter.labelValues()).filled());
      }
    }
    histogram(ControlMeter.APPEND_SECONDS, 0.001, 0.005, 0.02, 0.1, 0.5, 2);
    histogram(ControlMeter.ROUND_SECONDS, 0.001, 0.005, 0.02, 0.1, 0.5, 2);
    histogram(ControlMeter.ACK_SECONDS, 0.005, 0.02, 0.05, 0.1, 0.25, 1, 5);
    histogram(ControlMeter.ENCODER_SECONDS, 0.0001, 0.001, 0.005, 0.02, 0.1, 0.5, 2);
    histogram(ControlMeter.ENCODER_BATCH, 1, 2, 4, 8, 16, 32);
    families.info(ControlMeter.BUILD_INFO, version, replica);
  }

  private void histogram(ControlMeter meter, double... bounds) {
    histograms.put(
        meter, families.histograms(meter, bounds, Room.RESERVED, Integer.MAX_VALUE).filled());
  }

  private void gauge(ControlMeter meter, Supplier<? extends Number> value, Tag... tags) {
    families.gauge(meter, () -> value.get().doubleValue(), tags);
  }

  private <T> T of(Map<ControlMeter, T> families, ControlMeter meter) {
    return Optional.ofNullable(families.get(meter))
        .orElseThrow(() -> new IllegalArgumentException(meter + " is another kind of metric"));
  }

  /** Something happened that is counted without a code. */
  public void count(ControlMeter meter) {
    of(counters, meter).get().increment();
  }

  /** Something happened, with this code. */
  public void count(ControlMeter meter, String code) {
    count(meter, code, 1);
  }

  /** It happened so often. */
  public void count(ControlMeter meter, String code, int times) {
    of(counters, meter).of(code).increment(times);
  }

  /** A call came to this: {@code done}, or the reason it was refused for. */
  public <T> Result<T> counted(ControlMeter meter, Result<T> result) {
    count(
        meter,
        switch (result) {
          case Result.Done<T> _ -> "done";
          case Result.Refused<T> refused -> refused.reason();
        });
    return result;
  }

  /** Something took so long. */
  public void took(ControlMeter meter, long ns) {
    of(histograms, meter).get().observe(ns * SECONDS_PER_NANO);
  }

  /** Shows when the certificate of the listeners expires. */
  public void bindCertificate(Supplier<Instant> notAfter) {
    gauge(ControlMeter.CERTIFICATE_EXPIRY, () -> notAfter.get().getEpochSecond());
  }

  /** Shows when the authority that issues identities expires, and how many entries deny some. */
  public void bindAuthority(Supplier<Optional<Instant>> notAfter, Supplier<Number> denied) {
    gauge(
        ControlMeter.AUTHORITY_EXPIRY,
        () -> notAfter.get().map(Instant::getEpochSecond).orElse(0L));
    gauge(ControlMeter.DENIED_IDENTITIES, denied);
  }

  /** Shows a number that is asked for at each scrape. */
  public void bind(ControlMeter meter, Supplier<? extends Number> value) {
    gauge(meter, value);
  }

  /** Shows how many audits run here, and how many wait or run at all. */
  public void bindAudits(Supplier<Number> running, Supplier<Number> unfinished) {
    gauge(ControlMeter.AUDITS, running, Tag.of("state", "running_here"));
    gauge(ControlMeter.AUDITS, unfinished, Tag.of("state", "unfinished"));
  }

  /** Shows how many sidecars the console knows that are attached, and that were. */
  public void bindConsole(Supplier<Number> attached, Supplier<Number> gone) {
    gauge(ControlMeter.CONSOLE_SIDECARS, attached, Tag.of("state", "attached"));
    gauge(ControlMeter.CONSOLE_SIDECARS, gone, Tag.of("state", "gone"));
  }

  /**
   * Shows where the encoder stands, and how many texts wait for it.
   *
   * @param state {@code ready}, {@code off} or {@code failed}
   */
  public void bindEncoder(Supplier<String> state, Supplier<Number> waiting) {
    for (String each : List.of("ready", "off", "failed")) {
      gauge(
          ControlMeter.ENCODER_STATE,
          () -> state.get().equals(each) ? 1 : 0,
          Tag.of("state", each));
    }
    gauge(ControlMeter.ENCODER_WAITING, waiting);
  }

  /**
   * Shows how many boards and terms there are.
   *
   * @param terms of a visibility ({@code public} or {@code faction}) and a status
   */
  public void bindLexicon(Supplier<Number> boards, BiFunction<String, String, Number> terms) {
    gauge(ControlMeter.LEXICON_BOARDS, boards);
    for (String visibility : List.of("public", "faction")) {
      for (String status : List.of("waiting", "active", "contested", "retired")) {
        gauge(
            ControlMeter.LEXICON_TERMS,
            () -> terms.apply(visibility, status),
            Tag.of("visibility", visibility),
            Tag.of("status", status));
      }
    }
  }

  /** Texts were encoded together. */
  public void encoded(int texts, long tookNs) {
    count(ControlMeter.ENCODER_TEXTS, "encoded", texts);
    of(histograms, ControlMeter.ENCODER_BATCH).get().observe(texts);
    took(ControlMeter.ENCODER_SECONDS, tookNs);
  }

  /** The ledger acknowledged entries. */
  public void appended(int entries, long tookNs) {
    of(counters, ControlMeter.APPENDED_ENTRIES).get().increment(entries);
    took(ControlMeter.APPEND_SECONDS, tookNs);
  }

  /** All of it in the text format of Prometheus. */
  public String scrape() {
    return families.scrape();
  }
}
