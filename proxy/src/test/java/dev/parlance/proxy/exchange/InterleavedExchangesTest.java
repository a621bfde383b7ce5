package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.Timeouts;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Exchanges that share a loop share its memory, one after the other. Whatever the order in which
 * they begin, are answered, are asked again, are held, fail and are left, each is judged by its own
 * bytes: as it is when nothing else runs beside it.
 */
class InterleavedExchangesTest {
  private static final int EXCHANGES = 30 * Integer.getInteger("soak", 5);
  private static final int AT_ONCE = 12;
  private static final Pattern FLOW = Pattern.compile("flow-(\\d+)");

  @TempDir Path folder = Path.of("");
  private final EventLoops loops = EventLoops.start(1);
  private final EventLoop loop = loops.next();
  private final Random random = new Random(20261122);

  @AfterEach
  void stop() {
    loops.close();
  }

  @Test
  void exchangesAtOnce_areJudgedAsTheyAreAlone() throws Exception {
    List<Said> all = new ArrayList<>();
    for (int i = 0; i < EXCHANGES; i++) {
      all.add(said(i));
    }
    List<String> alone = outcomes(all, 1, "alone");
    List<String> together = outcomes(all, AT_ONCE, "together");
    for (int i = 0; i < all.size(); i++) {
      assertThat(together.get(i)).as(all.get(i).toString()).isEqualTo(alone.get(i));
    }
    for (String kind :
        List.of("200 execute", "200 yield", "200  origin_closed", "200  bad_json", "left")) {
      assertThat(alone).as(kind).anyMatch(outcome -> outcome.startsWith(kind));
    }
  }

  // ---- running them ----

