package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.service.testing.LeakCheck;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.util.internal.PlatformDependent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What cannot be taken whole over HTTP/2 goes on as it comes where nothing is held back. */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class H2PassageTest {
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

  private static final MethodDescriptor<byte[], byte[]> TALK =
      MethodDescriptor.newBuilder(BYTES, BYTES)
          .setFullMethodName("test.Echo/Talk")
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .build();

  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private Server server;
  private TestRelay relay;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("test.Echo")
                    .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(this::echo))
                    .build())
            .build()
            .start();
    relay = TestRelay.tap(new Destination("127.0.0.1", server.getPort(), HttpProtocol.HTTP2));
    channel = NettyChannelBuilder.forAddress("127.0.0.1", relay.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow();
    assertThat(channel.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    relay.close();
    server.shutdownNow();
    assertThat(server.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
  }

  private StreamObserver<byte[]> echo(StreamObserver<byte[]> back) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] value) {
        back.onNext(value);
      }

      @Override
      public void onError(Throwable cause) {
        ends.add("error");
      }

      @Override
      public void onCompleted() {
        ends.add("completed");
        back.onCompleted();
      }
    };
  }

  private StreamObserver<byte[]> talk(BlockingQueue<Object> heard) {
    return ClientCalls.asyncBidiStreamingCall(
        channel.newCall(TALK, CallOptions.DEFAULT),
        new StreamObserver<>() {
          @Override
          public void onNext(byte[] value) {
            heard.add(value);
          }

          @Override
          public void onError(Throwable cause) {
            heard.add(cause);
          }

          @Override
          public void onCompleted() {
            heard.add("completed");
          }
        });
  }

  private static Object next(BlockingQueue<Object> heard) throws InterruptedException {
    Object found = heard.poll(60, TimeUnit.SECONDS);
    return found == null ? "nothing" : found;
  }

  /** Each is answered before the next is said. */
  @Test
  void aConversationOfGrpc_goesBothWays() throws Exception {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    StreamObserver<byte[]> said = talk(heard);
    for (int i = 0; i < 50; i++) {
      said.onNext(new byte[] {(byte) i});
      assertThat(next(heard)).isEqualTo(new byte[] {(byte) i});
    }
    said.onCompleted();
    assertThat(next(heard)).isEqualTo("completed");
    assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo("completed");
    assertThat(relay.rejections).isEmpty();
  }

  @Test
  void aCallerThatGivesUp_isHeardOfAtTheOrigin() throws Exception {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    StreamObserver<byte[]> said = talk(heard);
    said.onNext(new byte[1]);
    assertThat(next(heard)).isEqualTo(new byte[1]);
    said.onError(new IOException("given up"));
    assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo("error");
  }

  @Test
  void aLongConversation_takesConstantMemory() throws Exception {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    StreamObserver<byte[]> said = talk(heard);
    int megabytes = Integer.getInteger("soak.megabytes", 64);
    byte[] piece = new byte[1 << 20];
    long most = 0;
    for (int i = 0; i < megabytes; i++) {
      said.onNext(piece);
      assertThat((byte[]) next(heard)).hasSize(piece.length);
      most = Math.max(most, PlatformDependent.usedDirectMemory());
    }
    said.onCompleted();
    assertThat(next(heard)).isEqualTo("completed");
    assertThat(most).isLessThan(256L << 20);
  }
}
