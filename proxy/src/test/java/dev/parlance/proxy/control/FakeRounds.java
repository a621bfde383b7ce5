package dev.parlance.proxy.control;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundResult;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.SignOutcomeRequest;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** The rounds of a control plane that does what a test says. */
public final class FakeRounds implements AutoCloseable {
  static final String DIGEST = "ab".repeat(32);

  private final Server server;
  private final Map<RoundId, Round> rounds = new ConcurrentHashMap<>();
  private final List<ProposeRequest> proposals = new CopyOnWriteArrayList<>();
  private final List<SignOutcomeRequest> signatures = new CopyOnWriteArrayList<>();
  private final List<StreamObserver<Round>> watchers = new CopyOnWriteArrayList<>();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile BiConsumer<ProposeRequest, StreamObserver<ProposeResponse>> script =
      this::accept;

  public FakeRounds() throws IOException {
    this(0);
  }

  /** One that listens where an earlier one did. */
  public FakeRounds(int port) throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .addService(new Service())
            .intercept(new Tokens())
            .build()
            .start();
  }

  public int port() {
    return server.getPort();
  }

  /** What was proposed, in order. */
  List<ProposeRequest> proposals() {
    return proposals;
  }

  public List<String> tokens() {
    return tokens;
  }

  /** What was proposed last. */
  public ProposeRequest lastProposal() {
    return proposals.getLast();
  }

  /** What was signed, in order. */
  public List<SignOutcomeRequest> signatures() {
    return signatures;
  }

  /** A round as it is, told to everybody who watches it. */
  public void show(RoundId id, Round round) {
    put(id, round);
  }

  /** How often the state of a round was asked for. */
  int asked() {
    return asked.get();
  }

  /** How many wait for a round's end. */
  public int watching() {
    return watchers.size();
  }

  /** What is done with proposals; the default takes them. */
  public void onPropose(BiConsumer<ProposeRequest, StreamObserver<ProposeResponse>> with) {
    script = with;
  }

  /** Takes no proposal, with this reason. */
  public void refuse(Status.Code code, String reason) {
    onPropose((_, out) -> out.onError(fault(code, reason)));
  }

  private static RuntimeException fault(Status.Code code, String reason) {
    Metadata trailers = new Metadata();
    trailers.put(Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER), reason);
    return Status.fromCode(code)
        .withDescription(reason + ": in words")
        .asRuntimeException(trailers);
  }

  public void accept(ProposeRequest request, StreamObserver<ProposeResponse> out) {
    out.onNext(
        ProposeResponse.newBuilder()
            .setResult("accepted")
            .setRound(rounds.get(new RoundId(request.getRound(), request.getEpoch())))
            .build());
    out.onCompleted();
  }

  /** A round that takes proposals. */
  public void open(RoundId id, long leftMs) {
    put(id, Round.newBuilder().setState("collecting").setLeftMs(leftMs).build());
  }

  /** A round that has ended so. */
  public void end(RoundOutcome outcome) {
    end(outcome, outcome.id(), Signed.KEY);
  }

  /** A round that is said to have ended with what this key signed. */
  public void end(RoundOutcome outcome, RoundId id, SignerKey key) {
    put(
        id,
        Round.newBuilder()
            .setState("decided")
            .setResult(
                RoundResult.newBuilder()
                    .setOutcome(outcome.kind())
                    .setNote(ByteString.copyFrom(OutcomeNote.sign(outcome, key))))
            .build());
  }

  private void put(RoundId id, Round round) {
    Round named = round.toBuilder().setRound(id.round()).setEpoch(id.epoch()).build();
    rounds.put(id, named);
    for (StreamObserver<Round> watcher : watchers) {
      tell(watcher, named);
    }
  }

  private void tell(StreamObserver<Round> watcher, Round round) {
    synchronized (watcher) {
      watcher.onNext(round);
      if (round.getState().equals("decided")) {
        watchers.remove(watcher);
        watcher.onCompleted();
      }
    }
  }

  /** A commit of alice's and bob's round. */
  public static RoundOutcome commit(RoundId id, String kind, Optional<String> subjectSha256) {
    return new RoundOutcome(
        id,
        List.of("alice", "bob", "carol", "dave"),
        1,
        new Encoding("parlance-ngram-1", 128, 0.9),
        kind,
        Optional.empty(),
        Optional.of("keep"),
        4,
        4,
        0,
        List.of("alice", "bob", "carol", "dave"),
        subjectSha256,
        Optional.of(DIGEST),
        Optional.empty(),
        1_700_000_000_000L);
  }

  /** A round that came to nothing. */
  static RoundOutcome abort(RoundId id) {
    return new RoundOutcome(
        id,
        List.of("alice", "bob", "carol", "dave"),
        1,
        Encoding.none(),
        "abort",
        Optional.of("VERDICT_TIE"),
        Optional.empty(),
        4,
        2,
        2,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        1_700_000_000_000L);
  }

  public static String note(RoundOutcome outcome) {
    return ByteString.copyFrom(OutcomeNote.sign(outcome, Signed.KEY)).toStringUtf8();
  }

  static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private final class Service extends RoundServiceGrpc.RoundServiceImplBase {
    @Override
    public void propose(ProposeRequest request, StreamObserver<ProposeResponse> out) {
      proposals.add(request);
      script.accept(request, out);
    }

    @Override
    public void signOutcome(SignOutcomeRequest request, StreamObserver<Round> out) {
      signatures.add(request);
      out.onNext(Round.getDefaultInstance());
      out.onCompleted();
    }

    @Override
    public void getRound(GetRoundRequest request, StreamObserver<Round> out) {
      asked.incrementAndGet();
      Round round = rounds.get(new RoundId(request.getRound(), request.getEpoch()));
      if (round == null) {
        out.onError(fault(Status.Code.NOT_FOUND, "round_unknown"));
      } else {
        out.onNext(round);
        out.onCompleted();
      }
    }

    @Override
    public void watchRound(GetRoundRequest request, StreamObserver<Round> out) {
      Round round = rounds.get(new RoundId(request.getRound(), request.getEpoch()));
      if (round == null) {
        out.onError(fault(Status.Code.NOT_FOUND, "round_unknown"));
        return;
      }
      if (out instanceof ServerCallStreamObserver<Round> watched) {
        watched.setOnCancelHandler(() -> watchers.remove(out));
      }
      watchers.add(out);
      tell(out, round);
    }
  }

  private final class Tokens implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
      if (call.getMethodDescriptor().getFullMethodName().contains("RoundService")) {
        tokens.add(
            String.valueOf(
                metadata.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
      }
      return next.startCall(call, metadata);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
