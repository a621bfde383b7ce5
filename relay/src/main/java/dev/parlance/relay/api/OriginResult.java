package dev.parlance.relay.api;

/** What came of asking an origin. */
public sealed interface OriginResult {
  /**
   * A whole response.
   *
   * @param response the response; its body belongs to the receiver
   */
  record Answered(WholeResponse response) implements OriginResult {}

  /**
   * No whole response.
   *
   * @param code stable reason code: {@code connect_refused}, {@code connect_timeout}, {@code
   *     unknown_host}, {@code response_timeout}, {@code response_incomplete}, {@code
   *     response_malformed}, {@code response_too_large}, {@code origin_closed}, {@code
   *     origin_limit}, {@code destination_denied}, {@code origin_protocol} (it does not speak
   *     HTTP/2), {@code shutting_down} (the sidecar stops), {@code cancelled}
   * @param requestSent true if any byte of the request may have reached the origin (then it is not
   *     safe to repeat)
   * @param detail for the log
   */
  record Failed(String code, boolean requestSent, String detail) implements OriginResult {}
}
