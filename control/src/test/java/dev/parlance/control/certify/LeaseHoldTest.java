package dev.parlance.control.certify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.Lease;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A lease at a store that does what a test says. */
class LeaseHoldTest {
  @Test
  void heartbeatThatFailsInAnUnforeseenWay_isFollowedByAnother_andTheLeaseIsHeld()
      throws InterruptedException {
    CountDownLatch renewals = new CountDownLatch(3);
    Store store =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, _) -> {
                  if (method.getName().equals("renew")) {
                    renewals.countDown();
                    if (renewals.getCount() == 2) {
                      throw new IllegalStateException("not foreseen");
                    }
                    return true;
                  }
                  return null;
                });
    try (ScheduledExecutorService timer = everyMillisecond();
        LeaseHold hold =
            new LeaseHold(
                store,
                new Lease("audit", "one", 1),
                Duration.ofSeconds(300),
                System.nanoTime(),
                timer,
                () -> {})) {
      assertThat(renewals.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(hold.isHeld()).isTrue();
    }
  }

  /** Does not let a test wait for a third of a long lease. */
  private static ScheduledExecutorService everyMillisecond() {
    return new ScheduledThreadPoolExecutor(1) {
      @Override
      public ScheduledFuture<?> scheduleWithFixedDelay(
          Runnable turn, long firstMs, long everyMs, TimeUnit unit) {
        return super.scheduleWithFixedDelay(turn, 1, 1, TimeUnit.MILLISECONDS);
      }
    };
  }
}
