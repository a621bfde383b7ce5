package dev.parlance.loadtest.pact;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.FakeUpstream;
import dev.parlance.loadtest.load.RequestBytes;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A control plane, an agent that answers at once and a sidecar on either side of the way to it, in
 * this process. Requests under {@code /plain} need no pact; all others do, and offer a template
 * that the other side accepts.
 */
public final class PactBed implements AutoCloseable {
  private static final String ASKER = "asker";
  private static final String GIVER = "giver";
  private static final String AUTHOR = "platform";
  private static final String TEMPLATE = "work";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int OK = 200;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Path folder;
  private final List<SampleExchange> exchanges;
  private final ControlReplica plane;
  private final Sidecar asking;
  private final int giverPort;
  private final HttpClient client;
  private final HttpClient admin;
  private long sent;

  /** Which way a request goes. */
  public enum Way {
    /** Without a pact. */
    PLAIN("/plain"),
    /** Under one. */
    PACT("/work");

    private final String path;

    Way(String path) {
      this.path = path;
    }
  }

  private PactBed(Path folder, CorpusPlan plan) throws IOException {
    this.folder = folder;
    this.exchanges = ExchangeCorpus.build(plan);
    boolean started = false;
    try {
      Listen free = new Listen("127.0.0.1", 0);
      this.plane =
          keep(
              ControlReplica.start(
                  ControlConfig.defaults(folder.resolve("control"))
                      .listening(free, free)
                      .withRounds(RoundsSettings.DEFAULT.withEncoder(new EncoderChoice.Off()))));
      FakeUpstream agent = keep(new FakeUpstream(0, List.of(exchanges)));
      String pacts = pacts(publish());
      Sidecar giving =
          keep(
              sidecar(
                  GIVER,
                  "inbound: { listen: \"127.0.0.1:0\", agent: \"127.0.0.1:" + agent.port() + "\" }",
                  control(plane, GIVER),
                  pacts + rules(ASKER, "inbound")));
      this.giverPort = port(giving.inboundPort());
      this.asking =
          keep(
              sidecar(
                  ASKER,
                  "outbound: { listen: \"127.0.0.1:0\", allowLoopback: true }",
                  control(plane, ASKER),
                  pacts + rules(GIVER, "outbound")));
      this.client =
          keep(
              HttpClient.newBuilder()
                  .version(HttpClient.Version.HTTP_1_1)
                  .proxy(
                      ProxySelector.of(
                          new InetSocketAddress(
                              InetAddress.getLoopbackAddress(), port(asking.outboundPort()))))
                  .build());
      this.admin = keep(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Starts everything.
   *
   * @param folder where ledger, store and journals are kept; on the disk that is measured
   * @param plan of the messages
   */
  public static PactBed start(Path folder, CorpusPlan plan) throws IOException {
    return new PactBed(folder, plan);
  }

  private <T extends AutoCloseable> T keep(T part) {
    open.push(part);
    return part;
  }

  private static int port(OptionalInt port) {
    return port.orElseThrow(() -> new IllegalStateException("it does not listen"));
  }

  // ---- what is configured ----

  /** Puts the signed template where both sidecars find it; the author's key as text. */
  private String publish() throws IOException {
    SignerKey author = SignerKey.generate(AUTHOR, KeyType.ED25519);
    PactStatement.Template template =
        new PactStatement.Template(
            AUTHOR,
            TEMPLATE,
            1,
            OptionalInt.empty(),
            List.of(
                new Predicate("scope", "scope", "deny_fields=salary;max_request_kb=1000"),
                new Predicate("action", "action", "tools=search"),
                new Predicate("output", "output", "format=json;max_kb=1000"),
                new Predicate("success", "success", "useful"),
                new Predicate("failure", "failure", "report=within_60s"),
                new Predicate("dispute", "dispute", "arbiter=board"),
                new Predicate("audit", "audit", "retain_days=30"),
                new Predicate("termination", "termination", "notice_ms=0")));
    Path templates = Files.createDirectories(folder.resolve("templates"));
    Files.write(templates.resolve(TEMPLATE), PactStatementNote.sign(template, author));
    return author.verifier().format();
  }

  private String pacts(String authorKey) {
    return """
    pacts:
      templatesDir: "%s"
      peers:
        - { agent: %s, keys: ["%s"] }
    """
        .formatted(folder.resolve("templates"), AUTHOR, authorKey);
  }

  private static String rules(String peer, String direction) {
    return """
      policy:
        - { peers: [%1$s], accept: [platform/%2$s@1], offer: [platform/%2$s@1] }
    routes:
      - name: plain
        match: { direction: %3$s, pathPrefix: /plain }
        codec: a2a
      - name: work
        match: { direction: %3$s }
        codec: a2a
        pact: required
        %4$s
    """
        .formatted(peer, TEMPLATE, direction, direction.equals("outbound") ? "peer: " + peer : "");
  }

  private String control(ControlReplica of, String agent) throws IOException {
    Path keys = Files.writeString(folder.resolve("keys"), of.coreKey().format() + "\n");
    Path token = Files.writeString(folder.resolve(agent + ".token"), of.attachToken(agent) + "\n");
    return """
    control:
      target: 127.0.0.1:%d
      agent: %s
      keysFile: "%s"
      tokenFile: "%s"
    """
        .formatted(of.grpcAddress().port(), agent, keys, token);
  }

  private Sidecar sidecar(String node, String... sections) throws IOException {
    Path file = folder.resolve(node + ".yaml");
    Files.writeString(
        file,
        "version: 1\nnode: %s\ndataDir: %s\nadmin: { listen: \"127.0.0.1:0\" }\n"
                .formatted(node, node)
            + String.join("\n", sections));
    ConfigResult<SidecarConfig> config = ConfigLoader.load(file);
    return Sidecar.start(
        config.loaded().orElseThrow(() -> new IllegalStateException(config.toString())), file);
  }

  // ---- what is measured ----

  /**
   * Sends a request and waits for its answer.
   *
   * @return how long that took, in nanoseconds
   * @throws IllegalStateException if the answer is not the agent's
   */
  public long send(Way way) throws IOException, InterruptedException {
    long id = RequestBytes.FIRST_ID + sent;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giverPort + way.path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    exchanges.get((int) (id % exchanges.size())).requestBody(id)))
            .build();
    sent++;
    long beganNs = System.nanoTime();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    long tookNs = System.nanoTime() - beganNs;
    if (answer.statusCode() != OK || !answer.body().contains("\"result\"")) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    return tookNs;
  }

  /** True until the ledger says of every pact that it has ended. */
  public boolean hasOpenPacts() {
    return plane
        .metrics()
        .lines()
        .filter(line -> line.startsWith("parlance_control_pacts_open"))
        .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) > 0);
  }

  /** Ends the pact that holds, so that the next request negotiates a new one. */
  public void endPact() throws IOException, InterruptedException {
    Optional<String> id = Optional.empty();
    for (JsonNode one : ask("/pacts", HttpRequest.Builder::GET).path("pacts")) {
      if (one.path("state").asString("").equals("active")) {
        id = Optional.of(one.path("pact").asString(""));
      }
    }
    if (id.isPresent()) {
      JsonNode _ =
          ask(
              "/pacts/" + id.get() + "/dissolve?reason=party_withdrew",
              request ->
                  request.POST(HttpRequest.BodyPublishers.ofString("{\"who\":\"loadtest\"}")));
    }
  }

  private JsonNode ask(String path, UnaryOperator<HttpRequest.Builder> method)
      throws IOException, InterruptedException {
    String token = Files.readString(folder.resolve(ASKER).resolve("admin.token")).strip();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + asking.adminPort() + path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json");
    HttpResponse<String> answer =
        admin.send(method.apply(request).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  @Override
  public void close() throws IOException {
    IOException failed = new IOException("not everything could be closed");
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        failed.addSuppressed(e);
      }
    }
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}
