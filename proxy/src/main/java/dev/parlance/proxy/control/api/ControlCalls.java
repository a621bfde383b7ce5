package dev.parlance.proxy.control.api;

import dev.parlance.proxy.control.Backoff;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.control.RoundFaults;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.service.IoWords;
import dev.parlance.service.Result;
import dev.parlance.service.identity.Svid;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractAsyncStub;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to one service of the control plane, on a channel of their own, so that they wait for
 * nothing that is done with cores. Two threads: one for sockets, one for everything else; the
 * message path's are never used.
 *
 * <pre>
 * idle      -- call --------------------------------> connected: token and certificates are read
 * connected -- no answer, connection broken --------> idle: the next attempt connects anew
 * idle      -- no attempt of a call connects -------> resting: calls fail at once
 * resting   -- pause over, longer each time --------> idle
 * any       -- answer ------------------------------> connected
 * </pre>
 *
 * A call is repeated within its time as long as nobody answers: every one may be.
 *
 * @param <S> the service's stub
 */
final class ControlCalls<S extends AbstractAsyncStub<S>> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlCalls.class);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** First pause before a call is repeated, in milliseconds. */
  static final int FIRST_PAUSE_MS = 50;

  /** Longest one. */
  static final int LONGEST_PAUSE_MS = 1_000;

  /** Most calls of {@link #askBounded} under way. */
  static final int MAX_CALLS = 256;

  private static final int LONGEST_REST_MS = 5_000;
  private static final int CLOSE_S = 1;

  /** How much longer than its own time a call may take if even this class is stuck. */
  private static final int GRACE_MS = 250;

  /**
   * Where and as whom.
   *
   * @param credentials asked at each attempt
   */
  record Settings(ControlChannels.Settings channel, ControlCredentials credentials) {}

  /** One call. */
  interface Unary<S, A> {
    void call(S stub, StreamObserver<A> out);
  }

  private final String topic;
  private final Settings settings;
  private final Function<Channel, S> service;
  private final Semaphore free = new Semaphore(MAX_CALLS);
  private final Backoff rest;
  private final ScheduledThreadPoolExecutor thread;
  private final EventLoopGroup io;
  private Optional<ManagedChannel> current = Optional.empty();

  /** The SVID that the channel in use shows. */
  private Optional<Svid> shown = Optional.empty();

  private long restUntilNs = System.nanoTime();

  /**
   * Not connected yet.
   *
   * @param topic what the calls are about, in the plural: for threads and log
   * @param service makes a stub
   */
  ControlCalls(
      String topic, Settings settings, Function<Channel, S> service, RandomGenerator random) {
    this.topic = topic;
    this.settings = settings;
    this.service = service;
    this.rest = new Backoff(random);
    this.io =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("parlance-" + topic + "-io", true),
            NioIoHandler.newFactory());
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("parlance-" + topic).factory());
    thread.setRemoveOnCancelPolicy(true);
  }

  /**
   * Asks once; the result comes within the time.
   *
   * @param good reads the answer
   * @param bad says what a fault is
   */
  <A, T> CompletableFuture<T> ask(
      Unary<S, A> method, int timeoutMs, Function<A, T> good, Function<Rounds.Fault, T> bad) {
    Asking<A, T> asking = new Asking<>(method, timeoutMs, good, bad);
    begin(asking::attempt, asking.result, bad);
    return asking.result.completeOnTimeout(
        bad.apply(new Rounds.Unavailable("no answer within " + timeoutMs + " ms")),
        timeoutMs + GRACE_MS,
        TimeUnit.MILLISECONDS);
  }

  /** Asks once, within the bound of {@link #MAX_CALLS} calls at a time. */
  <A, T> CompletableFuture<Result<T>> askBounded(
      Unary<S, A> method, int timeoutMs, Function<A, Result<T>> good) {
    if (!free.tryAcquire()) {
      return CompletableFuture.completedFuture(
          Result.refused(
              Result.Kind.EXHAUSTED, "busy", "too many calls about " + topic + " are under way"));
    }
    CompletableFuture<Result<T>> begun = ask(method, timeoutMs, good, fault -> refused(fault));
    CompletableFuture<?> _ = begun.whenComplete((_, _) -> free.release());
    return begun;
  }

  private static <T> Result<T> refused(Rounds.Fault fault) {
    return switch (fault) {
      case Rounds.Refused(String code, String detail) ->
          Result.refused(
              code.endsWith("_unknown") ? Result.Kind.NOT_FOUND : Result.Kind.PRECONDITION,
              code,
              detail);
      // Also one whose sidecar has attached a moment ago.
      case Rounds.Unavailable(String detail) ->
          Result.refused(Result.Kind.UNAVAILABLE, "control_unavailable", detail);
    };
  }

  /** Begins on the thread; a result that can never come is said to be away. */
  <T> void begin(Runnable first, CompletableFuture<T> result, Function<Rounds.Fault, T> bad) {
    try {
      thread.execute(first);
    } catch (RejectedExecutionException e) {
      result.complete(bad.apply(new Rounds.Unavailable("the sidecar stops")));
    }
  }

  // ---- the channel; all on the thread ----

  /** A stub with token or SVID as they are now. */
  S stub() throws IOException {
    Metadata metadata = new Metadata();
    settings
        .credentials()
        .token()
        .ifPresent(token -> metadata.put(AUTHORIZATION, "Bearer " + token));
    Optional<Svid> svid = settings.credentials().svid();
    if (!svid.equals(shown)) {
      drop(current);
    }
    if (current.isEmpty()) {
      current = Optional.of(ControlChannels.open(settings.channel(), svid, io, thread));
      shown = svid;
    }
    return service
        .apply(current.get())
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /** The thread of all callbacks. */
  ScheduledThreadPoolExecutor thread() {
    return thread;
  }

  /** The channel in use. */
  Optional<ManagedChannel> current() {
    return current;
  }

  /** The next attempt connects anew, with certificates and addresses as they are then. */
  void drop(Optional<ManagedChannel> used) {
    if (used.isPresent() && used.equals(current)) {
      current = Optional.empty();
    }
    used.ifPresent(ManagedChannel::shutdown);
  }

  /** Somebody is there. */
  void answered() {
    rest.reset();
    restUntilNs = System.nanoTime();
  }

  private void unreached(String detail) {
    int pauseMs = Math.min(LONGEST_REST_MS, rest.nextMs());
    restUntilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
    log.atWarn()
        .addKeyValue("target", settings.channel().target())
        .addKeyValue("detail", detail)
        .addKeyValue("againInMs", pauseMs)
        .log("the control plane could not be asked about " + topic);
  }

  private boolean isResting() {
    return restUntilNs - System.nanoTime() > 0;
  }

  /** What came with a failure. */
  static Optional<Metadata> trailers(Throwable failure) {
    return failure instanceof StatusRuntimeException known
        ? Optional.ofNullable(known.getTrailers())
        : Optional.empty();
  }

  /** A call and its repetitions. */
  private final class Asking<A, T> implements StreamObserver<A> {
    private final Unary<S, A> method;
    private final Function<A, T> good;
    private final Function<Rounds.Fault, T> bad;
    private final long deadlineNs;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private Optional<ManagedChannel> used = Optional.empty();
    private int pauseMs = FIRST_PAUSE_MS;

    Asking(Unary<S, A> method, int timeoutMs, Function<A, T> good, Function<Rounds.Fault, T> bad) {
      this.method = method;
      this.good = good;
      this.bad = bad;
      this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    void attempt() {
      long leftNs = deadlineNs - System.nanoTime();
      if (result.isDone()) {
        return;
      }
      if (isResting() && pauseMs == FIRST_PAUSE_MS) {
        fail(RoundFaults.UNREACHED);
        return;
      }
      try {
        S stub = stub();
        used = current;
        method.call(stub.withDeadlineAfter(Math.max(1, leftNs), TimeUnit.NANOSECONDS), this);
      } catch (IOException e) {
        fail(new Rounds.Unavailable("credentials: " + IoWords.withFile(e)));
      }
    }

    private void fail(Rounds.Fault fault) {
      result.complete(bad.apply(fault));
    }

    @Override
    public void onNext(A answer) {
      answered();
      result.complete(good.apply(answer));
    }

    @Override
    public void onError(Throwable failure) {
      Status status = Status.fromThrowable(failure);
      Optional<Metadata> trailers = trailers(failure);
      boolean unreached = RoundFaults.isUnreached(status, trailers);
      if (unreached) {
        drop(used);
      } else {
        answered();
      }
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      if (RoundFaults.isPassing(status, trailers) && leftMs > pauseMs) {
        Future<?> _ = thread.schedule(this::attempt, pauseMs, TimeUnit.MILLISECONDS);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        return;
      }
      Rounds.Fault fault = RoundFaults.of(status, trailers);
      // Who is only slow is asked again at once: others may wait for the same.
      if (unreached && RoundFaults.isPassing(status, trailers)) {
        unreached(IoWords.ofCall(status.getDescription(), status.getCause()));
      }
      fail(fault);
    }

    @Override
    public void onCompleted() {
      // Without an answer before it this is an answer too, though an empty one.
      fail(new Rounds.Unavailable("the control plane said nothing"));
    }
  }

  /** Gives up what is under way, within about a second; more than once is fine. */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    Future<Optional<ManagedChannel>> last =
        thread.submit(() -> {
          current.ifPresent(ManagedChannel::shutdownNow);
          return current;
        });
    try {
      Optional<ManagedChannel> channel = last.get(CLOSE_S, TimeUnit.SECONDS);
      if (channel.isPresent() && !channel.get().awaitTermination(CLOSE_S, TimeUnit.SECONDS)) {
        log.atWarn().log("calls about " + topic + " did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.atWarn().setCause(e).log("calls about " + topic + " could not be ended politely");
    }
    io.shutdownGracefully(0, CLOSE_S, TimeUnit.SECONDS).awaitUninterruptibly();
    thread.shutdownNow();
  }
}
