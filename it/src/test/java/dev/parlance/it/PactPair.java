package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Observation;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.service.testing.TestDomain;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Two agents that know nothing of pacts, each behind its sidecar: {@code support} needs a pact with
 * {@code enricher} for what it asks.
 */
final class PactPair implements AutoCloseable {
  static final String SUPPORT = "support";
  static final String ENRICHER = "enricher";

  final StubAgent agent;
  LocalSidecar asking;
  private final String offered;
  private final Path folder;
  private final Kit kit;
  private final Optional<TestDomain> mesh;
  final Signatory parties;
  private HttpClient client;
  private LocalSidecar giving;

  PactPair(Path folder, Kit kit) throws IOException {
    this(folder, kit, "notice_ms=0", 1);
  }

  PactPair(Path folder, Kit kit, String termination, int version) throws IOException {
    this(folder, kit, termination, version, Optional.empty());
  }

  /**
   * A pair.
   *
   * @param termination clause of the template
   * @param version of the template
   * @param mesh whose identities the sidecars show each other; empty: they speak clear text
   */
  PactPair(Path folder, Kit kit, String termination, int version, Optional<TestDomain> mesh)
      throws IOException {
    Files.createDirectories(folder);
    this.folder = folder;
    this.kit = kit;
    this.mesh = mesh;
    parties = Signatory.at(kit.plane);
    publish(parties, termination, version);
    agent = new StubAgent(_ -> answer("Acme Ltd, 40 people."));
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    offered = "platform/enrich@" + version;
    giving = giving(ENRICHER, offered);
    asking = starting();
    client = client();
  }

  private LocalSidecar starting() throws IOException {
    String[] asks = asks(control(folder, kit, SUPPORT), "timeoutMs: 60000");
    asks[0] += identity(SUPPORT);
    asks[2] = asks[2].replace("platform/enrich@1", offered);
    return LocalSidecar.start(folder, SUPPORT, asks);
  }

