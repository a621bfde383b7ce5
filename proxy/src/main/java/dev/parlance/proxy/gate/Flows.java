package dev.parlance.proxy.gate;

import dev.parlance.policy.message.VerdictNote;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.trace.TraceContext;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.bytes.HeaderLookup;
import java.util.Optional;

/**
 * Derives the flow of a message: the trace id of {@code traceparent}, else the conversation id of
 * the protocol, else caller and question. Task ids change on regeneration and are not used.
 */
public final class Flows {
  private static final int MAX_CONTEXT_LENGTH = 128;

  private Flows() {}

  /** The flow id: short, printable, safe in a header and in a log. */
  public static String idOf(
      HeaderLookup fields, Correlation ids, String caller, Utf8Span question) {
    Optional<String> trace = traceId(fields);
    if (trace.isPresent()) {
      return "t-" + trace.get();
    }
    Optional<String> context = ids.contextId().filter(id -> !id.isEmpty());
    if (context.isPresent()) {
      String id = context.get();
      return isPlain(id) ? "c-" + id : "c-" + Digests.of("context").add(id).hex();
    }
    return "q-" + Digests.of("flow").add(caller).add(question).hex();
  }

  /** The trace id of a well-formed W3C {@code traceparent}. */
  public static Optional<String> traceId(HeaderLookup fields) {
    return fields.first(VerdictNote.PROPAGATE).flatMap(TraceContext::traceIdOf);
  }

  private static boolean isPlain(String id) {
    if (id.length() > MAX_CONTEXT_LENGTH) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_'
              || c == '.';
      if (!plain) {
        return false;
      }
    }
    return true;
  }
}
