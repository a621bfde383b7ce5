package dev.parlance.proxy.gate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.parlance.policy.route.FlowBudget;
import dev.parlance.policy.route.FlowEvent;
import dev.parlance.policy.route.Profile;
import java.time.Duration;

/**
 * The error budgets of the flows under way. Bounded: past the limit the least used flow is
 * forgotten, which gives its author a fresh budget and never loses a message.
 */
public final class FlowBudgets {
  private final Cache<FlowKey, FlowBudget> flows;

  /**
   * An empty store.
   *
   * @param max most flows kept
   */
  public FlowBudgets(int max) {
    this(max, Ticker.systemTicker());
  }

  FlowBudgets(int max, Ticker ticker) {
    flows =
        Caffeine.newBuilder()
            .maximumSize(max)
            .ticker(ticker)
            .expireAfter(
                // From each write anew: a flow that starts again under its old key must not be
                // forgotten, with what it has spent, at the end of its first life.
                Expiry.<FlowKey, FlowBudget>writing((key, budget) ->
                    // Twice its time, so that a draft that comes too late still finds it expired.
                    Duration.ofMillis(2 * (budget.deadlineMs() - budget.startedAtMs()))))
            .build();
  }

  /**
   * The budget that a draft meets.
   *
   * @param fresh true if nothing is being asked again: then a flow whose time is over starts anew
   */
  FlowBudget drafted(FlowKey key, long nowMs, Profile profile, boolean fresh) {
    return flows
        .asMap()
        .compute(
            key,
            (_, found) -> {
              FlowBudget budget =
                  found == null || (fresh && found.expiredAt(nowMs))
                      ? FlowBudget.open(nowMs, profile.flowTtlMs())
                      : found;
              return budget.step(FlowEvent.DRAFTED, nowMs, profile).next();
            });
  }

  /** Applies an event and says what came of it. */
  FlowBudget.Step step(FlowKey key, FlowEvent event, long nowMs, Profile profile) {
    FlowBudget.Step[] step = new FlowBudget.Step[1];
    FlowBudget _ =
        flows
            .asMap()
            .compute(
                key,
                (_, found) -> {
                  FlowBudget budget =
                      found == null ? FlowBudget.open(nowMs, profile.flowTtlMs()) : found;
                  step[0] = budget.step(event, nowMs, profile);
                  return step[0].next();
                });
    return step[0];
  }

  /** How many flows are kept, about. */
  public long size() {
    return flows.estimatedSize();
  }
}
