package dev.parlance.proxy.admin;

import java.util.concurrent.TimeUnit;

/** Makes a scrape at most every 200 ms, however many ask for it, and one at a time. */
final class SharedScrape implements MetricsPort {
  private static final long AGE_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private final MetricsPort metrics;
  private String last = "";
  private long madeNs = System.nanoTime() - AGE_NS;

  SharedScrape(MetricsPort metrics) {
    this.metrics = metrics;
  }

  @Override
  public synchronized String scrape() {
    long nowNs = System.nanoTime();
    if (nowNs - madeNs >= AGE_NS) {
      last = metrics.scrape();
      madeNs = nowNs;
    }
    return last;
  }
}
