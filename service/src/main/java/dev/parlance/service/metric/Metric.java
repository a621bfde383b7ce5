package dev.parlance.service.metric;

import java.util.List;

/** What a metric is called, what it says, and by which labels its series are told apart. */
public interface Metric {
  /** As it is scraped. */
  String metricName();

  /** Text that is scraped with it. */
  String help();

  /** Names of its labels. */
  List<String> labels();
}
