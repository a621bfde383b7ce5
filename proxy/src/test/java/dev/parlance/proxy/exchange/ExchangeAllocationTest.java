package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.relay.net.EventLoops;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

  /** Most bytes allocated for an exchange that nobody reads. */
  private static final long UNREAD_BYTES = 4_000;

  /** {@code -Dexchange.blocks=40} measures, and prints medians. */
  private static final int BLOCKS = Integer.getInteger("exchange.blocks", 1);

  private static final int BLOCK = BLOCKS > 1 ? 2_000 : 150;

  private static final int WARM_UP = 120;
  private static final int MEASURED = 50;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String ROUTES =
      """
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
      """;

  @TempDir Path folder = Path.of("");
  private final EventLoops loops = EventLoops.start(1);
  private final EventLoop loop = loops.next();

  @AfterEach
  void stop() {
    loops.close();
  }

  @ParameterizedTest
  @EnumSource
  void garbageOfAnExchange_doesNotGrowWithItsBodies(Talk talk) throws IOException {
    Random random = new Random(7);
    long small;
    long large;
    int judged;
    try (ExchangeLoop exchanges = new ExchangeLoop(folder, loop, ROUTES)) {
      small = bytesPerExchange(exchanges, talk, random, SMALL_BYTES);
      large = bytesPerExchange(exchanges, talk, random, LARGE_BYTES);
      judged = exchanges.judged();
    }
    double growth = (large - small) / (2.0 * (LARGE_BYTES - SMALL_BYTES));
    assertThat(judged).isEqualTo(2 * (WARM_UP + MEASURED));
    assertThat(small).isLessThan(EXCHANGE_BYTES);
    assertThat(growth)
        .isLessThan(talk == Talk.A2A_OF_MANY_PARTS ? GROWTH_OF_NODES : GROWTH_OF_TEXTS);
  }

  /** What a route reads of a plain exchange, and what is written down of it. */
  private enum Setting {
    ALL("read: all", "sha256"),
    ALL_WITHOUT_DIGEST("read: all", "off"),
    ANSWERS("read: answer", "sha256"),
    NONE("read: none", "sha256");

    private final String settings;

    Setting(String read, String digest) {
      this.settings =
          "mode: enforce\ndecisionLog: { bodyDigest: \""
              + digest
              + "\" }\nroutes:\n  - { name: a, codec: a2a, "
              + read
              + " }\n";
    }
  }

  /**
   * One block of exchanges on a setting.
   *
   * @param bytes allocated for each
   * @param cpuNs processor time of the loop's thread for each
   */
  private record Cost(long bytes, long cpuNs) {
    static Cost median(List<Cost> blocks) {
      return new Cost(
          blocks.stream().map(Cost::bytes).sorted().toList().get(blocks.size() / 2),
          blocks.stream().map(Cost::cpuNs).sorted().toList().get(blocks.size() / 2));
    }
  }

  /** Blocks of all settings in turns, so that whatever else the machine does hits all alike. */
  @Test
  void whatIsNotRead_leavesNoGarbage() throws IOException {
    Random random = new Random(7);
    byte[] request = padded(Talk.A2A, Talk.A2A.request, random, SMALL_BYTES);
    byte[] answer = padded(Talk.A2A, Talk.A2A.answer, random, SMALL_BYTES);
    Map<Setting, ExchangeLoop> exchanges = new EnumMap<>(Setting.class);
    Map<Setting, List<Cost>> costs = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      exchanges.put(
          setting, new ExchangeLoop(folder.resolve(setting.name()), loop, setting.settings));
      costs.put(setting, new ArrayList<>());
    }
    for (int block = 0; block < 1 + BLOCKS; block++) {
      boolean isWarm = block > 0;
      exchanges.forEach((setting, one) -> {
        Cost cost = onLoop(() -> block(one, request, answer));
        if (isWarm) {
          Objects.requireNonNull(costs.get(setting)).add(cost);
        }
      });
    }
    Map<Setting, Cost> medians = new EnumMap<>(Setting.class);
    for (Map.Entry<Setting, ExchangeLoop> one : exchanges.entrySet()) {
      assertThat(one.getValue().answered()).isEqualTo((1 + BLOCKS) * BLOCK);
      one.getValue().close();
      medians.put(one.getKey(), Cost.median(Objects.requireNonNull(costs.get(one.getKey()))));
    }
    if (BLOCKS > 1) {
      medians.forEach((setting, cost) ->
          System.out.printf(
              "%s: %,d bytes, %.1f us an exchange%n",
              setting, cost.bytes(), cost.cpuNs() / 1000.0));
    }
    assertThat(medians.get(Setting.ALL).bytes()).isLessThan(EXCHANGE_BYTES);
    assertThat(medians.get(Setting.ANSWERS).bytes())
        .isLessThan(medians.get(Setting.ALL_WITHOUT_DIGEST).bytes());
    assertThat(medians.get(Setting.NONE).bytes()).isLessThan(UNREAD_BYTES);
  }

  private static Cost block(ExchangeLoop exchanges, byte[] request, byte[] answer) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long cpuNs = THREADS.getCurrentThreadCpuTime();
    exchanges.run(Talk.A2A.path, Talk.A2A.type, request, answer, BLOCK);
    return new Cost(
        (THREADS.getCurrentThreadAllocatedBytes() - bytes) / BLOCK,
        (THREADS.getCurrentThreadCpuTime() - cpuNs) / BLOCK);
  }

  /** What one exchange allocates once every scratch is there. */
  private long bytesPerExchange(ExchangeLoop exchanges, Talk talk, Random random, int bodyBytes) {
    byte[] request = padded(talk, talk.request, random, bodyBytes);
    byte[] answer = padded(talk, talk.answer, random, bodyBytes);
    return onLoop(() -> {
      exchanges.run(talk.path, talk.type, request, answer, WARM_UP);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      exchanges.run(talk.path, talk.type, request, answer, MEASURED);
      return (THREADS.getCurrentThreadAllocatedBytes() - before) / MEASURED;
    });
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
}
