package dev.parlance.policy.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.route.FlowBudget.Effect;
import dev.parlance.policy.route.FlowBudget.FlowEvent;
import dev.parlance.policy.route.FlowBudget.Status;
import dev.parlance.policy.route.FlowBudget.Step;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowBudgetTest {
  private static final long START_MS = 1_000;
  private static final long TTL_MS = 500;
  private static final long LATE_MS = START_MS + TTL_MS + 1;

  /** One row per (profile, state, event); E_max is 2. */
  @ParameterizedTest
  @CsvSource({
    "parlance,  OPEN,    0, DRAFTED,     OPEN,    0, JUDGE,",
    "parlance,  OPEN,    0, REGENERATED, OPEN,    1, ASK_AGAIN,",
    "parlance,  OPEN,    1, REGENERATED, SPENT,   2, ASK_AGAIN,",
    "parlance,  OPEN,    1, DELIVERED,   OPEN,    1, NONE,",
    "parlance,  OPEN,    1, YIELDED,     YIELDED, 1, NONE,",
    "parlance,  SPENT,   2, DRAFTED,     SPENT,   2, JUDGE,",
    "parlance,  SPENT,   2, REGENERATED, SPENT,   2, REFUSED, BUDGET",
    "parlance,  SPENT,   2, DELIVERED,   SPENT,   2, NONE,",
    "parlance,  SPENT,   2, YIELDED,     YIELDED, 2, NONE,",
    "parlance,  EXPIRED, 1, DRAFTED,     EXPIRED, 1, JUDGE,",
    "parlance,  EXPIRED, 1, REGENERATED, EXPIRED, 1, REFUSED, TTL_EXPIRED",
    "parlance,  EXPIRED, 1, DELIVERED,   EXPIRED, 1, NONE,",
    "parlance,  EXPIRED, 1, YIELDED,     YIELDED, 1, NONE,",
    "parlance,  YIELDED, 1, DRAFTED,     YIELDED, 1, JUDGE,",
    "parlance,  YIELDED, 1, REGENERATED, YIELDED, 2, ASK_AGAIN,",
    "parlance,  YIELDED, 2, REGENERATED, YIELDED, 2, REFUSED, BUDGET",
    "parlance,  YIELDED, 1, DELIVERED,   OPEN,    1, NONE,",
    "parlance,  YIELDED, 2, DELIVERED,   SPENT,   2, NONE,",
    "parlance,  YIELDED, 1, YIELDED,     YIELDED, 1, NONE,",
    "asp-paper, OPEN,    1, DRAFTED,     OPEN,    1, JUDGE,",
    "asp-paper, SPENT,   2, DRAFTED,     YIELDED, 2, YIELD_UNREAD, BUDGET",
    "asp-paper, EXPIRED, 1, DRAFTED,     YIELDED, 1, YIELD_UNREAD, TTL_EXPIRED",
    "asp-paper, YIELDED, 2, DRAFTED,     YIELDED, 2, YIELD_UNREAD, BUDGET",
    "asp-paper, YIELDED, 1, DRAFTED,     YIELDED, 1, JUDGE,",
    "asp-paper, OPEN,    1, REGENERATED, SPENT,   2, ASK_AGAIN,",
    "asp-paper, SPENT,   2, REGENERATED, SPENT,   2, REFUSED, BUDGET"
  })
  void eachEventInEachState_followsTheTable(
      String profile,
      Status state,
      int errors,
      FlowEvent event,
      Status next,
      int nextErrors,
      Effect effect,
      @org.jspecify.annotations.Nullable Reason reason) {
    FlowBudget flow = new FlowBudget(errors, START_MS, START_MS + TTL_MS, state);
    long nowMs = state == Status.EXPIRED ? LATE_MS : START_MS + 1;
    Step step = flow.step(event, nowMs, Profiles.byName(profile).orElseThrow());
    assertThat(step)
        .isEqualTo(
            new Step(
                new FlowBudget(nextErrors, START_MS, START_MS + TTL_MS, next),
                effect,
                Optional.ofNullable(reason)));
  }

  @Test
  void theDeadlineItself_isInTime_oneMillisecondLaterIsNot() {
    FlowBudget flow = FlowBudget.open(START_MS, TTL_MS);
    assertThat(flow.expiredAt(START_MS + TTL_MS)).isFalse();
    assertThat(flow.expiredAt(LATE_MS)).isTrue();
    assertThat(effect(flow, FlowEvent.REGENERATED, START_MS + TTL_MS)).isEqualTo(Effect.ASK_AGAIN);
    assertThat(effect(flow, FlowEvent.REGENERATED, LATE_MS)).isEqualTo(Effect.REFUSED);
  }

  @Test
  void S9_aFlow_isAskedAtMostErrorMaxTimes_whateverHappensInBetween() {
    FlowBudget flow = FlowBudget.open(START_MS, TTL_MS);
    int asked = 0;
    for (int round = 0; round < 20; round++) {
      for (FlowEvent event : FlowEvent.values()) {
        Step step = flow.step(event, START_MS + round, Profiles.OVERLAP);
        asked += step.effect() == Effect.ASK_AGAIN ? 1 : 0;
        flow = step.next();
      }
    }
    assertThat(asked).isEqualTo(2);
    assertThat(flow.errors()).isEqualTo(2);
    assertThat(flow.remaining(2)).isZero();
  }

  @Test
  void aReloadedBudget_opensAndSpendsAFlow() {
    Profile generous = Profiles.derive("generous", Profiles.OVERLAP, Map.of("errorMax", 3));
    Profile strict = Profiles.derive("strict", Profiles.OVERLAP, Map.of("errorMax", 0));
    FlowBudget spent = new FlowBudget(2, START_MS, START_MS + TTL_MS, Status.SPENT);
    assertThat(spent.step(FlowEvent.REGENERATED, START_MS, generous).effect())
        .isEqualTo(Effect.ASK_AGAIN);
    FlowBudget fresh = FlowBudget.open(START_MS, TTL_MS);
    assertThat(fresh.step(FlowEvent.REGENERATED, START_MS, strict).reason())
        .contains(Reason.BUDGET);
    assertThat(fresh.remaining(3)).isEqualTo(3);
  }

  @Test
  void impossibleFlows_areRefused() {
    assertThatThrownBy(() -> FlowBudget.open(START_MS, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FlowBudget(-1, 0, 1, Status.OPEN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FlowBudget(0, 2, 1, Status.OPEN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Effect effect(FlowBudget flow, FlowEvent event, long nowMs) {
    return flow.step(event, nowMs, Profiles.OVERLAP).effect();
  }
}
