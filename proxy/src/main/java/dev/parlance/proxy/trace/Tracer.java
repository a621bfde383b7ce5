package dev.parlance.proxy.trace;

import dev.parlance.proxy.config.TraceSettings;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Begins the spans of exchanges and hands those that have ended to the exporter. Sampling is
 * parent-based: a caller that records its span has this one recorded, one that does not has not;
 * without a caller's span the share that the configuration names is recorded. Any thread; never
 * blocks.
 */
public final class Tracer implements AutoCloseable {
  private static final long NS_PER_MS = 1_000_000;
  private static final double HALF_OF_ALL_IDS = 0x1p63;

  private final TraceSettings settings;
  private final LongSupplier wallClockMs;
  private final SpanExporter exporter;
  private final Ids ids = new Ids(new SecureRandom());

  private Tracer(TraceSettings settings, LongSupplier wallClockMs, SpanExporter exporter) {
    this.settings = settings;
    this.wallClockMs = wallClockMs;
    this.exporter = exporter;
  }

  /**
   * Starts to export.
   *
   * @param node name of the sidecar, which the collector knows as its service
   * @param version of the sidecar
   * @param outcomes is told what becomes of spans
   * @throws IOException if a file of the settings cannot be used
   */
  public static Tracer open(
      TraceSettings settings,
      String node,
      String version,
      LongSupplier wallClockMs,
      SpanOutcomes outcomes)
      throws IOException {
    return new Tracer(
        settings,
        wallClockMs,
        SpanExporter.start(
            settings,
            Collector.of(settings),
            new SpanJson(SpanField.Names.read(), node, version),
            outcomes));
  }

  /**
   * Begins a span.
   *
   * @param caller the span of whoever asks, if it says so
   * @param state {@code tracestate} of the caller
   * @param startNs when the exchange began, by {@code System.nanoTime}
   * @return empty if the exchange is not sampled
   */
  public Optional<ExchangeSpan> begin(
      Optional<TraceContext> caller, Optional<String> state, long startNs) {
    if (caller.isPresent() ? !caller.get().isSampled() : !ids.isDrawn(settings.sampleRatio())) {
      return Optional.empty();
    }
    String id = ids.span();
    TraceContext own =
        caller.isPresent() ? caller.get().from(id) : new TraceContext(ids.trace(), id, 1);
    long startUnixNs =
        wallClockMs.getAsLong() * NS_PER_MS - Math.max(0, System.nanoTime() - startNs);
    return Optional.of(new ExchangeSpan(this, own, caller, state, startNs, startUnixNs));
  }

  boolean sendsTexts() {
    return settings.texts();
  }

  void ended(ExchangeSpan span) {
    exporter.offer(span);
  }

  /** Sends what waits, for as long as one request may take. */
  @Override
  public void close() {
    exporter.close();
  }

  /**
   * Ids that nobody else has: a counter from a random start, mixed so that neighbours have nothing
   * in common (SplitMix64). A mixed number is never drawn twice, and 0 is left out.
   */
  private static final class Ids {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final AtomicLong next;
    private final long upper;

    Ids(SecureRandom random) {
      this.next = new AtomicLong(random.nextLong());
      this.upper = random.nextLong() | 1;
    }

    private long draw() {
      long drawn;
      do {
        long z = next.getAndAdd(GOLDEN_GAMMA);
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        drawn = z ^ (z >>> 31);
      } while (drawn == 0);
      return drawn;
    }

    String span() {
      return HexFormat.of().toHexDigits(draw());
    }

    String trace() {
      return HexFormat.of().toHexDigits(draw() ^ upper) + HexFormat.of().toHexDigits(draw());
    }

    /** True for this share of all calls. */
    boolean isDrawn(double ratio) {
      return ratio >= 1 || (ratio > 0 && (draw() >>> 1) < ratio * HALF_OF_ALL_IDS);
    }
  }
}
