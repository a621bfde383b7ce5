package dev.parlance.relay.http1;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The name of a field as it was sent, and what it means.
 *
 * @param text a token, in any case
 * @param kind what the relay makes of it
 */
public record FieldName(String text, FieldKind kind) {
  /** Names that are set in nearly every message, so that they are looked up once. */
  private static final Map<String, FieldName> COMMON = new HashMap<>();

  static {
    for (String name :
        List.of(
            "host",
            "date",
            "connection",
            "content-length",
            "content-type",
            "content-encoding",
            "transfer-encoding",
            "accept",
            "accept-encoding",
            "authorization",
            "cache-control",
            "expect",
            "server",
            "traceparent",
            "tracestate",
            "user-agent",
            "vary")) {
      COMMON.put(name, fresh(name));
    }
  }

  /** The name with its kind. */
  static FieldName of(String text) {
    FieldName common = COMMON.get(text);
    return common == null ? fresh(text) : common;
  }

  private static FieldName fresh(String text) {
    return new FieldName(text, FieldKind.of(text));
  }

  /** True if this is the same name, whatever the case. */
  boolean is(String other) {
    return text.length() == other.length() && (text.equals(other) || text.equalsIgnoreCase(other));
  }
}
