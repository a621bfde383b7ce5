package dev.parlance.console;

import dev.parlance.console.source.AgentSource;
import dev.parlance.service.Loop;
import dev.parlance.service.http.ReplyStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happens, as server-sent events to everybody who watches. While nobody does, nothing is asked
 * of any sidecar. One thread asks the source, numbers events and keeps the latest, so that a
 * watcher who comes back misses none; who cannot be told all of it is told to load its lists again.
 */
final class EventHub implements AutoCloseable {
  static final int MAX_WATCHERS = 64;
  private static final int POLL_MS = 500;
  private static final int REMEMBERED = 2_048;
  private static final long SIGN_OF_LIFE_NS = TimeUnit.SECONDS.toNanos(15);

  /** How long after the last watcher it still asks, for one who only reconnects. */
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

  private static final Pattern ID = Pattern.compile("([0-9a-f]{1,16})-([0-9]{1,18})");

  private final AgentSource source;
  private final Runnable eachTurn;
  private final Queue<Watcher> arriving = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /** From here on of the only thread. */
  private final Deque<Frame> latest = new ArrayDeque<>();

  private final List<Watcher> watchers = new ArrayList<>();
  private boolean asleep = true;
  private boolean muted;
  private long epoch = System.currentTimeMillis();
  private long sequence;
  private long lastWatchedNs = System.nanoTime();
  private long signOfLifeNs = System.nanoTime();

  private final Loop loop;

  private record Watcher(ReplyStream stream, String lastEventId) {}

  @SuppressWarnings("ArrayRecordComponent") // written as they are, never compared
  private record Frame(long sequence, byte[] bytes) {}

  /**
   * Nobody watches yet.
   *
   * @param eachTurn what is done twice a second
   */
  EventHub(AgentSource source, Runnable eachTurn) {
    this.source = source;
    this.eachTurn = eachTurn;
    this.loop = Loop.start("parlance-console-events", POLL_MS, this::turn);
  }

  /** Takes a place for a watcher; false if all are taken. */
  boolean reserve() {
    if (count.incrementAndGet() > MAX_WATCHERS) {
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  /**
   * Someone watches from now on, with a place that was reserved.
   *
   * @param lastEventId the last event that it has seen; may be empty
   */
  void watch(ReplyStream stream, String lastEventId) {
    stream.onEnd(count::decrementAndGet);
    arriving.add(new Watcher(stream, lastEventId));
    loop.wake();
  }

  private void turn() {
    eachTurn.run();
    long nowNs = System.nanoTime();
    boolean watched = !watchers.isEmpty() || !arriving.isEmpty();
    lastWatchedNs = watched ? nowNs : lastWatchedNs;
    if (!watched && nowNs - lastWatchedNs > IDLE_NS) {
      asleep = true;
      return;
    }
    if (!watched && asleep) {
      return;
    }
    if (asleep) { // what happened meanwhile is in the lists, which new watchers load
      asleep = false;
      epoch = System.currentTimeMillis();
      latest.clear();
      muted = true;
    }
    source.poll(new Sink());
    muted = false;
    for (Watcher watcher = arriving.poll(); watcher != null; watcher = arriving.poll()) {
      begin(watcher);
    }
    if (nowNs - signOfLifeNs > SIGN_OF_LIFE_NS) {
      signOfLifeNs = nowNs;
      send(": \n\n".getBytes(StandardCharsets.UTF_8));
    }
    watchers.removeIf(watcher -> !watcher.stream().isOpen());
  }

  private void begin(Watcher watcher) {
    Optional<Long> seen = seen(watcher.lastEventId());
    if (seen.isPresent()) {
      latest.stream()
          .filter(frame -> frame.sequence() > seen.get())
          .forEach(frame -> watcher.stream().write(frame.bytes()));
    } else {
      watcher.stream().write(frame(sequence, "reset", why("this begins here")));
    }
    watchers.add(watcher);
  }

  /** The number of the event that a watcher saw last, if all that came behind it is still there. */
  private Optional<Long> seen(String id) {
    Matcher matcher = ID.matcher(id);
    if (!matcher.matches() || !matcher.group(1).equals(Long.toHexString(epoch))) {
      return Optional.empty();
    }
    long last = Long.parseLong(matcher.group(2));
    long oldest = latest.isEmpty() ? sequence + 1 : latest.getFirst().sequence();
    return last <= sequence && last >= oldest - 1 ? Optional.of(last) : Optional.empty();
  }

  private static ObjectNode why(String text) {
    return JsonNodeFactory.instance.objectNode().put("why", text);
  }

  private final class Sink implements AgentSource.EventSink {
    @Override
    public void happened(String kind, ObjectNode data) {
      if (muted) {
        return;
      }
      sequence++;
      Frame frame = new Frame(sequence, frame(sequence, kind, data));
      latest.addLast(frame);
      if (latest.size() > REMEMBERED) {
        latest.removeFirst();
      }
      send(frame.bytes());
    }

    @Override
    public void lost(String why) {
      happened("reset", why(why));
    }
  }

  private byte[] frame(long number, String kind, ObjectNode data) {
    return "id: %s-%d\nevent: %s\ndata: %s\n\n"
        .formatted(Long.toHexString(epoch), number, kind, data)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void send(byte[] bytes) {
    watchers.removeIf(watcher -> !watcher.stream().write(bytes));
  }

  @Override
  public void close() {
    loop.close();
    watchers.forEach(watcher -> watcher.stream().close());
  }
}
