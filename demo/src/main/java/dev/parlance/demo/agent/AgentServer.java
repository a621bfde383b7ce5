package dev.parlance.demo.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.events.InMemoryQueueManager;
import io.a2a.server.requesthandlers.DefaultRequestHandler;
import io.a2a.server.tasks.BasePushNotificationSender;
import io.a2a.server.tasks.InMemoryPushNotificationConfigStore;
import io.a2a.server.tasks.InMemoryTaskStore;
import io.a2a.spec.AgentCard;
import io.a2a.transport.jsonrpc.handler.JSONRPCHandler;
import io.a2a.util.Utils;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Puts the SDK's own request handler on a loopback port: the agent card at {@value #CARD_PATH}, and
 * JSON-RPC as POST to {@code /}.
 */
final class AgentServer implements AutoCloseable {
  static final String CARD_PATH = "/.well-known/agent-card.json";
  private static final int BODY_BYTES_MAX = 1024 * 1024;
  private static final int BACKLOG = 128;

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private AgentServer(HttpServer http) {
    this.http = http;
  }

  /** Takes the port (0: any free one) but answers nothing yet. */
  static AgentServer bind(int port) throws IOException {
    // Without it the JDK's server holds small answers back for up to 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new AgentServer(HttpServer.create(address, BACKLOG));
  }

  int port() {
    return http.getAddress().getPort();
  }

  /** Begins to answer as the agent that {@code card} describes. */
  void start(AgentCard card, AgentExecutor agent) throws IOException {
    InMemoryTaskStore tasks = new InMemoryTaskStore();
    InMemoryPushNotificationConfigStore pushConfigs = new InMemoryPushNotificationConfigStore();
    DefaultRequestHandler handler =
        DefaultRequestHandler.create(
            agent,
            tasks,
            new InMemoryQueueManager(tasks),
            pushConfigs,
            new BasePushNotificationSender(pushConfigs),
            threads);
    JsonRpc jsonRpc = new JsonRpc(new JSONRPCHandler(card, handler, threads));
    byte[] cardJson = Utils.OBJECT_MAPPER.writeValueAsBytes(card);
    http.setExecutor(threads);
    http.createContext("/", exchange -> answer(exchange, jsonRpc, cardJson));
    http.start();
  }

  private static void answer(HttpExchange exchange, JsonRpc jsonRpc, byte[] cardJson)
      throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      switch (exchange.getRequestMethod()) {
        case "GET" -> {
          if (path.equals(CARD_PATH)) {
            send(exchange, 200, cardJson);
          } else {
            exchange.sendResponseHeaders(404, -1);
          }
        }
        case "POST" -> {
          byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
          if (body.length > BODY_BYTES_MAX) {
            exchange.sendResponseHeaders(413, -1);
          } else {
            send(exchange, 200, jsonRpc.answer(new String(body, StandardCharsets.UTF_8)));
          }
        }
        default -> exchange.sendResponseHeaders(405, -1);
      }
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] json) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, json.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(json);
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
