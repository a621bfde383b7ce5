package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.proto.v1.AttestRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.Party;
import dev.parlance.proto.v1.ReportRequest;
import dev.parlance.proto.v1.ReportResponse;
import dev.parlance.proto.v1.WatchPactsRequest;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.pact.PactControl;
import dev.parlance.service.Result;
import dev.parlance.service.config.HostPort;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls about pacts over a real socket: what answers, silence and refusals come to. */
class PactCallsTest {
  private static final String PARTY = "org1/buyer";
  private static final String NOTE = "the note\n";
  private static final long WAIT_S = 60;

  @TempDir Path folder;
  private final Plane plane = new Plane();
  private final List<Server> servers = new ArrayList<>();
  private @Nullable PactCalls opened;
  private static boolean isWarm;

  /** The pacts of a control plane that does what a test says. */
  private static final class Plane extends PactServiceGrpc.PactServiceImplBase {
    final AtomicInteger attested = new AtomicInteger();
    final BlockingQueue<StreamObserver<Pact>> begun = new LinkedBlockingQueue<>();
    volatile BiConsumer<AttestRequest, StreamObserver<Pact>> onAttest =
        (request, out) -> say(out, pact("active", request.getNote()));

    @Override
    public void attest(AttestRequest request, StreamObserver<Pact> out) {
      attested.incrementAndGet();
      onAttest.accept(request, out);
    }

    @Override
    public void getPact(GetPactRequest request, StreamObserver<Pact> out) {
      out.onError(fault(Status.Code.NOT_FOUND, "pact_unknown"));
    }

    @Override
    public void getParty(GetPartyRequest request, StreamObserver<Party> out) {
      say(
          out,
          Party.newBuilder()
              .setParty(request.getParty())
              .addVkeys(key(request.getParty()).format())
              .addVkeys(key("somebody-else").format())
              .addVkeys("no key at all")
              .build());
    }

    @Override
    public void report(ReportRequest request, StreamObserver<ReportResponse> out) {
      say(out, ReportResponse.newBuilder().setResult("accepted").build());
    }

    @Override
    public void watchPacts(WatchPactsRequest request, StreamObserver<Pact> out) {
      begun.add(out);
    }
  }

