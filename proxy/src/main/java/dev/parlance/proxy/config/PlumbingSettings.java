package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;
import dev.parlance.wire.api.Plumbing;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The switches of the names under which traffic passes that no agent says.
 *
 * @param off names whose switch is off
 */
public record PlumbingSettings(Set<Plumbing> off) {
  /** The position of one switch. */
  public enum Switch implements Coded {
    /** It reaches the agent, and its answer comes back without a verdict. */
    PASS,
    /** It is like anything else that nobody can judge. */
    UNJUDGED
  }

  /** Copies the set. */
  public PlumbingSettings {
    off = Set.copyOf(off);
  }

  /** True if this name passes. */
  public boolean passes(Plumbing name) {
    return !off.contains(name);
  }

  /** Every switch by its key. */
  Map<String, Object> switches() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Plumbing name : Plumbing.values()) {
      map.put(name.key(), (passes(name) ? Switch.PASS : Switch.UNJUDGED).code());
    }
    return map;
  }

  /** For people. */
  @Override
  public String toString() {
    return off.isEmpty()
        ? "all"
        : off.size() == Plumbing.values().length
            ? "none"
            : "all but "
                + Arrays.stream(Plumbing.values())
                    .filter(off::contains)
                    .map(Plumbing::key)
                    .collect(Collectors.joining(", "));
  }
}
