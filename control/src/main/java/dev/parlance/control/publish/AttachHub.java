package dev.parlance.control.publish;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.PersonCall.CallFault;
import dev.parlance.control.publish.SidecarLink.PublishedCore;
import dev.parlance.control.publish.SidecarLink.StreamEnd;
import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarReport;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.core.CoreId;
import dev.parlance.service.Loop;
import dev.parlance.service.config.Quoted;
import dev.parlance.service.event.SidecarEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every sidecar attached to this replica. Three loops serve them: one pushes cores, one carries
 * questions and answers, one writes to the store who is here. A loop that cannot use the store
 * tries again at its next turn; sidecars stay attached meanwhile.
 */
public final class AttachHub implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AttachHub.class);
  private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long RELOAD_NS = TimeUnit.SECONDS.toNanos(30);
  private static final int JOURNAL_MS = 200;

  private final Settings settings;
  private final ControlMetrics metrics;
  private final SidecarEvents news;
  private final CorePublisher cores;
  private final ReviewPublisher reviews;
  private final VerdictKeyDirectory verdictKeys;
  private final PendingQuestions desk;
  private final SidecarJournal journal;
  private final Map<String, List<SidecarStream>> streams = new HashMap<>();
  private final BoardReaders boards;
  private final SidecarDirectory directory = new SidecarDirectory(System::currentTimeMillis);

  /** Bytes of answers to people's calls that are not whole yet. */
  private final AtomicLong callBytes = new AtomicLong();

  /** Sidecars that may lack decisions of persons. */
  private final Set<SidecarStream> newcomers = ConcurrentHashMap.newKeySet();

  private final Loop pushes;
  private final Loop questions;
  private final Loop writes;
  private long lastSweepNs;
  private long lastReloadNs;
  private boolean closing;

  /**
   * How the hub behaves.
   *
   * @param replica its name, for people
   * @param owner name under which it claims questions; of this process alone
   * @param pushTimeoutMs how long a core push may go without an answer
   */
  public record Settings(
      String replica,
      String owner,
      int pollMs,
      int reportIntervalMs,
      int streamMaxAgeMs,
      int pushTimeoutMs,
      int questionsInFlight,
      int answerTimeoutMs) {}

  /**
   * A hub that begins at once.
   *
   * @param news hears of sidecars' configurations
   * @param boards who wants which
   * @param onAnswer called when answers are in the store
   */
  public AttachHub(
      Store store,
      Settings settings,
      ControlMetrics metrics,
      SidecarEvents news,
      BoardReaders boards,
      Runnable onAnswer) {
    this.boards = boards;
    this.news = news;
    this.settings = settings;
    this.metrics = metrics;
    this.cores = new CorePublisher(store);
    this.reviews = new ReviewPublisher(store, metrics);
    this.verdictKeys = new VerdictKeyDirectory(store);
    this.journal = new SidecarJournal(store, settings.replica());
    this.desk =
        new PendingQuestions(
            store,
            metrics,
            settings.owner(),
            settings.questionsInFlight(),
            settings.answerTimeoutMs(),
            onAnswer);
    long now = System.nanoTime();
    lastSweepNs = now;
    lastReloadNs = now - RELOAD_NS;
    metrics.bind(ControlMeter.ATTACHED_SIDECARS, this::attached);
    metrics.bindConsole(() -> directory.count(true), () -> directory.count(false));
    pushes = Loop.start("control-push", settings.pollMs(), guarded(this::push));
    questions = Loop.start("control-questions", settings.pollMs(), guarded(this::carry));
    writes = Loop.start("control-sidecars", JOURNAL_MS, guarded(this::write));
  }

  private Runnable guarded(Runnable turn) {
    return () -> {
      try {
        turn.run();
      } catch (StoreException e) {
        metrics.count(ControlMeter.STORE_FAILURES);
        log.atWarn().setCause(e).log("the store could not be used");
      }
    };
  }

  // ---- what sidecars do ----

  /** A sidecar that says who it is; its token and Hello have been checked. */
  public Attachment attach(SidecarHello hello, SidecarLink link) {
    long now = System.nanoTime();
    SidecarStream stream =
        new SidecarStream(
            link, metrics, hello, news, boards.source(), new OpenCalls(metrics, callBytes), now);
    List<SidecarStream> replaced = new ArrayList<>();
    boolean refused;
    synchronized (this) {
      refused = closing;
      if (!refused) {
        List<SidecarStream> all = streams.computeIfAbsent(stream.agent(), _ -> new ArrayList<>());
        all.stream().filter(other -> other.node().equals(stream.node())).forEach(replaced::add);
        all.removeAll(replaced);
        // Before anybody can find it: what comes first is the welcome.
        stream.welcome(settings.replica(), settings.reportIntervalMs());
        all.add(stream);
      }
    }
    if (refused) {
      stream.end(StreamEnd.DRAINING, "this replica stops");
      return new Attachment(stream);
    }
    for (SidecarStream old : replaced) {
      old.end(StreamEnd.REPLACED, "the same sidecar has attached again");
      old.calls().end();
      desk.ended(old);
    }
    directory.attached(stream, hello);
    cores.of(stream.agent()).forEach(stream::offer);
    stream.pump(now);
    journal.seen(stream);
    writes.wake();
    questions.wake();
    newcomers.add(stream);
    pushes.wake();
    return new Attachment(stream);
  }

  /** One attached sidecar's side of the hub. */
  public final class Attachment {
    private final SidecarStream stream;

    private Attachment(SidecarStream stream) {
      this.stream = stream;
    }

    /** The way is free again. */
    public void ready() {
      stream.pump(System.nanoTime());
    }

    /** A core is in force. */
    public void acked(CoreId id, long version) {
      long now = System.nanoTime();
      if (stream.acked(id, version, now)) {
        journal.seen(stream);
        stream.pump(now);
      }
    }

    /** A core was refused. */
    public void refused(CoreId id, long version, String reason, String detail) {
      log.atWarn()
          .addKeyValue("agent", stream.agent())
          .addKeyValue("node", stream.node())
          .addKeyValue("core", CoreKey.of(id))
          .addKeyValue("version", version)
          .addKeyValue("reason", Quoted.cut(reason))
          .addKeyValue("detail", Quoted.cut(detail))
          .log("a sidecar refused a core");
      stream.refused(id, version, reason);
      journal.seen(stream);
      stream.pump(System.nanoTime());
    }

    /** A board is wanted from now on. */
    public void boardWanted(String board, long revision) {
      if (!LexiconEntry.BOARD.matcher(board).matches()) {
        return; // there is none of that name, and what is no name is not kept
      }
      boards.want(stream, board, revision);
      stream.pump(System.nanoTime());
    }

    /** A board is wanted no longer. */
    public void boardDropped(String board) {
      boards.drop(stream, board);
    }

    /** A board is in force. */
    public void boardAcked(String board, long revision) {
      stream.boardAcked(board, revision);
      stream.pump(System.nanoTime());
    }

    /** A board was refused. */
    public void boardRefused(String board, long revision, String reason, String detail) {
      log.atWarn()
          .addKeyValue("agent", stream.agent())
          .addKeyValue("node", stream.node())
          .addKeyValue("board", Quoted.cut(board))
          .addKeyValue("revision", revision)
          .addKeyValue("reason", Quoted.cut(reason))
          .addKeyValue("detail", Quoted.cut(detail))
          .log("a sidecar refused a board");
      stream.boardRefused(board, revision, reason);
      stream.pump(System.nanoTime());
    }

    /** Id of the agent that it stands beside, as it has shown. */
    public String agent() {
      return stream.agent();
    }

    /**
     * A person has decided there about a message of its agent.
     *
     * @param decision who has decided is its agent, whatever stands there
     */
    public void decided(ReviewRow decision) {
      reviews.said(stream, decision.madeBeside(stream.agent()));
      pushes.wake();
    }

    /** What was said to be one can be none. */
    public void noDecision(String item) {
      metrics.count(ControlMeter.REVIEWS, "malformed");
      stream.reviewTaken(item, "malformed");
    }

    /** A person's decision is known there. */
    public void reviewAcked(long sequence) {
      stream.reviewAcked(sequence);
      stream.pump(System.nanoTime());
    }

    /**
     * Messages that it holds, as they stand now.
     *
     * @param isComplete true: what it has not named on this stream by now is there no more
     */
    public void announced(List<HeldItem> items, boolean isComplete) {
      directory.announced(stream, items, isComplete);
    }

    /** A piece of its answer to a call of a person; status is of the last piece. */
    public void replied(String call, int status, byte[] piece, boolean more) {
      stream.calls().replied(call, status, piece, more);
      stream.pump(System.nanoTime());
    }

    /** An agent has answered, or not; the answer is stored as it is. */
    public void answered(String questionId, byte[] answer) {
      desk.answered(stream, questionId, answer);
      questions.wake();
    }

    /** How the sidecar is doing. */
    public void reported(SidecarReport report) {
      stream.reported(report);
      directory.reported(stream, report);
      journal.seen(stream);
    }

    /** The stream has ended. */
    public void gone() {
      stream.gone();
      stream.calls().end();
      directory.gone(stream);
      boards.gone(stream);
      desk.ended(stream);
      boolean last;
      synchronized (AttachHub.this) {
        List<SidecarStream> all = streams.getOrDefault(stream.agent(), new ArrayList<>());
        last = all.remove(stream);
        if (all.isEmpty()) {
          streams.remove(stream.agent());
        }
      }
      if (last) { // not if another stream of the same sidecar has taken its place
        journal.gone(stream);
        writes.wake();
      }
    }
  }

  // ---- the loops ----

  private void push() {
    long now = System.nanoTime();
    boolean reload = now - lastReloadNs >= RELOAD_NS;
    List<PublishedCore> fresh = new ArrayList<>(cores.poll(now));
    if (reload) {
      fresh.addAll(cores.load(now));
      lastReloadNs = now;
    }
    Set<SidecarStream> concerned = new LinkedHashSet<>();
    for (PublishedCore core : fresh) {
      for (String agent : core.row().agents()) {
        for (SidecarStream stream : of(agent)) {
          stream.offer(core);
          concerned.add(stream);
        }
      }
    }
    reviews.store();
    for (ReviewRow decision : reviews.poll()) {
      for (String agent : List.of(decision.by(), decision.peer())) {
        for (SidecarStream stream : of(agent)) {
          stream.offer(decision);
          concerned.add(stream);
        }
      }
    }
    for (SidecarStream stream : List.copyOf(newcomers)) {
      stream.offer(verdictKeys.current());
      concerned.add(stream);
      if (stream.lacksReviews()) {
        stream.allReviews(reviews.of(stream.agent()));
        concerned.add(stream);
      }
      newcomers.remove(stream);
    }
    List<SidecarStream> attached = all();
    verdictKeys
        .changed(attached, now)
        .ifPresent(keys -> {
          attached.forEach(stream -> stream.offer(keys));
          concerned.addAll(attached);
        });
    concerned.forEach(stream -> stream.pump(now));
    if (now - lastSweepNs >= SWEEP_NS) {
      lastSweepNs = now;
      sweep(now);
    }
  }

  private void sweep(long now) {
    long pushTimeoutNs = TimeUnit.MILLISECONDS.toNanos(settings.pushTimeoutMs());
    for (SidecarStream stream : all()) {
      if (stream.calls().expire(now)) {
        stream.pump(now);
      }
      if (stream.hasUnansweredPush(pushTimeoutNs, now)) {
        stream.end(
            StreamEnd.PUSH_UNANSWERED,
            "a core, a board or a decision was not answered in "
                + settings.pushTimeoutMs()
                + " ms");
      } else if (now - stream.openedNs() > maxAgeNs(stream)) {
        stream.end(StreamEnd.AGED, "attach again");
      }
    }
  }

  /** Between nine tenths and all of the longest age, so that not all come back at once. */
  private long maxAgeNs(SidecarStream stream) {
    long maxNs = TimeUnit.MILLISECONDS.toNanos(settings.streamMaxAgeMs());
    return maxNs - Math.floorMod(stream.openedNs() * 31 + stream.node().hashCode(), maxNs / 10);
  }

  private void carry() {
    Map<String, List<SidecarStream>> able = new HashMap<>();
    synchronized (this) {
      streams.forEach((agent, all) -> {
        List<SidecarStream> answering =
            all.stream().filter(SidecarStream::answersQuestions).toList();
        if (!answering.isEmpty()) {
          able.put(agent, answering);
        }
      });
    }
    desk.round(able, System.nanoTime());
  }

  private void write() {
    long now = System.nanoTime();
    long intervalNs = TimeUnit.MILLISECONDS.toNanos(settings.reportIntervalMs());
    for (SidecarStream stream : all()) {
      // An open stream is a sign of life, also where no report comes.
      if (now - stream.notedNs() > intervalNs) {
        stream.note(now);
        journal.seen(stream);
      }
    }
    if (journal.flush()) {
      writes.wake();
    }
  }

  // ---- for the rest of the replica ----

  /** Cores were published by this process: look at once. */
  public void coresPublished() {
    pushes.wake();
  }

  /** Whom the mesh believes has changed. */
  public void trustChanged() {
    long now = System.nanoTime();
    for (SidecarStream stream : all()) {
      stream.trustChanged();
      stream.pump(now);
    }
  }

  /** Questions were asked by this process: look at once. */
  public void questionsAsked() {
    questions.wake();
  }

  /** How long a question that a replica took stays with it. */
  public static long claimMs(int answerTimeoutMs) {
    return PendingQuestions.claimMs(answerTimeoutMs);
  }

  /** Who is or was attached here, and what each holds. */
  public SidecarDirectory directory() {
    return directory;
  }

  /** A person asks something of a sidecar. What comes of it is known within a bounded time. */
  public CompletableFuture<PersonCall.Outcome> call(SidecarDirectory.Seat seat, PersonCall call) {
    Optional<SidecarStream> stream = directory.stream(seat);
    if (stream.isEmpty()) {
      metrics.count(ControlMeter.CONSOLE_CALLS, CallFault.GONE.code());
      return CompletableFuture.completedFuture(new PersonCall.Outcome.Failed(CallFault.GONE));
    }
    long now = System.nanoTime();
    CompletableFuture<PersonCall.Outcome> outcome = stream.get().calls().add(call, now);
    stream.get().pump(now);
    return outcome;
  }

  /** Number of sidecars attached here. */
  public synchronized int attached() {
    return streams.values().stream().mapToInt(List::size).sum();
  }

  private synchronized List<SidecarStream> of(String agent) {
    return List.copyOf(streams.getOrDefault(agent, List.of()));
  }

  private synchronized List<SidecarStream> all() {
    return streams.values().stream().flatMap(List::stream).toList();
  }

  /** Ends all streams, which then attach elsewhere, and says so in the store. */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    pushes.close();
    questions.close();
    for (SidecarStream stream : all()) {
      stream.end(StreamEnd.DRAINING, "this replica stops");
      stream.calls().end();
      journal.gone(stream);
    }
    writes.close();
    Runnable last =
        guarded(() -> {
          boolean more = true;
          while (more) {
            more = journal.flush();
          }
        });
    last.run();
  }
}
