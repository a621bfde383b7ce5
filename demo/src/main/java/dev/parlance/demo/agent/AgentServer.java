package dev.parlance.demo.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.demo.agent.HttpBindings.HttpAnswer;
import dev.parlance.demo.agent.HttpBindings.JsonRpc;
import dev.parlance.demo.agent.HttpBindings.Rest;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.events.InMemoryQueueManager;
import io.a2a.server.requesthandlers.DefaultRequestHandler;
import io.a2a.server.tasks.BasePushNotificationSender;
import io.a2a.server.tasks.InMemoryPushNotificationConfigStore;
import io.a2a.server.tasks.InMemoryTaskStore;
import io.a2a.spec.AgentCard;
import io.a2a.transport.jsonrpc.handler.JSONRPCHandler;
import io.a2a.transport.rest.handler.RestHandler;
import io.a2a.util.Utils;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.function.Function;

/**
 * Puts the SDK's own request handler on a loopback port: the agent card at {@value #CARD_PATH}, and
 * JSON-RPC as POST to {@code /}. Where another binding is wanted, HTTP+JSON is on the same port and
 * gRPC on one of its own.
 */
final class AgentServer implements AutoCloseable {
  static final String CARD_PATH = "/.well-known/agent-card.json";
  private static final int BODY_BYTES_MAX = 1024 * 1024;
  private static final int BACKLOG = 128;
  private static final String JSON = "application/json";

  private final HttpServer http;
  private final ExecutorService threads;
  private final Optional<GrpcBinding> grpc;

  private AgentServer(HttpServer http, ExecutorService threads, Optional<GrpcBinding> grpc) {
    this.http = http;
    this.threads = threads;
    this.grpc = grpc;
  }

  /** Takes the port (0: any free one) and what the binding needs, but answers nothing yet. */
  static AgentServer bind(int port, Talk.Binding binding) throws IOException {
    // Without it the JDK's server holds small answers back for up to 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // The SDK would warn of every binding on the class path that a card does not name.
    System.setProperty("io.a2a.transport.skipValidation", "true");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer http = HttpServer.create(address, BACKLOG);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Optional<GrpcBinding> grpc =
        switch (binding) {
          case JSONRPC, REST -> Optional.empty();
          case GRPC -> Optional.of(GrpcBinding.bind(threads));
        };
    return new AgentServer(http, threads, grpc);
  }

  int port() {
    return http.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  /** The port for gRPC; empty if it is not spoken. */
  Optional<Integer> grpcPort() {
    return grpc.map(GrpcBinding::port);
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
    boolean spoken =
        card.additionalInterfaces() != null
            && card.additionalInterfaces().stream()
                .anyMatch(one -> one.transport().equals(Talk.Binding.REST.transport()));
    Optional<Rest> rest =
        spoken ? Optional.of(new Rest(new RestHandler(card, handler, threads))) : Optional.empty();
    grpc.ifPresent(side -> side.start(card, handler, threads));
    byte[] cardJson = Utils.OBJECT_MAPPER.writeValueAsBytes(card);
    http.setExecutor(threads);
    http.createContext("/", exchange -> answer(exchange, jsonRpc, rest, cardJson));
    http.start();
  }

  private static void answer(
      HttpExchange exchange, JsonRpc jsonRpc, Optional<Rest> rest, byte[] cardJson)
      throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      switch (exchange.getRequestMethod()) {
        case "GET" -> {
          if (path.equals(CARD_PATH)) {
            send(exchange, new HttpAnswer.Whole(200, JSON, cardJson));
          } else {
            exchange.sendResponseHeaders(404, -1);
          }
        }
        case "POST" -> {
          byte[] read = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
          if (read.length > BODY_BYTES_MAX) {
            exchange.sendResponseHeaders(413, -1);
          } else {
            String body = new String(read, StandardCharsets.UTF_8);
            send(
                exchange,
                rest.flatMap(methods -> methods.answer(path, body))
                    .orElseGet(() -> jsonRpc.answer(body)));
          }
        }
        default -> exchange.sendResponseHeaders(405, -1);
      }
    }
  }

  private static void send(HttpExchange exchange, HttpAnswer answer) throws IOException {
    switch (answer) {
      case HttpAnswer.Whole(int status, String contentType, byte[] body) -> {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
          out.write(body);
        }
      }
      case HttpAnswer.Events<?> events -> {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
          EventWriter.write(events, out);
        }
      }
    }
  }

  @Override
  public void close() {
    http.stop(0);
    grpc.ifPresent(GrpcBinding::close);
    threads.shutdownNow();
  }

  /** Writes events as server-sent events, one at a time, as they come. */
  static final class EventWriter<T> implements Flow.Subscriber<T> {
    private final OutputStream out;
    private final Function<T, String> payload;
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    private EventWriter(OutputStream out, Function<T, String> payload) {
      this.out = out;
      this.payload = payload;
    }

    /** Returns when the last event has been written. */
    static <T> void write(HttpAnswer.Events<T> events, OutputStream out) throws IOException {
      EventWriter<T> writer = new EventWriter<>(out, events.payload());
      events.source().subscribe(writer);
      try {
        writer.end.get();
      } catch (ExecutionException e) {
        throw new IOException("the stream broke off", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
      subscription.complete(made);
      made.request(1);
    }

    @Override
    public void onNext(T event) {
      try {
        out.write(("data: " + payload.apply(event) + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        subscription.join().request(1);
      } catch (IOException e) {
        subscription.join().cancel();
        end.completeExceptionally(e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      end.complete(true);
    }
  }
}
