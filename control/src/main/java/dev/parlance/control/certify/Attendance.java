package dev.parlance.control.certify;

import dev.parlance.control.publish.api.SidecarDocument;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.SidecarRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Since when agents that are waited for cannot be asked, because no replica has their sidecar. */
final class Attendance {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Set<String> agents;
  private final Map<String, Long> awaySinceNs;
  private Optional<Long> lookedNs;

  private Attendance(Set<String> agents, Map<String, Long> awaySinceNs, Optional<Long> lookedNs) {
    this.agents = agents;
    this.awaySinceNs = awaySinceNs;
    this.lookedNs = lookedNs;
  }

  Attendance(Set<String> agents) {
    this(agents, new HashMap<>(), Optional.empty());
  }

  /** The same for these agents. */
  Attendance among(Set<String> others) {
    if (others.equals(agents)) {
      return this;
    }
    awaySinceNs.keySet().retainAll(others);
    boolean isKnown = agents.containsAll(others);
    return new Attendance(others, awaySinceNs, isKnown ? lookedNs : Optional.empty());
  }

  /** Agents that have an attached sidecar with a local agent, at any replica. */
  static Set<String> present(Store store, Duration aliveFor) {
    Set<String> present = new HashSet<>();
    for (SidecarRow row : store.sidecars(aliveFor)) {
      if (row.attached()
          && !present.contains(row.agent())
          && SidecarDocument.decode(row.document()).answersQuestions()) {
        present.add(row.agent());
      }
    }
    return present;
  }

  /** Looks anew, if the last look is old enough. */
  void look(Store store, Duration aliveFor, long nowNs) {
    if (lookedNs.isPresent() && nowNs - lookedNs.get() < LOOK_NS) {
      return;
    }
    lookedNs = Optional.of(nowNs);
    Set<String> present = present(store, aliveFor);
    for (String agent : agents) {
      if (present.contains(agent)) {
        awaySinceNs.remove(agent);
      } else {
        awaySinceNs.putIfAbsent(agent, nowNs);
      }
    }
  }

  boolean isAway(String agent) {
    return awaySinceNs.containsKey(agent);
  }

  /** True if some agent has been away for so long. */
  boolean isSomebodyAwayFor(long ms, long nowNs) {
    return awaySinceNs.values().stream()
        .anyMatch(since -> nowNs - since > TimeUnit.MILLISECONDS.toNanos(ms));
  }
}
