package dev.parlance.proxy.control.api;

import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.AttachServiceGrpc;
import dev.parlance.proto.v1.BoardPush;
import dev.parlance.proto.v1.CorePush;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proto.v1.VerdictDirectory;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.service.IoWords;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream to the control plane, from Hello to its end, on a channel of its own. Everything
 * happens on the control thread.
 */
final class AttachStream implements ClientResponseObserver<AttachRequest, AttachResponse> {
  /**
   * Why a stream ended.
   *
   * @param reason stable code
   * @param detail for people
   * @param planned true if the sidecar itself replaces a stream with which nothing was wrong
   */
  record End(String reason, String detail, boolean planned) {}

  /** What a stream is for. */
  interface Session {
    /** The control plane took the sidecar. */
    void welcomed(Welcome welcome);

    /** That was the first thing that it said: what is wanted of it is sent. */
    void attached(Consumer<AttachRequest> out);

    /** A core; what is returned is sent back. */
    AttachRequest core(CorePush push);

    /** A board of coined terms; what is returned is sent back. */
    AttachRequest board(BoardPush push);

    /** A decision of a person; what is returned is sent back. */
    AttachRequest review(ReviewPush push);

    /** Whom the mesh believes. */
    void trusted(MeshTrust trust);

    /** The keys of all sidecars' verdicts. */
    void verdictKeys(VerdictDirectory directory);

    /** A decision of a person here has arrived. */
    void taken(ReviewTaken taken);

    /** A person at the console looks or acts; the reply is sent later. */
    void called(ReviewCall call);

    /** What persons have decided here is in the ledger. */
    void recorded(ReviewRecorded recorded);

    /** A question; its answer is sent later. */
    void question(Question question);

    /** Something was heard and dealt with. */
    void heard();

    /** How the sidecar is doing. */
    AttachRequest report();
  }

  /**
   * Bounds in time, in milliseconds.
   *
   * @param welcomeMs from the start to the first message
   * @param silenceMs without a message, after which the stream is replaced
   * @param ageMs after which it is replaced in any case
   */
  record Timing(long welcomeMs, long silenceMs, long ageMs) {}

  private static final Logger log = LoggerFactory.getLogger(AttachStream.class);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final int POLITE_S = 1;
  private static final int REPORT_DEFAULT_MS = 30_000;
  private static final int REPORT_SHORTEST_MS = 100;
  private static final int REPORT_LONGEST_MS = 600_000;

  private final ManagedChannel channel;
  private final ScheduledExecutorService thread;
  private final Timing timing;
  private final Session session;
  private final BiConsumer<AttachStream, End> ended;
  private Optional<ClientCallStreamObserver<AttachRequest>> out = Optional.empty();
  private Optional<Future<?>> silence = Optional.empty();
  private Optional<Future<?>> age = Optional.empty();
  private Optional<Future<?>> reports = Optional.empty();
  private boolean welcomed;
  private long welcomedNs;

  /** Nothing more is said; the control plane may still answer what was. */
  private boolean finished;

  private boolean done;

  /**
   * A stream that is not open yet.
   *
   * @param channel is shut down with the stream
   * @param ended called once, when the stream is over
   */
  AttachStream(
      ManagedChannel channel,
      ScheduledExecutorService thread,
      Timing timing,
      Session session,
      BiConsumer<AttachStream, End> ended) {
    this.channel = channel;
    this.thread = thread;
    this.timing = timing;
    this.session = session;
    this.ended = ended;
  }

  /** Begins. */
  void open(Optional<String> token, Hello hello) {
    Metadata metadata = new Metadata();
    token.ifPresent(shown -> metadata.put(AUTHORIZATION, "Bearer " + shown));
    AttachServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .attach(this);
    send(AttachRequest.newBuilder().setHello(hello).build());
    expectWithin(timing.welcomeMs(), new End("no_welcome", "not in time", false));
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<AttachRequest> stream) {
    // One message at a time: the next is asked for when this one is dealt with.
    stream.disableAutoRequestWithInitial(1);
    out = Optional.of(stream);
  }

  /** Sends unless the stream has ended, or is being ended. */
  void send(AttachRequest message) {
    if (!finished && !done) {
      out.ifPresent(stream -> stream.onNext(message));
    }
  }

  /** Sends if the control plane has said welcome: nothing but Hello comes before that. */
  void sendAttached(AttachRequest message) {
    if (welcomed) {
      send(message);
    }
  }

