package dev.parlance.client;

import dev.parlance.client.CallRefused.Why;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Talks to the admin API of one sidecar, on loopback, with its token. Close it after use. */
public final class SidecarClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);
  private static final long MAX_BODY_BYTES = 64L << 20;

  private final JsonMapper json;
  private final Address address;
  private final HttpClient http;
  private final Runnable afterClose;

  /**
   * Where the admin API of a sidecar is.
   *
   * @param base scheme, host and port
   * @param token the bearer token
   */
  public record Address(URI base, String token) {}

  /**
   * A client of one sidecar.
   *
   * @param json reads what comes, with limits of its own
   */
  public SidecarClient(Address address, JsonMapper json) {
    this(address, json, () -> {});
  }

  /**
   * A client of one sidecar, with something that ends with it.
   *
   * @param afterClose called once nothing is asked any more
   */
  public SidecarClient(Address address, JsonMapper json, Runnable afterClose) {
    this.afterClose = afterClose;
    this.json = json;
    this.address = address;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /** GET; {@code pathAndQuery} starts with a slash. What is no success is {@link CallRefused}. */
  public JsonNode get(String pathAndQuery) throws IOException {
    return ask(request(pathAndQuery).GET().build());
  }

  /**
   * GET of whatever there is, whatever its status; {@code pathAndQuery} starts with a slash.
   *
   * @return status and bytes
   * @throws IOException if there is no answer
   */
  public HttpResponse<byte[]> raw(String pathAndQuery) throws IOException, InterruptedException {
    return http.send(
        request(pathAndQuery).GET().build(),
        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES));
  }

  /**
   * POST of one JSON object, for whatever there is, whatever its status.
   *
   * @return status and bytes
   * @throws IOException if there is no answer
   */
  public HttpResponse<byte[]> rawPost(String path, Object body)
      throws IOException, InterruptedException {
    return http.send(
        postRequest(path, body), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES));
  }

  /** POST of one JSON object. */
  public JsonNode post(String path, Object body) throws IOException {
    return ask(postRequest(path, body));
  }

  private HttpRequest postRequest(String path, Object body) {
    return request(path)
        .header("content-type", "application/json")
        .POST(BodyPublishers.ofString(json.writeValueAsString(body)))
        .build();
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    return HttpRequest.newBuilder(URI.create(address.base() + pathAndQuery))
        .timeout(REQUEST_TIMEOUT)
        .header("accept", "application/json")
        .header("authorization", "Bearer " + address.token());
  }

  private JsonNode ask(HttpRequest request) throws IOException {
    HttpResponse<byte[]> response;
    try {
      response =
          http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES));
    } catch (ConnectException e) {
      throw new CallRefused(
          Why.OTHER,
          "no sidecar answers at %s; is it running? (parlance proxy --config FILE)"
              .formatted(address.base()));
    } catch (HttpTimeoutException e) {
      throw new CallRefused(
          Why.OTHER, "the sidecar at " + address.base() + " did not answer in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallRefused(Why.OTHER, "interrupted");
    }
    JsonNode body = parse(response.body());
    int status = response.statusCode();
    if (status < 200 || status >= 300) {
      throw new CallRefused(status == 404 ? Why.NOT_FOUND : Why.OTHER, describe(status, body));
    }
    return body;
  }

  private JsonNode parse(byte[] body) {
    try {
      return body.length == 0 ? JsonNodeFactory.instance.objectNode() : json.readTree(body);
    } catch (JacksonException e) {
      return JsonNodeFactory.instance.objectNode(); // the status says enough
    }
  }

  private String describe(int status, JsonNode body) {
    String said = firstText(body.path("error"), "message", "code");
    String suffix = said.isEmpty() ? "" : ": " + said;
    return switch (status) {
      case 401, 403 ->
          ("the sidecar at %s refused the token; use admin.token of the data folder "
                  + "it runs with")
              .formatted(address.base());
      case 404 -> "the sidecar knows no such id" + suffix;
      case 409 ->
          body.path("item").path("decision").isObject()
              ? "already decided" + decision(body.path("item"), suffix)
              : said + claim(body.path("item"));
      default -> "the sidecar answered " + status + suffix;
    };
  }

  private static String claim(JsonNode item) {
    String who = firstText(item.path("review").path("claim"), "who");
    return who.isEmpty() ? "" : " (claimed by " + who + ")";
  }

  private static String decision(JsonNode item, String otherwise) {
    String who = firstText(item.path("decision"), "who");
    String state = firstText(item, "state");
    return who.isEmpty()
        ? otherwise
        : state.equals("expired")
            ? ": released by " + who + ", and it has expired, because nobody collected it in time"
            : ": " + state + " by " + who;
  }

  /** The first of the members that is a non-empty string, or an empty one. */
  public static String firstText(JsonNode object, String... names) {
    for (String name : names) {
      JsonNode value = object.path(name);
      if (value.isString() && !value.stringValue().isEmpty()) {
        return value.stringValue();
      }
    }
    return "";
  }

  @Override
  public void close() {
    http.close();
    afterClose.run();
  }
}
