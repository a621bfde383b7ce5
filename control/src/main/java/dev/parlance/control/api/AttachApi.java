package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.control.api.BearerAuth.CallerProof;
import dev.parlance.control.certify.ReviewRecorder;
import dev.parlance.control.identity.MeshAuthority;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.publish.AttachHub.Attachment;
import dev.parlance.control.publish.HeldItem;
import dev.parlance.control.publish.PersonCall;
import dev.parlance.control.publish.SidecarLink;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.publish.SidecarLink.PublishedCore;
import dev.parlance.control.publish.SidecarLink.StreamEnd;
import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.SidecarReport;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.AttachServiceGrpc;
import dev.parlance.proto.v1.BoardNack;
import dev.parlance.proto.v1.BoardPush;
import dev.parlance.proto.v1.BoardWanted;
import dev.parlance.proto.v1.CoreAck;
import dev.parlance.proto.v1.CoreNack;
import dev.parlance.proto.v1.CorePush;
import dev.parlance.proto.v1.HeldCore;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.LexiconGroup;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewDecided;
import dev.parlance.proto.v1.ReviewItems;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewReply;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proto.v1.ReviewVerdict;
import dev.parlance.proto.v1.VerdictDirectory;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.service.config.Quoted;
import dev.parlance.service.identity.SpiffeId;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stream between a sidecar and the hub. */
final class AttachApi extends AttachServiceGrpc.AttachServiceImplBase {
  /** Most bytes of what a sidecar says at once. */
  static final int MAX_REQUEST_BYTES = 262_144;

  private static final Logger log = LoggerFactory.getLogger(AttachApi.class);
  private static final int MAX_HELD = 10_000;
  private static final int MAX_TEXT = 256;
  private static final int MAX_VERDICT_KEYS = 2;
  private static final int MOST_STREAMS = 20_000;

  private final AttachHub hub;
  private final ReviewRecorder reviews;
  private final AgentTokens agents;
  private final ControlMetrics metrics;
  private final ScheduledExecutorService timer;
  private final int helloMs;
  private final List<LexiconGroup> groups;
  private final MeshAuthority authority;
  private final boolean isShown;
  private final AtomicInteger streams = new AtomicInteger();

  /**
   * The service.
   *
   * @param reviews brings decisions of persons to the ledger
   * @param helloMs how long a sidecar has for its Hello
   * @param groups members of the factions that coin terms, by name
   * @param authority whom sidecars are told to believe
   * @param isShown whether there is a console, which wants to know what sidecars hold
   */
  AttachApi(
      AttachHub hub,
      ReviewRecorder reviews,
      AgentTokens agents,
      ControlMetrics metrics,
      ScheduledExecutorService timer,
      int helloMs,
      SortedMap<String, List<String>> groups,
      MeshAuthority authority,
      boolean isShown) {
    this.hub = hub;
    this.reviews = reviews;
    this.agents = agents;
    this.metrics = metrics;
    this.timer = timer;
    this.helloMs = helloMs;
    this.authority = authority;
    this.isShown = isShown;
    this.groups =
        groups.entrySet().stream()
            .map(group ->
                LexiconGroup.newBuilder()
                    .setName(group.getKey())
                    .addAllMembers(group.getValue())
                    .build())
            .toList();
  }

  @Override
  public StreamObserver<AttachRequest> attach(StreamObserver<AttachResponse> responses) {
    ServerCallStreamObserver<AttachResponse> out =
        (ServerCallStreamObserver<AttachResponse>) responses;
    return new Session(out, BearerAuth.proof());
  }

  /** One stream; gRPC calls it from one thread at a time. */
  private final class Session implements StreamObserver<AttachRequest>, SidecarLink {
    private final ServerCallStreamObserver<AttachResponse> out;
    private final CallerProof proof;
    private final ScheduledFuture<?> helloTimer;
    private Optional<Attachment> attachment = Optional.empty();
    private boolean ended;

    @SuppressWarnings("FutureReturnValueIgnored") // kept in the field, cancelled with the stream
    Session(ServerCallStreamObserver<AttachResponse> out, CallerProof proof) {
      this.out = out;
      this.proof = proof;
      out.disableAutoRequest();
      out.setOnReadyHandler(() -> attached().ifPresent(Attachment::ready));
      out.setOnCancelHandler(this::gone);
      out.setOnCloseHandler(this::gone);
      boolean isTooMany = streams.incrementAndGet() > MOST_STREAMS;
      helloTimer =
          timer.schedule(
              () -> refuse(StreamEnd.HELLO_LATE, "no Hello in " + helloMs + " ms"),
              helloMs,
              TimeUnit.MILLISECONDS);
      if (isTooMany) {
        refuse(StreamEnd.TOO_MANY, "more than " + MOST_STREAMS + " streams");
      } else {
        out.request(1);
      }
    }

