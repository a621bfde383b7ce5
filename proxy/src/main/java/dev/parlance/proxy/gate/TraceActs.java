package dev.parlance.proxy.gate;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A bounded memory of the traces under which the local agent has called out by anything but a safe
 * method: what it did there, it would do again if it were asked again. A call under no trace, or
 * under one that nobody came in with, may belong to any question, and counts for all that wait. The
 * same holds the other way round for a question without a trace.
 */
public final class TraceActs {
  /** Most traces kept. */
  static final int MAX_TRACES = 100_000;

  private static final long TTL_MS = 3_600_000;
  private static final long NS_PER_MS = 1_000_000;

  private final FingerprintTable lastActMs;
  private final LongSupplier nowNs;
  private final long beginNs;
  private final AtomicLong lastStrayMs = new AtomicLong();
  private final AtomicLong lastAnyMs = new AtomicLong();

  TraceActs(LongSupplier nowNs) {
    this.lastActMs = new FingerprintTable(MAX_TRACES, new Times());
    this.nowNs = nowNs;
    this.beginNs = nowNs.getAsLong();
  }

  /** Values are times of acts; 0 for none. */
  private record Times() implements FingerprintTable.Meaning {
    @Override
    public boolean isOver(long value, long ageMs) {
      return ageMs >= TTL_MS;
    }

    @Override
    public boolean hasValues() {
      return true;
    }

    @Override
    public int rank(long value) {
      return value == 0 ? 0 : 1;
    }
  }

  /** A question came in under this trace. */
  public void asked(String trace) {
    long _ = last(trace);
  }

  /** True if a question came in under this trace. */
  public boolean isAsked(String trace) {
    return lastActMs.contains(new Fingerprint().add(trace), nowNs.getAsLong());
  }

  /** The local agent calls out, and not by a safe method. */
  public void acted(Optional<String> trace) {
    long now = nowNs.getAsLong();
    long nowMs = ms(now);
    lastAnyMs.set(nowMs);
    Optional<Fingerprint> known =
        trace.map(id -> new Fingerprint().add(id)).filter(of -> lastActMs.contains(of, now));
    if (known.isPresent()) {
      long _ = lastActMs.change(known.get(), now, (_, _) -> nowMs);
    } else {
      lastStrayMs.set(nowMs);
    }
  }

  /**
   * True if the agent may have acted for a question.
   *
   * @param trace the trace of the question, if it has one
   * @param startNs when it came, by {@link System#nanoTime}
   */
  public boolean since(Optional<String> trace, long startNs) {
    long startMs = ms(startNs);
    if (lastStrayMs.get() >= startMs) {
      return true;
    }
    return (trace.isPresent() ? last(trace.get()) : lastAnyMs.get()) >= startMs;
  }

  private long last(String trace) {
    return lastActMs.change(
        new Fingerprint().add(trace), nowNs.getAsLong(), (known, old) -> known ? old : 0);
  }

  /** Milliseconds since the beginning, from 1. */
  private long ms(long timeNs) {
    return Math.max(1, (timeNs - beginNs) / NS_PER_MS + 1);
  }
}
