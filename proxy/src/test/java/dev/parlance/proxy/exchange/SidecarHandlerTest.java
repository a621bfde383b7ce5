package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.FlowBudgets;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.main.MessageChecks;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.wire.api.RoundMark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What exchanges leave behind in counts and lines, with an agent that takes and never answers. */
class SidecarHandlerTest {
  @TempDir Path folder = Path.of("");
  private final AtomicLong nowMs = new AtomicLong();
  private final SidecarMetrics metrics = new SidecarMetrics("test");
  private final EventLoops loops = EventLoops.start(1);
  private ServerSocket agent = unstarted();
  private ReviewQueue review = unstarted();
  private DecisionLog decisions = unstarted();
  private OriginClient origin = unstarted();
  private SidecarHandler handler = unstarted();
  private long clockStepMs;
  private Rounds rounds = Rounds.NONE;

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void start() throws IOException {
    agent = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    agent.setSoTimeout(60_000);
    review =
        ReviewQueue.open(folder.resolve("review"), ReviewLimits.DEFAULT, System::currentTimeMillis);
    decisions = DecisionLog.open(folder, DecisionLog.Settings.DEFAULT);
    origin = new OriginClient(loops, AddressGuard.forThisMachine(true, Set.of()), RelayEvents.NOOP);
  }

  @AfterEach
  void stop() throws IOException {
    origin.close();
    loops.close();
    review.close();
    decisions.close();
    agent.close();
  }

  @Test
  void callerThatLeavesWhileTheAgentAnswers_isNoFaultOfTheAgent() throws Exception {
    start("");
    FakeExchange exchange = ask("hello there");
    try (Socket asked = agent.accept()) {
      assertThat(asked.getInputStream().read()).isEqualTo('P');
      exchange.leave();
    }
    assertThat(exchange.responses).isEmpty();
    assertThat(metrics.scrape())
        .doesNotContain("parlance_origin_errors_total{")
        .doesNotContain("series_dropped_total{");
  }

