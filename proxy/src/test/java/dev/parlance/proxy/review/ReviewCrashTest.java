package dev.parlance.proxy.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a real process while it holds messages. {@code -Dsoak=N} repeats it N times. */
@Tag("kill")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ReviewCrashTest {
  private static final ReviewLimits LIMITS = Messages.limits(100_000, 256L << 20, 60_000);
  private static final int LINES = 400;
  private static final int ROUNDS_PER_QUEUE = 20;

  @TempDir Path directory;

  @Test
  void L1_kill9WhileHolding_losesNothingThatWasAcknowledged() throws Exception {
    int rounds = Integer.getInteger("soak", 5);
    for (int first = 0; first < rounds; first += ROUNDS_PER_QUEUE) {
      Path queue = directory.resolve("queue-" + first);
      killAndReopen(queue, Math.min(ROUNDS_PER_QUEUE, rounds - first));
    }
  }

  private static void killAndReopen(Path directory, int rounds) throws Exception {
    Map<Character, List<String>> said = new HashMap<>();
    "hrcvu".chars().forEach(what -> said.put((char) what, new ArrayList<>()));
    List<String> held = said.getOrDefault('h', List.of());
    List<String> released = said.getOrDefault('r', List.of());
    List<String> undone = said.getOrDefault('u', List.of());
    for (int round = 0; round < rounds; round++) {
      killAfter(LINES + 37 * round, directory, said);
      try (ReviewQueue queue = ReviewQueue.open(directory, LIMITS, () -> 2_000)) {
        assertThat(queue.list(EnumSet.allOf(ReviewItem.ReviewState.class), Integer.MAX_VALUE))
            .extracting(ReviewItem::id)
            .containsAll(held)
            .doesNotHaveDuplicates();
        for (String id : released) {
          assertThat(queue.find(id).orElseThrow().state())
              .isEqualTo(ReviewItem.ReviewState.RELEASED);
        }
        for (String id : said.getOrDefault('c', List.of())) {
          assertThat(deliberation(queue, id).claim()).map(Deliberation.Lease::who).contains("ann");
        }
        for (String id : said.getOrDefault('v', List.of())) {
          assertThat(queue.find(id).orElseThrow().state())
              .isEqualTo(ReviewItem.ReviewState.PENDING);
          if (undone.contains(id)) {
            assertThat(deliberation(queue, id).votes()).isEmpty();
          }
        }
        for (String id : held) {
          assertThat(queue.find(id).orElseThrow().message().content().body()).hasSize(2_000);
        }
      }
    }
    assertThat(held).hasSizeGreaterThan(LINES / 2);
    assertThat(said.values())
        .as("something of everything was acknowledged")
        .noneMatch(List::isEmpty);
  }

  private static Deliberation deliberation(ReviewQueue queue, String id) {
    return queue.find(id).orElseThrow().deliberation();
  }

  /**
   * Reads acknowledgements of a child until there are enough, kills it, then reads what is left.
   */
  private static void killAfter(int lines, Path directory, Map<Character, List<String>> said)
      throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var out = new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
      int read = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.endsWith(";")) { // a line cut short by the kill says nothing
          String id = line.substring(2, line.length() - 1);
          said.getOrDefault(line.charAt(0), new ArrayList<>()).add(id);
        }
        if (++read == lines) {
          child.toHandle().destroyForcibly(); // unlike the process, leaves its output readable
        }
      }
      assertThat(read).isGreaterThanOrEqualTo(lines);
    } finally {
      child.destroyForcibly();
      child.waitFor();
    }
  }

  private static boolean done(CompletableFuture<StepResult> step) {
    return step.join() instanceof StepResult.Done;
  }

  private static CompletableFuture<StepResult> vote(ReviewDesk desk, String id) {
    return desk.vote(id, "ann", "seen", ReviewEvent.Verdict.SEND_BACK, OptionalLong.empty());
  }

  /**
   * Holds messages from four threads, does something about them, and prints each id as soon as it
   * is acknowledged.
   */
  static final class Holder {
    private Holder() {}

    @SuppressWarnings("SystemOut") // standard output is what the parent reads
    public static void main(String[] args) throws IOException {
      ReviewQueue queue = ReviewQueue.open(Path.of(args[0]), LIMITS, () -> 1_000);
      ReviewDesk desk =
          new ReviewDesk(
              queue, new ReviewPolicy(60_000, 60_000, 0, List.of(), _ -> 1), () -> 1_000);
      for (int thread = 0; thread < 4; thread++) {
        int number = thread;
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; true; i++) {
                var result = queue.hold(Messages.message(number + "-" + i, 2_000)).join();
                if (!(result instanceof HoldResult.Held(String id))) {
                  throw new AssertionError(result);
                }
                System.out.print("h " + id + ";\n");
                if (i % 5 == 0 && queue.release(id, "ann", "").join() instanceof StepResult.Done) {
                  System.out.print("r " + id + ";\n");
                }
                if (i % 5 == 1 && done(desk.claim(id, "ann", OptionalLong.empty()))) {
                  System.out.print("c " + id + ";\n");
                }
                if (i % 5 == 2 && done(vote(desk, id))) {
                  System.out.print("v " + id + ";\n");
                  if (i % 2 == 0 && done(desk.undo(id, "ann"))) {
                    System.out.print("u " + id + ";\n");
                  }
                }
                System.out.flush();
              }
            });
      }
    }
  }
}
