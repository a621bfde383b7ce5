package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
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
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.config.ConfigResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much garbage an exchange leaves on its event loop, and how that grows with the bodies. */
class ExchangeAllocationTest {
  private static final int SMALL_BYTES = 4_500;
  private static final int LARGE_BYTES = 45_000;

  /** Most bytes allocated for an exchange of two small bodies, whatever stands in them. */
  private static final long EXCHANGE_BYTES = 50_000;

  /**
   * Most bytes allocated for each byte that bodies are longer. Measured: less than 0.001 where the
   * texts are longer, 0.07 where the answer has more claims to name, and 0.5 where there are more
   * texts, at 110 bytes each: an object or two for each text.
   */
  private static final double GROWTH_OF_TEXTS = 0.1;

  private static final double GROWTH_OF_NODES = 0.6;

  private static final int WARM_UP = 120;
  private static final int MEASURED = 50;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder = Path.of("");
  private final EventLoops loops = EventLoops.start(1);
  private final EventLoop loop = loops.next();
  private final NobodyWaits caller = new NobodyWaits(loop);
  private ReviewQueue review = unstarted();
  private DecisionLog decisions = unstarted();
  private SidecarHandler handler = unstarted();
  private byte[] answer = {};
  private String answerType = "";

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void start() throws IOException {
    review =
        ReviewQueue.open(folder.resolve("review"), ReviewLimits.DEFAULT, System::currentTimeMillis);
    decisions = DecisionLog.open(folder, DecisionLog.Settings.DEFAULT);
    SidecarConfig config = config();
    handler =
        new SidecarHandler(
            new Services(
                new Gate(
                    new FlowBudgets(16),
                    () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                    "test",
                    Cores.NONE,
                    Gate.PeerResolver.NONE),
                Rounds.NONE,
                Pacts.NONE,
                Lexicons.NONE,
                new RelayedTexts(),
                Optional.empty(),
                HeldBytes.ofHeap(),
                review,
                Optional.empty(),
                decisions,
                new SidecarMetrics("test"),
                MessageChecks.ORDER,
                (_, _, request, _, _, receiver) -> {
                  request.body().release();
                  return answered(receiver);
                },
                ByteBufAllocator.DEFAULT,
                () -> config,
                System::currentTimeMillis),
            Direction.INBOUND);
  }

  @AfterEach
  void stop() throws IOException {
    loops.close();
    review.close();
    decisions.close();
  }

  @ParameterizedTest
  @EnumSource
  void garbageOfAnExchange_doesNotGrowWithItsBodies(Talk talk) {
    Random random = new Random(7);
    long small = bytesPerExchange(talk, random, SMALL_BYTES);
    long large = bytesPerExchange(talk, random, LARGE_BYTES);
    double growth = (large - small) / (2.0 * (LARGE_BYTES - SMALL_BYTES));
    assertThat(caller.judged).isEqualTo(2 * (WARM_UP + MEASURED));
    assertThat(small).isLessThan(EXCHANGE_BYTES);
    assertThat(growth)
        .isLessThan(talk == Talk.A2A_OF_MANY_PARTS ? GROWTH_OF_NODES : GROWTH_OF_TEXTS);
  }

  /** What one exchange allocates once every scratch is there. */
  private long bytesPerExchange(Talk talk, Random random, int bodyBytes) {
    byte[] request = padded(talk, talk.request, random, bodyBytes);
    answer = padded(talk, talk.answer, random, bodyBytes);
    return onLoop(() -> {
      run(talk, request, WARM_UP);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      run(talk, request, MEASURED);
      return (THREADS.getCurrentThreadAllocatedBytes() - before) / MEASURED;
    });
  }

  private void run(Talk talk, byte[] body, int times) {
    answerType = talk.type;
    for (int i = 0; i < times; i++) {
      HttpHeaders headers = new DefaultHttpHeaders();
      headers.set("Content-Type", talk.type);
      handler.onRequest(
          caller,
          new WholeRequest(HttpMethod.POST, talk.path, "localhost", false, headers, direct(body)));
    }
  }

