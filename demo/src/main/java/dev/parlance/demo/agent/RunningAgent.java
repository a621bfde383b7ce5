package dev.parlance.demo.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.demo.license.Usage;
import io.a2a.server.ServerCallContext;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.auth.UnauthenticatedUser;
import io.a2a.server.events.InMemoryQueueManager;
import io.a2a.server.requesthandlers.DefaultRequestHandler;
import io.a2a.server.requesthandlers.RequestHandler;
import io.a2a.server.tasks.BasePushNotificationSender;
import io.a2a.server.tasks.InMemoryPushNotificationConfigStore;
import io.a2a.server.tasks.InMemoryTaskStore;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentInterface;
import io.a2a.spec.CancelTaskRequest;
import io.a2a.spec.GetTaskRequest;
import io.a2a.spec.IdJsonMappingException;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.InvalidParamsJsonMappingException;
import io.a2a.spec.InvalidRequestError;
import io.a2a.spec.JSONParseError;
import io.a2a.spec.JSONRPCErrorResponse;
import io.a2a.spec.JSONRPCResponse;
import io.a2a.spec.MethodNotFoundError;
import io.a2a.spec.MethodNotFoundJsonMappingException;
import io.a2a.spec.NonStreamingJSONRPCRequest;
import io.a2a.spec.SendMessageRequest;
import io.a2a.spec.SendStreamingMessageRequest;
import io.a2a.spec.UnsupportedOperationError;
import io.a2a.transport.grpc.handler.CallContextFactory;
import io.a2a.transport.grpc.handler.GrpcHandler;
import io.a2a.transport.jsonrpc.handler.JSONRPCHandler;
import io.a2a.transport.rest.handler.RestHandler;
import io.a2a.transport.rest.handler.RestHandler.HTTPRestResponse;
import io.a2a.transport.rest.handler.RestHandler.HTTPRestStreamingResponse;
import io.a2a.util.Utils;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An agent on the SDK's own request handlers behind the JDK's HTTP server: it takes a loopback port
 * first and begins to answer when it is told who it is. Its card is at {@value #CARD_PATH},
 * JSON-RPC is POST to {@code /}; where another binding is wanted, HTTP+JSON is on the same port and
 * gRPC on one of its own.
 */
public final class RunningAgent implements AutoCloseable {
  static final String CARD_PATH = "/.well-known/agent-card.json";
  private static final int MAX_BODY_BYTES = 1024 * 1024;
  private static final int BACKLOG = 128;
  private static final String JSON = "application/json";

  private final AgentProfile profile;
  private final Talk talk;
  private final Usage usage;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final MutableHandlerRegistry grpcServices = new MutableHandlerRegistry();
  private final Optional<Server> grpc;

  private RunningAgent(String name, Talk talk, int port) throws IOException {
    this.profile = AgentProfile.of(name);
    this.talk = talk;
    this.usage = new Usage(name.replace("license-", ""));
    // Without it the JDK's server holds small answers back for up to 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // The SDK would warn of every binding on the class path that a card does not name.
    System.setProperty("io.a2a.transport.skipValidation", "true");
    this.http = HttpServer.create(loopback(port), BACKLOG);
    this.grpc =
        talk.binding() == Talk.Binding.GRPC
            ? Optional.of(
                NettyServerBuilder.forAddress(loopback(0))
                    .executor(threads)
                    .fallbackHandlerRegistry(grpcServices)
                    .build()
                    .start())
            : Optional.empty();
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Takes a free loopback port; connections wait until the agent starts. */
  public static RunningAgent bind(String name) throws IOException {
    return bind(name, Talk.PLAIN, 0);
  }

  /** As above, on a port (0: any free one), for an agent that is talked to in this way. */
  public static RunningAgent bind(String name, Talk talk, int port) throws IOException {
    return new RunningAgent(name, talk, port);
  }

  /** Its id. */
  public String name() {
    return profile.name();
  }

  /** The port taken. */
  public int port() {
    return http.getAddress().getPort();
  }

  /** The port for gRPC, which is one of its own; empty if it is not spoken. */
  public Optional<Integer> grpcPort() {
    return grpc.map(Server::getPort);
  }

  /** Where the agent itself listens, which is not what it has to advertise. */
  public String ownUrl() {
    return "http://127.0.0.1:" + port() + "/";
  }

  /** How it uses words, as far as it is asked. */
  public Usage usage() {
    return usage;
  }

  /** Becomes agent A, which knows the audit extension; others are to send to {@code advertised}. */
  public void startScholar(Scholar scholar, String advertised) throws IOException {
    start(
        advertised,
        AuditQuestion.Form.EXTENSION.before(new ScholarExecutor(scholar, talk.delivery()), usage));
  }

  /** Becomes agent B, which answers audits in words, asks {@code scholar} and logs each receipt. */
  public void startOfficer(AgentCaller scholar, String advertised, Consumer<Receipt> log)
      throws IOException {
    start(advertised, AuditQuestion.Form.PLAIN.before(new OfficerExecutor(scholar, log), usage));
  }

  /** Begins to answer; an advertised address that is not its own takes gRPC on the same port. */
  public void start(String advertised, AgentExecutor agent) throws IOException {
    AgentCard card = profile.card(talk, advertised, interfaces(advertised));
    InMemoryTaskStore tasks = new InMemoryTaskStore();
    InMemoryPushNotificationConfigStore configs = new InMemoryPushNotificationConfigStore();
    DefaultRequestHandler handler =
        DefaultRequestHandler.create(
            agent,
            tasks,
            new InMemoryQueueManager(tasks),
            configs,
            new BasePushNotificationSender(configs),
            threads);
    JSONRPCHandler jsonRpc = new JSONRPCHandler(card, handler, threads);
    RestHandler rest = new RestHandler(card, handler, threads);
    if (grpc.isPresent()) {
      grpcServices.addService(new Grpc(card, handler, threads));
    }
    byte[] cardJson = Utils.OBJECT_MAPPER.writeValueAsBytes(card);
    http.setExecutor(threads);
    http.createContext(
        "/",
        exchange -> {
          try (exchange) {
            answer(exchange, jsonRpc, rest, cardJson);
          }
        });
    http.start();
  }

  private List<AgentInterface> interfaces(String advertised) {
    String transport = talk.binding().transport();
    return switch (talk.binding()) {
      case JSONRPC -> List.of();
      case REST -> List.of(new AgentInterface(transport, advertised));
      case GRPC -> {
        String own = "127.0.0.1:" + grpcPort().orElseThrow();
        String to = advertised.equals(ownUrl()) ? own : URI.create(advertised).getAuthority();
        yield List.of(new AgentInterface(transport, to));
      }
    };
  }

  // ---- what comes over HTTP/1.1 ----

  private void answer(
      HttpExchange exchange, JSONRPCHandler jsonRpc, RestHandler rest, byte[] cardJson)
      throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (!exchange.getRequestMethod().equals("POST")) {
      if (exchange.getRequestMethod().equals("GET") && path.equals(CARD_PATH)) {
        send(exchange, 200, JSON, cardJson);
      } else {
        exchange.sendResponseHeaders(exchange.getRequestMethod().equals("GET") ? 404 : 405, -1);
      }
      return;
    }
    byte[] read = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (read.length > MAX_BODY_BYTES) {
      exchange.sendResponseHeaders(413, -1);
      return;
    }
    String body = new String(read, StandardCharsets.UTF_8);
    if (talk.binding() == Talk.Binding.REST && path.equals("/v1/message:send")) {
      send(exchange, rest.sendMessage(body, caller()));
    } else if (talk.binding() == Talk.Binding.REST && path.equals("/v1/message:stream")) {
      send(exchange, rest.sendStreamingMessage(body, caller()));
    } else {
      answer(exchange, jsonRpc, body);
    }
  }

  private static void answer(HttpExchange exchange, JSONRPCHandler handler, String body)
      throws IOException {
    try {
      JsonNode request = Utils.OBJECT_MAPPER.readTree(body);
      if (request.path("method").asText().equals(SendStreamingMessageRequest.METHOD)) {
        var streaming = Utils.OBJECT_MAPPER.treeToValue(request, SendStreamingMessageRequest.class);
        stream(exchange, handler.onMessageSendStream(streaming, caller()), RunningAgent::json);
        return;
      }
      send(
          exchange,
          switch (Utils.OBJECT_MAPPER.treeToValue(request, NonStreamingJSONRPCRequest.class)) {
            case SendMessageRequest send -> handler.onMessageSend(send, caller());
            case GetTaskRequest get -> handler.onGetTask(get, caller());
            case CancelTaskRequest cancel -> handler.onCancelTask(cancel, caller());
            case NonStreamingJSONRPCRequest<?> other ->
                new JSONRPCErrorResponse(other.getId(), new UnsupportedOperationError());
          });
    } catch (IdJsonMappingException e) {
      send(
          exchange,
          new JSONRPCErrorResponse(
              e.getId(),
              switch (e) {
                case MethodNotFoundJsonMappingException _ -> new MethodNotFoundError();
                case InvalidParamsJsonMappingException _ -> new InvalidParamsError();
                default -> new InvalidRequestError();
              }));
    } catch (JsonMappingException e) {
      send(exchange, new JSONRPCErrorResponse(new InvalidRequestError()));
    } catch (JsonProcessingException e) {
      send(exchange, new JSONRPCErrorResponse(new JSONParseError()));
    }
  }

  /** Nobody is known by name here. */
  private static ServerCallContext caller() {
    return new ServerCallContext(UnauthenticatedUser.INSTANCE, new HashMap<>(), new HashSet<>());
  }

  private static String json(JSONRPCResponse<?> response) {
    try {
      return Utils.OBJECT_MAPPER.writeValueAsString(response);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the SDK's own objects always become JSON", e);
    }
  }

  private static void send(HttpExchange exchange, JSONRPCResponse<?> response) throws IOException {
    send(exchange, 200, JSON, json(response).getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, HTTPRestResponse response) throws IOException {
    if (response instanceof HTTPRestStreamingResponse stream) {
      // Clients read an event's JSON from one line; line feeds stand only between its tokens.
      stream(exchange, stream.getPublisher(), json -> json.replaceAll("\n *", ""));
    } else {
      byte[] body = response.getBody().getBytes(StandardCharsets.UTF_8);
      send(exchange, response.getStatusCode(), response.getContentType(), body);
    }
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** Writes events as server-sent events, one at a time, as they come; returns at their end. */
  private static <T> void stream(
      HttpExchange exchange, Flow.Publisher<T> events, Function<T, String> json)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.getResponseHeaders().set("Cache-Control", "no-cache");
    exchange.sendResponseHeaders(200, 0);
    CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    try (OutputStream out = exchange.getResponseBody()) {
      events.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription made) {
              subscription.complete(made);
              made.request(1);
            }

            @Override
            public void onNext(T event) {
              try {
                out.write(("data: " + json.apply(event) + "\n\n").getBytes(StandardCharsets.UTF_8));
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
          });
      end.get();
    } catch (ExecutionException e) {
      throw new IOException("the stream broke off", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The SDK's gRPC handler. */
  private static final class Grpc extends GrpcHandler {
    private final AgentCard card;
    private final RequestHandler requests;
    private final Executor threads;

    Grpc(AgentCard card, RequestHandler requests, Executor threads) {
      this.card = card;
      this.requests = requests;
      this.threads = threads;
    }

    @Override
    protected RequestHandler getRequestHandler() {
      return requests;
    }

    @Override
    protected AgentCard getAgentCard() {
      return card;
    }

    @Override
    protected CallContextFactory getCallContextFactory() {
      return new CallContextFactory() {
        @Override
        public <V> ServerCallContext create(StreamObserver<V> observer) {
          return caller();
        }
      };
    }

    @Override
    protected Executor getExecutor() {
      return threads;
    }
  }

  @Override
  public void close() {
    http.stop(0);
    grpc.ifPresent(Server::shutdownNow);
    threads.shutdownNow();
  }
}
