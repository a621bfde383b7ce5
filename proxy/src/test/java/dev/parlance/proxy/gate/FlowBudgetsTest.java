package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.route.FlowBudget;
import dev.parlance.policy.route.FlowBudget.FlowEvent;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.text.Utf8Span;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FlowBudgetsTest {
  private static final Profile PROFILE = Profiles.OVERLAP;
  private static final Draft.FlowKey KEY = new Draft.FlowKey("t-1", "agent", Utf8Span.of("q"));

  private final AtomicLong nowMs = new AtomicLong();
  private final FlowBudgets budgets =
      new FlowBudgets(16, () -> Duration.ofMillis(nowMs.get()).toNanos());

  @Test
  void flowThatStartedAgain_keepsWhatItSpent_pastTheEndOfItsFirstLife() {
    draft();
    nowMs.set(2 * PROFILE.flowTtlMs() - 10);
    assertThat(draft().errors()).isZero();
    for (int i = 0; i < PROFILE.errorMax(); i++) {
      assertThat(askAgain()).isEqualTo(FlowBudget.Effect.ASK_AGAIN);
    }
    nowMs.addAndGet(20);
    assertThat(draft().errors()).isEqualTo(PROFILE.errorMax());
    assertThat(askAgain()).isEqualTo(FlowBudget.Effect.REFUSED);
  }

  @Test
  void anyCourse_isThatOfTheBudgetsThemselves() {
    for (int seed = 0; seed < 20; seed++) {
      var random = new Random(seed);
      nowMs.set(random.nextLong(1L << 40) - (1L << 39));
      FlowBudgets many = new FlowBudgets(1000, () -> Duration.ofMillis(nowMs.get()).toNanos());
      List<Profile> profiles =
          List.of(
              PROFILE,
              Profiles.derive("a", PROFILE, Map.of("flowTtlMs", 1, "errorMax", 0)),
              Profiles.derive("b", PROFILE, Map.of("flowTtlMs", 86_400_000, "errorMax", 100)));
      Map<Draft.FlowKey, FlowBudget> model = new HashMap<>();
      for (int i = 0; i < 3000; i++) {
        // All of it takes less than twice the time of a flow, after which one is forgotten.
        nowMs.addAndGet(random.nextInt(150));
        int flow = random.nextInt(300);
        Draft.FlowKey key = new Draft.FlowKey("f" + flow, "a", Utf8Span.EMPTY);
        Profile profile = profiles.get(flow % 3);
        boolean fresh = random.nextBoolean();
        long now = nowMs.get();
        // One millisecond is far below the grain of the table's clock: such flows start anew.
        FlowBudget found = model.getOrDefault(key, FlowBudget.open(now, profile.flowTtlMs()));
        if (random.nextBoolean()) {
          FlowBudget met =
              fresh && found.expiredAt(now) ? FlowBudget.open(now, profile.flowTtlMs()) : found;
          FlowBudget expected = met.step(FlowEvent.DRAFTED, now, profile).next();
          FlowBudget drafted = many.drafted(key, now, profile, fresh);
          if (profile.flowTtlMs() > 1) {
            assertThat(drafted).isEqualTo(expected);
          }
          model.put(key, drafted);
        } else {
          FlowEvent[] events = FlowEvent.values();
          FlowEvent event = events[random.nextInt(events.length)];
          FlowBudget.Step step = many.step(key, event, now, profile);
          if (profile.flowTtlMs() > 1) {
            assertThat(step).isEqualTo(found.step(event, now, profile));
          }
          model.put(key, step.next());
        }
      }
    }
  }

  @Test
  void floodOfNewFlows_doesNotRefillABudgetThatIsSpent() {
    draft();
    while (askAgain() == FlowBudget.Effect.ASK_AGAIN) {
      nowMs.addAndGet(100);
    }
    for (int i = 0; i < 10_000; i++) {
      budgets.drafted(
          new Draft.FlowKey("t-" + i + "-new", "agent", Utf8Span.of("q")),
          nowMs.get(),
          PROFILE,
          true);
    }
    assertThat(budgets.size()).isEqualTo(16);
    assertThat(draft().errors()).isEqualTo(PROFILE.errorMax());
  }

  private FlowBudget draft() {
    return budgets.drafted(KEY, nowMs.get(), PROFILE, true);
  }

  private FlowBudget.Effect askAgain() {
    return budgets.step(KEY, FlowEvent.REGENERATED, nowMs.get(), PROFILE).effect();
  }
}
