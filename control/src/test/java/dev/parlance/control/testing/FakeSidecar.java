package dev.parlance.control.testing;

import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.AttachServiceGrpc;
import dev.parlance.proto.v1.BoardAck;
import dev.parlance.proto.v1.BoardWanted;
import dev.parlance.proto.v1.CoreAck;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.CoreNack;
import dev.parlance.proto.v1.HeldCore;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Report;
import dev.parlance.proto.v1.ReviewAck;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewDecided;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proto.v1.ReviewVerdict;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.WitnessQuestion;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A sidecar as far as the control plane can tell: answers from functions, over real gRPC. */
public final class FakeSidecar implements AutoCloseable {
  private static final int MAX_CORE_BYTES = 16 << 20;

  /** What its agent says. */
  public interface Mind {
    /** To a witness question: a verdict, or empty for no answer at all. */
    Optional<String> verdict(WitnessQuestion question);

    /** To an offer. */
    String reply(PolicyOffer offer);
  }

  private final ManagedChannel channel;
  private final ClientCallStreamObserver<AttachRequest> requests;
  private final ExecutorService answering = Executors.newSingleThreadExecutor();
  private final String agent;
  private volatile Mind mind;

  /** Every core that was pushed, in order. */
  public final List<SignedCore> pushed = new CopyOnWriteArrayList<>();

  /** The newest core by domain. */
  public final Map<String, SignedCore> newest = new ConcurrentHashMap<>();

  /** Every board that was pushed, in order; all are accepted. */
  public final List<SignedBoard> boards = new CopyOnWriteArrayList<>();

  /** Every decision of a person that was pushed, in order; all are acknowledged. */
  public final List<ReviewPush> reviews = new CopyOnWriteArrayList<>();

  /** Its persons' decisions that are in the ledger, or refused. */
  public final List<ReviewRecorded> recorded = new CopyOnWriteArrayList<>();

  /** Its own decisions that were taken, or refused. */
  public final List<ReviewTaken> taken = new CopyOnWriteArrayList<>();

  /** Every question. */
  public final List<Question> asked = new CopyOnWriteArrayList<>();

  /** Name of the replica, once welcomed. */
  public final CompletableFuture<String> welcomed = new CompletableFuture<>();

  /** How the stream ended. */
  public final CompletableFuture<Status> ended = new CompletableFuture<>();

  /** Its trailers. */
  public final CompletableFuture<Metadata> trailers = new CompletableFuture<>();

  private volatile Function<SignedCore, Optional<String>> nack = _ -> Optional.empty();
  private volatile boolean silent;
  private volatile boolean wantsItems;

  /** Every call of a person, in order. */
  public final List<ReviewCall> calls = new CopyOnWriteArrayList<>();

  private volatile Function<ReviewCall, List<AttachRequest>> replies = _ -> List.of();

  private FakeSidecar(int port, String token, String agent, Mind mind, boolean reads) {
    this.agent = agent;
    this.mind = mind;
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMessageSize(MAX_CORE_BYTES)
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    Responses responses = new Responses(reads);
    AttachServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .attach(responses);
    requests = responses.requests.join();
  }

  /** Connects, and says nothing yet. */
  public static FakeSidecar connect(int port, String token, String agent, Mind mind) {
    return new FakeSidecar(port, token, agent, mind, true);
  }

  /** Connects and reads nothing that is sent to it. */
  public static FakeSidecar deaf(int port, String token, String agent, Mind mind) {
    return new FakeSidecar(port, token, agent, mind, false);
  }

  /** Connects and says Hello. */
  public static FakeSidecar attach(int port, String token, String agent, Mind mind) {
    return connect(port, token, agent, mind).hello(agent + "-pod", true);
  }

  /** Says Hello. */
  public FakeSidecar hello(String node, boolean answers, HeldCore... held) {
    send(
        AttachRequest.newBuilder()
            .setHello(
                Hello.newBuilder()
                    .setAgent(agent)
                    .setNode(node)
                    .setVersion("test")
                    .addAllHeld(List.of(held))
                    .setAnswersQuestions(answers)
                    .setTakesReviews(true)
                    .setAnswersReviews(true))
            .build());
    return this;
  }

  /** Refuses cores with a reason, where the function gives one. */
  public FakeSidecar refusing(Function<SignedCore, Optional<String>> reasons) {
    nack = reasons;
    return this;
  }

  /** True if the control plane wants to know what is held. */
  public boolean wantsItems() {
    return wantsItems;
  }

  /** Answers calls of persons so. */
  public FakeSidecar replying(Function<ReviewCall, List<AttachRequest>> answers) {
    replies = answers;
    return this;
  }

  /** Neither accepts nor refuses cores. */
  public FakeSidecar silent() {
    silent = true;
    return this;
  }

  /** Another mind from now on. */
  public void changeMind(Mind other) {
    mind = other;
  }

  /** Says something. */
  public synchronized void send(AttachRequest request) {
    requests.onNext(request);
  }

  /** Reports that it enforces, and what it holds. */
  public void report(Report report) {
    send(AttachRequest.newBuilder().setReport(report).build());
  }

