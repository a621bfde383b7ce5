package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.service.testing.LeakCheck;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.data.Index;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** grpc-java on both sides of the relay, which it knows nothing of. */
@ExtendWith(LeakCheck.class)
class GrpcRelayTest {
  private static final HttpMessageLimits LIMITS =
      new HttpMessageLimits(1024, 8192, 4 << 20, 100, 64, 64, 100, 32 << 20);
  private static final Metadata.Key<String> SEEN =
      Metadata.Key.of("x-seen", Metadata.ASCII_STRING_MARSHALLER);

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static MethodDescriptor<byte[], byte[]> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(BYTES, BYTES)
        .setFullMethodName("test.Echo/" + name)
        .setType(type)
        .build();
  }

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      method("Echo", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> FAIL =
      method("Fail", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> HOLD =
      method("Hold", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> COUNT =
      method("Count", MethodDescriptor.MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<byte[], byte[]> FOREVER =
      method("Forever", MethodDescriptor.MethodType.SERVER_STREAMING);

  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicReference<String> seen = new AtomicReference<>("");
  private final StreamRelay streams = new StreamRelay();
  private Server server;
  private TestRelay relay;
  private ManagedChannel channel;

  GrpcRelayTest() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(ServerInterceptors.intercept(service(), this::remember))
            .build()
            .start();
    relay =
        TestRelay.streaming(
            streams,
            new Destination("127.0.0.1", server.getPort(), HttpProtocol.HTTP2),
            LIMITS,
            TestRelay.PATIENT);
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port()))
            .usePlaintext()
            .build();
  }

  private <A, B> ServerCall.Listener<A> remember(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    seen.set(String.valueOf(headers.get(SEEN)));
    return next.startCall(call, headers);
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder("test.Echo")
        .addMethod(
            ECHO,
            ServerCalls.asyncUnaryCall((value, out) -> {
              out.onNext(value);
              out.onCompleted();
            }))
        .addMethod(
            FAIL,
            ServerCalls.asyncUnaryCall((_, out) ->
                out.onError(
                    Status.NOT_FOUND.withDescription("no such thing: é").asRuntimeException())))
        .addMethod(HOLD, ServerCalls.asyncUnaryCall((_, out) -> watch(out)))
        .addMethod(
            COUNT,
            ServerCalls.asyncServerStreamingCall((value, out) -> {
              for (int i = 0; i < value.length; i++) {
                out.onNext(new byte[] {value[i]});
              }
              out.onCompleted();
            }))
        .addMethod(
            FOREVER,
            ServerCalls.asyncServerStreamingCall((_, out) -> {
              ServerCallStreamObserver<byte[]> ready = watch(out);
              ready.setOnReadyHandler(() -> {
                while (ready.isReady() && !ready.isCancelled()) {
                  sent.incrementAndGet();
                  ready.onNext(new byte[10_000]);
                }
              });
            }))
        .build();
  }

  private ServerCallStreamObserver<byte[]> watch(StreamObserver<byte[]> out) {
    if (out instanceof ServerCallStreamObserver<byte[]> call) {
      call.setOnCancelHandler(() -> cancelled.set(true));
      return call;
    }
    throw new IllegalStateException("not a call of a server");
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow();
    relay.close();
    server.shutdownNow();
    channel.awaitTermination(5, TimeUnit.SECONDS);
    server.awaitTermination(5, TimeUnit.SECONDS);
  }

  private byte[] echo(byte[] value) {
    return ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, value);
  }

  @Test
  void unaryCall_isAnswered() {
    assertThat(echo(new byte[] {1, 2, 3})).containsExactly(1, 2, 3);
    assertThat(echo(new byte[0])).isEmpty();
  }

  @Test
  void failure_keepsItsStatusAndItsText() {
    assertThatThrownBy(
            () -> ClientCalls.blockingUnaryCall(channel, FAIL, CallOptions.DEFAULT, new byte[1]))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
              assertThat(e.getStatus().getDescription()).isEqualTo("no such thing: é");
            });
  }

  @Test
  void unknownMethod_isUnimplemented_asTheServerSays() {
    MethodDescriptor<byte[], byte[]> none = method("None", MethodDescriptor.MethodType.UNARY);
    assertThatThrownBy(
            () -> ClientCalls.blockingUnaryCall(channel, none, CallOptions.DEFAULT, new byte[1]))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
  }

  @Test
  void metadata_reachesTheServer() {
    Metadata headers = new Metadata();
    headers.put(SEEN, "yes");
    ClientCalls.blockingUnaryCall(
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
        ECHO,
        CallOptions.DEFAULT,
        new byte[1]);
    assertThat(seen).hasValue("yes");
  }

  @Test
  void messagesOfAMegabyte_passWhole() {
    byte[] large = new byte[1 << 20];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(echo(large)).isEqualTo(large);
    }
  }

  @Test
  void fortyCallsAtOnce_areAllAnswered() throws Exception {
    List<Future<byte[]>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      byte[] value = new byte[100_000];
      Arrays.fill(value, (byte) i);
      answers.add(ClientCalls.futureUnaryCall(channel.newCall(ECHO, CallOptions.DEFAULT), value));
    }
    for (int i = 0; i < 40; i++) {
      byte[] answer = answers.get(i).get(60, TimeUnit.SECONDS);
      assertThat(answer).hasSize(100_000).contains((byte) i, Index.atIndex(9));
    }
    assertThat(relay.originOpened).hasValue(1);
  }

  @Test
  void serverStream_arrivesInOrder() {
    byte[] values = new byte[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) i;
    }
    Iterator<byte[]> answers =
        ClientCalls.blockingServerStreamingCall(channel, COUNT, CallOptions.DEFAULT, values);
    for (byte value : values) {
      assertThat(answers.next()).containsExactly(value);
    }
    assertThat(answers.hasNext()).isFalse();
  }

  @Test
  void cancelledStream_isCancelledAtTheServer() {
    AtomicInteger got = new AtomicInteger();
    ClientCall<byte[], byte[]> call = channel.newCall(FOREVER, CallOptions.DEFAULT);
    ClientCalls.asyncServerStreamingCall(
        call,
        new byte[1],
        new StreamObserver<>() {
          @Override
          public void onNext(byte[] value) {
            got.incrementAndGet();
          }

          @Override
          public void onError(Throwable t) {
            got.addAndGet(1_000_000);
          }

          @Override
          public void onCompleted() {}
        });
    await().until(() -> got.get() > 3);
    call.cancel("enough", null);
    await().untilTrue(cancelled);
  }

  @Test
  void deadline_endsTheCallAtTheServerToo() {
    assertThatThrownBy(() ->
            ClientCalls.blockingUnaryCall(
                channel,
                HOLD,
                CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS),
                new byte[1]))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            // The server knows the deadline too, and may be the first to give up.
            e ->
                assertThat(e.getStatus().getCode())
                    .isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE));
    await().untilTrue(cancelled);
  }

  @Test
  void G16_messageOverTheLimit_isResourceExhausted() {
    assertThatThrownBy(() -> echo(new byte[5 << 20]))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
  }

  @Test
  void G15_sixtyFourStreamsThatNobodyReads_holdLittle() throws Exception {
    CountDownLatch open = new CountDownLatch(64);
    channel.shutdownNow();
    // Small windows, so that little of what was taken is with the client.
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port()))
            .usePlaintext()
            .flowControlWindow(65_535)
            .build();
    List<ClientCall<byte[], byte[]>> calls = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      ClientCall<byte[], byte[]> call = channel.newCall(FOREVER, CallOptions.DEFAULT);
      calls.add(call);
      call.start(
          new ClientCall.Listener<byte[]>() {
            @Override
            public void onHeaders(Metadata headers) {
              open.countDown();
            }
          },
          new Metadata());
      call.request(1);
      call.sendMessage(new byte[1]);
      call.halfClose();
    }
    assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
    await().until(() -> streams.pauses.get() >= 40);
    AtomicInteger before = new AtomicInteger(-1);
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> before.getAndSet(sent.get()) == sent.get());
    // What the relay took from the server and could not give away: a window each, and a piece.
    long heldBytes = streams.bytes.get();
    assertThat(heldBytes).isLessThan(64L * 4 * 65_536);
    for (ClientCall<byte[], byte[]> call : calls) {
      call.cancel("seen enough", null);
    }
    await().until(() -> streams.aborted.get() == 64);
  }
}
