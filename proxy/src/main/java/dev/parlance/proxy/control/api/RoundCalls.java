package dev.parlance.proxy.control.api;

import static dev.parlance.proxy.control.api.ControlCalls.FIRST_PAUSE_MS;
import static dev.parlance.proxy.control.api.ControlCalls.LONGEST_PAUSE_MS;

import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceStub;
import dev.parlance.proxy.control.RoundFaults;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.service.IoWords;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Calls to the control plane's rounds, and watches of them. */
final class RoundCalls implements AutoCloseable {
  private final ControlCalls<RoundServiceStub> calls;
  private final Set<Watching> watched = ConcurrentHashMap.newKeySet();
  private volatile boolean hurried;

  RoundCalls(ControlCalls.Settings settings, RandomGenerator random) {
    this.calls = new ControlCalls<>("rounds", settings, RoundServiceGrpc::newStub, random);
  }

  /** As {@link ControlCalls#ask}. */
  <A, T> CompletableFuture<T> ask(
      ControlCalls.Unary<RoundServiceStub, A> method,
      int timeoutMs,
      Function<A, T> good,
      Function<Rounds.Fault, T> bad) {
    return calls.ask(method, timeoutMs, good, bad);
  }

  /**
   * Watches a round until it has ended, or for a time; then what is known of it.
   *
   * @param read reads each message
   */
  CompletableFuture<Rounds.Reply> watch(
      GetRoundRequest request, long atMostMs, Function<Round, Rounds.Reply> read) {
    Watching watching = new Watching(request, atMostMs, read);
    watched.add(watching);
    CompletableFuture<?> _ = watching.result.whenComplete((_, _) -> watched.remove(watching));
    if (hurried) {
      watching.hurry();
    }
    calls.begin(watching::begin, watching.result, fault -> fault);
    return watching.result;
  }

  /** A watch and its repetitions. */
  private final class Watching implements ClientResponseObserver<GetRoundRequest, Round> {
    private final GetRoundRequest request;
    private final long atMostMs;
    private final Function<Round, Rounds.Reply> read;
    private final CompletableFuture<Rounds.Reply> result = new CompletableFuture<>();
    private Optional<ClientCallStreamObserver<GetRoundRequest>> call = Optional.empty();
    private Optional<ManagedChannel> used = Optional.empty();
    private volatile Rounds.Reply last =
        new Rounds.Unavailable("the control plane could not be asked in time");
    private int pauseMs = FIRST_PAUSE_MS;

    Watching(GetRoundRequest request, long atMostMs, Function<Round, Rounds.Reply> read) {
      this.request = request;
      this.atMostMs = atMostMs;
      this.read = read;
    }

    void hurry() {
      result.complete(last);
    }

    void begin() {
      Future<?> timer =
          calls.thread().schedule(() -> result.complete(last), atMostMs, TimeUnit.MILLISECONDS);
      // Whoever ends it, also by cancelling: nobody listens any more.
      CompletableFuture<?> _ =
          result.whenCompleteAsync(
              (_, _) -> {
                timer.cancel(false);
                call.ifPresent(open -> open.cancel("nobody waits any more", null));
              },
              calls.thread());
      attempt();
    }

    private void attempt() {
      if (result.isDone()) {
        return;
      }
      try {
        RoundServiceStub stub = calls.stub();
        used = calls.current();
        stub.watchRound(request, this);
      } catch (IOException e) {
        last = new Rounds.Unavailable("credentials: " + IoWords.withFile(e));
        later();
      }
    }

    private void later() {
      call = Optional.empty();
      if (!result.isDone()) {
        Future<?> _ = calls.thread().schedule(this::attempt, pauseMs, TimeUnit.MILLISECONDS);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
      }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<GetRoundRequest> stream) {
      call = Optional.of(stream);
    }

    @Override
    public void onNext(Round round) {
      calls.answered();
      pauseMs = FIRST_PAUSE_MS;
      last = read.apply(round);
      if (last instanceof Rounds.Known known && known.status().ended().isPresent()) {
        result.complete(last);
      }
    }

    @Override
    public void onError(Throwable failure) {
      Status status = Status.fromThrowable(failure);
      Optional<Metadata> trailers = ControlCalls.trailers(failure);
      if (RoundFaults.isUnreached(status, trailers)) {
        calls.drop(used);
      }
      switch (RoundFaults.of(status, trailers)) {
        case Rounds.Refused refused -> result.complete(refused);
        case Rounds.Unavailable away -> {
          last = last instanceof Rounds.Known ? last : away;
          later();
        }
      }
    }

    @Override
    public void onCompleted() {
      later();
    }
  }

  /** Ends every wait for a round now and from now on, with what is known of it. */
  void hurry() {
    hurried = true;
    watched.forEach(Watching::hurry);
  }

  /** Gives up what is under way, within about a second; more than once is fine. */
  @Override
  public void close() {
    calls.close();
  }
}
