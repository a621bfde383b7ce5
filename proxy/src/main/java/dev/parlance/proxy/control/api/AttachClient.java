package dev.parlance.proxy.control.api;

import dev.parlance.proto.v1.Hello;
import dev.parlance.proxy.config.ControlSettings.ControlTls;
import dev.parlance.proxy.control.Backoff;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.control.api.AttachStream.End;
import dev.parlance.proxy.control.api.AttachStream.Timing;
import dev.parlance.service.IoWords;
import dev.parlance.service.config.HostPort;
import io.grpc.ManagedChannel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the sidecar attached to the control plane.
 *
 * <pre>
 * waiting    -- pause over ----------------------------> connecting
 * connecting -- Welcome -------------------------------> attached
 * connecting -- no Welcome in 3 s, error, other message -> waiting, longer each time
 * attached   -- error, end ----------------------------> waiting
 * attached   -- silence, age --------------------------> connecting, at once
 * any        -- close ---------------------------------> closed
 * </pre>
 *
 * A stream that held for {@value #STEADY_MS} ms makes the pauses short again; one that breaks
 * sooner does not, so that a flapping control plane is asked less and less often. Token and
 * certificates are read at each attempt. Two threads of its own: one for sockets, one for
 * everything else; the message path's are never used.
 */
final class AttachClient implements AutoCloseable {
  /** Longest wait for the first message, in milliseconds. */
  static final int WELCOME_MS = 3_000;

  private static final Logger log = LoggerFactory.getLogger(AttachClient.class);
  private static final int STEADY_MS = 30_000;
  private static final int AGE_MS = 3_600_000;
  private static final int SILENCE_SHORTEST_MS = 1_000;
  private static final int SILENCE_LONGEST_MS = 300_000;
  private static final int STALENESS_SHARE = 3;
  private static final int CLOSE_S = 1;
  private static final long LOG_AGAIN_NS = TimeUnit.MINUTES.toNanos(10);

  /**
   * Where and as whom.
   *
   * @param hello asked at each attempt, for the cores held then
   * @param maxStalenessMs asked at each attempt
   * @param maxMessageBytes largest message that is taken
   */
  record Settings(
      HostPort target,
      Optional<ControlTls> tls,
      ControlCredentials credentials,
      String version,
      Supplier<Hello> hello,
      LongSupplier maxStalenessMs,
      int maxMessageBytes) {}

  /** What is done with streams. */
  interface Sessions {
    /**
     * What the next stream is for.
     *
     * @param stream counts up from 1
     */
    AttachStream.Session next(long stream);

    /** A stream is over, or could not be opened. */
    void ended(End end);
  }

  /**
   * gRPC notes every frame that comes after a stream's end, which a peer can make many of. Held
   * here, because the level is forgotten with the logger.
   */
  private static final java.util.logging.Logger GRPC_LOG = quieted();

  private final Settings settings;
  private final Sessions sessions;
  private final RandomGenerator random;
  private final Backoff backoff;
  private final ScheduledThreadPoolExecutor thread;
  private final EventLoopGroup io =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("parlance-control-io", true), NioIoHandler.newFactory());

  private Optional<AttachStream> current = Optional.empty();
  private Optional<ManagedChannel> channel = Optional.empty();
  private long streams;
  private boolean closed;
  private String loggedReason = "";
  private long loggedNs;

  AttachClient(Settings settings, Sessions sessions, RandomGenerator random) {
    this.settings = settings;
    this.sessions = sessions;
    this.random = random;
    this.backoff = new Backoff(random);
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("parlance-control").factory());
    thread.setRemoveOnCancelPolicy(true);
  }

  private static java.util.logging.Logger quieted() {
    java.util.logging.Logger logger = java.util.logging.Logger.getLogger("io.grpc");
    logger.setLevel(Level.WARNING);
    return logger;
  }

  /** The thread on which everything happens. */
  ScheduledExecutorService thread() {
    return thread;
  }

  /** Begins to attach, in the background. */
  void start() {
    log.atDebug().addKeyValue("grpcLog", GRPC_LOG.getLevel()).log("attaching");
    thread.execute(this::attach);
  }

  /** The stream in use. Only on the thread. */
  Optional<AttachStream> current() {
    return current;
  }

  private void attach() {
    if (closed) {
      return;
    }
    streams++;
    AttachStream stream;
    Optional<String> token;
    Hello hello;
    try {
      token = settings.credentials().token();
      hello = settings.hello().get();
      ManagedChannel opened = open();
      channel = Optional.of(opened);
      stream = new AttachStream(opened, thread, timing(), sessions.next(streams), this::ended);
    } catch (IOException e) {
      again(0, new End("credentials", IoWords.withFile(e), false));
      return;
    } catch (RuntimeException e) {
      // Nobody else attaches again.
      log.atError().setCause(e).log("attaching failed by a fault of our own");
      again(0, new End("internal", String.valueOf(e), false));
      return;
    }
    current = Optional.of(stream);
    stream.open(token, hello);
  }

  private void ended(AttachStream stream, End end) {
    current = Optional.empty();
    again(stream.attachedNs(), end);
  }

  private void again(long attachedNs, End end) {
    sessions.ended(end);
    if (closed) {
      return;
    }
    if (attachedNs >= TimeUnit.MILLISECONDS.toNanos(STEADY_MS)) {
      backoff.reset();
    }
    int pauseMs = end.planned() ? 0 : backoff.nextMs();
    if (!end.planned()) {
      logEnd(end, pauseMs);
    }
    Future<?> _ = thread.schedule(this::attach, pauseMs, TimeUnit.MILLISECONDS);
  }

  private Timing timing() {
    long silenceMs =
        Math.clamp(
            settings.maxStalenessMs().getAsLong() / STALENESS_SHARE,
            SILENCE_SHORTEST_MS,
            SILENCE_LONGEST_MS);
    return new Timing(WELCOME_MS, silenceMs, random.nextLong(AGE_MS - AGE_MS / 10, AGE_MS));
  }

  private ManagedChannel open() throws IOException {
    return ControlChannels.open(
        new ControlChannels.Settings(
            settings.target(), settings.tls(), settings.version(), settings.maxMessageBytes()),
        settings.credentials().svid(),
        io,
        thread);
  }

  /** Once for each reason, and again only after ten minutes: attempts go on for hours. */
  private void logEnd(End end, int pauseMs) {
    long nowNs = System.nanoTime();
    if (end.reason().equals(loggedReason) && nowNs - loggedNs < LOG_AGAIN_NS) {
      return;
    }
    loggedReason = end.reason();
    loggedNs = nowNs;
    log.atWarn()
        .addKeyValue("target", settings.target())
        .addKeyValue("reason", end.reason())
        .addKeyValue("detail", end.detail())
        .addKeyValue("againInMs", pauseMs)
        .log("not attached to the control plane; the cores on hand stay in force");
  }

  /** Ends the stream politely, within about a second, and the threads; more than once is fine. */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    Future<Optional<ManagedChannel>> ending =
        thread.submit(() -> {
          closed = true;
          current.ifPresent(AttachStream::finish);
          return channel;
        });
    try {
      Optional<ManagedChannel> last = ending.get(CLOSE_S, TimeUnit.SECONDS);
      // A channel whose thread ends before it does loses what it has received and not handed over.
      if (last.isPresent()
          && !last.get().awaitTermination(CLOSE_S, TimeUnit.SECONDS)
          && !last.get().shutdownNow().awaitTermination(CLOSE_S, TimeUnit.SECONDS)) {
        log.warn("the connection to the control plane has not ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.atWarn().setCause(e).log("the stream to the control plane could not be ended politely");
    }
    io.shutdownGracefully(0, CLOSE_S, TimeUnit.SECONDS).awaitUninterruptibly();
    try {
      // What has come by then holds buffers until it is handed over.
      var _ = thread.submit(() -> {}).get(CLOSE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.atWarn().setCause(e).log("what the control plane said last could not be handed over");
    }
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(CLOSE_S, TimeUnit.SECONDS)) {
        log.warn("the thread of the control plane's client has not ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
