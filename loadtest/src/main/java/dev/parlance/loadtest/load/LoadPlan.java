package dev.parlance.loadtest.load;

import java.util.Locale;

/**
 * One load phase.
 *
 * @param port where to send it, on the loopback address
 * @param path request target
 * @param pace how requests follow each other
 * @param connections keep-alive connections, each with one request at a time, 1-10,000
 * @param warmupMs same load before the measured window, not counted, 0-120,000
 * @param measureMs length of the measured window, 10-600,000
 * @param maxRequests the window ends early after this many measured requests, 1-50,000,000
 * @param timeoutMs how long an answer may take, 10-600,000
 * @param protocol the HTTP to speak
 */
public record LoadPlan(
    int port,
    String path,
    Pace pace,
    int connections,
    int warmupMs,
    int measureMs,
    int maxRequests,
    int timeoutMs,
    Protocol protocol) {
  public static final int MAX_REQUESTS = 50_000_000;

  public LoadPlan {
    check("port", port, 1, 65_535);
    check("connections", connections, 1, 10_000);
    check("warm-up ms", warmupMs, 0, 120_000);
    check("measured ms", measureMs, 10, 600_000);
    check("requests", maxRequests, 1, MAX_REQUESTS);
    check("timeout ms", timeoutMs, 10, 600_000);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("expected a path that starts with /, got " + path);
    }
  }

  /** One over HTTP/1.1. */
  public LoadPlan(
      int port,
      String path,
      Pace pace,
      int connections,
      int warmupMs,
      int measureMs,
      int maxRequests,
      int timeoutMs) {
    this(
        port, path, pace, connections, warmupMs, measureMs, maxRequests, timeoutMs, Protocol.HTTP1);
  }

  public static void check(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " must lie in " + min + "-" + max + ", got " + value);
    }
  }

  /** How requests follow each other. */
  public sealed interface Pace {
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
    public String label();
  }

  /** The HTTP that is spoken on both sides of a proxy. */
  public enum Protocol {
    /** HTTP/1.1 with keep-alive. */
    HTTP1("http1", "HTTP/1.1"),
    /** HTTP/2 without TLS, by prior knowledge (RFC 9113, 3.3). */
    H2("h2", "h2c");

    private final String code;
    private final String label;

    Protocol(String code, String label) {
      this.code = code;
      this.label = label;
    }

    /** Name in options and reports. */
    public String code() {
      return code;
    }

    /** For people. */
    public String label() {
      return label;
    }
  }
}
