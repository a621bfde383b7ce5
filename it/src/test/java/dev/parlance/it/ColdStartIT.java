package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sidecars that have just begun, asked twelve times at once: every request is answered by the
 * agent. {@code -Dsoak=1000} starts 100 of them on a machine that is busy, the default two.
 */
@Timeout(3600)
class ColdStartIT {
  private static final int STARTS = Math.max(2, Integer.getInteger("soak", 0) / 10);
  private static final int AT_ONCE = 12;
  private static final int BUSY = STARTS > 2 ? 2 : 0;

  @TempDir Path folder;

  private static String ask(int port) throws Exception {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"When"
            + " is it replaced?\"}]}}}";
    try (RawHttp client = new RawHttp(port)) {
      client.send(
          ("POST /a2a HTTP/1.1\r\nHost: agent.test\r\nA2A-Version: 1.0\r\nContent-Type:"
                  + " application/json\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body)
              .getBytes(ISO_8859_1));
      return new String(client.reply().body(), ISO_8859_1);
    }
  }

  @Test
  void theFirstRequests_atOnce_areAllAnswered() throws Exception {
    AtomicBoolean busy = new AtomicBoolean(true);
    List<String> failures = new ArrayList<>();
    try (StubAgent agent =
            new StubAgent(_ ->
                StubAgent.Reply.json(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"messageId\":\"a\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"yes\"}]}}}"));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < BUSY; i++) {
        threads.execute(() -> {
          long sum = 0;
          while (busy.get()) {
            sum += System.nanoTime() % 7;
          }
          assertThat(sum).isPositive();
        });
      }
      try {
        for (int start = 0; start < STARTS; start++) {
          try (ChildSidecar sidecar =
              ChildSidecar.start(folder, "cold" + start, LocalSidecar.inboundTo(agent.port()))) {
            List<Callable<String>> asks = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
              asks.add(() -> ask(sidecar.inbound()));
            }
            for (Future<String> told : threads.invokeAll(asks)) {
              if (!told.get().contains("\"text\":\"yes\"")) {
                failures.add("start " + start + ": " + told.get());
              }
            }
          }
        }
      } finally {
        busy.set(false);
      }
    }
    assertThat(failures).as("of " + STARTS * AT_ONCE).isEmpty();
  }
}
