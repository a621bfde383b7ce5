package dev.parlance.cli.local;

import dev.parlance.cli.Json;
import dev.parlance.cli.review.LogTail;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/** Says the verdicts of a sidecar in this process as they come, on a thread of its own. */
final class VerdictFollower implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final LogTail tail;
  private final VerdictText text;
  private final Consumer<String> say;
  private final Thread thread;

  /**
   * @param dataDir of the sidecar, which is not started yet
   */
  VerdictFollower(Path dataDir, Consumer<String> say) throws IOException {
    this.tail =
        new LogTail(dataDir.resolve("decisions.jsonl"), dataDir.resolve("decisions-1.jsonl"));
    this.text = new VerdictText(dataDir.toString());
    this.say = say;
    tail.last(0); // a kept folder has those of earlier runs
    this.thread = Thread.ofPlatform().daemon().name("verdicts").start(this::follow);
  }

  private void follow() {
    try {
      while (true) {
        poll();
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException _) {
      // what is left is said when this closes
    } catch (IOException e) {
      say.accept("the decision log cannot be read any more: " + e.getMessage());
    }
  }

  private void poll() throws IOException {
    tail.poll(line -> {
      try {
        text.of(Json.MAPPER.readTree(line)).forEach(say);
      } catch (JacksonException _) {
        // torn
      }
    });
  }

  /** Says what is left; the sidecar is closed. */
  @Override
  public void close() throws IOException {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    try (tail) {
      poll();
    }
  }
}
