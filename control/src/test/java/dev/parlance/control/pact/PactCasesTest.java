package dev.parlance.control.pact;

import static dev.parlance.control.testing.Signatory.BOARD_KEY;
import static dev.parlance.control.testing.Signatory.BUYER;
import static dev.parlance.control.testing.Signatory.BUYER_KEY;
import static dev.parlance.control.testing.Signatory.SELLER;
import static dev.parlance.control.testing.Signatory.SELLER_KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.ListCasesRequest;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.ReportRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Negotiations that sidecars hand to arbiters, and who decides them. */
@TestInstance(Lifecycle.PER_CLASS)
class PactCasesTest {
  private static final String BOARD = BOARD_KEY.name();
  private static final long AN_HOUR_MS = 3_600_000;
  private static final List<Predicate> TERMS = List.of(new Predicate("size", "output", "max_kb=9"));

  private Kit kit;
  private Signatory parties;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    kit = Kit.start(Kit.config(folder.resolve("main")));
    parties = kit.keep(Signatory.at(kit.plane)).register();
  }

  /** Whatever parties and strangers say: what the replica writes holds. */
  @AfterAll
  void stop() {
    try {
      kit.client.assertLedgerAgrees();
    } finally {
      kit.close();
    }
  }

  private static PactCase open(String id) {
    return new PactCase(
        "n-" + id, BUYER, SELLER, BOARD, "p-" + id, System.currentTimeMillis() + AN_HOUR_MS);
  }

  private String handOver(PactCase open) {
    return handOver(open, Optional.of(SELLER_KEY));
  }

  private String handOver(PactCase open, Optional<SignerKey> other) {
    return parties.handOver(open, TERMS, other);
  }

  private void decide(PactCase of, List<Predicate> terms, SignerKey by) {
    PactStatement.Template said = PactStatement.Template.deciding(of, terms);
    var _ =
        parties
            .as(by.name())
            .putTemplate(
                PutTemplateRequest.newBuilder()
                    .setNote(ByteString.copyFrom(PactStatementNote.sign(said, by)))
                    .build());
  }

  private Case shown(String negotiation) {
    return parties
        .as(SELLER)
        .listCases(ListCasesRequest.newBuilder().setNegotiation(negotiation).build())
        .getCases(0);
  }

  private static void refused(String reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StatusRuntimeException.class)
        .satisfies(thrown ->
            assertThat(((StatusRuntimeException) thrown).getStatus().getDescription())
                .startsWith(reason + ": "));
  }

  @Test
  void aCase_waits_isDecidedOnce_andIsShownUntilItsPactHolds() {
    PactCase open = open("decided");
    assertThat(handOver(open)).isEqualTo("accepted");
    assertThat(handOver(open)).isEqualTo("repeated");
    assertThat(shown("n-decided").getState()).isEqualTo("waiting");
    assertThat(shown("n-decided").getTemplate()).isEqualTo(BOARD + "/n-decided@1");
    decide(open, TERMS, BOARD_KEY);
    decide(open, TERMS, BOARD_KEY);
    assertThat(shown("n-decided").getState()).isEqualTo("decided");
    refused("template_exists", () -> decide(open, List.of(), BOARD_KEY));
    refused(
        "template_exists",
        () -> decide(open, List.of(new Predicate("size", "output", "max_kb=1")), BOARD_KEY));
    var _ = parties.attest("p-decided");
    assertThat(shown("n-decided").getState()).isEqualTo("attested");
    assertThat(
            parties
                .operator()
                .listCases(ListCasesRequest.newBuilder().setWaiting(true).build())
                .getCasesList())
        .extracting(Case::getNegotiation)
        .doesNotContain("n-decided");
  }

  @Test
  void aRefusal_isADecisionToo() {
    PactCase open = open("refused");
    assertThat(handOver(open)).isEqualTo("accepted");
    decide(open, List.of(), BOARD_KEY);
    assertThat(shown("n-refused").getState()).isEqualTo("refused");
    refused("template_exists", () -> decide(open, TERMS, BOARD_KEY));
  }

  @Test
  void nobodyElseDecides_andNothingElse() {
    PactCase open = open("other");
    refused("case_unknown", () -> decide(open, TERMS, BOARD_KEY));
    assertThat(handOver(open)).isEqualTo("accepted");
    SignerKey stranger = SignerKey.generate("mallory", KeyType.ED25519);
    parties.register("mallory", stranger);
    PactCase taken = new PactCase("n-other", BUYER, SELLER, "mallory", "p-other", open.untilMs());
    refused("not_the_arbiter", () -> decide(taken, TERMS, stranger));
    SignerKey forged = SignerKey.generate(BOARD, KeyType.ED25519);
    refused("note_bad_signature", () -> decide(open, TERMS, forged));
    // A party that makes up a case of its own does not decide the other one's.
    PactCase ofSeller = new PactCase("n-other", SELLER, BUYER, BOARD, "p-other", open.untilMs());
    refused("case_unknown", () -> decide(ofSeller, TERMS, BOARD_KEY));
    PactCase ofOtherPact =
        new PactCase("n-other", BUYER, SELLER, BOARD, "p-another", open.untilMs());
    refused("case_unknown", () -> decide(ofOtherPact, TERMS, BOARD_KEY));
    refused("case_exists", () -> handOver(ofOtherPact));
    refused(
        "not_a_party",
        () -> {
          PactStatement.Report said =
              PactStatement.Report.escalating(ofSeller, TERMS, List.of(), 5);
          var _ =
              parties
                  .as(BUYER)
                  .report(
                      ReportRequest.newBuilder()
                          .setParty(BUYER)
                          .setNote(ByteString.copyFrom(PactStatementNote.sign(said, SELLER_KEY)))
                          .build());
        });
    assertThat(shown("n-other").getState()).isEqualTo("waiting");
  }

  @Test
  void whoHasNotSignedThatItNegotiated_isInNoCase() {
    PactCase open = open("forged");
    refused("case_not_signed", () -> handOver(open, Optional.empty()));
    SignerKey forged = SignerKey.generate(SELLER, KeyType.ED25519);
    refused("case_not_signed", () -> handOver(open, Optional.of(forged)));
    refused("case_not_signed", () -> handOver(open, Optional.of(BUYER_KEY)));
    PactCase nobody = new PactCase("n-forged", BUYER, "nobody", BOARD, "p-f", open.untilMs());
    refused("case_not_signed", () -> handOver(nobody, Optional.of(SELLER_KEY)));
    refused("case_unknown", () -> decide(open, TERMS, BOARD_KEY));
  }

  @Test
  void whatComesLate_decidesNothing() throws InterruptedException {
    PactCase over = new PactCase("n-over", BUYER, SELLER, BOARD, "p-over", 5);
    refused("case_over", () -> handOver(over));
    PactCase brief = brief();
    while (System.currentTimeMillis() <= brief.untilMs()) {
      Thread.sleep(10);
    }
    assertThat(shown(brief.negotiation()).getState()).isEqualTo("expired");
    refused("case_over", () -> decide(brief, TERMS, BOARD_KEY));
  }

  /** A case of a short time, longer on a machine that needs longer to hand it over. */
  private PactCase brief() {
    for (int windowMs = 500; ; windowMs *= 2) {
      String id = "brief-" + windowMs;
      long untilMs = System.currentTimeMillis() + windowMs;
      PactCase open = new PactCase("n-" + id, BUYER, SELLER, BOARD, "p-" + id, untilMs);
      try {
        assertThat(handOver(open)).isEqualTo("accepted");
        return open;
      } catch (StatusRuntimeException late) {
        assertThat(late.getStatus().getDescription()).startsWith("case_over");
        assertThat(windowMs).isLessThan(60_000);
      }
    }
  }
}
