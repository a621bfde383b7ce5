package dev.parlance.proxy.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A collector on loopback that remembers what it was sent, and answers as a test likes. */
public final class FakeCollector implements AutoCloseable {
  /**
   * One request.
   *
   * @param fields its header fields
   * @param body its body
   */
  public record Posted(Map<String, List<String>> fields, String body) {}

  /**
   * One answer.
   *
   * @param fields {@code name: value}; empty for none
   */
  public record Answer(int status, String fields, String body) {
    /** All is taken. */
    public static final Answer TAKEN = new Answer(200, "", "{}");
  }

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int BACKLOG = 64;

  private final HttpServer server;
  private final String base;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Posted> posted = new CopyOnWriteArrayList<>();

  /** One that takes everything. */
  public FakeCollector() throws IOException {
    this(_ -> Answer.TAKEN);
  }

  /**
   * One that answers by a script.
   *
   * @param script gives the answer to each request, counted from 1
   */
  public FakeCollector(IntFunction<Answer> script) throws IOException {
    this(HttpServer.create(ANY_PORT, BACKLOG), "http://127.0.0.1", script);
  }

  /** The same over TLS, as {@code localhost}. */
  FakeCollector(IntFunction<Answer> script, SSLContext tls) throws IOException {
    this(encrypted(tls), "https://localhost", script);
  }

  private FakeCollector(HttpServer server, String base, IntFunction<Answer> script) {
    this.server = server;
    this.base = base;
    server.setExecutor(threads);
    server.createContext("/v1/traces", exchange -> answer(exchange, script));
    server.start();
  }

  private static HttpServer encrypted(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create(ANY_PORT, BACKLOG);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private void answer(HttpExchange exchange, IntFunction<Answer> script) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      int number;
      synchronized (posted) {
        posted.add(new Posted(Map.copyOf(exchange.getRequestHeaders()), body));
        number = posted.size();
      }
      Answer answer = script.apply(number);
      if (!answer.fields().isEmpty()) {
        String[] field = answer.fields().split(": ", 2);
        exchange.getResponseHeaders().set(field[0], field[1]);
      }
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Where spans are posted to. */
  public String url() {
    return base + ":" + server.getAddress().getPort() + "/v1/traces";
  }

  /** What came, in order. */
  public List<Posted> posted() {
    return List.copyOf(posted);
  }

  /** The spans of all requests. */
  public List<JsonNode> spans() {
    List<JsonNode> spans = new ArrayList<>();
    for (Posted one : posted) {
      for (JsonNode resource : JsonMapper.shared().readTree(one.body()).path("resourceSpans")) {
        for (JsonNode scope : resource.path("scopeSpans")) {
          scope.path("spans").forEach(spans::add);
        }
      }
    }
    return spans;
  }

  /** The value of an attribute of a span, an event or a resource; empty if it has none. */
  public static String value(JsonNode holder, String name) {
    for (JsonNode attribute : holder.path("attributes")) {
      if (attribute.path("key").asString("").equals(name)) {
        JsonNode value = attribute.path("value");
        return value.has("arrayValue")
            ? value.path("arrayValue").path("values").toString()
            : value.path(value.propertyNames().iterator().next()).asString("");
      }
    }
    return "";
  }

  /** The events of a span by name. */
  public static List<JsonNode> events(JsonNode span, String name) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode event : span.path("events")) {
      if (event.path("name").asString("").equals(name)) {
        found.add(event);
      }
    }
    return found;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
