package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;

/** A page of a console that is logged in. */
final class ConsoleCaller implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String base;
  private String cookie = "";

  /**
   * Logs in.
   *
   * @param link with a one-time code
   * @param who whom the console must take it for
   */
  ConsoleCaller(URI link, String who) throws Exception {
    base = "http://127.0.0.1:" + link.getPort();
    String code = link.getFragment().substring("code=".length());
    assertThat(post("/session", "{\"code\":\"" + code + "\"}").path("who").asString())
        .isEqualTo(who);
  }

  JsonNode get(String path) throws Exception {
    return send(request(path).GET().build());
  }

  JsonNode post(String path, String body) throws Exception {
    return send(
        request(path)
            .header("Origin", base)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** The events from now on. */
  InputStream events() throws Exception {
    return http.send(request("/events").GET().build(), HttpResponse.BodyHandlers.ofInputStream())
        .body();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + "/api/v1" + path));
    return cookie.isEmpty() ? request : request.header("Cookie", cookie);
  }

  private JsonNode send(HttpRequest request) throws Exception {
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    answer
        .headers()
        .firstValue("Set-Cookie")
        .ifPresent(field -> cookie = field.substring(0, field.indexOf(';')));
    return A2a.JSON.readTree(answer.body());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
