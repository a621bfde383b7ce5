package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.RepairPlan.TermWords;
import java.util.Optional;

/** What to say when asking an author again. */
public final class Repair {
  private Repair() {}

  /** The instruction to the author of {@code message}, which {@code verdict} sent back. */
  public static String instruction(Verdict verdict, AgentMessage message) {
    return RepairPlan.of(verdict, message).text();
  }

  /**
   * Which terms are not certified and which to use instead, in one or two sentences; empty if all
   * are.
   */
  public static Optional<String> terms(CoreFindings findings) {
    return TermWords.of(findings);
  }
}