  /** Lets in who has the token. */
  private static final class Door implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      String said = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
      if ("Bearer right".equals(said)) {
        return next.startCall(call, headers);
      }
      call.close(Status.UNAUTHENTICATED.withDescription("wrong token"), reason("unauthenticated"));
      return new ServerCall.Listener<>() {};
    }
  }

  private static <T> void say(StreamObserver<T> out, T answer) {
    out.onNext(answer);
    out.onCompleted();
  }

  private static VerifierKey key(String party) {
    return SignerKey.generate(party, KeyType.ED25519).verifier();
  }

  private static Pact pact(String state, ByteString note) {
    return Pact.newBuilder()
        .setPact("p-1")
        .addParties(PARTY)
        .addParties("org2/seller")
        .setState(state)
        .setSha256("ab".repeat(32))
        .setNote(note)
        .build();
  }

  private static Metadata reason(String code) {
    Metadata trailers = new Metadata();
    trailers.put(Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER), code);
    return trailers;
  }

  private static RuntimeException fault(Status.Code code, String reason) {
    return Status.fromCode(code).withDescription(reason).asRuntimeException(reason(reason));
  }

  private Server server(int port) throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .addService(plane)
            .intercept(new Door())
            .build()
            .start();
    servers.add(server);
    return server;
  }

  private PactCalls calls(int port) {
    PactCalls calls =
        new PactCalls(
            PARTY,
            new ControlCalls.Settings(
                new ControlChannels.Settings(
                    new HostPort("127.0.0.1", port), Optional.empty(), "test", 1 << 20),
                ControlCredentials.token(folder.resolve("token"))),
            RandomGeneratorFactory.of("L64X128MixRandom").create(7));
    opened = calls;
    return calls;
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(folder.resolve("token"), "right");
    if (!isWarm) {
      // The first call of a JVM loads some thousand classes, for which a call has no time.
      try (PactCalls first = calls(server(0).getPort())) {
        await()
            .atMost(Duration.ofSeconds(WAIT_S))
            .until(() -> answer(first.keys("warm-up")) instanceof Result.Done<?>);
      }
      isWarm = true;
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    if (opened != null) {
      opened.close();
    }
    for (Server server : servers) {
      assertThat(server.shutdownNow().awaitTermination(WAIT_S, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static <T> Result<T> answer(CompletableFuture<Result<T>> asked) throws Exception {
    return asked.get(WAIT_S, TimeUnit.SECONDS);
  }

  private static <T> Result.Refused<T> refused(CompletableFuture<Result<T>> asked)
      throws Exception {
    Result<T> answer = answer(asked);
    assertThat(answer).isInstanceOf(Result.Refused.class);
    return (Result.Refused<T>) answer;
  }

  @Test
  void anAttestationComesBackAsItStands() throws Exception {
    PactCalls calls = calls(server(0).getPort());
    assertThat(answer(calls.attest(NOTE)))
        .isInstanceOfSatisfying(
            Result.Done.class,
            done ->
                assertThat(done.value())
                    .isInstanceOfSatisfying(
                        PactControl.View.class,
                        view -> {
                          assertThat(view.state()).isEqualTo("active");
                          assertThat(view.note()).isEqualTo(NOTE);
                          assertThat(view.reason()).isEmpty();
                        }));
    assertThat(answer(calls.report(NOTE))).isEqualTo(Result.done(true));
  }

  @Test
  void keysOfSomebodyElse_andWhatIsNoKey_areLeftOut() throws Exception {
    PactCalls calls = calls(server(0).getPort());
    if (answer(calls.keys("org2/seller"))
        instanceof Result.Done<List<VerifierKey>>(List<VerifierKey> keys)) {
      assertThat(keys).extracting(VerifierKey::name).containsExactly("org2/seller");
    } else {
      throw new AssertionError("no keys");
    }
  }

  @Test
  void aRefusalWithAReasonIsARefusal() throws Exception {
    PactCalls calls = calls(server(0).getPort());
    Result.Refused<PactControl.View> unknown = refused(calls.get("p-9"));
    assertThat(unknown.kind()).isEqualTo(Result.Kind.NOT_FOUND);
    assertThat(unknown.reason()).isEqualTo("pact_unknown");
    plane.onAttest =
        (_, out) -> out.onError(fault(Status.Code.INVALID_ARGUMENT, "pact_not_signed"));
    assertThat(refused(calls.attest(NOTE)).kind()).isEqualTo(Result.Kind.PRECONDITION);
    plane.onAttest =
        (_, out) -> out.onError(fault(Status.Code.RESOURCE_EXHAUSTED, "too_many_pacts"));
    // There may be room later: what is owed stays owed.
    assertThat(refused(calls.attest(NOTE)).kind()).isEqualTo(Result.Kind.UNAVAILABLE);
  }

  @Test
  void aRefusalWithoutAReason_isNotTheControlPlanes_andPasses() throws Exception {
    PactCalls calls = calls(server(0).getPort());
    plane.onAttest = (_, out) -> out.onError(Status.NOT_FOUND.asRuntimeException());
    assertThat(refused(calls.attest(NOTE)).kind()).isEqualTo(Result.Kind.UNAVAILABLE);
  }

  @Test
  void aWrongTokenIsNoRefusalOfThePact_andTheRightOneIsReadWhenItIsThere() throws Exception {
    PactCalls calls = calls(server(0).getPort());
    Files.writeString(folder.resolve("token"), "wrong");
    Result.Refused<PactControl.View> refused = refused(calls.attest(NOTE));
    assertThat(refused.kind()).isEqualTo(Result.Kind.UNAVAILABLE);
    assertThat(refused.message()).contains("unauthenticated");
    assertThat(plane.attested).hasValue(0);
    Files.writeString(folder.resolve("token"), "right");
    assertThat(answer(calls.attest(NOTE))).isInstanceOf(Result.Done.class);
  }

  @Test
  void withoutATokenFileNothingIsAsked() throws Exception {
    Files.delete(folder.resolve("token"));
    PactCalls calls = calls(server(0).getPort());
    assertThat(refused(calls.attest(NOTE)).kind()).isEqualTo(Result.Kind.UNAVAILABLE);
    assertThat(plane.attested).hasValue(0);
  }

  @Test
  void whereNobodyListens_itIsUnavailable_withinItsTime_andLaterCallsGetThere() throws Exception {
    Server first = server(0);
    int port = first.getPort();
    first.shutdownNow().awaitTermination(WAIT_S, TimeUnit.SECONDS);
    PactCalls calls = calls(port);
    assertThat(refused(calls.attest(NOTE)).kind()).isEqualTo(Result.Kind.UNAVAILABLE);
    Server _ = server(port);
    // Calls fail at once while it rests.
    await()
        .atMost(Duration.ofSeconds(WAIT_S))
        .until(() -> answer(calls.attest(NOTE)) instanceof Result.Done<PactControl.View>);
  }

  @Test
  void aPlaneThatTakesTheCallAndSaysNothing_isUnavailable_afterItsTime() throws Exception {
    plane.onAttest = (_, _) -> {};
    PactCalls calls = calls(server(0).getPort());
    long begunNs = System.nanoTime();
    assertThat(refused(calls.attest(NOTE)).kind()).isEqualTo(Result.Kind.UNAVAILABLE);
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs))
        .isGreaterThanOrEqualTo(PactCalls.TIMEOUT_MS - 1_000L);
  }

  @Test
  void oneCallTooMany_isToldSo_andThereIsRoomAgainLater() throws Exception {
    List<StreamObserver<Pact>> waiting = new CopyOnWriteArrayList<>();
    plane.onAttest = (_, out) -> waiting.add(out);
    PactCalls calls = calls(server(0).getPort());
    List<CompletableFuture<Result<PactControl.View>>> all = new ArrayList<>();
    for (int i = 0; i < ControlCalls.MAX_CALLS; i++) {
      all.add(calls.attest(NOTE));
    }
    Result.Refused<PactControl.View> refused = refused(calls.attest(NOTE));
    assertThat(refused.kind()).isEqualTo(Result.Kind.EXHAUSTED);
    assertThat(refused.reason()).isEqualTo("busy");
    for (CompletableFuture<Result<PactControl.View>> one : all) {
      assertThat(refused(one).kind()).isEqualTo(Result.Kind.UNAVAILABLE);
    }
    plane.onAttest = (request, out) -> say(out, pact("active", request.getNote()));
    assertThat(answer(calls.attest(NOTE))).isInstanceOf(Result.Done.class);
  }

  @Test
  void aWatchThatIsCutBeginsAgain() throws Exception {
    PactCalls calls = calls(server(0).getPort());
    BlockingQueue<PactControl.View> seen = new LinkedBlockingQueue<>();
    AtomicInteger times = new AtomicInteger();
    calls.watch(seen::add, times::incrementAndGet);
    StreamObserver<Pact> first = begun();
    first.onNext(pact("active", ByteString.copyFromUtf8(NOTE)));
    assertThat(seen.poll(WAIT_S, TimeUnit.SECONDS)).isNotNull();
    first.onError(Status.UNAVAILABLE.asRuntimeException());
    StreamObserver<Pact> second = begun();
    second.onNext(pact("dissolved", ByteString.copyFromUtf8(NOTE)));
    assertThat(seen.poll(WAIT_S, TimeUnit.SECONDS))
        .isNotNull()
        .extracting(PactControl.View::state)
        .isEqualTo("dissolved");
    assertThat(times).hasValue(2);
  }

  private StreamObserver<Pact> begun() throws InterruptedException {
    StreamObserver<Pact> stream = plane.begun.poll(WAIT_S, TimeUnit.SECONDS);
    if (stream == null) {
      throw new AssertionError("nobody watches");
    }
    return stream;
  }
}
