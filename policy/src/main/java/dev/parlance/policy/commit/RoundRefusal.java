package dev.parlance.policy.commit;

import dev.parlance.policy.text.Coded;

/** Why a proposal was not taken into a round. The codes are stable. */
public enum RoundRefusal implements Coded {
  /** For another epoch of the round. */
  WRONG_EPOCH,
  /** The sender is no member. */
  NOT_A_MEMBER,
  /** The round takes no more proposals. */
  LATE,
  /** The verdict is no name. */
  BAD_VERDICT,
  /** The sender is known to have proposed two different things; a third one adds nothing. */
  EQUIVOCATED
}
