package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.service.IoWords;
import dev.parlance.service.file.Disk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
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
  private static final long GATHER_NS = TimeUnit.MILLISECONDS.toNanos(25);
  private static final long FORCE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Bounds of the log.
   *
   * @param fileBytes size at which a file gives way to the next one
   * @param files files kept, with the current one
   * @param queue lines that may wait to be written
   * @param recentLines lines kept in memory
   * @param recentBytes size of the lines kept in memory
   * @param waitingBytes size of the lines that may wait to be written or are being written
   */
  public record Settings(
      long fileBytes, int files, int queue, int recentLines, long recentBytes, long waitingBytes) {
    private static final long RECENT_BYTES = 2L << 20;
    private static final int RECENT_PART_OF_HEAP = 16;
    private static final long LEAST_WAITING_BYTES = 1L << 20;
    private static final long MOST_WAITING_BYTES = 16L << 20;
    private static final int WAITING_PART_OF_HEAP = 8;

    /** The defaults of docs/limits.md. */
    public static final Settings DEFAULT = new Settings(64L << 20, 4, 8192);

    /** Refuses bounds that would hold nothing. */
    public Settings {
      if (fileBytes < 1
          || files < 1
          || queue < 1
          || recentLines < 1
          || recentBytes < 1
          || waitingBytes < 1) {
        throw new IllegalArgumentException("bounds of the decision log must be at least 1");
      }
    }

    /** Bounds of the files and the queue; what is in memory is a share of the heap. */
    public Settings(long fileBytes, int files, int queue) {
      this(fileBytes, files, queue, 10_000, recentOf(Runtime.getRuntime().maxMemory()));
    }

    /** All but what may wait, which is a share of the heap. */
    public Settings(long fileBytes, int files, int queue, int recentLines, long recentBytes) {
      this(
          fileBytes,
          files,
          queue,
          recentLines,
          recentBytes,
          waitingOf(Runtime.getRuntime().maxMemory()));
    }

    private static long recentOf(long heapBytes) {
      return Math.min(RECENT_BYTES, heapBytes / RECENT_PART_OF_HEAP);
    }

    private static long waitingOf(long heapBytes) {
      return Math.clamp(heapBytes / WAITING_PART_OF_HEAP, LEAST_WAITING_BYTES, MOST_WAITING_BYTES);
    }
  }

  private Optional<OutputStream> copy;
  private final Forecast forecast = new Forecast();
  private final RefusalBudget refusals = new RefusalBudget();
  private final LineMemory memory;
  private final RotatingFile file;
  private final Thread thread;
  private final LoggedProfiles profiles = new LoggedProfiles();
  private final ThreadLocal<AuditJson> writers =
      ThreadLocal.withInitial(() -> new AuditJson(profiles));
  private final ConcurrentLinkedQueue<CountDownLatch> flushes = new ConcurrentLinkedQueue<>();
  private final AtomicLong dropped = new AtomicLong();
  private volatile boolean closing;

  /** True once the profiles of earlier processes were looked for. */
  private volatile boolean hasReadProfiles;

  /** How many profiles the copy has. */
  private int profilesCopied;

  private volatile @Nullable String failure;
  private long retryAtNs;
  private long forceAtNs = System.nanoTime();

  private DecisionLog(Path directory, Settings settings, Disk disk, Optional<OutputStream> copy) {
    this.copy = copy;
    this.memory =
        new LineMemory(
            settings.recentLines(),
            settings.recentBytes(),
            settings.queue(),
            settings.waitingBytes());
    this.file = new RotatingFile(directory, disk, settings.fileBytes(), settings.files(), profiles);
    this.thread = Thread.ofPlatform().name("parlance-decision-log").daemon().unstarted(this::run);
  }

  /**
   * Opens the log in a directory. A disk that cannot be written is no reason not to start: the log
   * then drops and counts until it can be.
   *
   * @param directory created if missing
   */
  public static DecisionLog open(Path directory, Settings settings) {
    return open(directory, settings, Disk.REAL, Optional.empty());
  }

  /**
   * As above.
   *
   * @param copy where every line goes as well, whatever becomes of the files; the caller's
   */
  public static DecisionLog open(Path directory, Settings settings, Optional<OutputStream> copy) {
    return open(directory, settings, Disk.REAL, copy);
  }

  static DecisionLog open(
      Path directory, Settings settings, Disk disk, Optional<OutputStream> copy) {
    var log = new DecisionLog(directory, settings, disk, copy);
    try {
      log.file.open();
      log.file.readLatest(settings.recentBytes(), log.memory::restore);
    } catch (IOException e) {
      log.failed(e, System.nanoTime());
    }
    log.thread.start();
    return log;
  }

  /**
   * Logs an event. Never waits for the disk; an event that cannot be taken is counted as dropped.
   * Nothing of the event is kept. Of refusals only so many have a line, see {@link RefusalBudget}.
   */
  public void append(AuditEvent event) {
    if (event instanceof AuditEvent.RejectionEvent refused) {
      refusals.admit(refused, System.nanoTime()).ifPresent(this::take);
    } else {
      take(event);
    }
  }

  private void take(AuditEvent event) {
    forecast.add(event);
    JsonBytes line;
    try {
      line = writers.get().write(event);
    } catch (RuntimeException e) { // a bug in one event must not end an exchange
      dropped.incrementAndGet();
      LOG.error("an event of type {} cannot be written", event.getClass().getSimpleName(), e);
      return;
    }
    switch (memory.append(line.array(), line.size())) {
      case REFUSED -> dropped.incrementAndGet();
      case WAITS -> {}
      case WAKE -> LockSupport.unpark(thread);
    }
  }

  /** What enforcing would have held so far. */
  public Forecast forecast() {
    return forecast;
  }

  /** Events that are not in the files: the queue was full, or the disk did not take them. */
  public long dropped() {
    return dropped.get();
  }

  /** Why the disk does not take lines now; empty while it does. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * The latest lines of all types but profiles, newest first, with the settings of their profiles.
   * Only reads memory, but for a profile that was named before this process.
   */
  public List<String> recent(int count) {
    return memory
        .latest(
            count,
            line ->
                line.verified()
                    || (!LoggedProfiles.isProfile(line.toString())
                        && parse(line.toString()).isPresent()))
        .stream()
        .map(this::whole)
        .toList();
  }

  /** A line with the settings of its profile. */
  private String whole(String line) {
    if (!hasReadProfiles && profiles.unknown(line).isPresent()) {
      try {
        file.readAll(profiles::read);
      } catch (IOException e) {
        LOG.warn("the decision log cannot be read", e);
      }
      hasReadProfiles = true;
    }
    return profiles.whole(line);
  }

  /**
   * The decision with this id, or the latest one about this id in the review queue. Looks in memory
   * first and then reads the files, newest first: not for an event loop.
   */
  public Optional<String> find(String id) {
    // Cheap test first: parsing every line of every file would take a hundred times as long.
    String quoted = Replay.JSON.writeValueAsString(id);
    byte[] bytes = quoted.getBytes(US_ASCII);
    List<String> known =
        memory.latest(1, line -> line.contains(bytes) && isFoundUnder(id, line.toString()));
    if (!known.isEmpty()) {
      return Optional.of(whole(known.getFirst()));
    }
    try {
      return file.findLast(line -> line.contains(quoted) && isFoundUnder(id, line))
          .map(this::whole);
    } catch (IOException e) {
      LOG.warn("the decision log cannot be read", e);
      return Optional.empty();
    }
  }

  private static boolean isFoundUnder(String id, String line) {
    return parse(line).map(node -> ids(node).contains(id)).orElse(false);
  }

  private static Optional<JsonNode> parse(String line) {
    try {
      return Optional.of(Replay.JSON.readTree(line));
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

  /**
   * Waits until everything appended so far is on the disk or counted as dropped; at most ten
   * seconds.
   *
   * @return false if it took longer, or the log is closed
   */
  public boolean flush() {
    if (closing) {
      return false;
    }
    var done = new CountDownLatch(1);
    flushes.add(done);
    LockSupport.unpark(thread);
    try {
      return done.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void run() {
    try {
      boolean last;
      do {
        last = closing; // read first: after the last round nothing can have been appended
        List<CountDownLatch> asked = new ArrayList<>();
        for (CountDownLatch flush = flushes.poll(); flush != null; flush = flushes.poll()) {
          asked.add(flush);
        }
        List<LineMemory.Lines> lines = memory.take();
        lines.forEach(this::write);
        memory.written();
        long nowNs = System.nanoTime();
        if (file.isDirty() && (!asked.isEmpty() || nowNs - forceAtNs >= 0)) {
          force(nowNs);
        }
        asked.forEach(CountDownLatch::countDown);
        if (!last) {
          sleep(lines.isEmpty());
        }
      } while (!last);
    } finally {
      close(file);
    }
  }

  /**
   * Lets lines gather after a write, so that a busy sidecar makes few large writes; a line that
   * comes alone is written at once. Waking early does no harm.
   */
  private void sleep(boolean idle) {
    if (closing || !flushes.isEmpty()) {
      return;
    }
    if (!idle) {
      LockSupport.parkNanos(this, GATHER_NS);
    } else if (file.isDirty()) {
      LockSupport.parkNanos(this, Math.max(1, forceAtNs - System.nanoTime()));
    } else {
      LockSupport.park(this);
    }
    Thread.interrupted(); // nobody has a reason to; it must not make the writer spin
  }

  private void write(LineMemory.Lines lines) {
    copy.ifPresent(out -> copy(lines, out));
    ByteBuffer rest = ByteBuffer.wrap(lines.bytes(), lines.from(), lines.to() - lines.from());
    long nowNs = System.nanoTime();
    if (failure != null && nowNs - retryAtNs < 0) {
      drop(rest);
      return;
    }
    try {
      file.append(rest);
      if (failure != null) {
        failure = null;
        LOG.info("the decision log can be written again");
      }
    } catch (IOException e) {
      drop(rest);
      failed(e, nowNs);
    }
  }

  private void copy(LineMemory.Lines lines, OutputStream out) {
    try {
      for (List<LoggedProfiles.Named> named = profiles.named();
          profilesCopied < named.size();
          profilesCopied++) {
        out.write(named.get(profilesCopied).line());
      }
      out.write(lines.bytes(), lines.from(), lines.to() - lines.from());
      out.flush();
    } catch (IOException e) {
      copy = Optional.empty();
      LOG.error("the decision log goes to its files only, its copy ended: {}", e.getMessage());
    }
  }

  /** Counts lines of which not everything is in the file. */
  private void drop(ByteBuffer lines) {
    long count = 0;
    for (int at = lines.position(); at < lines.limit(); at++) {
      count += lines.get(at) == '\n' ? 1 : 0;
    }
    dropped.addAndGet(count);
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
    String why =
        cause instanceof FileSystemException named
            ? named.getFile() + ": " + IoWords.why(cause)
            : IoWords.why(cause);
    if (failure == null) {
      LOG.error("the decision log cannot be written, lines are dropped and counted: {}", why);
      LOG.debug("writing the decision log failed", cause);
    }
    failure = why;
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
    memory.close();
    closing = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(PATIENCE)) {
        LOG.error("the decision log is still busy after {}", PATIENCE);
        dropped.addAndGet(memory.waitingLines());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
