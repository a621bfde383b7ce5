package dev.parlance.loadtest;

import java.util.Locale;

/** How requests follow each other. */
sealed interface Pace {
  /**
   * A request is due every {@code 1/rate} seconds whether or not earlier ones were answered; its
   * latency counts from the moment it was due, so a stall counts for every request it held up.
   *
   * @param ratePerSecond requests due per second, 1-1,000,000
   */
  record OpenLoop(double ratePerSecond) implements Pace {
    public OpenLoop {
      if (!(ratePerSecond >= 1 && ratePerSecond <= 1_000_000)) {
        throw new IllegalArgumentException("rate must lie in 1-1000000/s, got " + ratePerSecond);
      }
    }

    @Override
    public String label() {
      return String.format(Locale.ROOT, "open loop at %,.0f/s", ratePerSecond);
    }
  }

  /** Every connection sends its next request when the answer to the last one is there. */
  record ClosedLoop() implements Pace {
    @Override
    public String label() {
      return "closed loop";
    }
  }

  /** For people. */
  String label();
}
