package dev.parlance.proxy.trace;

/** Is told what becomes of spans; called from any thread, must not block. */
@FunctionalInterface
public interface SpanOutcomes {
  /** The codes of what can become of a span, for a label of a metric. */
  String CODES = "exported dropped rejected failed";

  /** The collector has taken it. */
  String EXPORTED = "exported";

  /** Too many waited, or the sidecar has stopped. */
  String DROPPED = "dropped";

  /** The collector has taken others of the same request. */
  String REJECTED = "rejected";

  /** The collector could not be reached, or refused the request. */
  String FAILED = "failed";

  /** So many spans came to this. */
  void count(String outcome, int spans);
}
