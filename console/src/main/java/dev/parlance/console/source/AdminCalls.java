package dev.parlance.console.source;

import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** How one sidecar's admin API is called: on loopback, or through the control plane. */
@FunctionalInterface
public interface AdminCalls {
  /**
   * What the sidecar answered.
   *
   * @param status HTTP status
   * @param body an empty object where there was none that could be read
   */
  record AdminReply(int status, JsonNode body) {
    /** What bytes say; those that are no JSON say nothing, for the status says enough. */
    public static AdminReply of(int status, byte[] body) {
      try {
        return new AdminReply(
            status,
            body.length == 0
                ? JsonNodeFactory.instance.objectNode()
                : JsonMapper.shared().readTree(body));
      } catch (JacksonException _) {
        return new AdminReply(status, JsonNodeFactory.instance.objectNode());
      }
    }

    /** True if it did what it was asked for. */
    boolean isOk() {
      return status >= 200 && status < 300;
    }
  }

  /** It may have been asked, and there is no answer: what was to be done may be done. */
  final class Unanswered extends IOException {
    private static final long serialVersionUID = 1;

    /** Why there is none. */
    public Unanswered(String message) {
      super(message);
    }

    /** Why there is none. */
    public Unanswered(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * One call, which may block for a bounded time.
   *
   * @param pathAndQuery starts with a slash
   * @param body of a POST; empty: a GET
   * @throws IOException if the sidecar cannot be asked; {@link Unanswered} if it may have been
   */
  AdminReply call(String pathAndQuery, Optional<JsonNode> body) throws IOException;
}
