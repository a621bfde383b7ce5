package dev.parlance.proxy.metrics;

/** The ways in which a message has to do with a round, as they are counted. */
public enum RoundMetric {
  /** Its author proposes. */
  PROPOSAL("proposal"),
  /** It says how a round ended. */
  CLAIM("claim"),
  /** Its route asks for the outcome of a round. */
  FINALITY("finality"),
  /** It says something of a round that cannot be read. */
  MARK("mark"),
  /** An answer was kept back for an outcome. */
  WAIT("wait");

  private final String code;

  RoundMetric(String code) {
    this.code = code;
  }

  /** The stable name in metrics and in the decision log. */
  public String code() {
    return code;
  }
}
