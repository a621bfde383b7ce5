package dev.parlance.proxy.trace;

import dev.parlance.proxy.config.TraceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends spans to the collector, on a thread of its own. {@link #offer} never waits: where too many
 * spans wait already the new one is dropped and counted. A request that may be sent again is, a few
 * times, with growing pauses and not before the collector wants it; meanwhile spans gather in the
 * queue.
 */
final class SpanExporter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SpanExporter.class);

  /** So often a request is sent at most. */
  static final int MAX_ATTEMPTS = 5;

  private static final long FIRST_PAUSE_MS = 500;
  private static final long MAX_PAUSE_MS = 30_000;
  private static final long MAX_ASKED_PAUSE_MS = 300_000;

  private final TraceSettings settings;
  private final Collector collector;
  private final SpanJson json;
  private final SpanOutcomes outcomes;
  private final Queue<ExchangeSpan> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Thread thread;
  private volatile boolean closing;

  /** True after a failure that was logged, until a request succeeds. */
  private boolean isFailing;

  private SpanExporter(
      TraceSettings settings, Collector collector, SpanJson json, SpanOutcomes outcomes) {
    this.settings = settings;
    this.collector = collector;
    this.json = json;
    this.outcomes = outcomes;
    this.thread = Thread.ofPlatform().name("parlance-traces").daemon().unstarted(this::run);
  }

  /** Starts; the collector is this exporter's from now on. */
  static SpanExporter start(
      TraceSettings settings, Collector collector, SpanJson json, SpanOutcomes outcomes) {
    SpanExporter exporter = new SpanExporter(settings, collector, json, outcomes);
    exporter.thread.start();
    return exporter;
  }

  /** Takes a span that has ended, if there is room. */
  void offer(ExchangeSpan span) {
    int before = size.getAndIncrement();
    if (before >= settings.queue() || closing) {
      size.decrementAndGet();
      outcomes.count(SpanOutcomes.DROPPED, 1);
      return;
    }
    waiting.add(span);
    if (before + 1 == settings.batch()) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    try {
      while (!closing) {
        if (size.get() < settings.batch()) {
          LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(settings.intervalMs()));
        }
        export();
      }
      export(); // what has come meanwhile, once
    } catch (InterruptedException e) {
      log.debug("traces end with spans that were not sent", e);
    } finally {
      dropRest();
      collector.close();
    }
  }

  /** Sends all that waits. */
  private void export() throws InterruptedException {
    List<ExchangeSpan> batch = take();
    while (!batch.isEmpty()) {
      boolean sent = false;
      try {
        send(batch);
        sent = true;
      } finally {
        if (!sent) {
          outcomes.count(SpanOutcomes.DROPPED, batch.size());
        }
      }
      batch = take();
    }
  }

  private List<ExchangeSpan> take() {
    List<ExchangeSpan> batch = new ArrayList<>(Math.min(size.get(), settings.batch()));
    while (batch.size() < settings.batch()) {
      ExchangeSpan span = waiting.poll();
      if (span == null) {
        break;
      }
      size.decrementAndGet();
      batch.add(span);
    }
    return batch;
  }

  private void send(List<ExchangeSpan> batch) throws InterruptedException {
    byte[] body;
    try {
      body = json.write(batch);
    } catch (RuntimeException e) { // a bug in one span must not end the export
      log.error("{} spans cannot be written", batch.size(), e);
      outcomes.count(SpanOutcomes.FAILED, batch.size());
      return;
    }
    for (int attempt = 1; ; attempt++) {
      switch (collector.post(body)) {
        case Collector.Reply.Taken(int rejected) -> {
          int refused = Math.min(rejected, batch.size());
          count(SpanOutcomes.EXPORTED, batch.size() - refused);
          count(SpanOutcomes.REJECTED, refused);
          recovered();
          return;
        }
        case Collector.Reply.Refused(String why) -> {
          failed(batch, why);
          return;
        }
        case Collector.Reply.Later(Optional<Duration> after, String why) -> {
          if (attempt == MAX_ATTEMPTS || closing) {
            failed(batch, why);
            return;
          }
          say(why);
          pause(after.map(Duration::toMillis).orElse(0L), attempt);
        }
      }
    }
  }

  private void count(String outcome, int spans) {
    if (spans > 0) {
      outcomes.count(outcome, spans);
    }
  }

  private void failed(List<ExchangeSpan> batch, String why) {
    say(why);
    count(SpanOutcomes.FAILED, batch.size());
  }

  private void say(String why) {
    if (!isFailing) {
      isFailing = true;
      log.atWarn()
          .addKeyValue("endpoint", settings.endpoint())
          .addKeyValue("why", why)
          .log("traces cannot be sent; spans are kept up to traces.queue, then dropped");
    }
  }

  private void recovered() {
    if (isFailing) {
      isFailing = false;
      log.info("traces can be sent again");
    }
  }

  /** Twice as long as before, by a random part shorter, and not shorter than was asked for. */
  private void pause(long askedMs, int attempt) {
    long most = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS << (attempt - 1));
    long ownMs = ThreadLocalRandom.current().nextLong(most / 2, most + 1);
    long untilNs =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(Math.max(ownMs, Math.min(askedMs, MAX_ASKED_PAUSE_MS)));
    for (long leftNs = untilNs - System.nanoTime();
        leftNs > 0 && !closing;
        leftNs = untilNs - System.nanoTime()) {
      LockSupport.parkNanos(this, leftNs); // a full batch wakes it early
    }
  }

  private void dropRest() {
    closing = true;
    for (ExchangeSpan span = waiting.poll(); span != null; span = waiting.poll()) {
      size.decrementAndGet();
      outcomes.count(SpanOutcomes.DROPPED, 1);
    }
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(Duration.ofMillis(settings.timeoutMs()))) {
        thread.interrupt();
        if (!thread.join(Duration.ofMillis(settings.timeoutMs()))) {
          log.warn("traces are still being sent");
        }
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
