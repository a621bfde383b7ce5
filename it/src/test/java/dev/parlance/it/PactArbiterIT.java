package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.ListCasesRequest;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PutTemplateRequest;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sidecars whose policies find nothing, a control plane, and the arbiter that both name. */
class PactArbiterIT {
  private static final String PROPOSE =
      """
      propose:
              - { id: scope, category: scope, body: "fields=name,company" }
              - { id: action, category: action, body: "tools=lookup" }
              - { id: output, category: output, body: "max_kb=%d" }
              - { id: success, category: success, body: "useful" }
              - { id: failure, category: failure, body: "report=within_60s" }
              - { id: dispute, category: dispute, body: "arbiter=board-1" }
              - { id: audit, category: audit, body: "retain_days=30" }
              - { id: termination, category: termination, body: "notice_ms=0" }
      """;

  @TempDir Path folder = Path.of("");

  private static String pacts(String peer, int kb, String bound, String ofArbiter) {
    return """
    pacts:
      timeoutMs: 60000
      clockSkewMs: 60000
      policy:
        - peers: [%s]
          arbiter: board-1
          bounds: { max_kb: { %s } }
          arbiterBounds: { max_kb: { %s } }
          %s
    """
        .formatted(peer, bound, ofArbiter, PROPOSE.formatted(kb));
  }

  private LocalSidecar giving(Kit kit, StubAgent agent) throws IOException {
    return LocalSidecar.start(
        folder,
        "enricher",
        LocalSidecar.inboundTo(agent.port()),
        PactPair.control(folder, kit, "enricher"),
        pacts("support", 16, "atMost: 16", "atMost: 24")
            + """
            routes:
              - name: work
                match: { direction: inbound }
                pact: required
                metadata: false
                onUnjudged: block
            """);
  }

  private LocalSidecar asking(Kit kit) throws IOException {
    return LocalSidecar.start(
        folder,
        "support",
        LocalSidecar.outbound(),
        PactPair.control(folder, kit, "support"),
        pacts("enricher", 64, "atLeast: 32", "atLeast: 20")
            + """
            routes:
              - name: delegates
                match: { direction: outbound }
                pact: required
                metadata: false
                peer: enricher
                onUnjudged: block
            """);
  }

  private static HttpClient through(LocalSidecar asking) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .proxy(
            ProxySelector.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), asking.outboundPort())))
        .build();
  }

  private static HttpRequest asks(LocalSidecar giving) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giving.inbound() + "/"))
        .timeout(Duration.ofSeconds(60))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(PactPair.body("{\"name\":\"Ann\"}")))
        .build();
  }

  private static HttpResponse<String> send(LocalSidecar asking, LocalSidecar giving)
      throws IOException, InterruptedException {
    try (HttpClient client = through(asking)) {
      return client.send(asks(giving), HttpResponse.BodyHandlers.ofString(UTF_8));
    }
  }

  /** The case that a request makes, which is held meanwhile. */
  private static Case waiting(Signatory parties) {
    await().atMost(Kit.PATIENCE).until(() -> !cases(parties).isEmpty());
    return cases(parties).getFirst();
  }

  static List<Case> cases(Signatory parties) {
    return parties.operator().listCases(ListCasesRequest.getDefaultInstance()).getCasesList();
  }

  /** The clauses as they stood, with this size of answers, under the arbiter's signature. */
  static void decide(Signatory parties, Case open, int kb) {
    var said =
        (PactStatement.Report)
            ((PactStatementNote.Reading.Good)
                    PactStatementNote.unverified(open.getNote().toByteArray()))
                .statement();
    List<Predicate> terms = new ArrayList<>();
    for (Predicate one : said.escalation().orElseThrow().predicates()) {
      boolean isOutput = one.category().equals("output");
      terms.add(new Predicate(one.id(), one.category(), isOutput ? "max_kb=" + kb : one.body()));
    }
    PactCase decided = said.handed().orElseThrow();
    byte[] note =
        PactStatementNote.sign(
            PactStatement.Template.deciding(decided, terms), Signatory.BOARD_KEY);
    var _ =
        parties
            .as(Signatory.BOARD_KEY.name())
            .putTemplate(
                PutTemplateRequest.newBuilder().setNote(ByteString.copyFrom(note)).build());
  }

  @Test
  void theRequestThatHasMadeTheCase_isHeld_andDeliveredOnceTheArbiterHasDecided() throws Exception {
    try (StubAgent agent = new StubAgent(_ -> PactPair.answer("Acme Ltd, 40 people."));
        Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        Signatory parties = Signatory.at(kit.plane)) {
      parties.register(Signatory.BOARD_KEY.name(), Signatory.BOARD_KEY);
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      try (LocalSidecar giving = giving(kit, agent);
          LocalSidecar asking = asking(kit);
          HttpClient client = through(asking)) {
        var held = client.sendAsync(asks(giving), HttpResponse.BodyHandlers.ofString(UTF_8));
        Case open = waiting(parties);
        assertThat(agent.asked()).isEmpty();
        decide(parties, open, 22);
        assertThat(held.get(60, TimeUnit.SECONDS).body()).contains("Acme Ltd");
        assertThat(agent.asked()).hasSize(1);
        assertThat(cases(parties))
            .singleElement()
            .matches(one -> one.getState().equals("attested"));
        kit.client.assertLedgerAgrees();
      }
    }
  }

  /** The control plane, and one sidecar after the other, begin again in between. */
  @Test
  void aNegotiationThatFindsNothing_becomesThePactOfTheArbiter_whoeverRestarts() throws Exception {
    Path data = folder.resolve("control");
    try (StubAgent agent = new StubAgent(_ -> PactPair.answer("Acme Ltd, 40 people."))) {
      try (Kit kit = Kit.start(Kit.config(data));
          Signatory parties = Signatory.at(kit.plane)) {
        parties.register(Signatory.BOARD_KEY.name(), Signatory.BOARD_KEY);
        Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
        try (LocalSidecar giving = giving(kit, agent);
            LocalSidecar asking = asking(kit)) {
          try (HttpClient client = through(asking)) {
            var held = client.sendAsync(asks(giving), HttpResponse.BodyHandlers.ofString(UTF_8));
            assertThat(waiting(parties).getState()).isEqualTo("waiting");
            assertThat(held).isNotDone();
            held.cancel(true);
          }
        }
      }
      try (Kit kit = Kit.start(Kit.config(data));
          Signatory parties = Signatory.at(kit.plane);
          LocalSidecar giving = giving(kit, agent);
          LocalSidecar asking = asking(kit)) {
        HttpResponse<String> refused = send(asking, giving);
        assertThat(refused.body()).contains("pact_escalated").contains("board-1 decides n-");
        assertThat(refused.headers().firstValue("Retry-After")).contains("30");
        assertThat(agent.asked()).isEmpty();
        decide(parties, cases(parties).getFirst(), 22);
        HttpResponse<String> delivered = send(asking, giving);
        assertThat(delivered.body()).contains("Acme Ltd");
        assertThat(agent.asked()).hasSize(1);
        List<Pact> pacts =
            parties.operator().listPacts(ListPactsRequest.getDefaultInstance()).getPactsList();
        assertThat(pacts).hasSize(1);
        assertThat(pacts.getFirst().getNote().toStringUtf8()).contains("max_kb=22");
        assertThat(cases(parties))
            .singleElement()
            .matches(one -> one.getState().equals("attested"));
        kit.client.assertLedgerAgrees();
      }
    }
  }
}
