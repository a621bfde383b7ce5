package dev.parlance.sim.finality;

/** How the faulty agents of the diagnostic poison. */
public enum Poison {
  /** The same poisoned text whatever the others say, 35 degrees from the claim. */
  STATIC("static"),
  /** They see the honest proposals first and take the meaning that turns the aggregate most. */
  RUSHING("rushing");

  private final String code;

  Poison(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }
}
