package dev.parlance.loadtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was measured of streams, with the bounds it has to keep.
 *
 * @param delays times to the first byte and the first text
 * @param memory of the sidecar at work
 * @param faults what went wrong, in words; empty if all is well
 */
record StreamsReport(List<Delay> delays, List<Memory> memory, List<String> faults) {
  StreamsReport {
    delays = List.copyOf(delays);
    memory = List.copyOf(memory);
    faults = List.copyOf(faults);
  }

  /**
   * One time, measured in pairs.
   *
   * @param stream how the sidecar treats the stream
   * @param what the event that ends the time
   * @param directUs without a sidecar
   * @param throughUs with it
   * @param addedUs difference of each pair
   * @param ratio quotient of each pair
   */
  record Delay(
      String stream, String what, Range directUs, Range throughUs, Range addedUs, Range ratio) {}

  /**
   * Memory in one situation.
   *
   * @param stream how the sidecar treats the stream
   * @param what the situation
   * @param use held then, after a full collection
   * @param peak the largest on the way, garbage included
   * @param bound what {@code use} may have above the idle sidecar, and {@code peak} of direct
   *     memory too
   * @param idle the same sidecar before
   */
  record Memory(
      String stream, String what, MemoryUse use, MemoryUse peak, MemoryUse bound, MemoryUse idle) {
    /** What is over its bound, in words. */
    List<String> faults() {
      List<String> faults = new ArrayList<>();
      over(faults, "heap", use.heap() - idle.heap(), bound.heap());
      over(faults, "direct memory", peak.direct() - idle.direct(), bound.direct());
      over(faults, "resident memory", use.resident() - idle.resident(), bound.resident());
      return faults;
    }

    private void over(List<String> faults, String name, double grown, double allowed) {
      if (grown > allowed) {
        faults.add(
            String.format(
                Locale.ROOT,
                "%s, %s: %s grew by %.1f MiB, the bound is %.1f",
                stream,
                what,
                name,
                grown,
                allowed));
      }
    }
  }

  /** Everything that is wrong. */
  List<String> allFaults() {
    List<String> all = new ArrayList<>(faults);
    memory.forEach(one -> all.addAll(one.faults()));
    return all;
  }

  Table delayTable() {
    List<List<String>> rows = new ArrayList<>();
    for (Delay delay : delays) {
      rows.add(
          List.of(
              delay.stream(),
              delay.what(),
              us(delay.directUs()),
              us(delay.throughUs()),
              us(delay.addedUs()),
              ratio(delay.ratio())));
    }
    return new Table(
        "time from the request, median of pairs [quartiles]",
        List.of("stream", "to", "direct us", "through us", "added us", "through / direct"),
        rows);
  }

  Table memoryTable() {
    List<List<String>> rows = new ArrayList<>();
    for (Memory one : memory) {
      rows.add(
          List.of(
              one.stream(),
              one.what(),
              grown(one.use().heap(), one.idle().heap(), one.bound().heap()),
              grown(one.peak().direct(), one.idle().direct(), one.bound().direct()),
              grown(one.use().resident(), one.idle().resident(), one.bound().resident()),
              mib(one.peak().resident())));
    }
    return new Table(
        "memory of the sidecar in MiB: held (above idle, bound of that)",
        List.of("stream", "while", "heap after GC", "direct, peak", "RSS", "RSS, peak"),
        rows);
  }

  private static String grown(double value, double idle, double bound) {
    return String.format(Locale.ROOT, "%.1f (%+.1f, %.0f)", value, value - idle, bound);
  }

  private static String mib(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private static String us(Range range) {
    return String.format(
        Locale.ROOT, "%,.0f [%,.0f-%,.0f]", range.median(), range.min(), range.max());
  }

  private static String ratio(Range range) {
    return String.format(Locale.ROOT, "%.2f [%.2f-%.2f]", range.median(), range.min(), range.max());
  }
}
