package dev.parlance.proxy.main;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors of an agent, in every codec, through a sidecar that enforces: what its caller gets. */
@ExtendWith(LeakCheck.class)
class AgentErrorTest {
  private static final int PATIENCE_MS = 20_000;
  private static final String SENTENCE = "The walrus of the north hall was sold to the topaz. ";
  private static final String ESSAY = SENTENCE.repeat(100);
  private static final String FIELDS =
      "Retry-After: 3\r\nretry-after-ms: 2900\r\nx-should-retry: false\r\n"
          + "x-ratelimit-remaining: 0\r\nWWW-Authenticate: Bearer realm=\"r\"\r\n"
          + "Location: /elsewhere\r\n";

  /** A call in a protocol, and the same streamed. */
  private enum Call {
    RPC("/", rpc("SendMessage", "ROLE_USER", "")),
    RPC_STREAM("/", rpc("SendStreamingMessage", "ROLE_USER", "")),
    RPC_OLD("/", rpc("message/send", "user", "\"kind\":\"text\",")),
    RPC_OLD_STREAM("/", rpc("message/stream", "user", "\"kind\":\"text\",")),
    RPC_TASK(
        "/", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"t\"}}"),
    REST("/message:send", "{\"message\":" + message("ROLE_USER", "") + "}"),
    REST_STREAM("/message:stream", "{\"message\":" + message("ROLE_USER", "") + "}"),
    REST_OLD(
        "/v1/message:send",
        "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"content\":[{\"text\":\"Why?\"}]}}"),
    MCP(
        "/mcp",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"look\",\"arguments\":{\"q\":\"Why?\"}}}"),
    CHAT("/v1/chat/completions", chat("")),
    CHAT_STREAM("/v1/chat/completions", chat(",\"stream\":true")),
    RESPONSES("/v1/responses", "{\"model\":\"m\",\"input\":\"Why?\"}"),
    RESPONSES_STREAM("/v1/responses", "{\"model\":\"m\",\"input\":\"Why?\",\"stream\":true}"),
    POINTERS("/json", "{\"q\":\"Why?\"}"),
    TEXT("/text", "Why?");

    private final String path;
    private final String body;

    Call(String path, String body) {
      this.path = path;
      this.body = body;
    }

    private static String message(String role, String kind) {
      return "{\"messageId\":\"m\",\"role\":\"%s\",\"parts\":[{%s\"text\":\"Why?\"}]}"
          .formatted(role, kind);
    }

    private static String rpc(String method, String role, String kind) {
      return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{\"message\":%s}}"
          .formatted(method, message(role, kind));
    }

    private static String chat(String more) {
      return "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Why?\"}]"
          + more
          + "}";
    }

    boolean isRpc() {
      return name().startsWith("RPC") || this == MCP;
    }

    boolean isRest() {
      return name().startsWith("REST");
    }

    String ask() {
      return "POST "
          + path
          + " HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Type: "
          + (this == TEXT ? "text/plain" : "application/json")
          + "\r\nContent-Length: "
          + body.length()
          + (this == MCP ? "\r\nMCP-Protocol-Version: 2025-11-25" : "")
          + "\r\n\r\n"
          + body;
    }

    /** The error of its protocol with these words. */
    String error(String words) {
      String named =
          "{\"message\":\"" + words + "\",\"type\":\"overloaded_error\",\"code\":\"busy\"}";
      return isRpc()
          ? "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32055,\"message\":\"m\",\"data\":[\""
              + words
              + "\"]}}"
          : isRest()
              ? "{\"error\":{\"code\":429,\"status\":\"BUSY\",\"message\":\"" + words + "\"}}"
              : this == RESPONSES_STREAM
                  ? "{\"type\":\"error\",\"code\":\"busy\",\"message\":\"" + words + "\"}"
                  : "{\"error\":" + named + "}";
    }

    /** What of that error stays when its words do not. */
    String label() {
      return isRpc() ? "-32055" : this == REST_OLD ? "429" : isRest() ? "BUSY" : "busy";
    }

    /** An event with words that no evidence carries. */
    String piece() {
      String rest =
          "{\"artifactUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"text\":\"@\"}]}}}";
      String old =
          "{\"kind\":\"artifact-update\",\"taskId\":\"t\",\"contextId\":\"c\",\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"kind\":\"text\",\"text\":\"@\"}]}}";
      String event =
          switch (this) {
            case RPC_STREAM -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + rest + "}";
            case RPC_OLD_STREAM -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + old + "}";
            case REST_STREAM -> rest;
            case CHAT_STREAM ->
                "{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"@\"}}]}";
            case RESPONSES_STREAM ->
                "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"@\"}";
            default -> throw new IllegalArgumentException(name());
          };
      return event.replace("@", SENTENCE + "It was 1837 of them.");
    }
  }

  private static final List<Call> STREAMS =
      Arrays.stream(Call.values()).filter(call -> call.name().endsWith("STREAM")).toList();

  @TempDir static Path folder = Path.of("");
  private static final RawAgent AGENT = RawAgent.start();

  @SuppressWarnings("NullAway") // set before each test runs
  private static Sidecar sidecar = SidecarFixture.unstarted();

