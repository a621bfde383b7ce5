package dev.parlance.proxy.pact;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.proxy.gate.Pacts;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pacts at this sidecar that hold, are disputed, or ended lately. Read from any thread; changed
 * on the loop, but for flows.
 *
 * <p>A pact that holds is never dropped for another one; those that ended are kept as long as there
 * is room, so that whoever names one hears that it has ended.
 */
final class PactTable {
  /** Most pacts that have ended and are still known. */
  static final int MAX_ENDED = 1_024;

  /** Most flows with work under a pact. */
  static final int MAX_FLOWS = 100_000;

  /** Most tasks that are remembered as begun under a pact. */
  static final int MAX_TASKS = 10_000;

  /** So long after its last answer what the local agent calls is still held, in milliseconds. */
  static final long AFTERWARDS_MS = 1_000;

  /** A pact with less than this left is not used for a new request, in milliseconds. */
  static final long LEAST_LEFT_MS = 500;

  private final Map<String, ActivePact> byId = new ConcurrentHashMap<>();
  private final Map<String, ActivePact> byPeer = new ConcurrentHashMap<>();
  private final Map<String, Integer> ofPeer = new HashMap<>();
  private final Map<String, String> usedUp = new ConcurrentHashMap<>();

  /** By flow the requests under way there, of each pact. */
  private final Map<String, Map<ActivePact, Integer>> byFlow = new ConcurrentHashMap<>();

  private final Deque<String> ended = new ArrayDeque<>();
  private final Set<ActivePact> atWork = ConcurrentHashMap.newKeySet();
  private final Cache<String, ActivePact> byTask =
      Caffeine.newBuilder().maximumSize(MAX_TASKS).executor(Runnable::run).build();

  /** Pacts that have not ended. */
  int active() {
    return byId.size() - ended.size();
  }

  /** Pacts with this party that have not ended. */
  int activeOf(String peer) {
    return ofPeer.getOrDefault(peer, 0);
  }

  /** The pact, also one that has ended lately. */
  Optional<ActivePact> of(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** The pact that a request to this party goes under; one that is disputed, too. */
  Optional<ActivePact> with(String peer) {
    return Optional.ofNullable(byPeer.get(peer)).filter(PactTable::isUsable);
  }

  private static boolean isUsable(ActivePact pact) {
    return switch (pact.standing()) {
      case PENDING, DISPUTED -> true;
      case ACTIVE -> pact.terms().endMs() - pact.nowMs() >= LEAST_LEFT_MS;
      case ENDED -> false;
    };
  }

  /** All, in no order. */
  Collection<ActivePact> all() {
    return List.copyOf(byId.values());
  }

  /** Adds one that holds; requests to its other party go under it if the own agent asked for it. */
  void add(ActivePact pact) {
    if (byId.put(pact.id(), pact) == null) {
      ofPeer.merge(pact.peer(), 1, Integer::sum);
    }
    if (pact.isInitiator()) {
      usedUp.remove(pact.peer());
      byPeer.merge(
          pact.peer(),
          pact,
          (old, made) -> isUsable(old) && old.terms().endMs() > made.terms().endMs() ? old : made);
    }
  }

  /** It holds no more. */
  void ended(ActivePact pact) {
    byPeer.remove(pact.peer(), pact);
    if (!byId.containsKey(pact.id())) {
      return;
    }
    ended.add(pact.id());
    if (ofPeer.merge(pact.peer(), -1, Integer::sum) <= 0) {
      ofPeer.remove(pact.peer());
    }
    while (ended.size() > MAX_ENDED) {
      byId.remove(ended.remove());
    }
  }

  /** No request goes under it any more, though it may hold. */
  void unused(ActivePact pact) {
    byPeer.remove(pact.peer(), pact);
  }

  /** The same, because it has reached a limit: the next one with its party is made in its place. */
  void usedUp(ActivePact pact) {
    unused(pact);
    if (pact.signature().isEmpty()) { // the other side has it
      usedUp.put(pact.peer(), pact.id());
    }
  }

  /** The pact with this party whose limit is reached, while there is no other one. */
  Optional<String> usedUp(String peer) {
    return Optional.ofNullable(usedUp.get(peer));
  }

  // ---- flows, from any thread ----

  /**
   * The pacts that hold what the local agent calls now, in this flow or in none that is known. A
   * trace is known to all who took part in it, so that a flow has the pacts of each of them.
   */
  List<Pacts.Held> works(String flow) {
    if (atWork.isEmpty()) {
      return List.of();
    }
    Map<ActivePact, Integer> inFlow = byFlow.getOrDefault(flow, Map.of());
    Collection<ActivePact> known = inFlow.keySet();
    if (known.isEmpty()) {
      atWork.removeIf(
          pact -> !pact.isWorking() && pact.nowMs() - pact.lastUsedMs() > AFTERWARDS_MS);
      known = atWork;
    }
    return known.stream().filter(ActivePact::hasActions).<Pacts.Held>map(pact -> pact).toList();
  }

  /** True while the local agent works on a request under some pact. */
  boolean isAtWork() {
    for (ActivePact pact : atWork) {
      if (pact.isWorking()) {
        return true;
      }
    }
    return false;
  }

  /** The pact under which a task was begun. */
  Optional<ActivePact> ofTask(String task) {
    return Optional.ofNullable(byTask.getIfPresent(task));
  }

  void began(ActivePact pact, String task) {
    byTask.asMap().putIfAbsent(task, pact);
  }

  void working(ActivePact pact, String flow) {
    pact.working(1);
    atWork.add(pact);
    if (byFlow.size() < MAX_FLOWS || byFlow.containsKey(flow)) {
      byFlow.compute(
          flow,
          (_, was) -> {
            Map<ActivePact, Integer> open = was == null ? new ConcurrentHashMap<>() : was;
            open.merge(pact, 1, Integer::sum);
            return open;
          });
    }
  }

  void done(ActivePact pact, String flow) {
    pact.working(-1);
    byFlow.computeIfPresent(
        flow,
        (_, open) -> {
          open.computeIfPresent(pact, (_, count) -> count > 1 ? count - 1 : none());
          return open.isEmpty() ? none() : open;
        });
  }

  /** As {@link Map#computeIfPresent} has it: the entry goes. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T none() {
    return null;
  }
}
