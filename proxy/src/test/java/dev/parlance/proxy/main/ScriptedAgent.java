package dev.parlance.proxy.main;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** An agent whose answers a test writes down; remembers what it was asked. */
final class ScriptedAgent implements AutoCloseable {
  /** What it was asked. */
  @SuppressWarnings("ArrayRecordComponent") // read only, in tests
  record Asked(
      String method, String target, java.util.Map<String, List<String>> fields, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /** What it answers. */
  @SuppressWarnings("ArrayRecordComponent") // read only, in tests
  record Reply(int status, String contentType, byte[] body) {
    static Reply json(String body) {
      return new Reply(200, "application/json", body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  ScriptedAgent(Function<Asked, Reply> script) throws IOException {
    this(script, 0);
  }

  /** One that listens where an earlier one did. */
  ScriptedAgent(Function<Asked, Reply> script, int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, script));
    server.start();
  }

  private void answer(HttpExchange exchange, Function<Asked, Reply> script) throws IOException {
    try (exchange) {
      Asked request =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders(),
              exchange.getRequestBody().readAllBytes());
      asked.add(request);
      Reply reply = script.apply(request);
      if (!reply.contentType().isEmpty()) {
        exchange.getResponseHeaders().set("Content-Type", reply.contentType());
      }
      exchange.getResponseHeaders().set("ETag", "\"of-the-original\"");
      if (exchange.getRequestHeaders().containsKey("Origin")) {
        exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
      }
      exchange.getResponseHeaders().set("ASP-Signal", "[@C:F; @G:F; @S:0; A:[K:1]]");
      exchange.sendResponseHeaders(
          reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
      exchange.getResponseBody().write(reply.body());
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  List<Asked> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
