package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.service.config.HostPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts to attach. */
class AttachClientTest {
  @TempDir Path folder = Path.of("");

  @Test
  void attemptThatFailsByAFaultOfOurOwn_isSaid_andFollowedByAnother() throws Exception {
    BlockingQueue<AttachStream.End> ends = new LinkedBlockingQueue<>();
    AttachClient client =
        new AttachClient(
            new AttachClient.Settings(
                new HostPort("127.0.0.1", 9),
                Optional.empty(),
                ControlCredentials.token(Files.writeString(folder.resolve("token"), "token")),
                "1",
                () -> {
                  throw new IllegalStateException("not foreseen");
                },
                () -> 60_000,
                1 << 20),
            new AttachClient.Sessions() {
              @Override
              public AttachStream.Session next(long stream) {
                throw new AssertionError("without a Hello there is no stream");
              }

              @Override
              public void ended(AttachStream.End end) {
                ends.add(end);
              }
            },
            RandomGeneratorFactory.of("L64X128MixRandom").create(7));
    try (client) {
      client.start();
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThat(ends.poll(60, TimeUnit.SECONDS))
            .satisfies(end -> assertThat(end.reason()).isEqualTo("internal"))
            .satisfies(end -> assertThat(end.detail()).contains("not foreseen"));
      }
    }
  }
}