    private synchronized Optional<Attachment> attached() {
      return attachment;
    }

    @Override
    public void onNext(AttachRequest request) {
      try {
        take(request);
      } catch (RuntimeException e) {
        // One sidecar's message must not take others along.
        log.atError().setCause(e).log("an attach stream failed");
        fail(GrpcErrors.of(e));
        return;
      }
      synchronized (this) {
        if (ended) {
          return;
        }
      }
      out.request(1); // the next one only now: what is not taken in stays with the sender
    }

    private void take(AttachRequest request) {
      Optional<Attachment> known = attached();
      switch (request.getBodyCase()) {
        case HELLO -> {
          if (known.isPresent()) {
            refuse(StreamEnd.HELLO_TWICE, "Hello was said already");
          } else {
            hello(request.getHello());
          }
        }
        case ACK -> after(known, sidecar -> acked(sidecar, request.getAck()));
        case NACK -> after(known, sidecar -> refused(sidecar, request.getNack()));
        case ANSWER -> after(known, sidecar -> answered(sidecar, request.getAnswer()));
        case REPORT ->
            after(known, sidecar -> sidecar.reported(SidecarReport.of(request.getReport())));
        case BOARD_WANTED -> after(known, sidecar -> wanted(sidecar, request.getBoardWanted()));
        case BOARD_ACK ->
            after(
                known,
                sidecar ->
                    sidecar.boardAcked(
                        request.getBoardAck().getBoard(), request.getBoardAck().getRevision()));
        case BOARD_NACK -> after(known, sidecar -> refused(sidecar, request.getBoardNack()));
        case REVIEW -> after(known, sidecar -> decided(sidecar, request.getReview()));
        case REVIEW_ACK ->
            after(known, sidecar -> sidecar.reviewAcked(request.getReviewAck().getSequence()));
        case REVIEW_VERDICT -> after(known, sidecar -> recorded(sidecar.agent(), request));
        case REVIEW_ITEMS -> after(known, sidecar -> announced(sidecar, request.getReviewItems()));
        case REVIEW_REPLY -> after(known, sidecar -> replied(sidecar, request.getReviewReply()));
        case BODY_NOT_SET -> {
          // of a later version of this interface; nothing in it is known here
        }
      }
    }

    private void announced(Attachment sidecar, ReviewItems said) {
      if (!isShown) {
        return; // not asked for
      }
      List<HeldItem> items =
          said.getItemsList().stream().flatMap(one -> ReviewMessages.held(one).stream()).toList();
      int malformed = said.getItemsCount() - items.size();
      if (malformed > 0) {
        metrics.count(ControlMeter.REVIEWS, "malformed", malformed);
      }
      sidecar.announced(items, said.getComplete());
    }

    private void recorded(String agent, AttachRequest request) {
      ReviewVerdict said = request.getReviewVerdict();
      Optional<Entry.ReviewDecided> entry = ReviewMessages.entry(agent, said);
      if (entry.isPresent()) {
        reviews.record(entry.get(), () -> told(said, ""));
      } else {
        told(said, "malformed");
      }
    }

    private void told(ReviewVerdict said, String refused) {
      send(
          AttachResponse.newBuilder()
              .setReviewRecorded(
                  ReviewRecorded.newBuilder()
                      .setItem(Quoted.cut(said.getItem()))
                      .setRefused(refused)));
    }

    private void after(Optional<Attachment> known, java.util.function.Consumer<Attachment> action) {
      if (known.isPresent()) {
        action.accept(known.get());
      } else {
        refuse(StreamEnd.HELLO_FIRST, "the first message must be Hello");
      }
    }

