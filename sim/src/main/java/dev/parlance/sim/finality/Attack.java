package dev.parlance.sim.finality;

/** What the faulty agents do. All of them see every honest proposal before they choose. */
public enum Attack {
  /** They say nothing, so that too few deliver or the margin gets thin. */
  WITHHOLD("withhold"),
  /** They back the strongest other verdict with one voice, or one that nobody has. */
  FLIP("flip"),
  /** Some back the leading verdict and some another, where that makes a tie or a thin margin. */
  SPLIT("split"),
  /**
   * They back the leading verdict with the texts that, of many tried, turn the aggregate furthest
   * away from the honest agents.
   */
  STEER("steer"),
  /** They back the leading verdict, all with the meaning of the honest outlier. */
  CROWD("crowd"),
  /** They propose two or three different things each: other verdict, text or meaning. */
  EQUIVOCATE("equivocate"),
  /** They copy honest proposals and send those of other epochs and of strangers again. */
  REPLAY("replay"),
  /** They vote once the round is sealed. */
  LATE("late"),
  /** They send what is no vector, no verdict, or has no meaning. */
  MALFORM("malform"),
  /** Each does something else. */
  MIXED("mixed");

  private final String code;

  Attack(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }
}
