package dev.parlance.proxy.admin;

/** Where a scrape comes from. May block. */
@FunctionalInterface
public interface MetricsPort {
  /** All metrics in the Prometheus text format 0.0.4. */
  String scrape();
}
