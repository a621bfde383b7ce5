package dev.parlance.relay.net;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A byte budget for the bodies of requests that one listener holds at a time, from their heads to
 * the ends of their answers. What does not fit waits in order, unread; a body larger than
 * everything is let in when nothing else is there. Each listener has its own: an agent that answers
 * one request by making another must not wait for itself. Thread-safe; nothing blocks.
 */
public final class RequestMemory {
  private static final Logger LOG = LoggerFactory.getLogger(RequestMemory.class);

  private static final long LEAST_BYTES = 2L * 1024 * 1024;
  private static final int SHARE_OF_HEAP = 16;
  private static final long MOMENT_NS = 1_000_000_000L;

  private final long max;
  private final AtomicLong used = new AtomicLong();
  private final ArrayDeque<Place> queue = new ArrayDeque<>();
  private volatile int waiting;
  private volatile boolean missed;
  private volatile long missedNs;

  /** A place in the queue. */
  public static final class Place {
    private final long bytes;
    private final Executor loop;
    private final Runnable then;
    private boolean granted;

    private Place(long bytes, Executor loop, Runnable then) {
      this.bytes = bytes;
      this.loop = loop;
      this.then = then;
    }
  }

  /**
   * Nothing is held.
   *
   * @param max most bytes, 1 or more
   */
  public RequestMemory(long max) {
    if (max < 1) {
      throw new IllegalArgumentException("expected a bound of 1 or more, got " + max);
    }
    this.max = max;
  }

  /**
   * A bound that suits this process: a sixteenth of its heap, and never less than 2 MiB. What is
   * read of a body takes about three times its size.
   */
  public static RequestMemory ofHeap() {
    return new RequestMemory(
        Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }

  /** Another one with the same bound. */
  public RequestMemory another() {
    return new RequestMemory(max);
  }

  /** What is held now. */
  public long used() {
    return used.get();
  }

  /** Takes bytes if there is room and nobody was first. */
  public boolean take(long bytes) {
    boolean got = waiting == 0 && taken(bytes);
    if (!got) {
      missedNs = System.nanoTime(); // before the flag that makes it count
      missed = true;
    }
    return got;
  }

  /** True if somebody waits for bytes, or found none a moment ago: no time for slow bodies. */
  public boolean isWanted(long nowNs) {
    return waiting > 0 || (missed && nowNs - missedNs < MOMENT_NS);
  }

  private boolean taken(long bytes) {
    while (true) {
      long now = used.get();
      if (now > 0 && now + bytes > max) {
        return false;
      }
      if (used.compareAndSet(now, now + bytes)) {
        return true;
      }
    }
  }

  /** Takes bytes of a body that is coming already, whether there is room or not. */
  public void takeMore(long bytes) {
    used.addAndGet(bytes);
  }

  /** Gives bytes back. */
  public void letGo(long bytes) {
    used.addAndGet(-bytes);
    if (waiting > 0) {
      grant();
    }
  }

  /**
   * Waits for bytes.
   *
   * @param then run on the loop once the bytes are taken
   */
  public synchronized Place await(long bytes, Executor loop, Runnable then) {
    Place place = new Place(bytes, loop, then);
    queue.addLast(place);
    waiting = queue.size();
    grant(); // what was given back meanwhile
    return place;
  }

  /** Gives a place up, and the bytes if they were taken for it meanwhile. */
  public synchronized void leave(Place place) {
    if (place.granted) {
      letGo(place.bytes);
    } else {
      queue.remove(place);
      waiting = queue.size();
      grant();
    }
  }

  private synchronized void grant() {
    for (Place first = queue.peekFirst();
        first != null && taken(first.bytes);
        first = queue.peekFirst()) {
      queue.removeFirst();
      waiting = queue.size();
      first.granted = true;
      try {
        first.loop.execute(first.then);
      } catch (RejectedExecutionException e) {
        LOG.debug("a connection that waited for memory is gone with its loop", e);
      }
    }
  }
}