    private void hello(Hello hello) {
      Optional<String> problem = problem(hello);
      if (problem.isPresent()) {
        refuse(StreamEnd.BAD_HELLO, problem.get());
        return;
      }
      if (!agents.accepts(hello.getAgent(), proof)) {
        refuse(
            StreamEnd.WRONG_TOKEN,
            "neither the token nor the SVID is that of agent " + hello.getAgent());
        return;
      }
      helloTimer.cancel(false);
      agents.remember(hello.getAgent(), proof);
      synchronized (this) {
        if (ended) {
          return;
        }
      }
      Attachment fresh = hub.attach(SidecarHello.of(identified(hello)), this);
      boolean isGone;
      synchronized (this) {
        attachment = Optional.of(fresh);
        isGone = ended;
      }
      if (isGone) {
        fresh.gone();
      }
    }

    /** With the id that was proven beside its keys, whatever it says itself. */
    private Hello identified(Hello hello) {
      String id = agents.id(hello.getAgent(), proof).map(SpiffeId::toString).orElse("");
      Hello.Builder known = hello.toBuilder();
      known.getVerdictKeysBuilderList().forEach(key -> key.setId(id));
      return known.build();
    }

    @Override
    public void onError(Throwable t) {
      gone();
    }

    @Override
    public void onCompleted() {
      boolean isFirst;
      synchronized (this) {
        isFirst = !ended;
        ended = true;
      }
      left();
      if (isFirst) {
        out.onCompleted();
      }
    }

    private void gone() {
      synchronized (this) {
        ended = true;
      }
      left();
    }

    private boolean isCounted = true;

    /** Once, whatever ends the stream. */
    private void left() {
      Optional<Attachment> was;
      synchronized (this) {
        if (!isCounted) {
          return;
        }
        isCounted = false;
        was = attachment;
        attachment = Optional.empty();
      }
      helloTimer.cancel(false);
      streams.decrementAndGet();
      was.ifPresent(Attachment::gone);
    }

    // ---- what the hub does ----

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void welcome(String replica, int reportIntervalMs) {
      send(
          AttachResponse.newBuilder()
              .setWelcome(
                  Welcome.newBuilder()
                      .setReplica(replica)
                      .setReportIntervalMs(reportIntervalMs)
                      .setRecordsReviews(true)
                      .setWantsReviewItems(isShown)
                      .addAllGroups(groups)));
    }

    @Override
    public void push(PublishedCore core) {
      CorePush push = CorePush.newBuilder().setCore(CertificationApi.signed(core.row())).build();
      send(AttachResponse.newBuilder().setCore(push));
    }

    @Override
    public void push(PublishedBoard board) {
      send(
          AttachResponse.newBuilder()
              .setBoard(BoardPush.newBuilder().setBoard(LexiconMessages.signed(board))));
    }

    @Override
    public void push(ReviewRow decision) {
      send(AttachResponse.newBuilder().setReview(ReviewMessages.push(decision)));
    }

    @Override
    public void pushTrust() {
      send(AttachResponse.newBuilder().setTrust(IdentityApi.trust(authority)));
    }

    @Override
    public void push(List<AnnouncedKey> verdictKeys) {
      send(
          AttachResponse.newBuilder()
              .setVerdicts(
                  VerdictDirectory.newBuilder()
                      .addAllKeys(verdictKeys.stream().map(AnnouncedKey::message).toList())));
    }

    @Override
    public void taken(String item, String refused) {
      send(
          AttachResponse.newBuilder()
              .setTaken(ReviewTaken.newBuilder().setItem(item).setRefused(refused)));
    }

    @Override
    public void call(String id, PersonCall call) {
      send(
          AttachResponse.newBuilder()
              .setReviewCall(
                  ReviewCall.newBuilder()
                      .setCall(id)
                      .setMethod(call.method())
                      .setPath(call.path())
                      .setBody(ByteString.copyFromUtf8(call.body().orElse("")))
                      .setWho(call.who())));
    }

    @Override
    public void ask(StoredQuestion question) {
      send(AttachResponse.newBuilder().setQuestion(question.message()));
    }

    private synchronized void send(AttachResponse.Builder message) {
      if (!ended && !out.isCancelled()) {
        out.onNext(message.build());
      }
    }

    @Override
    public void end(StreamEnd why, String detail) {
      switch (why) {
        case AGED -> {
          boolean isFirst;
          synchronized (this) {
            isFirst = !ended;
            ended = true;
            if (isFirst && !out.isCancelled()) {
              out.onCompleted();
            }
          }
        }
        case DRAINING, REPLACED, PUSH_UNANSWERED -> fail(status(why, detail));
        case HELLO_LATE, HELLO_FIRST, HELLO_TWICE, BAD_HELLO, WRONG_TOKEN, TOO_MANY ->
            refuse(why, detail);
      }
    }