  private List<String> outcomes(List<Said> all, int atOnce, String name) throws Exception {
    Path home = Files.createDirectory(folder.resolve(name));
    SidecarConfig config = config(home);
    try (ReviewQueue review =
            ReviewQueue.open(
                home.resolve("review"), ReviewLimits.DEFAULT, System::currentTimeMillis);
        DecisionLog decisions = DecisionLog.open(home, DecisionLog.Settings.DEFAULT)) {
      Agent agent = new Agent(all);
      SidecarHandler handler =
          new SidecarHandler(
              new Services(
                  new Gate(
                      new FlowBudgets(1 << 16),
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
                  Optional.empty(),
                  MessageChecks.ORDER,
                  agent::ask,
                  ByteBufAllocator.DEFAULT,
                  () -> config,
                  System::currentTimeMillis),
              Direction.INBOUND);
      List<Caller> callers = new ArrayList<>();
      List<Caller> open = new ArrayList<>();
      int begun = 0;
      while (begun < all.size() || !open.isEmpty()) {
        if (begun < all.size() && open.size() < atOnce && random.nextBoolean()) {
          Caller caller = new Caller(loop);
          callers.add(caller);
          open.add(caller);
          Said said = all.get(begun++);
          onLoop(() -> handler.onRequest(caller, said.asRequest()));
        } else if (!open.isEmpty()) {
          Caller caller = open.get(random.nextInt(open.size()));
          int number = callers.indexOf(caller);
          if (all.get(number).leaves && agent.waits(number)) {
            onLoop(caller::leave);
          }
          onLoop(() -> agent.answer(number));
        }
        open.removeIf(caller -> caller.outcome.isDone());
      }
      return callers.stream().map(caller -> caller.outcome.join()).toList();
    }
  }

  private void onLoop(Runnable step) {
    CompletableFuture.runAsync(step, loop).orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** The agent behind the sidecar, which answers when it is told to. */
  private static final class Agent {
    private record Waiting(OriginReceiver receiver, int attempt) {}

    private final List<Said> all;
    private final Map<Integer, Waiting> waiting = new HashMap<>();
    private final Map<Integer, Integer> attempts = new HashMap<>();

    Agent(List<Said> all) {
      this.all = all;
    }

    OriginCall ask(
        EventLoop loop,
        Destination destination,
        WholeRequest request,
        HttpMessageLimits limits,
        Timeouts timeouts,
        OriginReceiver receiver) {
      String body = request.body().toString(StandardCharsets.UTF_8);
      request.body().release();
      Matcher flow = FLOW.matcher(body);
      assertThat(flow.find()).as(body).isTrue();
      int number = Integer.parseInt(flow.group(1));
      int attempt = attempts.merge(number, 1, Integer::sum);
      assertThat(body)
          .as("the bytes that go on are the caller's")
          .contains(all.get(number).requestWords);
      waiting.put(number, new Waiting(receiver, attempt));
      return new OriginCall() {
        @Override
        public void cancel() {
          waiting.remove(number);
        }

        @Override
        public void pauseReading() {}

        @Override
        public void resumeReading() {}
      };
    }

    boolean waits(int number) {
      return waiting.containsKey(number);
    }

    void answer(int number) {
      Waiting asked = waiting.remove(number);
      if (asked == null) {
        return;
      }
      Said said = all.get(number);
      if (said.fails) {
        asked.receiver().done(new OriginResult.Failed("origin_closed", true, "closed"));
        return;
      }
      HttpHeaders headers = new DefaultHttpHeaders();
      headers.set("Content-Type", "application/json");
      assertThat(asked.receiver().onHead(200, headers)).isEmpty();
      byte[] body = said.answer(asked.attempt());
      asked
          .receiver()
          .done(new OriginResult.Answered(new WholeResponse(200, headers, direct(body))));
    }
  }

  private static ByteBuf direct(byte[] bytes) {
    return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  // ---- what is said ----

  /** One exchange: what is asked, and what is answered the first and the second time. */
  private record Said(
      int number,
      String requestWords,
      String first,
      String second,
      String context,
      boolean fails,
      boolean leaves) {
    WholeRequest asRequest() {
      HttpHeaders headers = new DefaultHttpHeaders();
      headers.set("Content-Type", "application/json").set("A2A-Version", "1.0");
      String body =
          """
          {"jsonrpc":"2.0","id":%d,"method":"SendMessage","params":{"message":{"messageId":"m-%d",\
          "contextId":"flow-%d","role":"ROLE_USER","parts":[{"text":"%s"}]}}}\
          """
              .formatted(number, number, number, requestWords);
      return new WholeRequest(
          HttpMethod.POST,
          "/a2a",
          "localhost",
          false,
          headers,
          direct(body.getBytes(StandardCharsets.UTF_8)));
    }

    byte[] answer(int attempt) {
      return """
      {"jsonrpc":"2.0","id":%d,"result":{"message":{"messageId":"a-%d-%d","contextId":"flow-%d",\
      "role":"ROLE_AGENT","parts":[{"text":"%s"}],\
      "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c%d","text":\
      "%s"}]}}}}}\
      """
          .formatted(
              number, number, attempt, number, attempt == 1 ? first : second, number, context)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /** An answer that its own evidence carries, or that no evidence carries but another's might. */
  private Said said(int number) {
    String context = words(number, 20 + random.nextInt(random.nextInt(8) == 0 ? 3000 : 200));
    String good = context.substring(0, context.length() / 2) + " [Chunk c" + number + "].";
    String bad = words(number + EXCHANGES, 10 + random.nextInt(100));
    int kind = random.nextInt(10);
    return new Said(
        number,
        words(number + 2 * EXCHANGES, 5 + random.nextInt(100)),
        kind < 5 ? good : bad,
        kind < 7 ? good : bad,
        context,
        kind == 8,
        kind == 9);
  }

  /** Words that no other exchange has, some of them with escapes or past ASCII. */
  private String words(int own, int count) {
    StringBuilder text = new StringBuilder("Start" + own);
    for (int i = 0; i < count; i++) {
      String word = "w" + own + "x" + random.nextInt(1000);
      text.append(
          switch (random.nextInt(30)) {
            case 0 -> " \\\"" + word + "\\\"";
            case 1 -> " \\u00e9" + word;
            case 2 -> " é" + word;
            default -> " " + word;
          });
    }
    return text.toString();
  }

  private static SidecarConfig config(Path home) throws IOException {
    Path file = home.resolve("parlance.yaml");
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

  /** Who asks; what it is told is its outcome, without the ids that are new each time. */
  private static final class Caller implements UnwiredCall {
    private final EventLoop loop;
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private Runnable onAbort = () -> {};

    Caller(EventLoop loop) {
      this.loop = loop;
    }

    void leave() {
      onAbort.run();
      outcome.complete("left");
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      HttpHeaders headers = response.headers();
      String body = response.body().toString(StandardCharsets.UTF_8);
      response.body().release();
      boolean verbatim = "execute".equals(headers.get("Parlance-Route"));
      outcome.complete(
          response.status()
              + " "
              + headers.get("Parlance-Route", "")
              + " "
              + headers.get("Parlance-Reason", "")
              + " "
              + headers.get("ASP-Signal", "")
              + " "
              + (verbatim ? body.replace(headers.get("Parlance-Decision", "-"), "ID") : ""));
    }

    @Override
    public void onAbort(Runnable action) {
      onAbort = action;
    }
  }
}
