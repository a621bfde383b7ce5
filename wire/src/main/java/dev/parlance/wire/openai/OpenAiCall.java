package dev.parlance.wire.openai;

import dev.parlance.wire.api.RequestHead;
import java.util.Optional;

/** The calls of the OpenAI protocols whose answers are read. */
public enum OpenAiCall {
  /** Chat completions. */
  CHAT("/chat/completions", false),
  /** Completions of a prompt, the older form. */
  COMPLETIONS("/completions", false),
  /** Responses. */
  RESPONSES("/responses", false),
  /** A response that was made before, or goes on in the background. */
  RESPONSE_READ("/responses/", true),
  /** A response that is stopped, with what it has said. */
  RESPONSE_CANCELLED("/responses/", true),
  /** A chat completion that was stored. */
  CHAT_READ("/chat/completions/", true);

  private static final String CANCEL = "/cancel";

  private final String path;
  private final boolean stored;

  OpenAiCall(String path, boolean stored) {
    this.path = path;
    this.stored = stored;
  }

  /** True for calls about what an earlier request asked; they have no body of their own. */
  boolean isStored() {
    return stored;
  }

  boolean isResponse() {
    return this == RESPONSES || this == RESPONSE_READ || this == RESPONSE_CANCELLED;
  }

  /** The call that a head makes. Responses are looked for below a version only. */
  static Optional<OpenAiCall> of(RequestHead head) {
    String path = head.path();
    return switch (head.method()) {
      case "POST" -> {
        if (path.endsWith(CHAT.path)) {
          yield Optional.of(CHAT);
        }
        if (path.endsWith("/v1" + COMPLETIONS.path)) {
          yield Optional.of(COMPLETIONS);
        }
        if (path.endsWith("/v1" + RESPONSES.path) || path.endsWith("/openai" + RESPONSES.path)) {
          yield Optional.of(RESPONSES);
        }
        yield path.endsWith(CANCEL)
                && isBelow(path.substring(0, path.length() - CANCEL.length()), RESPONSE_READ.path)
            ? Optional.of(RESPONSE_CANCELLED)
            : Optional.empty();
      }
      case "GET" -> {
        if (isBelow(path, RESPONSE_READ.path)) {
          yield Optional.of(RESPONSE_READ);
        }
        yield isBelow(path, CHAT_READ.path) ? Optional.of(CHAT_READ) : Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  /** True for one more segment behind a folder of version 1. */
  private static boolean isBelow(String path, String folder) {
    int at = path.lastIndexOf("/v1" + folder);
    int id = at + 3 + folder.length();
    return at >= 0 && id < path.length() && path.indexOf('/', id) < 0;
  }
}
