package dev.parlance.policy.commit;

import java.util.Arrays;
import java.util.Optional;

/** Why a round takes no more proposals. The codes are stable. */
public enum SealCause {
  /** Every member has proposed. */
  COMPLETE("complete"),
  /** The deadline has passed. */
  DEADLINE("deadline");

  private final String code;

  SealCause(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }

  /** The one with this code. */
  public static Optional<SealCause> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
  }
}
