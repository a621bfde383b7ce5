package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.route.FlowBudget;
import dev.parlance.policy.route.FlowEvent;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FlowBudgetsTest {
  private static final Profile PROFILE = Profiles.DEFAULT;
  private static final FlowKey KEY = new FlowKey("t-1", "agent", "q");

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

  private FlowBudget draft() {
    return budgets.drafted(KEY, nowMs.get(), PROFILE, true);
  }

  private FlowBudget.Effect askAgain() {
    return budgets.step(KEY, FlowEvent.REGENERATED, nowMs.get(), PROFILE).effect();
  }
}