  private OriginCall answered(OriginReceiver receiver) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", answerType);
    assertThat(receiver.onHead(200, headers)).isEmpty();
    receiver.done(new OriginResult.Answered(new WholeResponse(200, headers, direct(answer))));
    return new OriginCall() {
      @Override
      public void cancel() {}

      @Override
      public void pauseReading() {}

      @Override
      public void resumeReading() {}
    };
  }

  private static ByteBuf direct(byte[] bytes) {
    return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  private <T> T onLoop(Supplier<T> step) {
    return CompletableFuture.supplyAsync(step, loop).orTimeout(60, TimeUnit.SECONDS).join();
  }

  // ---- messages of a size ----

  /** What is said, with a place that is filled with words until the body has its size. */
  enum Talk {
    A2A("/a2a", "application/json", 0, A2A_REQUEST, A2A_ANSWER),
    A2A_WITH_ESCAPES("/a2a", "application/json", 20, A2A_REQUEST, A2A_ANSWER),
    A2A_OF_MANY_PARTS(
        "/a2a",
        "application/json",
        -20,
        A2A_REQUEST
            .replace("When is the impeller due?", "#")
            .replace("\"metadata\":{\"history\":\"#\"}", "\"metadata\":{}"),
        A2A_ANSWER),
    MCP("/mcp", "application/json", 20, MCP_REQUEST, MCP_ANSWER),
    OPEN_AI("/v1/chat/completions", "application/json", 20, CHAT_REQUEST, CHAT_ANSWER),
    ANY_JSON("/any", "application/json", 20, "{\"q\":\"#\"}", "{\"a\":\"#\"}"),
    TEXT("/text", "text/plain", 0, "What about #", "It is so: #");

    private final String path;
    private final String type;
    private final int everyEscaped;
    private final String request;
    private final String answer;

    Talk(String path, String type, int everyEscaped, String request, String answer) {
      this.path = path;
      this.type = type;
      this.everyEscaped = everyEscaped;
      this.request = request;
      this.answer = answer;
    }
  }

  private static final String A2A_REQUEST =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
      "contextId":"flow-1","role":"ROLE_USER","parts":[{"text":"When is the impeller due?"}],\
      "metadata":{"history":"#"}}}}\
      """;

  private static final String A2A_ANSWER =
      """
      {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a-1","contextId":"flow-1",\
      "role":"ROLE_AGENT","parts":[{"text":"The impeller is due after 2000 hours [Chunk c1]."}],\
      "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1","text":\
      "The impeller is due after 2000 hours. #"}]}}}}}\
      """;

  private static final String MCP_REQUEST =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look_up",\
      "arguments":{"query":"When is the impeller due? #"}}}\
      """;

  private static final String MCP_ANSWER =
      """
      {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"After 2000 hours. #"}]}}\
      """;

  private static final String CHAT_REQUEST =
      """
      {"model":"m","messages":[{"role":"system","content":"The impeller is due. #"},\
      {"role":"user","content":"When is the impeller due?"}]}\
      """;

  private static final String CHAT_ANSWER =
      """
      {"id":"c-1","object":"chat.completion","model":"m","choices":[{"index":0,"message":\
      {"role":"assistant","content":"The impeller is due. #"},"finish_reason":"stop"}]}\
      """;

  /** Words, with an escaped one or another member now and then, until the size is reached. */
  private static byte[] padded(Talk talk, String template, Random random, int bytes) {
    StringBuilder words = new StringBuilder();
    while (words.length() < bytes - template.length()) {
      String word = Integer.toString(random.nextInt(1 << 20), Character.MAX_RADIX);
      boolean odd = talk.everyEscaped != 0 && random.nextInt(Math.abs(talk.everyEscaped)) == 0;
      words.append(
          !odd
              ? word + " "
              : talk.everyEscaped > 0 ? "\\\"" + word + "\\\" " : word + "\"},{\"text\":\"");
    }
    return template.replace("#", words).getBytes(StandardCharsets.UTF_8);
  }

  private SidecarConfig config() throws IOException {
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        inbound:
          listen: 127.0.0.1:0
          agent: 127.0.0.1:9
        admin:
          listen: 127.0.0.1:0
        routes:
          - name: any
            codec: json
            match: { pathPrefix: /any }
            json:
              request: { text: /q }
              response: { text: /a }
            mode: observe
            annotate: full
          - name: all
            mode: observe
            annotate: full
        """);
    if (ConfigLoader.load(file) instanceof ConfigResult.Loaded(SidecarConfig config)) {
      return config;
    }
    throw new AssertionError(ConfigLoader.load(file).toString());
  }

  /** A caller without a socket, who counts the answers that come with a verdict. */
  private static final class NobodyWaits implements ServerCall {
    private final EventLoop loop;
    private int judged;

    NobodyWaits(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public String peer() {
      return "192.0.2.1";
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void onSent(Consumer<Boolean> action) {
      action.accept(true);
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      if (response.status() == 200 && response.headers().contains("Parlance-Decision")) {
        judged++;
      }
      response.body().release();
    }

    @Override
    public ResponseStream begin(int status, HttpHeaders headers) {
      throw new AssertionError("nothing is streamed here");
    }

    @Override
    public HttpProtocol protocol() {
      return HttpProtocol.HTTP1;
    }

    @Override
    public void onAbort(Runnable action) {}
  }
}
