package dev.parlance.service.metric;

import java.util.List;

/** What a metric is called, what it says, and by which labels its series are told apart. */
public interface Metric {
  /**
   * The facts of a metric.
   *
   * @param name as it is scraped
   * @param help text that is scraped with it
   * @param labels names of its labels
   */
  record Facts(String name, String help, List<String> labels) implements Metric {
    /** Copies the labels. */
    public Facts {
      labels = List.copyOf(labels);
    }

    @Override
    public Facts facts() {
      return this;
    }
  }

  /** All of it. */
  Facts facts();

  /** As it is scraped. */
  default String metricName() {
    return facts().name();
  }
}
