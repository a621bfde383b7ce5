package dev.parlance.proxy.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.admin.AdminPorts.ProbePort.ProbeResult;
import dev.parlance.proxy.config.Probe;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent as the kubelet would find it. */
@ExtendWith(LeakCheck.class)
class AgentProbesTest {
  private static final int TIMEOUT_MS = 20_000;

  private final EventLoops loops = EventLoops.start(1);
  private final List<Probe> configured = new ArrayList<>();
  private final AgentProbes probes =
      new AgentProbes(() -> List.copyOf(configured), new GrpcCheck(loops));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch held = new CountDownLatch(1);
  private ServerSocket agent = unbound();
  private volatile String answer = "HTTP/1.1 200 OK\r\n\r\n";

  private static ServerSocket unbound() {
    try {
      return new ServerSocket();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void begin() throws IOException {
    agent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var _ = threads.submit(this::accept);
  }

  @AfterEach
  void end() throws IOException {
    held.countDown();
    agent.close();
    threads.shutdownNow();
    loops.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = agent.accept();
        connections.incrementAndGet();
        var _ = threads.submit(() -> serve(connection));
      }
    } catch (IOException e) {
      // closed: the test is over
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
      StringBuilder head = new StringBuilder();
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        head.append(line).append('\n');
      }
      heads.add(head.toString());
      if (answer.equals("held")) {
        held.await();
      } else if (answer.equals("trickle")) {
        while (!connection.isClosed()) {
          connection.getOutputStream().write('H');
          Thread.sleep(20);
        }
      } else {
        connection.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      // the probe has had what it wanted
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ProbeResult probe(int port, int timeoutMs, Probe.Check check) {
    configured.add(new Probe("p" + configured.size(), "127.0.0.1", port, check, timeoutMs));
    return probes.probe(configured.getLast().name()).orElseThrow();
  }

  private static Probe.Check http(Probe.Header... headers) {
    return new Probe.Check.Http(Probe.Scheme.HTTP, "/healthz?full=1", List.of(headers));
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 200 OK, true",
    "HTTP/1.0 204, true",
    "HTTP/1.1 302 Found, true",
    "HTTP/1.1 399 x, true",
    "HTTP/1.1 400 Bad Request, false",
    "HTTP/1.1 503 x, false",
    "HTTP/1.1 100 Continue, false",
    "HTTP/2 200, false",
    "SSH-2.0-x, false",
    "'', false",
  })
  void http_isGood_from200To399(String statusLine, boolean good) {
    answer = statusLine + "\r\nX: y\r\n\r\n";
    assertThat(probe(agent.getLocalPort(), TIMEOUT_MS, http()).good()).isEqualTo(good);
  }

  @Test
  void http_saysWhatWasConfigured() throws InterruptedException {
    assertThat(
            probe(
                    agent.getLocalPort(),
                    TIMEOUT_MS,
                    http(new Probe.Header("X-A", "b"), new Probe.Header("Host", "agent.test")))
                .good())
        .isTrue();
    assertThat(heads.take())
        .startsWith("GET /healthz?full=1 HTTP/1.1\n")
        .contains("X-A: b\n", "Host: agent.test\n", "User-Agent: kube-probe")
        .doesNotContain("127.0.0.1");
  }

  @Test
  void agentThatDoesNotAnswer_orByteByByte_isBad_inTime() {
    for (String way : List.of("held", "trickle")) {
      answer = way;
      // An agent that is not left to itself keeps this here for ever.
      assertThat(probe(agent.getLocalPort(), 300, http()).good()).as(way).isFalse();
    }
  }

  @Test
  void tcp_wantsAConnection() throws IOException {
    assertThat(probe(agent.getLocalPort(), TIMEOUT_MS, new Probe.Check.Tcp()).good()).isTrue();
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    ProbeResult refused = probe(free, TIMEOUT_MS, new Probe.Check.Tcp());
    assertThat(refused.good()).isFalse();
    assertThat(refused.detail()).contains("cannot connect");
    assertThat(probe(free, TIMEOUT_MS, http()).good()).isFalse();
    assertThat(probe(free, TIMEOUT_MS, new Probe.Check.Grpc("")).good()).isFalse();
  }

  @Test
  void unknownName_isNone_andAChangedConfigurationCounts() {
    assertThat(probes.probe("later")).isEmpty();
    configured.add(
        new Probe("later", "127.0.0.1", agent.getLocalPort(), new Probe.Check.Tcp(), TIMEOUT_MS));
    assertThat(probes.probe("later")).map(ProbeResult::good).isEqualTo(Optional.of(true));
  }

  @Test
  void manyWhoAskAtOnce_costTheAgentOneConnection() throws Exception {
    answer = "held";
    configured.add(new Probe("p", "127.0.0.1", agent.getLocalPort(), http(), 20_000));
    List<Future<Optional<ProbeResult>>> asked = new ArrayList<>();
    asked.add(threads.submit(() -> probes.probe("p")));
    heads.take();
    for (int i = 0; i < 50; i++) {
      asked.add(threads.submit(() -> probes.probe("p")));
    }
    Thread last = Thread.ofVirtual().start(() -> probes.probe("p"));
    while (last.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    held.countDown();
    for (Future<Optional<ProbeResult>> one : asked) {
      assertThat(one.get()).isPresent();
    }
    last.join();
    // Whoever came after the end of the first has one of his own, and those share one again.
    assertThat(connections.get()).isBetween(1, 10);
  }

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

  /** Serves the service "a.B" and the server itself; "down" is not serving; others are unknown. */
  private static Server health() throws IOException {
    MethodDescriptor<byte[], byte[]> check =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setFullMethodName("grpc.health.v1.Health/Check")
            .setType(MethodDescriptor.MethodType.UNARY)
            .build();
    return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(
            ServerServiceDefinition.builder("grpc.health.v1.Health")
                .addMethod(
                    check,
                    ServerCalls.asyncUnaryCall((request, observer) -> {
                      switch (HexFormat.of().formatHex(request)) {
                        case "", "0a03612e42" -> observer.onNext(new byte[] {8, 1});
                        case "0a04646f776e" -> observer.onNext(new byte[] {8, 2});
                        default -> {
                          observer.onError(Status.NOT_FOUND.asRuntimeException());
                          return;
                        }
                      }
                      observer.onCompleted();
                    }))
                .build())
        .build()
        .start();
  }

  @Test
  void grpc_wantsServing() throws Exception {
    Server server = health();
    try {
      int port = server.getPort();
      assertThat(probe(port, TIMEOUT_MS, new Probe.Check.Grpc("")).good()).isTrue();
      assertThat(probe(port, TIMEOUT_MS, new Probe.Check.Grpc("a.B")).good()).isTrue();
      assertThat(probe(port, TIMEOUT_MS, new Probe.Check.Grpc("down")))
          .isEqualTo(new ProbeResult(false, "the agent is not serving"));
      assertThat(probe(port, TIMEOUT_MS, new Probe.Check.Grpc("x".repeat(200))).detail())
          .contains("grpc-status 5");
      assertThat(probe(agent.getLocalPort(), 500, new Probe.Check.Grpc("")).good()).isFalse();
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }
}
