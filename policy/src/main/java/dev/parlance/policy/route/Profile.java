package dev.parlance.policy.route;

import java.util.Map;

/** A named set of thresholds and weights. */
public record Profile(String name, Map<String, Object> settings) {
  public Profile {
    settings = Map.copyOf(settings);
  }
}
