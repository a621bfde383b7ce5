package dev.parlance.policy.message;

/** Where the evidence of a message was found, best first (DESIGN: on the wire). */
public enum EvidenceSource {
  /** The evidence extension, written by the agent itself. */
  DECLARED("declared"),
  /** A carrier of a known framework: ADK grounding metadata, OpenAI context, JSON pointers. */
  CARRIER("carrier"),
  /** Results that this sidecar relayed to the agent in the same trace. */
  OBSERVED("observed"),
  /** There is none; such a message is never counted as judged. */
  NONE("none");

  private final String code;

  EvidenceSource(String code) {
    this.code = code;
  }

  /** The stable name in logs, metrics and on the wire. */
  public String code() {
    return code;
  }
}