  @Test
  void connectionOverTheLimit_isCountedByTheListenerAlone() throws Exception {
    start("");
    handler
        .onRejected(new Rejection(503, "connections", "connection_limit", "too many"))
        .body()
        .release();
    handler.onRejected(new Rejection(400, "http1", "bare_lf", "no CR")).body().release();
    assertThat(metrics.scrape())
        .doesNotContain("connection_limit")
        .contains("parlance_rejected_total{layer=\"http1\",reason=\"bare_lf\"} 1.0");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 405, 408, 413, 414, 417, 421, 431, 503, 505})
  void theStatusInAProblem_isThatOfTheResponse(int status) throws Exception {
    start("");
    WholeResponse refused =
        handler.onRejected(new Rejection(status, "http1", "bare_lf", "expected CR LF"));
    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.body().toString(StandardCharsets.UTF_8))
        .contains("\"status\":" + status + ",");
    refused.body().release();
  }

  @Test
  void draftWhoseFlowRunsOutOfTimeBetweenRulingAndCharge_isCountedAsWhatItBecame()
      throws Exception {
    clockStepMs = 200_000; // past the time of any flow, at every look at the clock
    start("requestGrounding: required");
    FakeExchange exchange = ask("hello there");
    await().until(() -> exchange.responses.size() == 1);
    assertThat(exchange.responses.getFirst()).isEqualTo("yield");
    assertThat(metrics.scrape())
        .contains("reason=\"no_evidence\",route=\"yield\"} 1.0")
        .doesNotContain("route=\"regenerate\"")
        .contains("parlance_error_budget_exhausted_total 0.0")
        .contains("protocol=\"a2a-1.0\"");
  }

  @Test
  void deliveryThatTheQueueDidNotTake_isNotLoggedAsOne() throws Exception {
    start("requestGrounding: required\n    profile: strict");
    FakeExchange held = ask("hello there");
    await().until(() -> held.responses.size() == 1);
    List<ReviewItem> items = review.list(EnumSet.of(ReviewItem.ReviewState.PENDING), 10);
    assertThat(items).hasSize(1);
    assertThat(review.release(items.getFirst().id(), "ada", ""))
        .succeedsWithin(60, TimeUnit.SECONDS);
    review.close();

    FakeExchange passed = ask("hello there");
    try (Socket asked = agent.accept()) {
      assertThat(asked.getInputStream().read()).isEqualTo('P');
      passed.leave();
    }
    assertThat(decisions.flush()).isTrue();
    assertThat(decisions.recent(100))
        .anyMatch(line -> line.contains("\"action\":\"deliver_released\""))
        .noneMatch(line -> line.contains("\"what\":\"deliver\""));
  }

  @Test
  void whoLeavesWhileAClaimIsChecked_isForgotten_andTheAgentNeverAsked() throws Exception {
    CompletableFuture<Rounds.Reply> pending = new CompletableFuture<>();
    rounds = asked(() -> pending);
    start("");
    FakeExchange exchange = ask("hello there", CLAIM);
    exchange.leave();
    pending.complete(new Rounds.Unavailable("too late"));
    await()
        .until(() ->
            decisions.flush()
                && decisions.recent(10).stream()
                    .anyMatch(line -> line.contains("\"action\":\"caller_gone\"")));
    assertThat(exchange.responses).isEmpty();
    assertNobodyAsked();
  }

  @ParameterizedTest
  @ValueSource(strings = {"onError: allow", "onError: warn", "onError: block"})
  void aGateThatFailsOnAClaim_letsNothingPass_whateverTheRouteSays(String onError)
      throws Exception {
    rounds =
        asked(() -> {
          throw new IllegalStateException("a fault of the gate");
        });
    start(onError);
    FakeExchange exchange = ask("hello there", CLAIM);
    await().until(() -> exchange.responses.size() == 1);
    assertThat(decisions.flush()).isTrue();
    assertThat(decisions.recent(10))
        .anyMatch(line -> line.contains("internal_error") && line.contains("\"refuse\""));
    rounds = asked(() -> CompletableFuture.failedFuture(new IllegalStateException("another")));
    start(onError);
    FakeExchange later = ask("hello there", CLAIM);
    await().until(() -> later.responses.size() == 1);
    assertNobodyAsked();
  }

  @Test
  void withoutRounds_aClaimIsUnavailable() throws Exception {
    start("");
    FakeExchange exchange = ask("hello there", CLAIM);
    await().until(() -> exchange.responses.size() == 1);
    assertThat(metrics.scrape())
        .contains("parlance_rounds_total{result=\"round_unavailable\",what=\"claim\"} 1.0");
    assertNobodyAsked();
  }

  /** Nothing was sent to the agent, and nothing will be: the exchange is over. */
  private void assertNobodyAsked() throws IOException {
    agent.setSoTimeout(200);
    assertThatThrownBy(() -> agent.accept().close()).isInstanceOf(SocketTimeoutException.class);
  }

  private static Rounds asked(Supplier<CompletableFuture<Rounds.Reply>> status) {
    return new Rounds() {
      @Override
      public CompletableFuture<Receipt> propose(Proposing proposing) {
        return NONE.propose(proposing);
      }

      @Override
      public CompletableFuture<Reply> status(RoundId id) {
        return status.get();
      }

      @Override
      public CompletableFuture<Reply> ended(RoundId id, long atMostMs) {
        return status.get();
      }

      @Override
      public Optional<Known> noted(RoundMark.Claim claim) {
        return Optional.empty();
      }
    };
  }

  // ---- helpers ----

  private static final String CLAIM =
      ",\"metadata\":{\""
          + RoundMark.URI
          + "\":{\"round\":\"r\",\"outcome\":{\"kind\":\"abort\"}}}";

  private void start(String routeSettings) throws IOException {
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        inbound:
          listen: 127.0.0.1:0
          agent: 127.0.0.1:%d
        admin:
          listen: 127.0.0.1:0
        profiles:
          strict: { errorMax: 0 }
        routes:
          - name: all
            codec: auto
            %s
        """
            .formatted(agent.getLocalPort(), routeSettings));
    if (!(ConfigLoader.load(file) instanceof ConfigResult.Loaded(SidecarConfig config))) {
      throw new AssertionError(ConfigLoader.load(file).toString());
    }
    handler =
        new SidecarHandler(
            new Services(
                new Gate(
                    new FlowBudgets(16),
                    () -> nowMs.addAndGet(clockStepMs),
                    "test",
                    Cores.NONE,
                    Gate.PeerResolver.NONE),
                rounds,
                Pacts.NONE,
                Lexicons.NONE,
                new RelayedTexts(),
                Optional.empty(),
                HeldBytes.ofHeap(),
                review,
                Optional.empty(),
                decisions,
                metrics,
                Optional.empty(),
                MessageChecks.ORDER,
                origin::ask,
                ByteBufAllocator.DEFAULT,
                () -> config,
                System::currentTimeMillis),
            Direction.INBOUND);
  }

  private FakeExchange ask(String text) {
    return ask(text, "");
  }

  private FakeExchange ask(String text, String more) {
    FakeExchange exchange = new FakeExchange(loops.next());
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
        "role":"ROLE_USER","parts":[{"text":"%s"}]%s}}}\
        """
            .formatted(text, more);
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", "application/json").set("A2A-Version", "1.0");
    WholeRequest request =
        new WholeRequest(
            HttpMethod.POST,
            "/a2a",
            "localhost",
            false,
            headers,
            Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
    CompletableFuture.runAsync(() -> handler.onRequest(exchange, request), exchange.loop).join();
    return exchange;
  }

  /** A caller without a socket. */
  private static final class FakeExchange implements UnwiredCall {
    private final EventLoop loop;
    private final List<Runnable> onAbort = new CopyOnWriteArrayList<>();

    /** The routes that were told. */
    private final List<String> responses = new CopyOnWriteArrayList<>();

    FakeExchange(EventLoop loop) {
      this.loop = loop;
    }

    void leave() {
      CompletableFuture.runAsync(() -> onAbort.forEach(Runnable::run), loop).join();
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      response.body().release();
      responses.add(response.headers().get("Parlance-Route", ""));
    }

    @Override
    public void onAbort(Runnable action) {
      onAbort.add(action);
    }
  }
}
