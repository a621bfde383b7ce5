package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Route;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * What enforcing would have held of messages that were only observed, by route and first reason.
 */
public final class Forecast {
  /** What an action of ours begins with where a message went on that nobody could read. */
  private static final String UNJUDGED = "forward_unjudged_";

  private static final int MAX_KINDS = 64;

  private final LongAdder observed = new LongAdder();
  private final LongAdder held = new LongAdder();
  private final Map<String, LongAdder> kinds = new ConcurrentHashMap<>();

  void add(AuditEvent event) {
    if (!(event instanceof DecisionEvent decision) || !decision.mode().equals("observe")) {
      return;
    }
    observed.increment();
    boolean isUnjudged = decision.action().startsWith(UNJUDGED);
    if (isUnjudged || decision.route() == Route.REGENERATE || decision.route() == Route.YIELD) {
      held.increment();
      String why =
          isUnjudged
              ? decision.action().substring("forward_".length())
              : decision.reasons().getFirst().code();
      String kind = decision.place().routeRule() + " " + why;
      LongAdder known = kinds.get(kind);
      if (known == null) {
        known =
            kinds.computeIfAbsent(kinds.size() < MAX_KINDS ? kind : "other", _ -> new LongAdder());
      }
      known.increment();
    }
  }

  /** All of it in one line, the most frequent first; empty if nothing was observed. */
  public Optional<String> line() {
    return observed.sum() == 0
        ? Optional.empty()
        : Optional.of(
            "enforcing would have held %d of %d messages%s"
                .formatted(
                    held.sum(),
                    observed.sum(),
                    kinds.entrySet().stream()
                        .sorted((a, b) -> Long.compare(b.getValue().sum(), a.getValue().sum()))
                        .map(kind -> kind.getKey() + " " + kind.getValue().sum())
                        .collect(Collectors.joining(", ", kinds.isEmpty() ? "" : ": ", ""))));
  }
}
