package dev.parlance.policy.commit;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

/** Why a round takes no more proposals. The codes are stable. */
public enum SealCause implements Coded {
  /** Every member has proposed. */
  COMPLETE,
  /** The deadline has passed. */
  DEADLINE;

  /** The one with this code. */
  public static Optional<SealCause> ofCode(String code) {
    return Coded.find(values(), code);
  }
}
