package dev.parlance.proxy.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Held messages and shorthand for tests. */
final class Messages {
  private Messages() {}

  static ReviewLimits limits(int capacity, long bytes, long releaseTtlMs) {
    return new ReviewLimits(capacity, bytes, releaseTtlMs, 60_000, 1L << 40);
  }

  static HeldMessage message(String key) {
    return message(key, 20);
  }

  /** One that may be asked for in two ways. */
  static HeldMessage message(String key, String other) {
    HeldMessage one = message(key);
    HeldMessage.Origin origin = one.origin();
    return new HeldMessage(
        one.decisionId(),
        new HeldMessage.Origin(
            origin.direction(),
            origin.kind(),
            origin.protocol(),
            origin.routeRule(),
            origin.flow(),
            new HeldMessage.Keys(
                "caller", List.of(key, other), List.of(), List.of(), Optional.empty()),
            origin.caller(),
            origin.destination()),
        one.content(),
        one.cause(),
        one.heldAtMs());
  }

  static HeldMessage message(String key, int bodyBytes) {
    byte[] body = new byte[bodyBytes];
    for (int i = 0; i < bodyBytes; i++) {
      body[i] = (byte) (i * 31 + key.hashCode());
    }
    return new HeldMessage(
        "d-" + key,
        new HeldMessage.Origin(
            "inbound",
            HeldMessage.Kind.RESPONSE,
            "a2a-1.0",
            "default",
            "flow-" + key,
            new HeldMessage.Keys(
                "caller",
                List.of(key),
                List.of("text of " + key),
                List.of("task of " + key),
                Optional.of(new HeldMessage.Shared("agent-a", List.of("shared " + key)))),
            "127.0.0.1",
            "agent-b:8080"),
        new HeldMessage.Content(
            200,
            "application/json",
            List.of(new HeldMessage.Field("A2A-Version", "1.0"), new HeldMessage.Field("x", "ü")),
            "What does section 2 grant?".getBytes(UTF_8),
            "A licence, [Chunk 3]. \u001b[31m".getBytes(UTF_8),
            new HeldMessage.Material(
                List.of(
                    new HeldMessage.EarlierDraft(
                        "A licence.",
                        Optional.of(
                            new HeldMessage.Backing(
                                List.of(new HeldMessage.Field("c1", "Elsewhere")),
                                List.of("c1"),
                                true))),
                    new HeldMessage.EarlierDraft("Licences.", Optional.empty())),
                new HeldMessage.Backing(
                    List.of(new HeldMessage.Field("c3", "Licence: ü")), List.of(), false)),
            body),
        new HeldMessage.Cause(
            "[@C:2; @G:3; @S:B; A:[]]", List.of("g_low", "budget"), "{\"route\":\"yield\"}", 3),
        1_000);
  }

  static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  static String hold(ReviewQueue queue, String key) {
    return switch (get(queue.hold(message(key)))) {
      case HoldResult.Held(String id) -> id;
      case HoldResult.Refused(String code) -> throw new AssertionError("refused: " + code);
    };
  }
}
