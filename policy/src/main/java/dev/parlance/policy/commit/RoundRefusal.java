package dev.parlance.policy.commit;

/** Why a proposal was not taken into a round. The codes are stable. */
public enum RoundRefusal {
  /** For another epoch of the round. */
  WRONG_EPOCH("wrong_epoch"),
  /** The sender is no member. */
  NOT_A_MEMBER("not_a_member"),
  /** The round takes no more proposals. */
  LATE("late"),
  /** The verdict is no name. */
  BAD_VERDICT("bad_verdict"),
  /** The sender is known to have proposed two different things; a third one adds nothing. */
  EQUIVOCATED("equivocated");

  private final String code;

  RoundRefusal(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }
}
