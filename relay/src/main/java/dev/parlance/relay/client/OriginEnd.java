package dev.parlance.relay.client;

import dev.parlance.relay.api.OriginResult;

/** Why we end connections to origins with asks on them. */
enum OriginEnd {
  /** Nobody waits for what they bring. */
  CLOSED("origin_closed", "the client is shutting down"),
  /** The grace period of a sidecar that stops is nearly over. */
  SHUTTING_DOWN("shutting_down", "the sidecar stops and there was no answer in time");

  private final String code;
  private final String detail;

  OriginEnd(String code, String detail) {
    this.code = code;
    this.detail = detail;
  }

  /** As in {@link OriginResult.Failed}. */
  String code() {
    return code;
  }

  String detail() {
    return detail;
  }
}
