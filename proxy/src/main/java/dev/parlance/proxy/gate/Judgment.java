package dev.parlance.proxy.gate;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Verdict;
import dev.parlance.wire.api.VerdictHeader;

/**
 * The gate's judgment of one draft.
 *
 * @param id id of the decision
 * @param draft the draft
 * @param verdict measurement, signals and decision
 * @param annotation the same as it travels
 * @param judgeNs how long measuring and deciding took, in nanoseconds
 */
public record Judgment(
    String id, Draft draft, Verdict verdict, VerdictHeader annotation, long judgeNs) {
  /** Where the message goes. */
  public Decision decision() {
    return verdict.decision();
  }

  /** What it says. */
  public AgentMessage message() {
    return draft.message();
  }

  /** The same, travelling with another word. */
  public Judgment with(VerdictHeader told) {
    return new Judgment(id, draft, verdict, told, judgeNs);
  }

  /** What to tell the author when asking again. */
  public String instruction() {
    return RepairPlan.instruction(verdict, draft.message());
  }

  /** The same where it is told in a refusal, which others than the author read. */
  public String instructionInRefusal() {
    return RepairPlan.withoutExcerpts(verdict, draft.message());
  }
}
