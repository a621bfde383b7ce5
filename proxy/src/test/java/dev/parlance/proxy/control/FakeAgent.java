package dev.parlance.proxy.control;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.proxy.config.LocalAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A local agent whose answers a test writes down. {@code $ID} stands for the request's id. */
public final class FakeAgent implements AutoCloseable {
  static final String CARD_1_0 =
      """
      {"name":"a","supportedInterfaces":[{"url":"http://192.0.2.1/","protocolBinding":"JSONRPC",\
      "protocolVersion":"1.0"}]}\
      """;
  static final String CARD_0_3 =
      """
      {"name":"a","url":"http://192.0.2.1/","preferredTransport":"JSONRPC","protocolVersion":"0.3.0"}\
      """;

  /** What it was asked. */
  public record Asked(String method, String path, Headers fields, JsonNode body) {}

  /** What it answers. */
  public record Reply(int status, String body, Map<String, String> fields) {
    public Reply(int status, String body) {
      this(status, body, Map.of());
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Function<Asked, Reply> script;
  volatile String card = CARD_1_0;

  public FakeAgent(Function<Asked, Reply> script) throws IOException {
    this.script = script;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  public static Function<Asked, Reply> always(String body) {
    return _ -> new Reply(200, body);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean get = exchange.getRequestMethod().equals("GET");
      Asked request =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders(),
              JsonMapper.shared().readTree(get ? "{}".getBytes(StandardCharsets.UTF_8) : body));
      asked.add(request);
      Reply reply = get ? new Reply(card.isEmpty() ? 404 : 200, card) : script.apply(request);
      byte[] bytes =
          reply
              .body()
              .replace("$ID", request.body().path("id").asString(""))
              .getBytes(StandardCharsets.UTF_8);
      exchange
          .getResponseHeaders()
          .set(
              "Content-Type",
              reply.body().startsWith("data:") ? "text/event-stream" : "application/json");
      reply.fields().forEach(exchange.getResponseHeaders()::set);
      if (reply.status() == 302) {
        exchange.getResponseHeaders().set("Location", "/elsewhere");
      }
      exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  List<Asked> asked() {
    return asked;
  }

  /** Only the questions, without looks at cards and tasks. */
  public List<Asked> questions() {
    return asked.stream()
        .filter(
            one -> one.body().path("method").asString("").toLowerCase(Locale.ROOT).contains("send"))
        .toList();
  }

  public LocalAgent settings(LocalAgent.Protocol protocol, int timeoutMs) {
    return new LocalAgent(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/a2a"),
        protocol,
        timeoutMs);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    threads.close();
  }
}
