import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An A2A agent (JSON-RPC, version 1.0) in one file of plain Java, {@code java Agent.java}, that
 * knows one page of a pump's manual. What it finds there it says with the passage beside it; asked
 * for anything else it makes something up, as a model might. A real one takes a JSON library.
 */
public final class Agent {
  private static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";
  private static final Map<String, String> MANUAL =
      Map.of(
          "c1",
          "The impeller must be replaced every 2000 operating hours.",
          "c2",
          "The inlet strainer is cleaned after 200 operating hours with citric acid at five"
              + " percent.");
  private static final String INVENTED =
      "Our friendly specialists generally cover whatever feels right for everybody concerned.";
  private static final Pattern TEXT = Pattern.compile("\"text\"\\s*:\\s*\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(\"[^\"]*\"|\\d+)");

  private Agent() {}

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/.well-known/agent-card.json", exchange -> answer(exchange, card(port)));
    server.createContext(
        "/a2a",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          answer(exchange, reply(new String(body, StandardCharsets.UTF_8)));
        });
    server.start();
    System.out.println("listening on " + port);
  }

  private static String card(int port) {
    return """
    {"name":"pump manual","description":"Knows a page about a pump.","version":"1","capabilities":{},
     "defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[],
     "supportedInterfaces":[{"url":"http://127.0.0.1:%d/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}\
    """
        .formatted(port);
  }

  private static String reply(String request) {
    Matcher id = ID.matcher(request);
    Matcher text = TEXT.matcher(request);
    String question = text.find() ? text.group(1).toLowerCase() : "";
    String said =
        MANUAL.entrySet().stream()
            .filter(chunk -> mentions(question, chunk.getValue().toLowerCase()))
            .findFirst()
            .map(chunk -> chunk.getValue().replace(".", " [Chunk " + chunk.getKey() + "]."))
            .orElse(INVENTED);
    StringBuilder context = new StringBuilder();
    MANUAL.forEach((key, value) ->
        context
            .append(context.isEmpty() ? "" : ",")
            .append("{\"id\":\"%s\",\"text\":\"%s\"}".formatted(key, value)));
    // what the answer rests on: the texts that were found for it
    return """
    {"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"%s","role":"ROLE_AGENT",
     "parts":[{"text":"%s"}],"metadata":{"%s":{"context":[%s]}}}}}\
    """
        .formatted(id.find() ? id.group(1) : "null", UUID.randomUUID(), said, EVIDENCE, context);
  }

  private static boolean mentions(String question, String passage) {
    for (String word : question.split("\\W+")) {
      if (word.length() > 4 && passage.contains(word)) {
        return true;
      }
    }
    return false;
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
