package dev.parlance.proxy.metrics;

/** What a message has to do with a round. */
public enum RoundMatter {
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

  RoundMatter(String code) {
    this.code = code;
  }

  /** The stable name in metrics and in the decision log. */
  public String code() {
    return code;
  }
}
