package dev.parlance.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthServerTest implements AdminPorts.HealthPort {
  private final List<String> notReady = new CopyOnWriteArrayList<>();
  private final List<String> notStarted = new CopyOnWriteArrayList<>();
  private final List<String> notLive = new CopyOnWriteArrayList<>();
  private final AtomicInteger scrapes = new AtomicInteger();
  private final CountDownLatch slowProbe = new CountDownLatch(1);
  private final List<AutoCloseable> open = new ArrayList<>();
  private int port;

  @Override
  public List<String> notReady() {
    return List.copyOf(notReady);
  }

  @Override
  public List<String> notStarted() {
    return List.copyOf(notStarted);
  }

  @Override
  public List<String> notLive() {
    return List.copyOf(notLive);
  }

  private Optional<AdminPorts.ProbePort.ProbeResult> probe(String name) {
    return switch (name) {
      case "good" ->
          Optional.of(new AdminPorts.ProbePort.ProbeResult(true, "the agent answered 200"));
      case "bad" ->
          Optional.of(new AdminPorts.ProbePort.ProbeResult(false, "the agent answered 500"));
      case "slow" -> {
        try {
          slowProbe.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        yield Optional.of(new AdminPorts.ProbePort.ProbeResult(true, "at last"));
      }
      default -> Optional.empty();
    };
  }

  @BeforeEach
  void begin() throws IOException {
    HealthServer server =
        HealthServer.start(
            new Listen("127.0.0.1", 0),
            this,
            () -> "up " + scrapes.incrementAndGet() + "\n" + "# filler\n".repeat(200_000),
            this::probe);
    open.add(server);
    port = server.port();
  }

  @AfterEach
  void end() throws Exception {
    slowProbe.countDown();
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private RawClient connect() throws IOException {
    RawClient client = new RawClient(port);
    open.add(client);
    return client;
  }

  private RawClient.Answer get(String target) throws IOException {
    try (RawClient client = new RawClient(port)) {
      client.send("GET " + target + " HTTP/1.1\r\nHost: 10.2.3.4:15020\r\n\r\n");
      return client.read();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/livez, 200, application/json",
    "/readyz, 200, application/json",
    "/startupz, 200, application/json",
    "/readyz?verbose, 200, application/json",
    "/metrics, 200, text/plain; version=0.0.4; charset=utf-8",
    "/probe/good, 200, text/plain; charset=utf-8",
    "/probe/bad, 503, application/json",
    "/probe/none, 404, application/json",
    "/probe/, 404, application/json",
    "/, 404, application/json",
  })
  void paths(String target, int status, String contentType) throws IOException {
    RawClient.Answer answer = get(target);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("content-type")).isEqualTo(contentType);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/config", "/decisions", "/explain/d1", "/review", "/cores", "/rounds/r/1"})
  void nothingOfTheAdminApi_isHere(String target) throws IOException {
    assertThat(get(target).status()).isEqualTo(404);
  }

  @Test
  void otherMethods_areRefused() throws IOException {
    for (String method : List.of("POST", "DELETE", "OPTIONS")) {
      try (RawClient client = new RawClient(port)) {
        client.send(method + " /livez HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(405);
      }
    }
  }

  @Test
  void eachQuestion_hasItsOwnReasons() throws IOException {
    notReady.add("draining");
    assertThat(get("/readyz").body()).contains("\"ready\" : false").contains("draining");
    assertThat(get("/readyz").status()).isEqualTo(503);
    assertThat(get("/startupz").status()).isEqualTo(200);
    assertThat(get("/livez").status()).isEqualTo(200);
    notStarted.add("starting");
    assertThat(get("/startupz").status()).isEqualTo(503);
    assertThat(get("/livez").status()).isEqualTo(200);
    notLive.add("1 of 2 threads that carry messages do not run");
    assertThat(get("/livez").status()).isEqualTo(503);
  }

  @Test
  void O7_manyScrapes_costFew() throws Exception {
    long beganNs = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> asked = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        asked.add(threads.submit(() -> get("/metrics").status()));
      }
      for (Future<Integer> one : asked) {
        assertThat(one.get()).isEqualTo(200);
      }
    }
    long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
    assertThat(scrapes.get()).isBetween(1, 2 + (int) (tookMs / 200));
  }

  @Test
  void O7_scrapersThatDoNotRead_andSlowProbes_holdNobodyUp() throws IOException {
    for (int i = 0; i < 20; i++) {
      connect().send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
      connect().send("GET /probe/slow HTTP/1.1\r\nHost: x\r\n\r\n");
      connect().send("GET /livez HT");
    }
    for (int i = 0; i < 50; i++) {
      assertThat(get("/livez").status()).isEqualTo(200);
    }
  }

  /** Else a stranger could have the kubelet end the process. */
  @Test
  void strangersWhoHoldAllConnections_doNotKeepTheKubeletOut() throws IOException {
    List<RawClient> strangers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      RawClient stranger = connect();
      stranger.send("GET /metr");
      strangers.add(stranger);
    }
    assertThat(get("/livez").status()).isEqualTo(200);
    assertThat(strangers.getFirst().isClosedByPeer()).isTrue();
    RawClient last = strangers.getLast();
    last.send("ics HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(last.read().status()).isEqualTo(200);
  }

  @Test
  void bodies_areNotTaken() throws IOException {
    try (RawClient client = new RawClient(port)) {
      client.send("GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(413);
    }
  }
}
