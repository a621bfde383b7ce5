package dev.parlance.policy.message;

import dev.parlance.policy.text.Coded;

/** Where the evidence of a message was found, best first (DESIGN: on the wire). */
public enum EvidenceSource implements Coded {
  /** The evidence extension, written by the agent itself. */
  DECLARED,
  /** A carrier of a known framework: ADK grounding metadata, OpenAI context, JSON pointers. */
  CARRIER,
  /** Results that this sidecar relayed to the agent in the same trace. */
  OBSERVED,
  /** There is none; such a message is never counted as judged. */
  NONE
}
