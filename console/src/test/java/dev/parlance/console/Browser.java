package dev.parlance.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** What a page in a browser does: it keeps one cookie, and says its origin. */
final class Browser implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String base;
  String cookie = "";

  Browser(ConsoleServer server) {
    this.base = "http://127.0.0.1:" + server.address().getPort();
  }

  static String code(URI link) {
    return link.getFragment().substring("code=".length());
  }

  Browser logIn(ConsoleServer server) throws Exception {
    HttpResponse<String> answer =
        post("/api/v1/session", "{\"code\":\"" + code(server.link()) + "\"}");
    if (answer.statusCode() != 200) {
      throw new IOException(answer.body());
    }
    return this;
  }

  HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "", Map.of());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, body, Map.of("origin", base, "content-type", "application/json"));
  }

  HttpResponse<String> send(String method, String path, String body, Map<String, String> fields)
      throws Exception {
    HttpResponse<String> answer =
        http.send(request(method, path, body, fields), BodyHandlers.ofString());
    answer
        .headers()
        .firstValue("set-cookie")
        .ifPresent(field -> cookie = field.substring(0, field.indexOf(';')));
    return answer;
  }

  private HttpRequest request(String method, String path, String body, Map<String, String> fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofSeconds(60))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    fields.forEach(request::header);
    if (!cookie.isEmpty()) {
      request.header("cookie", cookie);
    }
    return request.build();
  }

  /** Lines of the event stream as they come. */
  Stream<String> events(String lastEventId) throws Exception {
    return http.send(
            request(
                "GET",
                "/api/v1/events",
                "",
                lastEventId.isEmpty() ? Map.of() : Map.of("last-event-id", lastEventId)),
            BodyHandlers.ofLines())
        .body();
  }

  String origin() {
    return base;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
