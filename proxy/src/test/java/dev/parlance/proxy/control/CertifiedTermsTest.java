package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.Signed.board;
import static dev.parlance.proxy.control.Signed.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.AttachRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What weighs of the terms of a board: those whose meaning is certified. */
class CertifiedTermsTest extends LexiconScene {
  private static final String CONSEQUENTIAL =
      "lexicon: { coin: on, inject: part }\n    consequential: true\n"
          + "    core: { domain: license, peer: bob }\n";

  private void push(long version, TermStatus status, String... terms) throws Exception {
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(Signed.push(Signed.core(Signed.ALICE_BOB, version, status, terms)));
    AttachRequest _ = stream.await(said -> said.getAck().getVersion() == version);
  }

  @Test
  void aTermOfABoardThatIsInAPlan_weighsNothingUntilItsMeaningIsCertified() throws Exception {
    start(CONSEQUENTIAL);
    push(1, TermStatus.CERTIFIED, "impeller");
    ofAlice = _ -> answer(FACT + ", as radial play [Chunk c1].");
    boards.put(board(5, 2, 17, "radial play"));
    // On the board it is a word like any other.
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    push(board(6, 2, 17, Optional.of("license"), false, "radial play"));
    HttpResponse<String> promoted = hear("How often?");
    assertThat(route(promoted)).isEqualTo("regenerate");
    assertThat(reason(promoted)).contains("term_uncertified");
    // What another domain audits is none of this route's.
    push(board(7, 2, 17, Optional.of("medicine"), false, "radial play"));
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    push(board(8, 2, 17, Optional.of("license"), false, "radial play"));
    push(2, TermStatus.CERTIFIED, "impeller", "radial play");
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    // Shown it is all the same: the core has it from this board.
    assertThat(alice.questions().getLast().body().toString()).contains("- radial play = ");
    push(board(9, 3, 18, Optional.of("license"), true, "radial play"));
    assertThat(reason(hear("How often?"))).contains("term_uncertified");
    push(board(10, 3, 18, Optional.of("license"), false, "radial play"));
    assertThat(route(hear("How often?"))).isEqualTo("execute");
  }

  @Test
  void aTermThatOneBoardHasPutIntoAPlan_weighsNothingInAnyOtherConversationEither()
      throws Exception {
    start(CONSEQUENTIAL);
    push(1, TermStatus.CERTIFIED, "impeller");
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> _ = hear("How often?");
    push(board(6, 2, 17, Optional.of("license"), false, "radial play"));
    ofAlice =
        _ ->
            new FakeAgent.Reply(
                200,
                answer(FACT + ", as radial play [Chunk c1].").body().replace("ctx-1", "ctx-2"));
    assertThat(reason(hear("How often?"))).contains("term_uncertified");
    push(2, TermStatus.CERTIFIED, "impeller", "radial play");
    assertThat(reason(hear("How often?"))).doesNotContain("term_uncertified");
  }

  @Test
  void aCertifiedTermIsOfferedInPlaceOfOneThatIsNot() throws Exception {
    start(CONSEQUENTIAL);
    CertifiedCore core = Signed.core(1, "impeller", "radial play");
    List<GovernedTerm> terms =
        core.terms().stream()
            .map(term ->
                term.key().equals("liability")
                    ? new GovernedTerm(term.key(), term.status(), Optional.of("radial play"))
                    : term)
            .toList();
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(
        Signed.push(
            new CertifiedCore(
                core.agents(),
                core.domain(),
                core.version(),
                core.issuedAtMs(),
                core.params(),
                terms,
                core.ledgerSize())));
    AttachRequest _ = stream.await(said -> said.getAck().getVersion() == 1);
    boards.put(board(5, 2, 17, Optional.of("license"), false, "radial play"));
    ofAlice = _ -> answer(FACT + ", at no liability [Chunk c1].");
    HttpResponse<String> refused = hear("How often?");
    assertThat(reason(refused)).contains("term_uncertified");
    assertThat(refused.body()).contains("use \\\"radial play\\\" instead of \\\"liability\\\"");
    ofAlice = _ -> answer(FACT + ", as radial play [Chunk c1].");
    assertThat(route(hear("How often?"))).isEqualTo("execute");
  }

  @Test
  void theFirstMessageOfAConversation_isHeldAgainstItsBoardToo() throws Exception {
    start(
        CONSEQUENTIAL.replace("coin: on, inject: part", "inject: off")
            + "    match: { pathPrefix: /a2a }\n  - name: other\n    lexicon: { coin: on }\n");
    push(1, TermStatus.CERTIFIED, "impeller");
    boards.put(board(6, 2, 17, Optional.of("license"), false, "radial play"));
    ofAlice = _ -> answer(FACT + ", as radial play [Chunk c1].");
    HttpResponse<String> response = hear("How often?");
    assertThat(reason(response)).contains("term_uncertified");
    assertThat(boards.coined()).isEmpty();
    assertThat(response.headers().firstValue("Parlance-Turn")).isEmpty();
  }

  @Test
  void aTermThatACoreGoverns_isNotShownInAnotherMeaning_onWhateverRouteItWasCoined()
      throws Exception {
    start(
        "lexicon: { coin: on, inject: part }\n    match: { pathPrefix: /a2a }\n"
            + "  - name: other\n    core: { domain: license, peer: bob }\n");
    boards.put(board(5, 2, 17, "radial play", "open gap"));
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getLast().body().toString()).contains("- radial play = ");
    push(1, TermStatus.CERTIFIED, "radial play");
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getLast().body().toString())
        .contains("- open gap = ")
        .doesNotContain("- radial play");
  }
}
