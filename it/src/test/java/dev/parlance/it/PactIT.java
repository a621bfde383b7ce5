package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.service.testing.LeakCheck;
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
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two agents that know nothing of pacts, each behind its sidecar, and a control plane: what they
 * may say to each other is negotiated on the first request, and held to on every one.
 */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class PactIT {
  private static final String SUPPORT = "support";
  private static final String ENRICHER = "enricher";
  private static final String LONG = "x".repeat(3_000);

  @TempDir Path folder = Path.of("");
  private Kit kit = unstarted();
  private Signatory parties = unstarted();
  private StubAgent agent = unstarted();
  private LocalSidecar asking = unstarted();
  private LocalSidecar giving = unstarted();
  private HttpClient client = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    kit = Kit.start(Kit.config(folder.resolve("control")));
    parties = Signatory.at(kit.plane);
    publish();
    agent = new StubAgent(_ -> answer("Acme Ltd, 40 people."));
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    giving =
        LocalSidecar.start(
            folder,
            ENRICHER,
            LocalSidecar.inboundTo(agent.port()),
            control(ENRICHER),
            """
            pacts:
              policy:
                - peers: [support]
                  accept: [enrich@1]
            routes:
              - name: work
                match: { direction: inbound }
                pact: required
                onUnjudged: block
            """);
    asking =
        LocalSidecar.start(
            folder,
            SUPPORT,
            LocalSidecar.outbound(),
            control(SUPPORT),
            """
            pacts:
              policy:
                - peers: [enricher]
                  accept: [enrich@1]
                  offer: [enrich@1]
            routes:
              - name: delegates
                match: { direction: outbound }
                pact: required
                peer: enricher
                onUnjudged: block
            """);
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), asking.outboundPort())))
            .build();
  }

  @AfterEach
  void end() throws Exception {
    client.close();
    asking.close();
    giving.close();
    agent.close();
    parties.close();
    kit.close();
  }

  private String control(String agentId) throws IOException {
    Path token = folder.resolve(agentId + ".token");
    Files.writeString(token, kit.plane.attachToken(agentId) + "\n");
    return """
    control:
      target: 127.0.0.1:%d
      agent: %s
      keysFile: "%s"
      tokenFile: "%s"
    """
        .formatted(kit.port(), agentId, folder.resolve("keys"), token);
  }

  private void publish() {
    SignerKey platform = SignerKey.generate("platform", KeyType.ED25519);
    parties.register("platform", platform);
    PactStatement.Template template =
        new PactStatement.Template(
            "platform",
            "enrich",
            1,
            OptionalInt.empty(),
            List.of(
                new Predicate("scope", "scope", "fields=name,company"),
                new Predicate("action", "action", "tools=lookup"),
                new Predicate("output", "output", "max_kb=2"),
                new Predicate("success", "success", "useful"),
                new Predicate("failure", "failure", "report=within_60s"),
                new Predicate("dispute", "dispute", "arbiter=board-1"),
                new Predicate("audit", "audit", "retain_days=30"),
                new Predicate("termination", "termination", "notice_ms=0")));
    var published =
        parties
            .operator()
            .putTemplate(
                PutTemplateRequest.newBuilder()
                    .setNote(ByteString.copyFrom(PactStatementNote.sign(template, platform)))
                    .build());
    assertThat(published.getName()).isEqualTo("enrich");
  }

  private static StubAgent.Reply answer(String text) {
    return StubAgent.Reply.json(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-1\","
            + "\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\""
            + text
            + "\"}]}}");
  }

  private static String body(String data) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":"
        + "{\"kind\":\"message\",\"messageId\":\"m-1\",\"role\":\"user\",\"parts\":["
        + "{\"kind\":\"text\",\"text\":\"Please enrich this contact.\"},"
        + "{\"kind\":\"data\",\"data\":"
        + data
        + "}]}}}";
  }

  private HttpResponse<String> send(String data) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giving.inbound() + "/"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body(data)))
            .build(),
        HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  private List<Pact> pacts() {
    return parties.operator().listPacts(ListPactsRequest.getDefaultInstance()).getPactsList();
  }

  @Test
  void theFirstRequest_makesThePact_andLaterOnesGoUnderIt() throws Exception {
    HttpResponse<String> first = send("{\"name\":\"Ann\",\"company\":\"Acme\"}");
    assertThat(first.body()).contains("Acme Ltd");
    // Nothing of the negotiation has reached the agent.
    assertThat(agent.asked()).hasSize(1);
    assertThat(agent.asked().getFirst().text()).contains("enrich this contact");
    assertThat(pacts()).hasSize(1);
    Pact pact = pacts().getFirst();
    assertThat(pact.getPartiesList()).containsExactly(SUPPORT, ENRICHER);
    assertThat(pact.getState()).isEqualTo("active");
    HttpResponse<String> second = send("{\"name\":\"Ben\"}");
    assertThat(second.body()).contains("Acme Ltd");
    assertThat(agent.asked()).hasSize(2);
    assertThat(pacts()).hasSize(1);
    kit.client.assertLedgerAgrees();
  }

  @Test
  void aFieldThatIsNotAgreed_doesNotLeave() throws Exception {
    assertThat(send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
    HttpResponse<String> refused = send("{\"name\":\"Ann\",\"ssn\":\"123\"}");
    assertThat(refused.body()).contains("pact_scope").contains("scope");
    assertThat(agent.asked()).hasSize(1);
    assertThat(send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
  }

  @Test
  void anAnswerThatIsTooLarge_isAskedForAgain_andThenInDispute() throws Exception {
    int[] asked = {0};
    agent.answer(_ -> answer(asked[0]++ == 0 ? LONG : "Acme Ltd, in short."));
    HttpResponse<String> repaired = send("{\"name\":\"Ann\"}");
    assertThat(repaired.body()).contains("in short");
    assertThat(asked[0]).isEqualTo(2);
    agent.answer(_ -> answer(LONG));
    HttpResponse<String> held = send("{\"name\":\"Ben\"}");
    assertThat(held.body()).doesNotContain(LONG);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() -> assertThat(pacts().getFirst().getState()).isEqualTo("in_dispute"));
  }

  @Test
  void aPersonWithdraws_inTheAgentsName_andTheNextRequestMakesANewPact() throws Exception {
    assertThat(send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
    String id =
        A2a.JSON.readTree(asking.admin().get("/pacts").body()).at("/pacts/0/pact").asString();
    assertThat(id).isEqualTo(pacts().getFirst().getPact());
    HttpResponse<String> withdrawn =
        asking
            .admin()
            .post("/pacts/" + id + "/dissolve?reason=party_withdrew", "{\"who\":\"ada\"}");
    assertThat(withdrawn.statusCode()).as(withdrawn.body()).isEqualTo(200);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(
            () -> assertThat(pacts().getFirst().getReason()).isEqualTo("party_withdrew"));
    assertThat(pacts().getFirst().getResponsible()).isEqualTo(SUPPORT);
    assertThat(send("{\"name\":\"Ben\"}").body()).contains("Acme Ltd");
    assertThat(pacts()).hasSize(2);
    kit.client.assertLedgerAgrees();
  }

  @Test
  void withoutCommonGround_nothingIsDelivered() throws Exception {
    giving.close();
    giving =
        LocalSidecar.start(
            folder,
            "other",
            LocalSidecar.inboundTo(agent.port()),
            control(ENRICHER),
            """
            pacts:
              policy:
                - peers: [support]
                  accept: [something-else@1]
            routes:
              - name: work
                match: { direction: inbound }
                pact: required
                onUnjudged: block
            """);
    HttpResponse<String> refused = send("{\"name\":\"Ann\"}");
    assertThat(refused.body()).contains("pact_");
    assertThat(agent.asked()).isEmpty();
    assertThat(pacts()).isEmpty();
  }
}