  @BeforeAll
  static void start() throws IOException {
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        dataDir: data
        startup: { warmUpMessages: 0 }
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d", agentProtocol: http1 }
        admin: { listen: "127.0.0.1:0" }
        routes:
          - name: json
            match: { pathPrefix: /json }
            codec: json
            grounding: required
            json: { request: { text: /q }, response: { text: /error/message } }
          - { name: text, match: { pathPrefix: /text }, codec: text, grounding: required }
          - { name: all, codec: auto, grounding: required }
        """
            .formatted(AGENT.port()));
    if (!(ConfigLoader.load(file)
        instanceof ConfigResult.Loaded<SidecarConfig>(SidecarConfig config))) {
      throw new AssertionError(ConfigLoader.load(file));
    }
    sidecar = Sidecar.start(config, file, Cores.NONE, Gate.PeerResolver.NONE);
  }

  @AfterAll
  static void stop() {
    sidecar.close();
    AGENT.close();
  }

  private static String told(Call call, String head, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    return told(call, head + "Content-Length: " + bytes.length + "\r\n\r\n" + body);
  }

  private static String told(Call call, String answer) throws IOException {
    AGENT.script(("HTTP/1.1 " + answer).getBytes(UTF_8));
    try (Socket caller =
        new Socket(InetAddress.getLoopbackAddress(), sidecar.inboundPort().orElseThrow())) {
      caller.setSoTimeout(PATIENCE_MS);
      caller.getOutputStream().write(call.ask().getBytes(UTF_8));
      String told = new String(RawAgent.readToEnd(caller.getInputStream()), UTF_8);
      assertThat(new String(AGENT.asked(), UTF_8).split("HTTP/1.1\r\n", -1)).hasSize(2);
      assertThat(told).doesNotContain("content_filter", "127.0.0.1:" + AGENT.port());
      return told;
    }
  }

  private static String events(String... events) {
    StringBuilder stream = new StringBuilder("200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
    for (String event : events) {
      stream.append("data: ").append(event).append("\n\n");
    }
    return stream.toString();
  }

  static Stream<Arguments> httpErrors() {
    return Arrays.stream(Call.values())
        .flatMap(
            call -> Stream.of(307, 401, 404, 429, 503).map(status -> Arguments.of(call, status)));
  }

  @ParameterizedTest
  @MethodSource("httpErrors")
  void H26_pageOfAFramework_passesWithStatusAndFields_butNoEssay(Call call, int status)
      throws IOException {
    String head = status + " X\r\nContent-Type: text/html\r\n" + FIELDS;
    String page = "<h1>away until 14:00</h1>";

    assertThat(told(call, head, page)).startsWith("HTTP/1.1 " + status).contains(page);

    for (String told :
        List.of(
            told(call, head, "<p>" + ESSAY + "</p>"),
            told(call, head + "X-Note: " + ESSAY + "\r\n", page),
            told(call, head + "Content-Encoding: br\r\n", "x"))) {
      assertThat(told).startsWith("HTTP/1.1 " + status).doesNotContain("walrus");
      for (String field : FIELDS.split("\r\n", -1)) {
        assertThat(told.toLowerCase(Locale.ROOT)).contains(field.toLowerCase(Locale.ROOT));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void N10_errorOfTheProtocol_passesAsItCame_andWithoutWordsPastTheBound(Call call)
      throws IOException {
    String head = "429 Too Many\r\nContent-Type: application/json\r\n" + FIELDS;
    String error = call.error(SENTENCE.repeat(20).strip());

    assertThat(told(call, head, error))
        .startsWith("HTTP/1.1 429")
        .contains(error, "Retry-After: 3");

    String cut = told(call, head, call.error(ESSAY));
    assertThat(cut).startsWith("HTTP/1.1 429").contains("Retry-After: 3").doesNotContain("walrus");
    if (call.isRpc() || call.isRest() || call.path.startsWith("/v1/")) {
      assertThat(cut).contains(call.label());
    }
  }

  static Stream<Call> rpcs() {
    return Arrays.stream(Call.values()).filter(Call::isRpc);
  }

  @ParameterizedTest
  @MethodSource("rpcs")
  void N10_errorUnder200_staysOne(Call call) throws IOException {
    String head = "200 OK\r\nContent-Type: application/json\r\n";

    String error = call.error(SENTENCE.repeat(20).strip());
    assertThat(told(call, head, error)).startsWith("HTTP/1.1 200").contains(error);

    assertThat(told(call, head, call.error(ESSAY)))
        .startsWith("HTTP/1.1 200")
        .contains("-32055", "\"error\"")
        .doesNotContain("walrus", "isError");
    String labels = call.error("x").replace("\"x\"", "\"walrus\",".repeat(600) + "\"x\"");
    assertThat(told(call, head, labels)).contains("-32055").doesNotContain("walrus");
  }

  static Stream<Call> streams() {
    return STREAMS.stream();
  }

  @ParameterizedTest
  @MethodSource("streams")
  void W03_errorBehindBadWords_goesOnWithoutThem(Call call) throws IOException {
    String error = call.error("Overloaded");

    String told = told(call, events(call.piece(), error));

    assertThat(told).startsWith("HTTP/1.1 200").contains(error).doesNotContain("walrus", "1837");
  }

  @ParameterizedTest
  @MethodSource("streams")
  void W03_essayInErrorsOfAStream_isBounded_andTheErrorStaysWhereItCan(Call call)
      throws IOException {
    String half = SENTENCE.repeat(45).strip();

    String told = told(call, events(call.error(half), call.error(half)));
    assertThat(told.split("walrus", -1).length).isLessThanOrEqualTo(46);

    String cut = told(call, events(call.piece(), call.error(ESSAY)));
    assertThat(cut).doesNotContain("walrus");
    assertThat(cut).contains(call.label());
  }

  @ParameterizedTest
  @MethodSource("streams")
  void N11_agentThatDies_isNoWordOfIts(Call call) throws IOException {
    String told =
        told(
            call,
            "200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                + Integer.toHexString(("data: " + call.piece() + "\n\n").length())
                + "\r\ndata: "
                + call.piece()
                + "\n\n\r\n");

    assertThat(told).doesNotContain("walrus", "TASK_STATE", "delta", "output_text");
    assertThat(told).contains("\"error\"", "response_incomplete").endsWith("\r\n0\r\n\r\n");
  }
}
