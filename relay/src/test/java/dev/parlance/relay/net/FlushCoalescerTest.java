package dev.parlance.relay.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When what is written on a loop goes to the sockets: channels here only say that they flushed. */
class FlushCoalescerTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final List<String> flushed = new CopyOnWriteArrayList<>();
  private final AtomicLong nowNs = new AtomicLong();

  @BeforeEach
  void stopTheClock() {
    loop.submit(() -> FlushCoalescer.readTimeFrom(nowNs::get)).syncUninterruptibly();
  }

  @AfterEach
  void end() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private Channel channel(String name) {
    return channel(loop, () -> flushed.add(name));
  }

  private static Channel channel(EventLoop loop, Runnable onFlush) {
    InvocationHandler answers =
        (self, method, _) ->
            switch (method.getName()) {
              case "eventLoop" -> loop;
              case "flush" -> {
                onFlush.run();
                yield self;
              }
              default -> throw new UnsupportedOperationException(method.getName());
            };
    return (Channel)
        Proxy.newProxyInstance(
            FlushCoalescerTest.class.getClassLoader(), new Class<?>[] {Channel.class}, answers);
  }

  /**
   * Runs this as one round of the loop and returns when the round and its end are over, and the end
   * of what was written in that end too.
   */
  private void round(Runnable writes) {
    loop.submit(writes).syncUninterruptibly();
    loop.submit(() -> {}).syncUninterruptibly();
    loop.submit(() -> {}).syncUninterruptibly();
  }

  private void later(String... names) {
    for (String name : names) {
      FlushCoalescer.later(channel(name));
    }
  }

  /** After this the loop is busy: whatever is written first in a round waits too. */
  private void busyRound() {
    round(() -> later("x", "y"));
    flushed.clear();
  }

  @Test
  void onQuietLoop_oneMessageIsNotHeldBack() {
    for (int i = 0; i < 3; i++) {
      round(() -> {
        later("only");
        assertThat(flushed).containsExactly("only");
      });
      flushed.clear();
    }
  }

  @Test
  void whatFollowsInTheSameRound_goesTogetherAtItsEnd_inOrder() {
    round(() -> {
      later("first", "second", "third");
      assertThat(flushed).containsExactly("first");
    });
    assertThat(flushed).containsExactly("first", "second", "third");
  }

  @Test
  void afterABusyRound_allWait_andAfterALoneOneNothingDoes() {
    busyRound();
    round(() -> {
      later("alone");
      assertThat(flushed).isEmpty();
    });
    assertThat(flushed).containsExactly("alone");
    flushed.clear();
    round(() -> {
      later("again");
      assertThat(flushed).containsExactly("again");
    });
  }

  @Test
  void noMoreThanTheBoundWait() {
    busyRound();
    round(() -> {
      for (int i = 1; i < FlushCoalescer.MAX_CHANNELS; i++) {
        later("c");
      }
      assertThat(flushed).isEmpty();
      later("last");
      assertThat(flushed).hasSize(FlushCoalescer.MAX_CHANNELS).endsWith("last");
      later("next");
      assertThat(flushed).doesNotContain("next");
    });
    assertThat(flushed).hasSize(FlushCoalescer.MAX_CHANNELS + 1).endsWith("next");
  }

  private void waitTooLong() {
    nowNs.addAndGet(TimeUnit.MICROSECONDS.toNanos(FlushCoalescer.MAX_WAIT_US) + 1);
  }

  @Test
  void whatHasWaitedTooLong_goesBeforeMoreIsRead() {
    busyRound();
    round(() -> {
      later("early");
      waitTooLong();
      FlushCoalescer.makeWay(1);
      assertThat(flushed).containsExactly("early");
    });
    assertThat(flushed).containsExactly("early");
  }

  @Test
  void whoeverIsAddedLate_takesAllAlong() {
    busyRound();
    round(() -> {
      later("early");
      waitTooLong();
      later("late");
      assertThat(flushed).containsExactly("early", "late");
    });
    assertThat(flushed).containsExactly("early", "late");
  }

  @Test
  void beforeALongBody_whatWaitsGoes_andBeforeAShortOneItStays() {
    busyRound();
    round(() -> {
      later("a");
      FlushCoalescer.makeWay(FlushCoalescer.LONG_BODY_BYTES - 1);
      assertThat(flushed).isEmpty();
      FlushCoalescer.makeWay(FlushCoalescer.LONG_BODY_BYTES);
      assertThat(flushed).containsExactly("a");
    });
    assertThat(flushed).containsExactly("a");
  }

  @Test
  void channelThatFails_doesNotKeepTheOthers() {
    busyRound();
    round(() -> {
      later("before");
      FlushCoalescer.later(
          channel(
              loop,
              () -> {
                throw new IllegalStateException("a bug");
              }));
      later("after");
    });
    assertThat(flushed).containsExactly("before", "after");
    flushed.clear();
    round(() -> later("next round"));
    assertThat(flushed).containsExactly("next round");
  }

  @Test
  void whatIsWrittenDuringTheFlush_isSentToo_howeverMuchItIs() {
    int many = 3 * FlushCoalescer.MAX_CHANNELS;
    busyRound();
    round(() -> {
      FlushCoalescer.later(
          channel(
              loop,
              () -> {
                flushed.add("outer");
                for (int i = 0; i < many; i++) {
                  later("inner");
                }
              }));
      later("neighbour");
    });
    assertThat(flushed)
        .hasSize(many + 2)
        .startsWith("outer")
        .contains("neighbour")
        .filteredOn("inner"::equals)
        .hasSize(many);
  }

  @Test
  void fromAnotherThread_itGoesAtOnce() {
    busyRound();
    FlushCoalescer.later(channel("elsewhere"));
    assertThat(flushed).containsExactly("elsewhere");
  }

  @Test
  void onALoopThatIsAboutToEnd_whatWaitsGoes_andNothingWaitsAnyMore() {
    busyRound();
    round(() -> {
      later("waiting");
      FlushCoalescer.finish();
      assertThat(flushed).containsExactly("waiting");
      later("one", "two");
      assertThat(flushed).containsExactly("waiting", "one", "two");
    });
    assertThat(flushed).hasSize(3);
  }

  @Test
  void onALoopThatTakesNoMoreTasks_itGoesAtOnce() {
    List<String> seen = new ArrayList<>();
    EventLoop ended =
        (EventLoop)
            Proxy.newProxyInstance(
                FlushCoalescerTest.class.getClassLoader(),
                new Class<?>[] {EventLoop.class},
                (_, method, _) ->
                    switch (method.getName()) {
                      case "inEventLoop" -> true;
                      case "execute" -> throw new RejectedExecutionException("ended");
                      case "equals" -> true;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    // On a thread of its own: the round is the thread's.
    loop.submit(
            () -> {
              FlushCoalescer.later(channel(ended, () -> seen.add("one")));
              FlushCoalescer.later(channel(ended, () -> seen.add("two")));
            })
        .syncUninterruptibly();
    assertThat(seen).containsExactly("one", "two");
  }
}
