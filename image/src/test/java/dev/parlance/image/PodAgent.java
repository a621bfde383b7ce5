package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * An agent that knows nothing of Parlance, as a program of its own that needs the JDK only: it
 * answers A2A questions under {@code /a2a}, and asks them.
 */
public final class PodAgent {
  private static final String QUESTION =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
      "contextId":"ctx-1","role":"ROLE_USER","parts":[{"text":\
      "When must the impeller be replaced?"}]}}}\
      """;

  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";

  private PodAgent() {}

  /**
   * {@code serve ADDRESS PORT} until it is ended, or {@code get URL}, {@code ask URL}, which print
   * the status, the header fields and the body.
   */
  public static void main(String[] words) throws Exception {
    switch (words[0]) {
      case "serve" -> serve(words[1], Integer.parseInt(words[2]));
      case "get" -> print(HttpRequest.newBuilder(URI.create(words[1])).build());
      case "ask" ->
          print(
              HttpRequest.newBuilder(URI.create(words[1]))
                  .version(HttpClient.Version.HTTP_1_1)
                  .header("Content-Type", "application/json")
                  .header("A2A-Version", "1.0")
                  .POST(HttpRequest.BodyPublishers.ofString(QUESTION))
                  .build());
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private static void print(HttpRequest request) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(
          response.statusCode() + "\n" + response.headers().map() + "\n" + response.body());
    }
  }

  private static void serve(String address, int port) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 16);
    server.createContext("/healthz", exchange -> answer(exchange, "text/plain", "well"));
    server.createContext(
        "/a2a",
        exchange -> {
          System.out.println(
              "asked by "
                  + exchange.getRemoteAddress().getAddress().getHostAddress()
                  + " route="
                  + exchange.getRequestHeaders().getFirst("Parlance-Route"));
          answer(
              exchange,
              "application/json",
              """
              {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m-2","contextId":"ctx-1",\
              "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1",\
              "text":"%1$s."}]}},"role":"ROLE_AGENT","parts":[{"text":"%1$s [Chunk c1]."}]}}}\
              """
                  .formatted(FACT));
        });
    server.start();
    System.out.println("serving");
  }

  private static void answer(HttpExchange exchange, String type, String text) throws IOException {
    exchange.getRequestBody().readAllBytes();
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
