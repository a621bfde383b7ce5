package dev.parlance.control.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What holds where the file says nothing. */
final class Defaults {
  static final String DATA_DIR = "parlance-control";
  static final Listen GRPC = new Listen("127.0.0.1", 7070);
  static final Listen HTTP = new Listen("127.0.0.1", 7071);
  static final String LEDGER_ORIGIN = "parlance.local/ledger";
  static final int POLL_MS = 100;
  static final int REPORT_INTERVAL_MS = 10_000;
  static final int STREAM_MAX_AGE_MS = 3_600_000;
  static final int POOL = 10;

  private static final int MAX_NAME = 64;

  private Defaults() {}

  /** The machine's name, which in a pod is the pod's. */
  static String replica() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "control"; // a machine without a name of its own
    }
    String safe = host.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    return safe.isEmpty() ? "control" : safe.substring(0, Math.min(safe.length(), MAX_NAME));
  }
}
