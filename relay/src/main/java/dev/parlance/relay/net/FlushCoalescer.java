package dev.parlance.relay.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coalesces the flushes of the channels of one event loop: what they queue while the loop goes
 * through its ready sockets is given to the kernel together at the end of that round. A peer that
 * sleeps is woken once and finds all of it; with a flush per message each message would wake it
 * again, which costs more than sending it.
 *
 * <p>Nobody waits long. The first message of a round goes at once, unless the round before had
 * several. What waits goes as soon as {@value #MAX_CHANNELS} channels wait, or something is read or
 * added {@value #MAX_WAIT_US} microseconds after the first, or a long message is about to be looked
 * at.
 *
 * <p>Nothing is forgotten. As long as anything waits, a task of the loop is due that flushes it; a
 * loop that takes no more tasks flushes at once, and so does one that is about to end.
 */
public final class FlushCoalescer {
  /** So many channels are flushed without waiting for the end of the round. */
  static final int MAX_CHANNELS = 32;

  /** Whoever comes later than this after the first takes all of them along. */
  static final long MAX_WAIT_US = 250;

  /** A body from this size on takes its time. */
  public static final int LONG_BODY_BYTES = 16 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(FlushCoalescer.class);
  private static final long MAX_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(MAX_WAIT_US);

  private static final FastThreadLocal<FlushCoalescer> OF_THREAD =
      new FastThreadLocal<>() {
        @Override
        protected FlushCoalescer initialValue() {
          return new FlushCoalescer();
        }
      };

  private final Runnable end = this::end;
  private LongSupplier clockNs = System::nanoTime;
  private @Nullable EventLoop loop;
  private @Nullable Channel[] waiting = new Channel[MAX_CHANNELS];
  private @Nullable Channel[] spare = new Channel[MAX_CHANNELS];
  private int count;
  private long sinceNs;
  private int asked;
  private int askedBefore;
  private boolean endDue;
  private boolean flushing;
  private boolean over;

  private FlushCoalescer() {}

  /** Flushes a channel at the end of this round, at once if that is not its loop's thread. */
  public static void later(Channel channel) {
    EventLoop loop = channel.eventLoop();
    if (loop.inEventLoop()) {
      OF_THREAD.get().add(channel, loop);
    } else {
      channel.flush();
    }
  }

  /**
   * To be called on a loop before bytes are looked at: what waits goes first if that takes long, or
   * if it has waited long enough.
   *
   * @param bytes how many
   */
  public static void makeWay(int bytes) {
    FlushCoalescer round = OF_THREAD.get();
    if (round.count > 0 && (bytes >= LONG_BODY_BYTES || round.isOverdue())) {
      round.flush();
    }
  }

  private boolean isOverdue() {
    return clockNs.getAsLong() - sinceNs > MAX_WAIT_NS;
  }

  /** To be called on a loop that is about to end: from now on there is no waiting on it. */
  static void finish() {
    FlushCoalescer round = OF_THREAD.get();
    round.over = true;
    round.flush();
  }

  /**
   * Sets the clock of the loop that calls this: for tests, which must not depend on how fast they
   * are.
   */
  static void readTimeFrom(LongSupplier nanos) {
    OF_THREAD.get().clockNs = nanos;
  }

  private void add(Channel channel, EventLoop asking) {
    if (loop == null) {
      loop = asking;
    }
    if (over || !asking.equals(loop) || count == MAX_CHANNELS || !endIsDue(asking)) {
      channel.flush();
      return;
    }
    asked++;
    if (asked == 1 && askedBefore <= 1) {
      channel.flush();
      return;
    }
    if (count == 0) {
      sinceNs = clockNs.getAsLong();
    }
    waiting[count] = channel;
    count++;
    if (count == MAX_CHANNELS || (count > 1 && isOverdue())) {
      flush();
    }
  }

  /** False if the loop takes no more tasks. */
  private boolean endIsDue(EventLoop asking) {
    if (!endDue) {
      try {
        asking.execute(end);
        endDue = true;
      } catch (RejectedExecutionException e) {
        LOG.debug("no round on a loop that has ended: {}", e.toString());
      }
    }
    return endDue;
  }

  private void end() {
    endDue = false;
    askedBefore = asked;
    asked = 0;
    flush();
  }

  /** Flushes what waits now; what is written meanwhile waits for the end that is due. */
  private void flush() {
    if (count == 0 || flushing) {
      return;
    }
    flushing = true;
    @Nullable Channel[] due = waiting;
    int channels = count;
    waiting = spare;
    count = 0;
    for (int i = 0; i < channels; i++) {
      Channel channel = due[i];
      if (channel != null) {
        flush(channel);
      }
    }
    Arrays.fill(due, 0, channels, null);
    spare = due;
    flushing = false;
  }

  private static void flush(Channel channel) {
    try {
      channel.flush();
    } catch (RuntimeException e) {
      // A bug on one channel; what the others have queued must not stay for it.
      LOG.error("flushing a connection failed", e);
    }
  }
}
