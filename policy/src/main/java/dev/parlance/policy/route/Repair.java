package dev.parlance.policy.route;

import dev.parlance.policy.message.AgentMessage;

/** What to say when asking an author again. */
public final class Repair {
  private Repair() {}

  /** The instruction to the author of {@code message}, which {@code verdict} sent back. */
  public static String instruction(Verdict verdict, AgentMessage message) {
    return RepairPlan.of(verdict, message).text();
  }
}