  private void core(SignedCore core) {
    pushed.add(core);
    if (silent) {
      return;
    }
    Optional<String> reason = nack.apply(core);
    CoreId id = core.getId();
    if (reason.isPresent()) {
      send(
          AttachRequest.newBuilder()
              .setNack(
                  CoreNack.newBuilder()
                      .setId(id)
                      .setVersion(core.getVersion())
                      .setReason(reason.get()))
              .build());
    } else {
      newest.put(id.getDomain(), core);
      send(
          AttachRequest.newBuilder()
              .setAck(CoreAck.newBuilder().setId(id).setVersion(core.getVersion()))
              .build());
    }
  }

  private void board(SignedBoard board) {
    boards.add(board);
    send(
        AttachRequest.newBuilder()
            .setBoardAck(
                BoardAck.newBuilder().setBoard(board.getBoard()).setRevision(board.getRevision()))
            .build());
  }

  private void review(ReviewPush decision) {
    reviews.add(decision);
    send(
        AttachRequest.newBuilder()
            .setReviewAck(ReviewAck.newBuilder().setSequence(decision.getSequence()))
            .build());
  }

  /** Says that a person has decided about a message between its agent and another one. */
  public void decided(String item, String peer, boolean approved, int digestBytes, long forMs) {
    send(
        AttachRequest.newBuilder()
            .setReview(
                ReviewDecided.newBuilder()
                    .setItem(item)
                    .setPeer(peer)
                    .addTexts(ByteString.copyFrom(new byte[digestBytes]))
                    .setApproved(approved)
                    .setForMs(forMs))
            .build());
  }

  /** Says what a person has decided about a held message, for the ledger. */
  public void verdict(String item, String verdict, int digestBytes) {
    send(
        AttachRequest.newBuilder()
            .setReviewVerdict(
                ReviewVerdict.newBuilder()
                    .setItem(item)
                    .setTextSha256(ByteString.copyFrom(new byte[digestBytes]))
                    .setRoute("billing")
                    .setVerdict(verdict)
                    .addWho("ann")
                    .setAtMs(7))
            .build());
  }

  /** Wants a board from now on. */
  public FakeSidecar want(String board, long revision) {
    send(
        AttachRequest.newBuilder()
            .setBoardWanted(BoardWanted.newBuilder().setBoard(board).setRevision(revision))
            .build());
    return this;
  }

  private void answer(Question question) {
    asked.add(question);
    Answer.Builder answer =
        Answer.newBuilder().setQuestionId(question.getId()).setForm("extension").setTookMs(1);
    answer.setAnswerSha256(ByteString.copyFrom(new byte[32]));
    if (question.hasOffer()) {
      answer.setReply(mind.reply(question.getOffer()));
    } else {
      Optional<String> verdict = mind.verdict(question.getWitness());
      if (verdict.isEmpty()) {
        return;
      }
      if (verdict.get().startsWith("!")) {
        answer.setFailure(verdict.get().substring(1)).clearAnswerSha256().clearForm();
      } else {
        answer.setVerdict(verdict.get());
      }
    }
    send(AttachRequest.newBuilder().setAnswer(answer).build());
  }

  /** Goes away as a killed process does. */
  @Override
  public void close() {
    answering.shutdownNow();
    channel.shutdownNow();
    try {
      if (!channel.awaitTermination(5, java.util.concurrent.TimeUnit.SECONDS)) {
        throw new IllegalStateException("the channel does not end");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Responses implements ClientResponseObserver<AttachRequest, AttachResponse> {
    private final CompletableFuture<ClientCallStreamObserver<AttachRequest>> requests =
        new CompletableFuture<>();
    private final boolean reads;

    Responses(boolean reads) {
      this.reads = reads;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<AttachRequest> stream) {
      if (!reads) {
        stream.disableAutoRequestWithInitial(0);
      }
      requests.complete(stream);
    }

    @Override
    public void onNext(AttachResponse response) {
      switch (response.getBodyCase()) {
        case WELCOME -> {
          wantsItems = response.getWelcome().getWantsReviewItems();
          welcomed.complete(response.getWelcome().getReplica());
        }
        case CORE -> answering.execute(() -> core(response.getCore().getCore()));
        case QUESTION -> answering.execute(() -> answer(response.getQuestion()));
        case BOARD -> answering.execute(() -> board(response.getBoard().getBoard()));
        case REVIEW -> answering.execute(() -> review(response.getReview()));
        case TAKEN -> taken.add(response.getTaken());
        case REVIEW_RECORDED -> recorded.add(response.getReviewRecorded());
        case REVIEW_CALL -> {
          calls.add(response.getReviewCall());
          replies.apply(response.getReviewCall()).forEach(FakeSidecar.this::send);
        }
        case TRUST, VERDICTS -> {} // not asked for
        case BODY_NOT_SET -> throw new IllegalStateException("an empty response");
      }
    }

    @Override
    public void onError(Throwable t) {
      Metadata with = Status.trailersFromThrowable(t);
      trailers.complete(with == null ? new Metadata() : with);
      ended.complete(Status.fromThrowable(t));
    }

    @Override
    public void onCompleted() {
      trailers.complete(new Metadata());
      ended.complete(Status.OK);
    }
  }
}
