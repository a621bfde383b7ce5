package dev.parlance.relay.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.http2.H2FrameGuard.ClosedStreams;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClosedStreamsTest {
  private static final long SEED = 20_261_122;

  /** What is remembered, per docs of {@link ClosedStreams}: the last 512 streams. */
  private static final int REMEMBERED = 512;

  @Test
  void endingsAreThoseOfAMapOfTheLastStreams() {
    Random random = new Random(SEED);
    ClosedStreams closed = new ClosedStreams();
    Map<Integer, ClosedStreams.Ending> expected = new LinkedHashMap<>();
    int oldestForgotten = 0;
    int newest = 1;
    for (int i = 0; i < 20_000; i++) {
      int id = newest;
      if (random.nextInt(4) == 0) {
        id = Math.max(1, newest - 2 * random.nextInt(700));
      } else {
        newest += 2 * (1 + random.nextInt(3));
        id = newest;
      }
      if (random.nextInt(3) == 0) {
        closed.resetByUs(id);
        expected.put(id, ClosedStreams.Ending.RESET_BY_US);
      } else {
        closed.opened(id);
        expected.putIfAbsent(id, ClosedStreams.Ending.FINISHED);
      }
      if (expected.size() > REMEMBERED) {
        oldestForgotten = expected.keySet().iterator().next();
        expected.remove(oldestForgotten);
      }
      int asked = Math.max(1, newest - 2 * random.nextInt(1500));
      ClosedStreams.Ending unknown =
          asked > oldestForgotten
              ? ClosedStreams.Ending.NEVER_OPENED
              : ClosedStreams.Ending.FINISHED;
      assertThat(closed.of(asked)).isEqualTo(expected.getOrDefault(asked, unknown));
    }
  }
}
