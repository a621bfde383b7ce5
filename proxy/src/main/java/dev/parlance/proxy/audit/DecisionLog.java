package dev.parlance.proxy.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The decision log: one JSON line for each decision, repair attempt, human action, rejection and
 * change of configuration, in {@code decisions.jsonl} and its predecessors.
 *
 * <p>{@link #append} never waits: what a slow or failing disk cannot take is dropped and counted,
 * and traffic goes on. One thread writes; it forces the file at least once a second while there is
 * something to force, and tries a failed disk again once a second. A crash can tear the last line;
 * the next start ends it, so that every later line can be read.
 */
public final class DecisionLog implements AutoCloseable {
  static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);
  private static final int GROUP = 256;
  private static final long FORCE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Bounds of the log.
   *
   * @param fileBytes size at which a file gives way to the next one
   * @param files files kept, with the current one
   * @param queue events that may wait to be written
   * @param recentLines lines kept in memory
   * @param recentCharacters size of the lines kept in memory
   */
  public record Settings(
      long fileBytes, int files, int queue, int recentLines, long recentCharacters) {
    /** The defaults of docs/limits.md. */
    public static final Settings DEFAULT = new Settings(32L << 20, 8, 8192, 10_000, 16L << 20);

    /** Refuses bounds that would hold nothing. */
    public Settings {
      if (fileBytes < 1 || files < 1 || queue < 1 || recentLines < 1 || recentCharacters < 1) {
        throw new IllegalArgumentException("bounds of the decision log must be at least 1");
      }
    }

    /** Bounds of the files and the queue; the default ones in memory. */
    public Settings(long fileBytes, int files, int queue) {
      this(fileBytes, files, queue, DEFAULT.recentLines, DEFAULT.recentCharacters);
    }
  }

  /** What the writer takes from its queue. */
  private sealed interface Item {
    /** An event to write. */
    record Event(AuditEvent event) implements Item {}

    /** Somebody waits until everything before it is on the disk. */
    record Flush(CountDownLatch done) implements Item {}
  }

  private final ArrayBlockingQueue<Item> queue;
  private final RotatingFile file;
  private final RecentLines recent;
  private final Thread thread;
  private final AtomicLong dropped = new AtomicLong();
  private volatile boolean closing;
  private volatile @Nullable String failure;
  private long retryAtNs;
  private long forceAtNs;

  private DecisionLog(Path directory, Settings settings, LogFiles disk) {
    this.queue = new ArrayBlockingQueue<>(settings.queue());
    this.file = new RotatingFile(directory, disk, settings.fileBytes(), settings.files());
    this.recent = new RecentLines(settings.recentLines(), settings.recentCharacters());
    this.thread = Thread.ofPlatform().name("parlance-decision-log").daemon().unstarted(this::run);
  }

  /**
   * Opens the log in a directory. A disk that cannot be written is no reason not to start: the log
   * then drops and counts until it can be.
   *
   * @param directory created if missing
   */
  public static DecisionLog open(Path directory, Settings settings) {
    return open(directory, settings, LogFiles.DISK);
  }

  static DecisionLog open(Path directory, Settings settings, LogFiles disk) {
    var log = new DecisionLog(directory, settings, disk);
    try {
      log.file.open();
      log.file.readLatest(line -> parse(line).ifPresent(node -> log.recent.add(line, ids(node))));
    } catch (IOException e) {
      log.failed(e, System.nanoTime());
    }
    log.thread.start();
    return log;
  }

  /** Logs an event. Never waits; an event that cannot be taken is counted as dropped. */
  public void append(AuditEvent event) {
    if (closing || !queue.offer(new Item.Event(event))) {
      dropped.incrementAndGet();
    }
  }

  /** Events that are not in the files: the queue was full, or the disk did not take them. */
  public long dropped() {
    return dropped.get();
  }

  /** Why the disk does not take lines now; empty while it does. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /** The latest lines of all types, newest first. Only reads memory. */
  public List<String> recent(int count) {
    return recent.latest(count);
  }

  /**
   * The decision with this id, or the latest one about this id in the review queue. Looks in memory
   * first and then reads the files, newest first: not for an event loop.
   */
  public Optional<String> find(String id) {
    Optional<String> known = recent.find(id);
    if (known.isPresent()) {
      return known;
    }
    try {
      // Cheap test first: parsing every line of every file would take a hundred times as long.
      String quoted = AuditJson.MAPPER.writeValueAsString(id);
      return file.findLast(line ->
          line.contains(quoted) && parse(line).map(node -> ids(node).contains(id)).orElse(false));
    } catch (IOException e) {
      LOG.warn("the decision log cannot be read", e);
      return Optional.empty();
    }
  }

  private static Optional<JsonNode> parse(String line) {
    try {
      return Optional.of(AuditJson.MAPPER.readTree(line));
    } catch (JacksonException e) {
      LOG.debug("a torn line in the decision log is passed over", e);
      return Optional.empty();
    }
  }

  /** The ids under which a line is found: none unless it is a decision. */
  private static Set<String> ids(JsonNode line) {
    if (!line.path("type").asString("").equals("decision")) {
      return Set.of();
    }
    return Stream.of(line.path("id").asString(""), line.path("reviewId").asString(""))
        .filter(id -> !id.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> ids(AuditEvent event) {
    return switch (event) {
      case DecisionEvent decision ->
          Stream.concat(Stream.of(decision.id()), decision.reviewId().stream())
              .collect(Collectors.toUnmodifiableSet());
      case RepairEvent _, ReviewActionEvent _, RejectionEvent _, ConfigEvent _ -> Set.of();
    };
  }

  /**
   * Waits until everything appended so far is on the disk or counted as dropped; at most ten
   * seconds.
   *
   * @return false if it took longer, or the log is closed
   */
  public boolean flush() {
    var flush = new Item.Flush(new CountDownLatch(1));
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    try {
      return queue.offer(flush, PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
          && flush.done().await(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void run() {
    List<Item> group = new ArrayList<>(GROUP);
    try {
      while (!closing || !queue.isEmpty()) {
        Item first = queue.poll(FORCE_NS, TimeUnit.NANOSECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, GROUP - 1);
        }
        for (Item item : group) {
          switch (item) {
            case Item.Event(AuditEvent event) -> write(event);
            case Item.Flush(CountDownLatch done) -> {
              force(System.nanoTime());
              done.countDown();
            }
          }
        }
        group.clear();
        long nowNs = System.nanoTime();
        if (file.isDirty() && nowNs - forceAtNs >= 0) {
          force(nowNs);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(file);
    }
  }

  private void write(AuditEvent event) {
    String line;
    try {
      line = AuditJson.line(event);
    } catch (RuntimeException e) { // a bug in one event must not end the log
      dropped.incrementAndGet();
      LOG.error("an event of type {} cannot be written", event.getClass().getSimpleName(), e);
      return;
    }
    recent.add(line, ids(event));
    long nowNs = System.nanoTime();
    if (failure != null && nowNs - retryAtNs < 0) {
      dropped.incrementAndGet();
      return;
    }
    try {
      file.append(line);
      if (failure != null) {
        failure = null;
        LOG.info("the decision log can be written again");
      }
    } catch (IOException e) {
      dropped.incrementAndGet();
      failed(e, nowNs);
    }
  }

  private void force(long nowNs) {
    forceAtNs = nowNs + FORCE_NS;
    try {
      file.force();
    } catch (IOException e) {
      failed(e, nowNs);
    }
  }

  private void failed(IOException cause, long nowNs) {
    if (failure == null) {
      LOG.error("the decision log cannot be written; lines are dropped and counted", cause);
    }
    failure = String.valueOf(cause);
    retryAtNs = nowNs + RETRY_NS;
  }

  private static void close(RotatingFile file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.error("closing the decision log failed", e);
    }
  }

  /** Writes what was appended and closes the file; waits for that, but not for ever. */
  @Override
  public void close() {
    closing = true;
    queue.offer(new Item.Flush(new CountDownLatch(1))); // only to wake the writer, if it sleeps
    try {
      if (!thread.join(PATIENCE)) {
        LOG.error("the decision log is still busy after {}", PATIENCE);
      }
      // What slipped in behind the writer's last look.
      List<Item> late = new ArrayList<>();
      queue.drainTo(late);
      dropped.addAndGet(late.stream().filter(Item.Event.class::isInstance).count());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
