package dev.parlance.proxy.gate;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Verdict;
import dev.parlance.wire.api.VerdictHeader;
import java.util.Optional;

/**
 * The gate's judgment of one draft.
 *
 * @param id id of the decision
 * @param draft the draft
 * @param verdict measurement, signals and decision
 * @param annotation the same as it travels
 * @param judgeNs how long measuring and deciding took, in nanoseconds
 * @param believed the sidecar that has measured it, if that was not this one
 */
public record Judgment(
    String id,
    Draft draft,
    Verdict verdict,
    VerdictHeader annotation,
    long judgeNs,
    Optional<Believed> believed) {
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
    return new Judgment(id, draft, verdict, told, judgeNs, believed);
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