  private HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .proxy(
            ProxySelector.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), asking.outboundPort())))
        .build();
  }

  private LocalSidecar giving(String node, String accepted) throws IOException {
    String[] gives = gives(agent.port(), control(folder, kit, ENRICHER), accepted);
    gives[0] += identity(ENRICHER);
    return LocalSidecar.start(folder, node, gives);
  }

  private String identity(String agentId) throws IOException {
    if (mesh.isEmpty()) {
      return "";
    }
    Path files = folder.resolve(agentId + "-identity");
    mesh.get().write(files, mesh.get().svid(path(agentId)));
    return """
      tls: strict
    identity:
      cert: "%1$s/tls.crt"
      key: "%1$s/tls.key"
      bundle: "%1$s/ca.crt"
      peers: [ { hosts: ["*"], ids: ["%2$s"] } ]
    timeouts:
      connectMs: 20000
    """
        .formatted(files, mesh.get().id(path(ENRICHER)));
  }

  /** Path of the identity of an agent. */
  static String path(String agentId) {
    return "ns/shop/sa/" + agentId;
  }

  /** Where the enricher's sidecar listens. */
  int inbound() {
    return giving.inbound();
  }

  /** Sections of the one who asks, who needs a pact with the enricher. */
  static String[] asks(String control, String more) {
    return new String[] {
      LocalSidecar.outbound(),
      control,
      """
      pacts:
        %s
        policy:
          - peers: [enricher]
            accept: [platform/enrich@1]
            offer: [platform/enrich@1]
            hidden: [scope]
      routes:
        - name: delegates
          match: { direction: outbound }
          pact: required
          metadata: false
          peer: enricher
          onUnjudged: block
      """
          .formatted(more)
    };
  }

  /** Sections of the one who is asked. */
  static String[] gives(int agentPort, String control, String accepted) {
    return new String[] {
      LocalSidecar.inboundTo(agentPort),
      control,
      """
      pacts:
        timeoutMs: 60000
        policy:
          - peers: [support]
            accept: [%s]
      routes:
        - name: work
          match: { direction: inbound }
          pact: required
          metadata: false
          onUnjudged: block
      """
          .formatted(accepted)
    };
  }

  /** The enricher's sidecar begins again, with its key and journal. */
  void restart(String template) throws IOException {
    giving.close();
    giving = giving(ENRICHER, template);
  }

  /** The sidecar of the one who asks begins again, with its key and journal. */
  void restartAsking() throws IOException {
    client.close();
    asking.close();
    asking = starting();
    client = client();
  }

  /** The enricher's sidecar is another one from now on, which accepts this template. */
  void accepting(String template) throws IOException {
    giving.close();
    giving = giving("other", template);
  }

  /** The two sidecars. */
  List<LocalSidecar> sidecars() {
    return List.of(asking, giving);
  }

  /** The section that attaches a sidecar to a control plane whose keys are in {@code keys}. */
  static String control(Path folder, Kit kit, String agentId) throws IOException {
    return control(folder, kit.port(), kit.plane.attachToken(agentId), agentId);
  }

  /** The same for a control plane at this port. */
  static String control(Path folder, int port, String attachToken, String agentId)
      throws IOException {
    Path token = folder.resolve(agentId + ".token");
    Files.writeString(token, attachToken + "\n");
    return """
    control:
      target: 127.0.0.1:%d
      agent: %s
      keysFile: "%s"
      tokenFile: "%s"
    """
        .formatted(port, agentId, folder.resolve("keys"), token);
  }

  /** Publishes the template. */
  static void publish(Signatory parties) {
    publish(parties, "notice_ms=0", 1);
  }

  private static void publish(Signatory parties, String termination, int version) {
    SignerKey platform = SignerKey.generate("platform", KeyType.ED25519);
    parties.register("platform", platform);
    PactStatement.Template template =
        new PactStatement.Template(
            "platform",
            "enrich",
            version,
            OptionalInt.empty(),
            List.of(
                new Predicate("scope", "scope", "fields=name,company"),
                new Predicate("action", "action", "tools=lookup"),
                new Predicate("output", "output", "max_kb=2"),
                new Predicate("success", "success", "useful"),
                new Predicate("failure", "failure", "report=within_60s"),
                new Predicate("dispute", "dispute", "arbiter=board-1"),
                new Predicate("audit", "audit", "retain_days=30"),
                new Predicate("termination", "termination", termination)));
    var published =
        parties
            .operator()
            .putTemplate(
                PutTemplateRequest.newBuilder()
                    .setNote(ByteString.copyFrom(PactStatementNote.sign(template, platform)))
                    .build());
    assertThat(published.getName()).isEqualTo("enrich");
  }

  static StubAgent.Reply answer(String text) {
    return StubAgent.Reply.json(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-1\","
            + "\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\""
            + text
            + "\"}]}}");
  }

  static String body(String data) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":"
        + "{\"kind\":\"message\",\"messageId\":\"m-1\",\"role\":\"user\",\"parts\":["
        + "{\"kind\":\"text\",\"text\":\"Please enrich this contact.\"},"
        + "{\"kind\":\"data\",\"data\":"
        + data
        + "}]}}}";
  }

  HttpResponse<String> send(String data) throws IOException, InterruptedException {
    return send(data, giving.inbound());
  }

  /** Sends to a port where the enricher's sidecar is thought to be. */
  HttpResponse<String> send(String data, int port) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body(data)))
            .build(),
        HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  /** Sends to the enricher's sidecar, past the own one. */
  HttpResponse<String> sendAsStranger(String data, String pact, String proof)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giving.inbound() + "/"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .header("Parlance-Pact", pact)
            .POST(HttpRequest.BodyPublishers.ofString(body(data)));
    if (!proof.isEmpty()) {
      request.header("Parlance-Pact-Proof", proof);
    }
    try (HttpClient stranger = HttpClient.newHttpClient()) {
      return stranger.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
    }
  }

  /** Ends a pact in the name of the one who asks. */
  HttpResponse<String> withdraw(String pact) throws IOException, InterruptedException {
    return asking
        .admin()
        .post("/pacts/" + pact + "/dissolve?reason=party_withdrew", "{\"who\":\"ada\"}");
  }

  /** Messages that both observers have counted, on the ledger. */
  long counted(String pact) {
    return observations(pact).stream().mapToLong(Observation::getMessages).sum();
  }

  /** Violations that both observers have counted, on the ledger. */
  long violations(String pact) {
    return observations(pact).stream()
        .flatMap(one -> one.getViolationsMap().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private List<Observation> observations(String pact) {
    return pacts().stream()
        .filter(one -> one.getPact().equals(pact))
        .findFirst()
        .orElseThrow()
        .getObservationsList();
  }

  List<Pact> pacts() {
    ListPactsRequest all = ListPactsRequest.newBuilder().setLimit(1_000).build();
    return parties.operator().listPacts(all).getPactsList();
  }

  @Override
  public void close() throws IOException {
    client.close();
    asking.close();
    giving.close();
    agent.close();
    parties.close();
  }
}
