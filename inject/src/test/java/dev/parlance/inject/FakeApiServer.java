package dev.parlance.inject;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.parlance.inject.certificate.TestTls;
import dev.parlance.inject.kube.KubeAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * As much of an API server as the injector asks: objects by path over HTTPS with a token, and the
 * rules of {@code resourceVersion}.
 */
public final class FakeApiServer implements AutoCloseable {
  public static final String TOKEN = "test-token";

  static {
    // Else head and body of an answer wait for each other's acknowledgement, 40 ms each time.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final TestTls tls = new TestTls();
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, ObjectNode> objects = new ConcurrentHashMap<>();
  private final AtomicLong versions = new AtomicLong(100);
  private final Path folder;

  /** Requests as {@code METHOD path}. */
  public final CopyOnWriteArrayList<String> requests = new CopyOnWriteArrayList<>();

  /** So many next requests are answered with 500. */
  public final AtomicInteger failures = new AtomicInteger();

  /** Called before a write is done, to be faster than whoever writes. */
  public volatile Consumer<String> beforeWrite = path -> {};

  /** What becomes of an object that is created. */
  public volatile UnaryOperator<ObjectNode> onCreate = object -> object;

  public FakeApiServer(Path folder) throws IOException, GeneralSecurityException {
    this.folder = folder;
    Files.writeString(folder.resolve("token"), TOKEN + "\n");
    Files.writeString(folder.resolve("ca.crt"), tls.ca());
    Files.writeString(folder.resolve("namespace"), "parlance-system\n");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public KubeAccess access() {
    return new KubeAccess(
        URI.create("https://localhost:" + server.getAddress().getPort()),
        folder.resolve("ca.crt"),
        folder.resolve("token"),
        "parlance-system");
  }

  /** Puts an object there, as somebody else would. */
  public ObjectNode put(String path, ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    metadata(copy).put("resourceVersion", String.valueOf(versions.incrementAndGet()));
    objects.put(path, copy);
    return copy;
  }

  public Optional<ObjectNode> at(String path) {
    return Optional.ofNullable(objects.get(path)).map(ObjectNode::deepCopy);
  }

  private static ObjectNode metadata(ObjectNode object) {
    return object.path("metadata") instanceof ObjectNode found
        ? found
        : object.putObject("metadata");
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    byte[] body = exchange.getRequestBody().readAllBytes();
    requests.add(method + " " + path);
    if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      answer(exchange, 401, status("who are you"));
    } else if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      answer(exchange, 500, status("out of order"));
    } else {
      if (!method.equals("GET")) {
        beforeWrite.accept(path);
      }
      act(exchange, method, path, body);
    }
  }

  private void act(HttpExchange exchange, String method, String path, byte[] body)
      throws IOException {
    synchronized (objects) {
      switch (method) {
        case "GET" -> {
          ObjectNode found = objects.get(path);
          answer(exchange, found == null ? 404 : 200, found == null ? status("none") : found);
        }
        case "POST" -> {
          ObjectNode object = (ObjectNode) JsonMapper.shared().readTree(body);
          String name =
              object.path("metadata").path("name").asString("generated-" + versions.get());
          if (objects.containsKey(path + "/" + name)) {
            answer(exchange, 409, status("exists"));
          } else {
            answer(exchange, 201, put(path + "/" + name, onCreate.apply(object)));
          }
        }
        case "PUT" -> {
          ObjectNode object = (ObjectNode) JsonMapper.shared().readTree(body);
          ObjectNode old = objects.get(path);
          if (old == null) {
            answer(exchange, 404, status("none"));
          } else if (!version(old).equals(version(object))) {
            answer(exchange, 409, status("changed"));
          } else {
            answer(exchange, 200, put(path, object));
          }
        }
        case "PATCH" -> patch(exchange, path, (ArrayNode) JsonMapper.shared().readTree(body));
        default -> answer(exchange, 405, status("no"));
      }
    }
  }

  private void patch(HttpExchange exchange, String path, ArrayNode operations) throws IOException {
    ObjectNode old = objects.get(path);
    if (old == null) {
      answer(exchange, 404, status("none"));
      return;
    }
    ObjectNode next = old.deepCopy();
    for (JsonNode operation : operations) {
      String pointer = operation.path("path").stringValue();
      int slash = pointer.lastIndexOf('/');
      if (operation.path("op").stringValue().equals("test")) {
        if (!next.at(pointer).equals(operation.path("value"))) {
          answer(exchange, 422, status("the test failed"));
          return;
        }
      } else {
        ((ObjectNode) next.at(pointer.substring(0, slash)))
            .set(pointer.substring(slash + 1), operation.path("value"));
      }
    }
    answer(exchange, 200, put(path, next));
  }

  private static String version(ObjectNode object) {
    return object.path("metadata").path("resourceVersion").asString("");
  }

  private static ObjectNode status(String message) {
    return JsonNodeFactory.instance.objectNode().put("kind", "Status").put("message", message);
  }

  private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = JsonMapper.shared().writeValueAsBytes(body);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    // Closing the body keeps the connection; closing the exchange would end it.
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
