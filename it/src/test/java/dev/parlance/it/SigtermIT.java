package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM under load, by clients of four kinds at once: HTTP/1.1 that keeps its connections,
 * HTTP/2, gRPC with whole and streamed answers, and server-sent events. As in a cluster, callers go
 * elsewhere once somebody has seen that the sidecar is not ready; nothing that was sent before may
 * fail. {@code -Dsoak=1000} makes a hundred rounds of it, the default one.
 */
class SigtermIT {
  private static final int ROUNDS = Math.max(1, Integer.getInteger("soak", 5) / 10);
  private static final long SEED = 11;
  private static final int WARM = 3;
  private static final int LONGEST_BEFORE_MS = 300;

  @TempDir Path folder = Path.of("");

  @Test
  void O1_toldToStop_everythingUnderWayIsAnswered_andItEndsWell() throws Exception {
    Random random = new Random(SEED);
    int answered = 0;
    try (BusyAgent agent = BusyAgent.start()) {
      for (int round = 0; round < ROUNDS; round++) {
        answered += new Round(agent, "r" + round, random.nextInt(LONGEST_BEFORE_MS)).run();
      }
    }
    System.out.printf(
        "SIGTERM under load: %d rounds, %d exchanges, none failed%n", ROUNDS, answered);
  }

  /** One sidecar from its start to its end. */
  private final class Round {
    private final BusyAgent agent;
    private final String name;
    private final int beforeMs;
    private final AtomicBoolean routed = new AtomicBoolean(true);
    private final AtomicInteger answered = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Set<String> decisions = ConcurrentHashMap.newKeySet();
    private final List<CountDownLatch> warm = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();

    Round(BusyAgent agent, String name, int beforeMs) {
      this.agent = agent;
      this.name = name;
      this.beforeMs = beforeMs;
    }

    int run() throws Exception {
      try (ChildSidecar sidecar =
              ChildSidecar.start(
                  folder,
                  name,
                  "inbound:\n  listen: 127.0.0.1:0\n  agent: 127.0.0.1:%d\n  grpcAgent: 127.0.0.1:%d\n"
                      .formatted(agent.port(), agent.grpcPort()),
                  "health:\n  listen: 127.0.0.1:0\n",
                  "timeouts: { noticeMs: 2000 }\n",
                  "routes:\n"
                      + "  - { name: grpc, match: { pathPrefix: /test.Busy }, onUnjudged: allow"
                      + " }\n",
                  "  - { name: all, stream: window }\n");
          HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
          H2Caller h2 = new H2Caller(sidecar.inbound());
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        // As the kubelet does; the first answer of a process takes long.
        assertThat(health(http, sidecar, "/startupz")).isEqualTo(200);
        assertThat(health(http, sidecar, "/readyz")).isEqualTo(200);
        ManagedChannel channel =
            NettyChannelBuilder.forAddress("127.0.0.1", sidecar.inbound()).usePlaintext().build();
        try {
          URI uri = URI.create("http://127.0.0.1:" + sidecar.inbound() + "/a2a");
          for (int i = 0; i < 4; i++) {
            loop(threads, "http1", id -> whole(http, uri, id));
            loop(threads, "http2", id -> overH2(h2, sidecar, id));
          }
          for (int i = 0; i < 2; i++) {
            loop(threads, "sse", id -> streamed(http, uri, id));
            loop(threads, "grpc", _ -> echo(channel));
            loop(threads, "grpc-stream", _ -> count(channel));
          }
          for (CountDownLatch one : warm) {
            assertThat(one.await(60, TimeUnit.SECONDS)).as(() -> "warm, " + failures).isTrue();
          }
          Thread.sleep(beforeMs);
          Future<Boolean> noticed = threads.submit(() -> untilNotReady(http, sidecar));
          sidecar.terminate();
          assertThat(noticed.get()).as("takes connections when it says it is not ready").isTrue();
          for (Future<?> one : running) {
            one.get();
          }
          assertThat(sidecar.awaitEnd()).isZero();
          assertThat(failures).as(name).isEmpty();
          assertThat(h2.goAways()).as(name).hasSize(2);
          assertThat(h2.goAways().getFirst()).isEqualTo(Integer.MAX_VALUE);
          assertThat(h2.goAways().getLast()).isBetween(1, 1_000_000);
        } finally {
          channel.shutdownNow();
        }
      }
      Set<String> logged =
          Admin.log(folder.resolve(name)).stream()
              .map(line -> line.path("id").asString(""))
              .collect(Collectors.toSet());
      assertThat(logged).as("the log is written out").containsAll(decisions);
      assertThat(decisions).isNotEmpty();
      return answered.get();
    }

