package dev.parlance.proxy.admin;

import tools.jackson.databind.JsonNode;

/** How rounds stand, as the control plane says. May block, for a bounded time. */
@FunctionalInterface
public interface RoundsPort {
  /** What came of a question. */
  sealed interface Answer {
    /** The round. */
    record Found(JsonNode round) implements Answer {}

    /**
     * There is none.
     *
     * @param code stable reason code
     */
    record Refused(String code, String detail) implements Answer {}

    /** Nobody could be asked. */
    record Unavailable(String detail) implements Answer {}
  }

  /** Of a sidecar without a control plane. */
  RoundsPort NONE = (_, _) -> new Answer.Unavailable("no control plane is configured");

  /**
   * How a round stands.
   *
   * @param round its name
   * @param epoch from 1
   */
  Answer find(String round, long epoch);
}
