package dev.parlance.cli.review;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** `parlance review` and an admin API that answers as a test says, found by its data folder. */
abstract class StubbedAdmin {
  @TempDir Path folder = Path.of("");

  /** What was asked: method, target and body. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  final HttpServer server;

  StubbedAdmin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  /** What the admin API says. */
  record Reply(int status, String body) {}

  /**
   * Answers a request.
   *
   * @param asked method, target and body, if there is one
   * @param authorization the field of that name; may be empty
   */
  abstract Reply answer(String asked, String authorization);

  @BeforeEach
  void start() throws IOException {
    server.createContext("/", this::answer);
    server.start();
    Files.writeString(
        folder.resolve("admin.url"), "http://127.0.0.1:" + server.getAddress().getPort() + "\n");
    Files.writeString(folder.resolve("admin.token"), "secret\n");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String request =
        (exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body).strip();
    asked.add(request);
    String authorization = exchange.getRequestHeaders().getFirst("authorization");
    Reply reply = answer(request, authorization == null ? "" : authorization);
    byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  Run review(String... args) {
    return review("", args);
  }

  Run review(String input, String[] args) {
    String[] all = new String[args.length + 3];
    all[0] = "review";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--data-dir";
    all[args.length + 2] = folder.toString();
    return Run.withInput(input.getBytes(StandardCharsets.UTF_8), all);
  }
}
