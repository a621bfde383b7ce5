package dev.parlance.proxy.act;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.ConfigLoader;
import dev.parlance.proxy.config.ConfigResult;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.FlowBudgets;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.PeerResolver;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.relay.EventLoops;
import dev.parlance.proxy.relay.Exchange;
import dev.parlance.proxy.relay.HttpProtocol;
import dev.parlance.proxy.relay.OriginCall;
import dev.parlance.proxy.relay.OriginReceiver;
import dev.parlance.proxy.relay.OriginResult;
import dev.parlance.proxy.relay.ResponseStream;
import dev.parlance.proxy.relay.WholeRequest;
import dev.parlance.proxy.relay.WholeResponse;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much garbage an exchange leaves on its event loop, and how that grows with the bodies. */
class ExchangeAllocationTest {
  private static final int SMALL_BYTES = 4_500;
  private static final int LARGE_BYTES = 45_000;

  /** Most bytes allocated for an exchange of two small bodies, whatever stands in them. */
  private static final long EXCHANGE_BYTES = 140_000;

  /** Most bytes allocated for each byte that bodies are longer. */
  private static final double GROWTH = 5.0;

  private static final int WARM_UP = 600;
  private static final int MEASURED = 100;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder = Path.of("");
  private final EventLoops loops = EventLoops.start(1);
  private final EventLoop loop = loops.next();
  private final NobodyWaits caller = new NobodyWaits(loop);
  private ReviewQueue review = unstarted();
  private DecisionLog decisions = unstarted();
  private SidecarHandler handler = unstarted();
  private byte[] answer = {};

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
                    PeerResolver.NONE),
                Rounds.NONE,
                new RelayedTexts(),
                Optional.empty(),
                HeldBytes.ofHeap(),
                review,
                decisions,
                new SidecarMetrics("test"),
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

  @Test
  void exchange_allocatesAFewTimesItsBodies_andNoMore() {
    Random random = new Random(7);
    long small = bytesPerExchange(random, SMALL_BYTES);
    long large = bytesPerExchange(random, LARGE_BYTES);
    double growth = (large - small) / (2.0 * (LARGE_BYTES - SMALL_BYTES));
    assertThat(small).isLessThan(EXCHANGE_BYTES);
    assertThat(growth).isLessThan(GROWTH);
    assertThat(caller.delivered).isEqualTo(2 * (WARM_UP + MEASURED));
  }

  /** What one exchange allocates once everything is compiled and every scratch is there. */
  private long bytesPerExchange(Random random, int bodyBytes) {
    byte[] request = request(random, bodyBytes);
    answer = answer(random, bodyBytes);
    return onLoop(() -> {
      run(request, WARM_UP);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      run(request, MEASURED);
      return (THREADS.getCurrentThreadAllocatedBytes() - before) / MEASURED;
    });
  }

  private void run(byte[] body, int times) {
    for (int i = 0; i < times; i++) {
      HttpHeaders headers = new DefaultHttpHeaders();
      headers.set("Content-Type", "application/json").set("A2A-Version", "1.0");
      handler.onRequest(
          caller,
          new WholeRequest(HttpMethod.POST, "/a2a", "localhost", false, headers, direct(body)));
    }
  }

  private OriginCall answered(OriginReceiver receiver) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", "application/json");
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

  private static byte[] request(Random random, int bytes) {
    String start =
        """
        {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
        "contextId":"flow-1","role":"ROLE_USER","parts":[{"text":"When is the impeller due?"}],\
        "metadata":{"history":"\
        """;
    return padded(start, random, bytes, "\"}}}}");
  }

  private static byte[] answer(Random random, int bytes) {
    String start =
        """
        {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a-1","contextId":"flow-1",\
        "role":"ROLE_AGENT","parts":[{"text":"The impeller is due after 2000 hours [Chunk c1]."}],\
        "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1","text":\
        "The impeller is due after 2000 hours. \
        """;
    return padded(start, random, bytes, "\"}]}}}}}");
  }

  /** Words, with an escaped one now and then, until the size is reached. */
  private static byte[] padded(String start, Random random, int bytes, String end) {
    StringBuilder body = new StringBuilder(start);
    while (body.length() < bytes - end.length()) {
      String word = Integer.toString(random.nextInt(1 << 20), Character.MAX_RADIX);
      body.append(random.nextInt(20) == 0 ? "\\\"" + word + "\\\" " : word + " ");
    }
    return body.append(end).toString().getBytes(StandardCharsets.UTF_8);
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
          - name: all
            codec: a2a
        """);
    if (ConfigLoader.load(file) instanceof ConfigResult.Loaded(SidecarConfig config)) {
      return config;
    }
    throw new AssertionError(ConfigLoader.load(file).toString());
  }

  /** A caller without a socket, who counts what is delivered with a good verdict. */
  private static final class NobodyWaits implements Exchange {
    private final EventLoop loop;
    private int delivered;

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
    public void respond(WholeResponse response, boolean close) {
      if ("execute".equals(response.headers().get("Parlance-Route"))) {
        delivered++;
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