    /** As an endpoint controller does: looks again and again, and takes it out when it is not. */
    private boolean untilNotReady(HttpClient http, ChildSidecar sidecar) throws Exception {
      long lookedNs = System.nanoTime();
      try {
        while (health(http, sidecar, "/readyz") == 200) {
          lookedNs = System.nanoTime();
          Thread.sleep(10);
        }
      } catch (IOException e) {
        long sinceMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lookedNs);
        throw new AssertionError(
            "no answer about readiness, the last was %d ms ago".formatted(sinceMs), e);
      }
      try (Socket late = new Socket(InetAddress.getLoopbackAddress(), sidecar.inbound())) {
        return late.isConnected();
      } finally {
        routed.set(false);
      }
    }

    private static int health(HttpClient http, ChildSidecar sidecar, String path)
        throws IOException, InterruptedException {
      URI uri = URI.create("http://127.0.0.1:" + sidecar.health() + path);
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .statusCode();
    }

    private void loop(ExecutorService threads, String kind, Exchange exchange) {
      CountDownLatch first = new CountDownLatch(WARM);
      warm.add(first);
      Callable<Void> work =
          () -> {
            for (int i = 0; routed.get(); i++) {
              try {
                exchange.once(kind.hashCode() + i);
                answered.incrementAndGet();
                first.countDown();
              } catch (Exception | AssertionError e) {
                failures.add(kind + " " + i + ": " + e);
                return null;
              }
            }
            return null;
          };
      running.add(threads.submit(work));
    }

    private HttpRequest post(URI uri, String body) {
      return HttpRequest.newBuilder(uri)
          .header("Content-Type", "application/json")
          .header("A2A-Version", "1.0")
          .POST(HttpRequest.BodyPublishers.ofString(body))
          .build();
    }

    private void whole(HttpClient http, URI uri, int id) throws Exception {
      HttpResponse<String> reply =
          http.send(
              post(uri, A2a.ask(Integer.toString(id), "c" + id, "When?")),
              HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(200);
      check(reply.body(), id);
      decisions.add(reply.headers().firstValue("Parlance-Decision").orElseThrow());
    }

    private void overH2(H2Caller first, ChildSidecar sidecar, int id) throws Exception {
      if (first.goAways().isEmpty()) {
        ask(first, id);
        return;
      }
      // As told: on another connection.
      try (H2Caller next = new H2Caller(sidecar.inbound())) {
        ask(next, id);
      }
    }

    private void ask(H2Caller h2, int id) throws Exception {
      H2Caller.Reply reply =
          h2.post(A2a.ask(Integer.toString(id), "c" + id, "When?")).get(60, TimeUnit.SECONDS);
      assertThat(reply.status()).isEqualTo("200");
      check(reply.body(), id);
      decisions.add(reply.decision());
    }

    private static void check(String body, int id) {
      assertThat(A2a.JSON.readTree(body).path("id").asInt()).isEqualTo(id);
      assertThat(body).contains(A2a.GROUNDED, "\"execute\"");
    }

    private void streamed(HttpClient http, URI uri, int id) throws Exception {
      String body =
          A2a.ask(Integer.toString(id), "s" + id, "When must the impeller be replaced?")
              .replace("SendMessage", "SendStreamingMessage");
      HttpResponse<String> reply = http.send(post(uri, body), HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.body().lines().filter(line -> line.startsWith("data:")).toList())
          .hasSize(BusyAgent.PIECES + 2)
          .last()
          .asString()
          .contains("TASK_STATE_COMPLETED");
    }

    private static void echo(ManagedChannel channel) {
      byte[] reply =
          ClientCalls.blockingUnaryCall(
              channel, BusyAgent.ECHO, CallOptions.DEFAULT, new byte[] {1, 2, 3});
      assertThat(reply).containsExactly(1, 2, 3);
    }

    private static void count(ManagedChannel channel) {
      Iterator<byte[]> replies =
          ClientCalls.blockingServerStreamingCall(
              channel, BusyAgent.COUNT, CallOptions.DEFAULT, new byte[] {7});
      int pieces = 0;
      while (replies.hasNext()) {
        assertThat(replies.next()).containsExactly(7);
        pieces++;
      }
      assertThat(pieces).isEqualTo(BusyAgent.PIECES);
    }
  }

  /** One question and its answer, or an exception. */
  private interface Exchange {
    void once(int id) throws Exception;
  }
}
