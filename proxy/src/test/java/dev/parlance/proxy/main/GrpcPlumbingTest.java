package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services of gRPC that say nothing for an agent pass by their names; grpc-java on both sides. */
class GrpcPlumbingTest extends SidecarFixture {
  private static final byte[] ESSAY =
      "The walrus of the north hall was sold to the topaz. "
          .repeat(20)
          .getBytes(StandardCharsets.UTF_8);
  private static final byte[] SERVING = {8, 1};
  private static final byte[] NOT_SERVING = {8, 2};

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

  /** Answers every method alike. */
  private final class Any extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
      return ServerMethodDefinition.create(
          method(name, MethodType.SERVER_STREAMING),
          ServerCalls.asyncServerStreamingCall((_, out) -> {
            called.add(name);
            answer.accept(out);
          }));
    }
  }

  private final List<String> called = new ArrayList<>();
  private Consumer<StreamObserver<byte[]>> answer = _ -> {};
  private Server server = unstarted();
  private ManagedChannel channel = unstarted();

  private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(BYTES, BYTES).setFullMethodName(name).setType(type).build();
  }

  @BeforeEach
  void serve() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .fallbackHandlerRegistry(new Any())
            .build()
            .start();
    Path file = folder.resolve("grpc.yaml");
    Files.writeString(
        file,
        """
        version: 1
        dataDir: data
        startup: { warmUpMessages: 0 }
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d" }
        admin: { listen: "127.0.0.1:0" }
        """
            .formatted(server.getPort()));
    sidecar =
        Sidecar.start(
            dev.parlance.proxy.config.file.ConfigLoader.load(file).loaded().orElseThrow(), file);
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", sidecar.inboundPort().orElseThrow())
            .usePlaintext()
            .build();
  }

  @AfterEach
  void end() throws InterruptedException {
    channel.shutdownNow();
    server.shutdownNow();
    assertThat(channel.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(server.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
  }

  private void answering(byte[]... messages) {
    answer =
        out -> {
          for (byte[] message : messages) {
            out.onNext(message);
          }
          out.onCompleted();
        };
  }

  private byte[] call(String name, byte[] request) {
    return ClientCalls.blockingUnaryCall(
        channel, method(name, MethodType.UNARY), CallOptions.DEFAULT, request);
  }

  private Iterator<byte[]> stream(String name, byte[] request) {
    return ClientCalls.blockingServerStreamingCall(
        channel, method(name, MethodType.SERVER_STREAMING), CallOptions.DEFAULT, request);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grpc.health.v1.Health/Check",
        "opentelemetry.proto.collector.trace.v1.TraceService/Export",
        "opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
        "opentelemetry.proto.collector.logs.v1.LogsService/Export",
      })
  void callsPassByTheirName(String name) throws Exception {
    answering(SERVING);
    assertThat(call(name, new byte[0])).isEqualTo(SERVING);
    assertThat(called).containsExactly(name);
    assertThat(scrape()).containsPattern("parlance_plumbing_total\\{name=\"(grpc_health|tele)");
  }

  @Test
  void reflectionPasses() throws Exception {
    answering(ESSAY, ESSAY);
    Iterator<byte[]> answers =
        stream("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", new byte[] {58, 0});
    assertThat(answers.next()).isEqualTo(ESSAY);
    assertThat(answers.next()).isEqualTo(ESSAY);
    assertThat(answers.hasNext()).isFalse();
    assertThat(scrape()).contains("parlance_plumbing_total{name=\"grpc_reflection\"} 1.0");
  }

  @Test
  void watchedStatesArriveWhileTheStreamIsOpen() {
    List<StreamObserver<byte[]>> open = new ArrayList<>();
    answer =
        out -> {
          open.add(out);
          out.onNext(SERVING);
        };
    Iterator<byte[]> states = stream("grpc.health.v1.Health/Watch", new byte[0]);
    assertThat(states.next()).isEqualTo(SERVING);
    open.getFirst().onNext(NOT_SERVING);
    assertThat(states.next()).isEqualTo(NOT_SERVING);
    open.getFirst().onCompleted();
    assertThat(states.hasNext()).isFalse();
  }

  @Test
  void wordsInAWatchedStateDoNotArrive() throws Exception {
    answer =
        out -> {
          out.onNext(SERVING);
          out.onNext(ESSAY);
        };
    Iterator<byte[]> states = stream("grpc.health.v1.Health/Watch", new byte[0]);
    assertThatThrownBy(
            () -> {
              while (states.hasNext()) {
                assertThat(states.next()).isEqualTo(SERVING);
              }
            })
        .isInstanceOf(StatusRuntimeException.class)
        .message()
        .doesNotContain("walrus");
    assertThat(scrape()).contains("parlance_stream_cut_total{reason=\"unjudged\"} 1.0");
  }

  @Test
  void wordsInAStateOrAnAccountDoNotArrive() {
    answering(ESSAY);
    for (String name :
        List.of(
            "grpc.health.v1.Health/Check",
            "opentelemetry.proto.collector.logs.v1.LogsService/Export")) {
      assertThatThrownBy(() -> call(name, new byte[0]))
          .isInstanceOf(StatusRuntimeException.class)
          .message()
          .contains("plumbing_size")
          .doesNotContain("walrus");
    }
  }

  @Test
  void wordsInARequestDoNotReachTheAgent() {
    answering(SERVING);
    assertThatThrownBy(() -> call("grpc.health.v1.Health/Check", ESSAY))
        .isInstanceOf(StatusRuntimeException.class);
    assertThatThrownBy(() -> call("shop.Orders/Place", ESSAY))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(called).isEmpty();
  }

  @Test
  void aStatusKeepsItsCodeAndAShortText() {
    answer = out -> out.onError(Status.NOT_FOUND.withDescription("no such service").asException());
    assertThatThrownBy(() -> call("grpc.health.v1.Health/Check", new byte[0]))
        .hasMessage("NOT_FOUND: no such service");
    answer =
        out ->
            out.onError(
                Status.NOT_FOUND
                    .withDescription(new String(ESSAY, 0, 600, StandardCharsets.UTF_8))
                    .asException());
    assertThatThrownBy(() -> call("grpc.health.v1.Health/Check", new byte[0]))
        .hasMessage("NOT_FOUND");
  }
}
