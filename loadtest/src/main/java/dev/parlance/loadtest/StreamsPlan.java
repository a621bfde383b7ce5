package dev.parlance.loadtest;

import java.time.Duration;

/**
 * What to measure of streams.
 *
 * @param pairs pairs of streams for the time to the first byte, each one direct and one through
 * @param warmup pairs before them that do not count
 * @param flowMb size of the long stream in MB of 1,000,000 bytes
 * @param readers slow readers at a time
 * @param readerMb what each of them asks for, in MB
 * @param readerSeconds how long they read
 * @param parlanceCommand starts a sidecar
 * @param startTimeout for it to answer
 */
record StreamsPlan(
    int pairs,
    int warmup,
    int flowMb,
    int readers,
    int readerMb,
    int readerSeconds,
    String parlanceCommand,
    Duration startTimeout) {
  StreamsPlan {
    if (pairs < 1 || warmup < 0 || flowMb < 0 || readers < 0 || readerMb < 1 || readerSeconds < 1) {
      throw new IllegalArgumentException("counts, sizes and times must not be negative or nothing");
    }
  }
}
