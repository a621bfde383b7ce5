package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.HttpConnectProxiedSocketAddress;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Long transfers through a sidecar of its own process, in memory that does not grow: a download and
 * a call of gRPC that goes both ways, where it observes and through a tunnel that it allows. {@code
 * -Dsoak=1000} makes it 1 GB and ten minutes, the default 128 MB and 200 messages.
 */
@Timeout(3600)
class LongTransferIT {
  private static final boolean WHOLE = Integer.getInteger("soak", 0) >= 1000;
  private static final long BYTES = WHOLE ? 1L << 30 : 128L << 20;
  private static final long WARM_UP_BYTES = 32L << 20;
  private static final long GROWTH_BYTES = 64L << 20;
  private static final int MESSAGES = 200;
  private static final Duration TALK = Duration.ofMinutes(10);

  @TempDir Path folder;

  /** Gives as many bytes as the path says. */
  private static void serve(InputStream in, Socket socket) throws IOException {
    HttpBytes request = HttpBytes.readRequest(in).orElseThrow();
    long length = Long.parseLong(request.startLine().split("[ /]", -1)[2]);
    OutputStream out = socket.getOutputStream();
    out.write(
        ("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: "
                + length
                + "\r\n\r\n")
            .getBytes(ISO_8859_1));
    byte[] block = new byte[1 << 16];
    for (long left = length; left > 0; left -= block.length) {
      out.write(block, 0, (int) Math.min(block.length, left));
    }
    socket.shutdownOutput();
    in.readAllBytes();
  }

  /** Bytes of the body of an answer to one request. */
  private static long download(Socket socket, long length) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("GET /" + length + " HTTP/1.1\r\nHost: agent.test\r\nConnection: close\r\n\r\n")
                .getBytes(ISO_8859_1));
    socket.setSoTimeout(120_000);
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int one = in.read();
      if (one < 0) {
        throw new IOException("closed inside a head: " + head);
      }
      head.append((char) one);
    }
    assertThat(head.toString()).startsWith("HTTP/1.1 200");
    byte[] block = new byte[1 << 16];
    long read = 0;
    for (int n = in.read(block); n >= 0; n = in.read(block)) {
      read += n;
    }
    return read;
  }

  private static Socket tunnel(int port, int to) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    String authority = "127.0.0.1:" + to;
    socket
        .getOutputStream()
        .write(
            ("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n")
                .getBytes(ISO_8859_1));
    String told = "HTTP/1.1 200 Connection established\r\n\r\n";
    assertThat(new String(socket.getInputStream().readNBytes(told.length()), ISO_8859_1))
        .isEqualTo(told);
    return socket;
  }

  private ChildSidecar observing(int agentPort) throws IOException {
    return ChildSidecar.start(
        folder,
        "observing",
        "mode: observe\n",
        LocalSidecar.inboundTo(agentPort),
        LocalSidecar.outbound());
  }

  private ChildSidecar enforcing(int agentPort) throws IOException {
    return ChildSidecar.start(
        folder,
        "enforcing",
        LocalSidecar.inboundTo(agentPort),
        LocalSidecar.outbound().replaceFirst("listen:", "tunnels: ['127.0.0.1']\n  listen:"));
  }

  /** Opens a connection on which the agent answers. */
  private interface Way {
    Socket open() throws IOException;
  }

  private static void staysFlat(ChildSidecar sidecar, Way way) throws IOException {
    try (Socket warm = way.open()) {
      assertThat(download(warm, WARM_UP_BYTES)).isEqualTo(WARM_UP_BYTES);
    }
    sidecar.forgetPeak();
    long before = sidecar.peakBytes();
    try (Socket socket = way.open()) {
      assertThat(download(socket, BYTES)).isEqualTo(BYTES);
    }
    assertThat(sidecar.peakBytes() - before).isLessThan(GROWTH_BYTES);
  }

  @Test
  void aDownload_takesNoMemory_whereItObservesAndThroughATunnel() throws Exception {
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent()) {
      agent.serves(LongTransferIT::serve);
      try (ChildSidecar sidecar = observing(agent.port())) {
        staysFlat(sidecar, () -> new Socket(InetAddress.getLoopbackAddress(), sidecar.inbound()));
      }
      try (ChildSidecar sidecar = enforcing(agent.port())) {
        staysFlat(sidecar, () -> tunnel(sidecar.outboundPort(), agent.port()));
      }
    }
  }

  // ---- gRPC ----

  private static MethodDescriptor<byte[], byte[]> talk() {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodType.BIDI_STREAMING)
        .setFullMethodName("test.Echo/Talk")
        .setRequestMarshaller(ByteMessages.AS_SENT)
        .setResponseMarshaller(ByteMessages.AS_SENT)
        .build();
  }

  /** Says everything back at once. */
  private static final class Echo extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
      return ServerMethodDefinition.create(
          talk(),
          ServerCalls.asyncBidiStreamingCall(answers ->
              new StreamObserver<>() {
                @Override
                public void onNext(byte[] said) {
                  answers.onNext(said);
                }

                @Override
                public void onError(Throwable broken) {}

                @Override
                public void onCompleted() {
                  answers.onCompleted();
                }
              }));
    }
  }

  /** One message after the other, each said once the one before has come back. */
  private static void talks(ManagedChannel channel) throws InterruptedException {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try {
      StreamObserver<byte[]> say =
          ClientCalls.asyncBidiStreamingCall(
              channel.newCall(talk(), CallOptions.DEFAULT),
              new StreamObserver<>() {
                @Override
                public void onNext(byte[] back) {
                  heard.add("message " + back.length);
                }

                @Override
                public void onError(Throwable broken) {
                  heard.add(broken.toString());
                }

                @Override
                public void onCompleted() {
                  heard.add("end");
                }
              });
      long untilNs = System.nanoTime() + TALK.toNanos();
      for (int i = 1; WHOLE ? System.nanoTime() - untilNs < 0 : i <= MESSAGES; i++) {
        int length = 1 + i % 2000;
        say.onNext(new byte[length]);
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("message " + length);
      }
      say.onCompleted();
      assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("end");
    } finally {
      channel.shutdownNow();
      boolean _ = channel.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aCallThatGoesBothWays_takesNoMemory_whereItObservesAndThroughATunnel() throws Exception {
    Server agent =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .fallbackHandlerRegistry(new Echo())
            .build()
            .start();
    try {
      try (ChildSidecar sidecar = observing(agent.getPort())) {
        sidecar.forgetPeak();
        long before = sidecar.peakBytes();
        talks(
            NettyChannelBuilder.forAddress("127.0.0.1", sidecar.inbound()).usePlaintext().build());
        assertThat(sidecar.peakBytes() - before).isLessThan(2 * GROWTH_BYTES);
      }
      try (ChildSidecar sidecar = enforcing(agent.getPort())) {
        InetSocketAddress to = new InetSocketAddress("127.0.0.1", agent.getPort());
        InetSocketAddress proxy = new InetSocketAddress("127.0.0.1", sidecar.outboundPort());
        sidecar.forgetPeak();
        long before = sidecar.peakBytes();
        talks(
            NettyChannelBuilder.forAddress("127.0.0.1", agent.getPort())
                .usePlaintext()
                .proxyDetector(_ ->
                    HttpConnectProxiedSocketAddress.newBuilder()
                        .setTargetAddress(to)
                        .setProxyAddress(proxy)
                        .build())
                .build());
        assertThat(sidecar.peakBytes() - before).isLessThan(2 * GROWTH_BYTES);
      }
    } finally {
      agent.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }
}