  @Override
  public void onNext(AttachResponse message) {
    if (done) {
      return;
    }
    try {
      take(message);
    } catch (RuntimeException e) {
      internal(e);
    }
  }

  private void take(AttachResponse message) {
    if (!welcomed && !message.hasWelcome()) {
      fail(
          new End(
              "wrong_first_message",
              message.getBodyCase().name().toLowerCase(Locale.ROOT) + " before welcome",
              false));
      return;
    }
    switch (message.getBodyCase()) {
      case WELCOME -> welcome(message.getWelcome());
      case CORE -> send(session.core(message.getCore()));
      case BOARD -> send(session.board(message.getBoard()));
      case REVIEW -> send(session.review(message.getReview()));
      case TRUST -> session.trusted(message.getTrust());
      case VERDICTS -> session.verdictKeys(message.getVerdicts());
      case TAKEN -> session.taken(message.getTaken());
      case QUESTION -> session.question(message.getQuestion());
      case REVIEW_CALL -> session.called(message.getReviewCall());
      case REVIEW_RECORDED -> session.recorded(message.getReviewRecorded());
      case BODY_NOT_SET -> {
        // A newer control plane says something that this version does not know.
      }
    }
    session.heard();
    expectWithin(timing.silenceMs(), new End("silence", "nothing was heard", true));
    out.ifPresent(stream -> stream.request(1));
  }

  private void welcome(Welcome welcome) {
    session.welcomed(welcome);
    if (welcomed) {
      return; // said again, as a sign of life
    }
    welcomed = true;
    session.attached(this::send);
    welcomedNs = System.nanoTime();
    age = Optional.of(after(timing.ageMs(), new End("age", "replaced in time", true)));
    int given = welcome.getReportIntervalMs();
    long everyMs =
        given == 0
            ? REPORT_DEFAULT_MS
            : Math.clamp(Integer.toUnsignedLong(given), REPORT_SHORTEST_MS, REPORT_LONGEST_MS);
    reports =
        Optional.of(
            thread.scheduleWithFixedDelay(this::report, everyMs, everyMs, TimeUnit.MILLISECONDS));
  }

  private void report() {
    // A control plane that reads nothing must not make us keep what we would tell it.
    if (!done && out.filter(ClientCallStreamObserver::isReady).isPresent()) {
      try {
        send(session.report());
      } catch (RuntimeException e) {
        internal(e);
      }
    }
  }

  private void internal(RuntimeException e) {
    log.atError().setCause(e).log("the stream to the control plane broke by a fault of our own");
    fail(new End("internal", String.valueOf(e), false));
  }

  /** How long the stream has been attached, in nanoseconds; 0 if it never was. */
  long attachedNs() {
    return welcomed ? System.nanoTime() - welcomedNs : 0;
  }

  private void expectWithin(long ms, End otherwise) {
    silence.ifPresent(timer -> timer.cancel(false));
    silence = Optional.of(after(ms, otherwise));
  }

  private Future<?> after(long ms, End end) {
    return thread.schedule(() -> fail(end), ms, TimeUnit.MILLISECONDS);
  }

  @Override
  public void onError(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    String description = IoWords.ofCall(status.getDescription(), status.getCause());
    boolean oversized =
        status.getCode() == Status.Code.RESOURCE_EXHAUSTED
            && description.contains("exceeds maximum size");
    end(
        new End(
            oversized ? "oversized" : status.getCode().name().toLowerCase(Locale.ROOT),
            description,
            false));
  }

  @Override
  public void onCompleted() {
    end(new End("ended", "by the control plane", false));
  }

  private void fail(End end) {
    if (end.planned()) {
      finish();
    } else {
      out.ifPresent(stream -> stream.cancel(end.reason(), null));
    }
    end(end);
  }

  private void end(End end) {
    if (done) {
      return;
    }
    done = true;
    silence.ifPresent(timer -> timer.cancel(false));
    age.ifPresent(timer -> timer.cancel(false));
    reports.ifPresent(timer -> timer.cancel(false));
    if (end.planned()) {
      Future<?> _ = thread.schedule(channel::shutdownNow, POLITE_S, TimeUnit.SECONDS);
    } else {
      channel.shutdownNow();
    }
    ended.accept(this, end);
  }

  /** Says that nothing more comes, and lets the channel go when the control plane has answered. */
  void finish() {
    if (!finished && !done) {
      finished = true;
      out.ifPresent(ClientCallStreamObserver::onCompleted);
      channel.shutdown();
    }
  }
}