    private void refuse(StreamEnd why, String detail) {
      if (fail(status(why, detail))) {
        metrics.count(ControlMeter.ATTACH_REFUSED, why.code());
      }
    }

    private Throwable status(StreamEnd why, String detail) {
      return GrpcErrors.of(code(why), why.code(), detail);
    }

    private synchronized boolean fail(Throwable error) {
      if (ended) {
        return false;
      }
      ended = true;
      if (!out.isCancelled()) {
        out.onError(error);
      }
      return true;
    }
  }

  private static void replied(Attachment sidecar, ReviewReply reply) {
    sidecar.replied(
        reply.getCall(), reply.getStatus(), reply.getBody().toByteArray(), reply.getMore());
  }

  private static void acked(Attachment sidecar, CoreAck ack) {
    sidecar.acked(SidecarReport.id(ack.getId()), ack.getVersion());
  }

  private static void refused(Attachment sidecar, CoreNack nack) {
    sidecar.refused(
        SidecarReport.id(nack.getId()), nack.getVersion(), nack.getReason(), nack.getDetail());
  }

  private static void wanted(Attachment sidecar, BoardWanted wanted) {
    if (wanted.getDropped()) {
      sidecar.boardDropped(wanted.getBoard());
    } else {
      sidecar.boardWanted(wanted.getBoard(), wanted.getRevision());
    }
  }

  private static void refused(Attachment sidecar, BoardNack nack) {
    sidecar.boardRefused(nack.getBoard(), nack.getRevision(), nack.getReason(), nack.getDetail());
  }

  /** What can be none is refused, so that nobody says it again. */
  private static void decided(Attachment sidecar, ReviewDecided said) {
    ReviewMessages.read(said)
        .ifPresentOrElse(sidecar::decided, () -> sidecar.noDecision(Quoted.cut(said.getItem())));
  }

  private static void answered(Attachment sidecar, Answer answer) {
    sidecar.answered(answer.getQuestionId(), answer.toByteArray());
  }

  /** What is wrong with a Hello, if anything is. */
  private static Optional<String> problem(Hello hello) {
    if (!Names.isName(hello.getAgent())) {
      return Optional.of("agent \"" + Quoted.cut(hello.getAgent()) + "\" is no agent id");
    }
    if (!Names.isName(hello.getNode())) {
      return Optional.of("node \"" + Quoted.cut(hello.getNode()) + "\" is no name");
    }
    if (hello.getVersion().length() > MAX_TEXT) {
      return Optional.of("version has more than " + MAX_TEXT + " characters");
    }
    if (hello.getHeldCount() > MAX_HELD) {
      return Optional.of("more than " + MAX_HELD + " cores held");
    }
    if (hello.getVerdictKeysCount() > MAX_VERDICT_KEYS
        || !hello.getVerdictKeysList().stream()
            .allMatch(key -> isKeyOf(hello.getAgent(), key.getKey()))) {
      return Optional.of(
          "expected at most " + MAX_VERDICT_KEYS + " Ed25519 keys of agent " + hello.getAgent());
    }
    for (HeldCore held : hello.getHeldList()) {
      if (!held.getId().getAgentsList().contains(hello.getAgent())) {
        return Optional.of("a core is held that is not one of agent " + hello.getAgent());
      }
    }
    return Optional.empty();
  }

  /** A sidecar speaks for its agent alone. */
  private static boolean isKeyOf(String agent, String text) {
    return VerifierKey.parse(text) instanceof Parsed.Ok<VerifierKey>(VerifierKey key)
        && key.name().equals(agent)
        && key.type() == KeyType.ED25519;
  }

  private static Status.Code code(StreamEnd why) {
    return switch (why) {
      case AGED -> Status.Code.OK;
      case DRAINING -> Status.Code.UNAVAILABLE;
      case REPLACED -> Status.Code.ABORTED;
      case HELLO_LATE, PUSH_UNANSWERED -> Status.Code.DEADLINE_EXCEEDED;
      case HELLO_FIRST, HELLO_TWICE -> Status.Code.FAILED_PRECONDITION;
      case BAD_HELLO -> Status.Code.INVALID_ARGUMENT;
      case WRONG_TOKEN -> Status.Code.PERMISSION_DENIED;
      case TOO_MANY -> Status.Code.RESOURCE_EXHAUSTED;
    };
  }
}
