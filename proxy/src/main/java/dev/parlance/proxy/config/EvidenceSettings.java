package dev.parlance.proxy.config;

/**
 * What the sidecar keeps of the results that it relayed to the local agent, as evidence for what
 * the agent says in the same trace. All bounds are 1 or more.
 *
 * @param observed whether anything is kept
 * @param ttlMs how long, from the last result
 * @param flows of how many traces at a time
 * @param chunks most results of one trace
 * @param bytes most text of one trace
 */
public record EvidenceSettings(boolean observed, int ttlMs, int flows, int chunks, int bytes) {
  /** Refuses bounds below 1. */
  public EvidenceSettings {
    if (Math.min(Math.min(ttlMs, flows), Math.min(chunks, bytes)) < 1) {
      throw new IllegalArgumentException("expected bounds of at least 1");
    }
  }
}
