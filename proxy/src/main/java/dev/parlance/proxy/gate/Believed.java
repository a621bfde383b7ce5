package dev.parlance.proxy.gate;

import dev.parlance.policy.route.Reason;
import dev.parlance.wire.api.VerdictHeader;
import java.util.List;

/**
 * The word of another sidecar, which is believed, that a message passes.
 *
 * @param by its name
 * @param decision id of the decision in its log
 * @param reasons why; that it is released is the word of a person there
 * @param warns true if the receiver is to be told the reasons
 * @param measured the signals as they were measured there
 */
public record Believed(
    String by,
    String decision,
    List<Reason> reasons,
    boolean warns,
    VerdictHeader.Measured measured) {
  /** Takes a copy. */
  public Believed {
    reasons = List.copyOf(reasons);
  }

  /** True if a person has released the message there. */
  public boolean isReleased() {
    return reasons.contains(Reason.RELEASED);
  }

  /** What the receiver is to be told. */
  List<Reason> warnings() {
    return warns ? reasons : List.of();
  }
}
