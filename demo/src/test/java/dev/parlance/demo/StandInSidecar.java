package dev.parlance.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The least that the demonstration needs of a sidecar, with the real judge in it: enough to test
 * the demonstration by itself. With {@code passing} as first argument it lets everything through,
 * which the demonstration must notice.
 */
final class StandInSidecar {
  private static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";
  private static final String ASP = "https://w3id.org/parlance/ext/asp/v1";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ObjectNode> decisions = new ArrayList<>();
  private final Set<String> held = new HashSet<>();
  private final Set<String> released = new HashSet<>();
  private final boolean judging;

  private StandInSidecar(boolean judging) {
    this.judging = judging;
  }

  /** The command that starts one; {@code habit} is {@code judging} or {@code passing}. */
  static List<String> command(String habit) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        StandInSidecar.class.getName(),
        habit);
  }

  public static void main(String[] args) throws Exception {
    String config = Files.readString(Path.of(args[List.of(args).indexOf("--config") + 1]));
    StandInSidecar sidecar = new StandInSidecar(args[0].equals("judging"));
    String agent = "http://127.0.0.1:" + setting(config, "agent: 127\\.0\\.0\\.1:(\\d+)");
    HttpServer inbound = sidecar.listen(exchange -> sidecar.inbound(exchange, agent));
    HttpServer outbound =
        sidecar.listen(exchange -> sidecar.forward(exchange, exchange.getRequestURI()));
    HttpServer admin = sidecar.listen(sidecar::admin);
    Files.writeString(
        Path.of(JSON.readTree(setting(config, "dataDir: (.*)")).asString(), "admin.token"), "tok");
    Path ports = Path.of(JSON.readTree(setting(config, "portsFile: (.*)")).asString());
    Path partial = ports.resolveSibling(ports.getFileName() + ".partial");
    Files.writeString(
        partial,
        "{\"inbound\":%d,\"outbound\":%d,\"admin\":%d}"
            .formatted(port(inbound), port(outbound), port(admin)));
    Files.move(partial, ports);
    while (System.in.read() >= 0) {
      // Only the end matters.
    }
    System.exit(0);
  }

  private static String setting(String config, String regex) {
    Matcher matcher = Pattern.compile(regex).matcher(config);
    if (!matcher.find()) {
      throw new IllegalArgumentException(regex + " is not in " + config);
    }
    return matcher.group(1);
  }

  private interface Answering {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private HttpServer listen(Answering answering) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            answering.answer(exchange);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
    return server;
  }

  private static int port(HttpServer server) {
    return server.getAddress().getPort();
  }

  private void forward(HttpExchange exchange, URI target) throws IOException, InterruptedException {
    send(exchange, call(exchange, target, exchange.getRequestBody().readAllBytes()));
  }

  private String call(HttpExchange exchange, URI target, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body))
            .header("Content-Type", "application/json")
            .build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  private static void send(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private void inbound(HttpExchange exchange, String agent)
      throws IOException, InterruptedException {
    URI target = URI.create(agent + exchange.getRequestURI());
    byte[] original = exchange.getRequestBody().readAllBytes();
    String answer = call(exchange, target, original);
    if (!judging || original.length == 0) {
      send(exchange, answer);
      return;
    }
    for (int errors = 0; ; errors++) {
      ObjectNode reply = (ObjectNode) JSON.readTree(answer);
      JsonNode speaker =
          reply.path("result").path("artifacts").isArray()
              ? reply.path("result").path("artifacts").path(0)
              : reply.path("result");
      AgentMessage message = message(speaker);
      Verdict verdict =
          new Judge(new ClaimsEstimator(new Vocabulary(1L)))
              .judge(message, Profiles.DEFAULT, errors, Grounding.OPTIONAL, false);
      String text = message.answer().toString();
      boolean free = released.contains(text);
      Route route = free ? Route.EXECUTE : verdict.decision().route();
      ObjectNode note = note(verdict, route, errors + 1);
      switch (route) {
        case EXECUTE, WARN -> {
          ((ObjectNode) speaker).withObjectProperty("metadata").set(ASP, note);
          send(exchange, JSON.writeValueAsString(reply));
          return;
        }
        case YIELD -> {
          held.add(text);
          note.put("reviewId", "held-" + decisions.size());
          send(exchange, held(note));
          return;
        }
        case REGENERATE -> answer = call(exchange, target, repair(original, verdict, message));
      }
    }
  }

  private static byte[] repair(byte[] original, Verdict verdict, AgentMessage message) {
    ObjectNode request = (ObjectNode) JSON.readTree(original);
    ArrayNode parts = (ArrayNode) request.path("params").path("message").path("parts");
    parts.addObject().put("kind", "text").put("text", RepairPlan.instruction(verdict, message));
    return JSON.writeValueAsBytes(request);
  }

  private static String held(ObjectNode note) {
    ObjectNode reply = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1);
    ObjectNode task = reply.putObject("result");
    task.put("kind", "task").put("id", "t").put("contextId", "c");
    task.putObject("status").put("state", "working");
    task.putObject("metadata").set(ASP, note);
    return JSON.writeValueAsString(reply);
  }

  private ObjectNode note(Verdict verdict, Route route, int attempt) {
    ObjectNode note = JSON.createObjectNode();
    note.put("id", "d-" + decisions.size()).put("kind", "response").put("attempt", attempt);
    note.put("route", route.code());
    verdict.header().ifPresent(header -> note.put("header", header.text()));
    verdict.signals().ifPresent(signals -> note.put("drift", signals.driftSqrtJsd()));
    ArrayNode reasons = note.putArray("reasons");
    verdict.decision().reasons().forEach(reason -> reasons.add(reason.code()));
    decisions.add(note);
    return note;
  }

  private static AgentMessage message(JsonNode speaker) {
    String text = speaker.path("parts").path(0).path("text").asString("");
    JsonNode evidence = speaker.path("metadata").path(EVIDENCE);
    List<Chunk> chunks =
        evidence
            .path("context")
            .valueStream()
            .map(chunk ->
                new Chunk(chunk.path("id").asString(), Utf8Span.of(chunk.path("text").asString())))
            .toList();
    return new AgentMessage(
        Utf8Span.of(text),
        Utf8Span.of(evidence.path("question").asString("")),
        chunks.isEmpty()
            ? Evidence.NONE
            : new Evidence(
                EvidenceSource.DECLARED, chunks, List.of(), OptionalDouble.empty(), List.of()));
  }

  private void admin(HttpExchange exchange) throws IOException {
    if (!"Bearer tok".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      exchange.sendResponseHeaders(401, -1);
      return;
    }
    if (exchange.getRequestURI().getPath().startsWith("/review/")) {
      released.addAll(held);
    }
    send(exchange, JSON.writeValueAsString(Map.of("decisions", decisions.reversed())));
  }
}
