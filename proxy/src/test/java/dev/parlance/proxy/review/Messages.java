package dev.parlance.proxy.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Held messages and shorthand for tests. */
final class Messages {
  private Messages() {}

  static HeldMessage message(String key) {
    return message(key, 20);
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
            key,
            "127.0.0.1",
            "agent-b:8080"),
        new HeldMessage.Content(
            200,
            "application/json",
            List.of(new HeldMessage.Field("A2A-Version", "1.0"), new HeldMessage.Field("x", "ü")),
            "What does section 2 grant?".getBytes(UTF_8),
            "A licence, [Chunk 3]. \u001b[31m".getBytes(UTF_8),
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
