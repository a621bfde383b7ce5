package dev.parlance.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMac;
import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.text.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The network in front of a sidecar: it carries requests on unchanged and keeps what it has
 * carried, so that what is told of a negotiation is what has really crossed the wire.
 */
final class PactWire implements AutoCloseable {
  private static final String PACT_TYPE = "application/vnd.parlance.pact+json";
  private static final String PACT = "parlance-pact";
  private static final String PROOF = "parlance-pact-proof";
  private static final Pattern STAMP = Pattern.compile("([0-9a-f]+);([0-9]+);");

  /** Behind all numbers that the sidecar itself gives meanwhile. */
  private static final int AHEAD = 100;

  private static final Duration CALL = Duration.ofSeconds(30);
  private static final int BACKLOG = 64;
  private static final Set<String> OF_A_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "date",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "transfer-encoding",
          "upgrade");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final URI sidecar;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(CALL)
          .build();
  private final List<Carried> carried = new ArrayList<>();

  private PactWire(HttpServer server, URI sidecar) {
    this.server = server;
    this.sidecar = sidecar;
  }

  /**
   * A request and its answer.
   *
   * @param path where to
   * @param headers of the request, names in lower case
   * @param sent body of the request
   * @param status of the answer
   * @param answered body of the answer
   * @param beganNs when the request came, on this process's clock
   * @param endedNs when the answer was there
   */
  record Carried(
      String path,
      Map<String, String> headers,
      String sent,
      int status,
      String answered,
      long beganNs,
      long endedNs) {
    Carried {
      headers = Map.copyOf(headers);
    }

    /** True if two sidecars talked about a pact. */
    boolean isTalk() {
      return headers.getOrDefault("content-type", "").startsWith(PACT_TYPE);
    }

    /** Id of the pact that the request named. */
    Optional<String> pact() {
      return Optional.ofNullable(headers.get(PACT)).map(text -> text.replaceFirst(";.*", ""));
    }

    /**
     * The same with another body, of somebody who has the key of its author: his next request.
     *
     * @param other key of the one whom it is for
     */
    Carried rewritten(String body, SignerKey own, VerifierKey other) {
      String hash = headers.getOrDefault(PACT, "").replaceFirst(".*;", "");
      Matcher proof = STAMP.matcher(headers.getOrDefault(PROOF, ""));
      if (!proof.lookingAt()) {
        throw new IllegalStateException("the request was not proven");
      }
      Stamp stamp =
          new Stamp(
              Long.parseUnsignedLong(proof.group(1), 16), Long.parseLong(proof.group(2)) + AHEAD);
      String code =
          PactMac.of(own, other, hash, /* initiator= */ true)
              .orElseThrow()
              .tag(
                  Part.REQUEST,
                  stamp,
                  /* status= */ 0,
                  Sha256.of(body),
                  "POST",
                  headers.getOrDefault("content-type", ""));
      Map<String, String> proven = new TreeMap<>(headers);
      proven.put(
          PROOF, Long.toUnsignedString(stamp.epoch(), 16) + ";" + stamp.number() + ";" + code);
      return new Carried(path, proven, body, status, answered, beganNs, endedNs);
    }

    /** The body that was sent with one more field in its data. */
    String sentWith(String field, String value) {
      JsonNode message = JsonMapper.shared().readTree(sent);
      for (JsonNode part : message.at("/params/message/parts")) {
        if (part.path("data") instanceof ObjectNode data) {
          data.put(field, value);
        }
      }
      return message.toString();
    }

    /** What both sidecars said, in order; empty if it was no talk or cannot be read. */
    List<Incoming> said() {
      List<Incoming> said = new ArrayList<>();
      for (String body : isTalk() ? List.of(sent, answered) : List.<String>of()) {
        if (PactMessages.batch(body.getBytes(StandardCharsets.UTF_8))
            instanceof PactMessages.Reading.Good<Batch>(Batch batch)) {
          said.addAll(batch.messages());
        }
      }
      return said;
    }
  }

  /** A wire that leads to a sidecar's inbound port. */
  static PactWire to(String url) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    PactWire wire = new PactWire(server, URI.create(url));
    server.setExecutor(wire.threads);
    server.createContext("/", wire::carry);
    server.start();
    return wire;
  }

  /** What the agent behind it advertises. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** What was carried since the last call, without agent cards. */
  List<Carried> taken() {
    synchronized (carried) {
      List<Carried> taken = List.copyOf(carried);
      carried.clear();
      return taken;
    }
  }

  private void carry(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) ->
              headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
      long beganNs = System.nanoTime();
      String path = exchange.getRequestURI().toString();
      String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      HttpResponse<String> answer = send(exchange.getRequestMethod(), path, headers, sent);
      if (exchange.getRequestMethod().equals("POST")) {
        synchronized (carried) {
          carried.add(
              new Carried(
                  path,
                  headers,
                  sent,
                  answer.statusCode(),
                  answer.body(),
                  beganNs,
                  System.nanoTime()));
        }
      }
      answer
          .headers()
          .map()
          .forEach((name, values) -> {
            if (isCarried(name)) {
              exchange.getResponseHeaders().put(name, values);
            }
          });
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        try (OutputStream out = exchange.getResponseBody()) {
          out.write(body);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** How long before its effect the withdrawal was said, as the wire has it. */
  static OptionalLong notice(List<Carried> carried) {
    for (Carried one : carried) {
      for (var said : one.said()) {
        if (said.message().body() instanceof PactEvent.Dissolution dissolution
            && dissolution.effectiveMs().isPresent()) {
          return OptionalLong.of(dissolution.effectiveMs().getAsLong() - said.message().atMs());
        }
      }
    }
    return OptionalLong.empty();
  }

  private static boolean isCarried(String header) {
    return !header.startsWith(":") && !OF_A_CONNECTION.contains(header.toLowerCase(Locale.ROOT));
  }

  /** Sends a request that was carried once more, with another body; what the sidecar says. */
  String forge(Carried request, String body) throws IOException, InterruptedException {
    return send("POST", request.path(), request.headers(), body).body();
  }

  private HttpResponse<String> send(
      String method, String path, Map<String, String> headers, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(sidecar.resolve(path)).timeout(CALL);
    headers.forEach((name, value) -> {
      if (isCarried(name)) {
        request.header(name, value);
      }
    });
    request.method(
        method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
    threads.shutdownNow();
  }
}
