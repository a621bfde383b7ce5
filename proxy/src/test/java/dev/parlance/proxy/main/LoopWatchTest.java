package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.net.EventLoops;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LoopWatchTest {
  @Test
  void threadThatDoesNotRun_isSeen_untilItDoes() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (EventLoops loops = EventLoops.start(2)) {
      LoopWatch watch = new LoopWatch(loops);
      var blocked =
          loops
              .next()
              .submit(() -> {
                inside.countDown();
                go.await();
                return true;
              });
      inside.await();
      long nowNs = System.nanoTime();
      assertThat(watch.look(nowNs)).isEmpty();
      List<String> stuck = List.of("1 of 2 threads that carry messages do not run");
      await().until(() -> watch.look(nowNs + LoopWatch.STUCK_NS + 1).equals(stuck));
      go.countDown();
      assertThat(blocked.get()).isTrue();
      await().until(() -> watch.look(System.nanoTime()).isEmpty());
    }
  }
}
