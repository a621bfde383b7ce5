package dev.parlance.demo.agent;

import io.a2a.spec.JSONRPCError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A message that a sidecar sent back to its author: a JSON-RPC error whose data holds the verdict
 * and what to change.
 */
final class Refusal {
  private Refusal() {}

  /** What the sidecar said; empty if the call failed for another reason. */
  static Optional<Reply> in(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof JSONRPCError error && error.getData() instanceof List<?> details) {
        return details.stream().flatMap(detail -> in(error, detail).stream()).findFirst();
      }
    }
    return Optional.empty();
  }

  private static Optional<Reply> in(JSONRPCError error, Object detail) {
    return detail instanceof Map<?, ?> struct
            && struct.get("value") instanceof Map<?, ?> value
            && value.get("verdict") instanceof Map<?, ?> verdict
        ? Optional.of(
            new Reply.Withheld(
                String.valueOf(error.getMessage()), "error", Verdict.of(verdict, Optional.empty())))
        : Optional.empty();
  }
}
