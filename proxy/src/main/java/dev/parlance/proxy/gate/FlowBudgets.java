package dev.parlance.proxy.gate;

import dev.parlance.policy.route.FlowBudget;
import dev.parlance.policy.route.FlowBudget.FlowEvent;
import dev.parlance.policy.route.Profile;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The error budgets of the flows under way. Bounded: past the limit a flow is forgotten, which
 * gives its author a fresh budget and never loses a message. One that has spent nothing goes before
 * one that has, so a flood of new flows does not refill spent budgets; among equals the one used
 * longest ago goes.
 */
public final class FlowBudgets {
  private final FingerprintTable flows;
  private final FlowBits bits = new FlowBits();
  private final LongSupplier nowNs;

  /**
   * An empty store.
   *
   * @param max most flows kept
   */
  public FlowBudgets(int max) {
    this(max, System::nanoTime);
  }

  FlowBudgets(int max, LongSupplier nowNs) {
    this.flows = new FingerprintTable(max, bits);
    this.nowNs = nowNs;
  }

  /**
   * The budget that a draft meets.
   *
   * @param fresh true if nothing is being asked again: then a flow whose time is over starts anew
   */
  FlowBudget drafted(Draft.FlowKey key, long nowMs, Profile profile, boolean fresh) {
    return bits.unpack(
        flows.change(
            fingerprint(key),
            nowNs.getAsLong(),
            (known, old) -> {
              FlowBudget found = known ? bits.unpack(old) : open(nowMs, profile);
              FlowBudget budget = fresh && found.expiredAt(nowMs) ? open(nowMs, profile) : found;
              return bits.pack(budget.step(FlowEvent.DRAFTED, nowMs, profile).next());
            }));
  }

  /** Applies an event and says what came of it. */
  FlowBudget.Step step(Draft.FlowKey key, FlowEvent event, long nowMs, Profile profile) {
    Stepping stepping = new Stepping(event, nowMs, profile);
    long _ = flows.change(fingerprint(key), nowNs.getAsLong(), stepping);
    return stepping.done();
  }

  private final class Stepping implements FingerprintTable.Change {
    private final FlowEvent event;
    private final long nowMs;
    private final Profile profile;
    private FlowBudget.@Nullable Step step;

    Stepping(FlowEvent event, long nowMs, Profile profile) {
      this.event = event;
      this.nowMs = nowMs;
      this.profile = profile;
    }

    @Override
    public long apply(boolean known, long old) {
      FlowBudget budget = known ? bits.unpack(old) : open(nowMs, profile);
      FlowBudget.Step done = budget.step(event, nowMs, profile);
      step = done;
      return bits.pack(done.next());
    }

    FlowBudget.Step done() {
      if (step == null) {
        throw new IllegalStateException("the table did not ask for the change");
      }
      return step;
    }
  }

  private static FlowBudget open(long nowMs, Profile profile) {
    return FlowBudget.open(nowMs, profile.flowTtlMs());
  }

  private static Fingerprint fingerprint(Draft.FlowKey key) {
    return new Fingerprint().add(key.flow()).add(key.author()).add(key.question());
  }

  /** How many flows are kept, about. */
  public long size() {
    return flows.size();
  }
}
