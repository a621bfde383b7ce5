package dev.parlance.policy.route;

import java.util.Map;
import java.util.TreeMap;

/** The built-in profiles. */
public final class Profiles {
  public static final Profile ASP_PAPER =
      new Profile("asp-paper", Map.of("tauWarn", 0.12, "errorMax", 2));
  public static final Profile DEFAULT =
      new Profile("parlance", Map.of("tauWarn", 0.12, "errorMax", 2));

  private Profiles() {}

  /** Derives. */
  public static Profile derive(String newName, Profile base, Map<String, Object> settings) {
    var merged = new TreeMap<String, Object>(base.settings());
    for (var e : settings.entrySet()) {
      if (!merged.containsKey(e.getKey())) {
        throw new IllegalArgumentException("unknown setting " + e.getKey());
      }
      if (((Number) e.getValue()).doubleValue() < 0) {
        throw new IllegalArgumentException(
            e.getKey() + " = " + e.getValue() + ", expected at least 0");
      }
      merged.put(e.getKey(), e.getValue());
    }
    return new Profile(newName, merged);
  }
}
