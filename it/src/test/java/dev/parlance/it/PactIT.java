package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Kit;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.ListTemplatesRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
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
  private static final String SUPPORT = PactPair.SUPPORT;
  private static final String LONG = "x".repeat(3_000);

  @TempDir Path folder = Path.of("");
  private Kit kit = unstarted();
  private PactPair pair = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    kit = Kit.start(Kit.config(folder.resolve("control")));
    pair = new PactPair(folder, kit);
  }

  @AfterEach
  void end() throws Exception {
    pair.close();
    kit.close();
  }

  @Test
  void theFirstRequest_makesThePact_andLaterOnesGoUnderIt() throws Exception {
    HttpResponse<String> first = pair.send("{\"name\":\"Ann\",\"company\":\"Acme\"}");
    assertThat(first.body()).contains("Acme Ltd");
    // Nothing of the negotiation has reached the pair.agent.
    assertThat(pair.agent.asked()).hasSize(1);
    assertThat(pair.agent.asked().getFirst().text())
        .isEqualTo(PactPair.body("{\"name\":\"Ann\",\"company\":\"Acme\"}"));
    assertThat(pair.agent.asked().getFirst().field("Parlance-Pact")).isEmpty();
    assertThat(pair.pacts()).hasSize(1);
    Pact pact = pair.pacts().getFirst();
    assertThat(pact.getPartiesList()).containsExactly(SUPPORT, "enricher");
    assertThat(pact.getState()).isEqualTo("active");
    assertThat(pact.getNote().toStringUtf8()).contains("max_kb=2").doesNotContain("fields=");
    HttpResponse<String> second = pair.send("{\"name\":\"Ben\"}");
    assertThat(second.body()).contains("Acme Ltd");
    assertThat(pair.agent.asked()).hasSize(2);
    assertThat(pair.pacts()).hasSize(1);
    kit.client.assertLedgerAgrees();
  }

  @Test
  void aFieldThatIsNotAgreed_doesNotLeave() throws Exception {
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
    HttpResponse<String> refused = pair.send("{\"name\":\"Ann\",\"ssn\":\"123\"}");
    assertThat(refused.body()).contains("pact_scope").contains("scope");
    assertThat(pair.agent.asked()).hasSize(1);
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
  }

  @Test
  void anAnswerThatIsTooLarge_isAskedForAgain_andThenInDispute() throws Exception {
    int[] asked = {0};
    pair.agent.answer(_ -> PactPair.answer(asked[0]++ == 0 ? LONG : "Acme Ltd, in short."));
    HttpResponse<String> repaired = pair.send("{\"name\":\"Ann\"}");
    assertThat(repaired.body()).contains("in short");
    assertThat(asked[0]).isEqualTo(2);
    pair.agent.answer(_ -> PactPair.answer(LONG));
    HttpResponse<String> held = pair.send("{\"name\":\"Ben\"}");
    assertThat(held.body()).doesNotContain(LONG);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(
            () -> assertThat(pair.pacts().getFirst().getState()).isEqualTo("in_dispute"));
  }

  @Test
  void aPersonWithdraws_inTheAgentsName_andTheNextRequestMakesANewPact() throws Exception {
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
    String id =
        A2a.JSON.readTree(pair.asking.admin().get("/pacts").body()).at("/pacts/0/pact").asString();
    assertThat(id).isEqualTo(pair.pacts().getFirst().getPact());
    HttpResponse<String> withdrawn =
        pair.asking
            .admin()
            .post("/pacts/" + id + "/dissolve?reason=party_withdrew", "{\"who\":\"ada\"}");
    assertThat(withdrawn.statusCode()).as(withdrawn.body()).isEqualTo(200);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(
            () -> assertThat(pair.pacts().getFirst().getReason()).isEqualTo("party_withdrew"));
    assertThat(pair.pacts().getFirst().getResponsible()).isEqualTo(SUPPORT);
    assertThat(pair.send("{\"name\":\"Ben\"}").body()).contains("Acme Ltd");
    assertThat(pair.pacts()).hasSize(2);
    kit.client.assertLedgerAgrees();
  }

  @Test
  void withoutCommonGround_nothingIsDelivered() throws Exception {
    pair.accepting("platform/something-else@1");
    HttpResponse<String> refused = pair.send("{\"name\":\"Ann\"}");
    assertThat(refused.body()).contains("pact_");
    assertThat(pair.agent.asked()).isEmpty();
    assertThat(pair.pacts()).isEmpty();
  }

  @Test
  void P8_aTemplateThatIsPinned_isNoOtherText() throws Exception {
    var published =
        pair.parties.operator().listTemplates(ListTemplatesRequest.getDefaultInstance());
    pair.restart("platform/enrich@1@sha256:" + "0".repeat(64));
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("pact_required");
    assertThat(pair.agent.asked()).isEmpty();
    pair.restart("platform/enrich@1@sha256:" + published.getTemplates(0).getSha256());
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
  }

  @Test
  void aDisputeInBadFaith_blamesNobody_andEndsByTheArbitersWordAlone() throws Exception {
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
    String id = pair.pacts().getFirst().getPact();
    assertThat(end(pair.asking, id, "dispute_escalated").statusCode()).isEqualTo(200);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(
            () -> assertThat(pair.pacts().getFirst().getState()).isEqualTo("in_dispute"));
    // Neither party leaves it, whoever has begun it.
    for (LocalSidecar one : pair.sidecars()) {
      await()
          .atMost(Kit.PATIENCE)
          .untilAsserted(() -> {
            HttpResponse<String> left = end(one, id, "party_withdrew");
            assertThat(left.statusCode()).isEqualTo(409);
            assertThat(left.body()).contains("pact_disputed");
          });
    }
    assertThat(pair.send("{\"name\":\"Ben\"}").body()).doesNotContain("Acme Ltd");
    SignerKey board = SignerKey.generate("board-1", KeyType.ED25519);
    pair.parties.register("board-1", board);
    PactStatement.Decision word =
        new PactStatement.Decision(
            id, "board-1", Ending.WORK_COMPLETED, Optional.empty(), System.currentTimeMillis());
    byte[] note = PactStatementNote.sign(word, board);
    pair.parties
        .operator()
        .decide(DecideRequest.newBuilder().setNote(ByteString.copyFrom(note)).build());
    for (LocalSidecar one : pair.sidecars()) {
      await()
          .atMost(Kit.PATIENCE)
          .untilAsserted(
              () -> assertThat(one.admin().get("/pacts").body()).contains("work_completed"));
    }
    assertThat(pair.send("{\"name\":\"Ann\"}").body()).contains("Acme Ltd");
    assertThat(pair.pacts()).hasSize(2);
    assertThat(pair.violations(id)).isZero();
    kit.client.assertLedgerAgrees();
  }

  private static HttpResponse<String> end(LocalSidecar sidecar, String pact, String reason)
      throws Exception {
    return sidecar
        .admin()
        .post("/pacts/" + pact + "/dissolve?reason=" + reason, "{\"who\":\"ada\"}");
  }
}
