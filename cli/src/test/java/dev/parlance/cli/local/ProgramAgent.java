package dev.parlance.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An A2A agent as a program of its own: says its fact, with or without what it rests on, and its
 * card names its own address. Takes its port and a file to write its environment's proxy into.
 */
final class ProgramAgent {
  private static final String FACT = "The impeller must be replaced every 2000 operating hours";

  private ProgramAgent() {}

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext(
        "/.well-known/agent-card.json",
        exchange ->
            answer(
                exchange,
                "{\"name\":\"pumps\",\"url\":\"http://127.0.0.1:%d/a2a\"}".formatted(port)));
    server.createContext(
        "/a2a",
        exchange -> {
          String asked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          String evidence =
              "\"metadata\":{\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":[{\"id\":\"c1\",\"text\":\"%s.\"}]}},"
                  .formatted(FACT);
          answer(
              exchange,
              """
              {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a-1","role":"ROLE_AGENT",%s
               "parts":[{"text":"%s [Chunk c1]."}]}}}\
              """
                  .formatted(asked.contains("sources") ? evidence : "", FACT));
        });
    server.start();
    System.out.println("proxy=" + System.getenv("HTTP_PROXY"));
    System.err.println("base=" + System.getenv("OPENAI_BASE_URL"));
    Files.writeString(Path.of(arguments[1]), Long.toString(ProcessHandle.current().pid()));
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] bytes = json.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
