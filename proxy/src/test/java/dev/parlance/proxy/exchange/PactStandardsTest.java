package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.gate.TestCores;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pact asks for that is written down elsewhere: schemas, certified terms, rounds. */
class PactStandardsTest extends PactScene {
  private static final String SCHEMA = "sha256:" + "ab".repeat(32);
  private static final String GOOD = "{\\\"total\\\":1}";
  private static final String BAD = "{\\\"total\\\":\\\"one\\\"}";
  private static final String SUBJECT =
      Digests.sha256("hello there".getBytes(StandardCharsets.UTF_8));

  private String claim = "";

  @Override
  String message() {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":{"message":{"messageId":"m-1",\
    "role":"ROLE_USER","parts":[{"text":"hello there"}]%s}}}\
    """
        .formatted(
            method,
            claim.isEmpty()
                ? ""
                : ",\"metadata\":{\"https://w3id.org/parlance/ext/round/v1\":" + claim + "}");
  }

  private void asks(String category, String body) {
    pacts.held.predicates = List.of(new Predicate("one", category, body));
  }

  /** What the pact has against it; empty for what goes on. */
  private static String againstIt(PactScene.Reply reply) {
    return reply.reason.startsWith("pact_") ? reply.reason : "";
  }

  private void schemaOfTotals() {
    pacts.schemas =
        name ->
            name.equals(SCHEMA)
                ? Optional.of(json ->
                    new String(json, StandardCharsets.UTF_8).matches("\\{\"total\":[0-9]+}")
                        ? Optional.empty()
                        : Optional.of("/total is no number"))
                : Optional.empty();
  }

  @Test
  void anAnswerThatDoesNotMeetItsSchema_isAskedForAgain_andTheAuthorHearsWhatIsWrong()
      throws Exception {
    asks("output", "schema=" + SCHEMA);
    schemaOfTotals();
    answers = new ArrayList<>(List.of(BAD, GOOD));
    PactScene.Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.body).contains(GOOD);
    assertThat(bodies.getLast())
        .contains("clause one schema=" + SCHEMA)
        .contains("/total is no number");
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void whatIsWrongWithItsData_isTheAuthorsAlone() throws Exception {
    asks("output", "schema=" + SCHEMA);
    schemaOfTotals();
    answers = new ArrayList<>(List.of(BAD));
    PactScene.Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.route).isEqualTo("yield");
    assertThat(reply.body).doesNotContain("no number");
    assertThat(pacts.ended).containsExactly("dispute_escalated");
    PactScene.Reply fromAfar = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(fromAfar.reason).isEqualTo("pact_output");
    assertThat(fromAfar.body).contains("clause one schema=").doesNotContain("no number");
  }

  @ParameterizedTest
  @CsvSource({
    "the total is 1, pact_output",
    "'',''",
    "'```json\\n{\\\"total\\\":1}\\n```',''",
    "'```\\n{\\\"total\\\":1}\\n``` and ```\\n{\\\"total\\\":[]}\\n```', pact_output"
  })
  void wordsCount_asFarAsTheyAreJson(String answer, String reason) throws Exception {
    asks("output", "schema=" + SCHEMA);
    schemaOfTotals();
    answers = new ArrayList<>(List.of(answer));
    assertThat(againstIt(ask(Direction.OUTBOUND, REQUIRED))).isEqualTo(reason);
  }

  @Test
  void aSchemaThatIsNotHere_leavesTheAnswerUnmeasured() throws Exception {
    asks("output", "schema=sha256:" + "cd".repeat(32));
    schemaOfTotals();
    answers = new ArrayList<>(List.of(GOOD));
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unmeasured");
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ onUnmeasured: warn }").status)
        .isEqualTo(200);
  }

  @Test
  void aStream_isHeldAgainstItsSchemaWhole() throws Exception {
    asks("output", "schema=" + SCHEMA);
    schemaOfTotals();
    events.add(List.of(event("{\\\"total\\\":"), event("7}")));
    events.add(List.of(event("{\\\"total\\\":"), event("seven}")));
    method = "SendStreamingMessage";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).body).contains("7}").contains("total");
    PactScene.Reply bad = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(bad.reason + bad.body).contains("pact_output");
    assertThat(bad.body).doesNotContain("seven");
  }

  private static String event(String text) {
    return """
    data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c",\
    "append":true,"artifact":{"artifactId":"a","parts":[{"text":"%s"}]}}}}

    """
        .formatted(text);
  }

  @ParameterizedTest
  @CsvSource({
    "fresh, a notice, ''",
    "fresh, nothing governed, ''",
    "fresh, a patent, pact_output",
    "fresh, an old permit, pact_output",
    "stale, a notice, pact_unmeasured",
    "absent, a notice, pact_unmeasured"
  })
  void certified_meansEveryGovernedTerm_inACoreThatCanBeReliedOn(
      String state, String answer, String reason) throws Exception {
    asks("output", "certified=license");
    core(state);
    answers = new ArrayList<>(List.of(answer));
    assertThat(againstIt(ask(Direction.OUTBOUND, REQUIRED))).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "success, certified=license",
    "output, certified=license",
    "success, citations>=1",
    "output, citations>=1",
    "output, max_kb=0.001"
  })
  void whatIsBroken_isTheClause_whateverItsKey(String category, String body) throws Exception {
    asks(category, body);
    core("fresh");
    answers = new ArrayList<>(List.of("an old permit"));
    PactScene.Reply reply = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(reply.reason).isEqualTo("pact_" + category);
    assertThat(reply.body).contains("clause one " + body);
  }

  @Test
  void whoseTermsAreNotCertified_hearsWhichAre() throws Exception {
    asks("output", "certified=license");
    core("fresh");
    answers = new ArrayList<>(List.of("an old permit", "a notice"));
    PactScene.Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.body).contains("a notice");
    assertThat(bodies.getLast()).contains("permit is not certified, notice is");
  }

  private void core(String state) {
    CompiledCore core =
        CompiledCore.of(
            TestCores.core(
                "bob", 3, "certified:notice", "refused:patent", "revoked:permit:notice"));
    cores =
        (peer, domain) ->
            !peer.equals(Optional.of("bob")) || !domain.equals("license")
                ? Cores.CoreView.ABSENT
                : switch (state) {
                  case "fresh" -> Cores.CoreView.fresh(core, 1);
                  case "stale" -> Cores.CoreView.stale(core, 9_999_999);
                  default -> Cores.CoreView.ABSENT;
                };
  }

  @ParameterizedTest
  @CsvSource({
    "verdict, none, pact_success",
    "verdict, verdict_commit, ''",
    "verdict, semantic_commit, ''",
    "semantic, verdict_commit, pact_success",
    "semantic, semantic_commit, ''",
    "verdict, abort, pact_success",
    "verdict, away, pact_unmeasured"
  })
  void finality_isWhatTheClaimOfARequestProves(String level, String known, String reason)
      throws Exception {
    asks("success", "finality=" + level);
    claim =
        known.equals("none")
            ? ""
            : "{\"round\":\"r-1\",\"epoch\":2,\"outcome\":{\"kind\":\""
                + (known.equals("away") ? "verdict_commit" : known)
                + "\"}}";
    rounds = new OneRound(known, SUBJECT);
    assertThat(againstIt(ask(Direction.INBOUND, "pact: required", NAMED))).isEqualTo(reason);
    assertThat(asked).hasSize(reason.isEmpty() ? 1 : 0);
  }

  @Test
  void anOutcomeAboutSomethingElse_provesNothing() throws Exception {
    asks("success", "finality=verdict");
    claim = "{\"round\":\"r-1\",\"epoch\":2,\"outcome\":{\"kind\":\"verdict_commit\"}}";
    rounds = new OneRound("verdict_commit", "ef".repeat(32));
    assertThat(ask(Direction.INBOUND, "pact: required", NAMED).reason).isEqualTo("pact_success");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_success");
    assertThat(asked).isEmpty();
  }

  /** Knows how one round has ended, or nothing. */
  private record OneRound(String kind, String subject) implements Rounds {
    @Override
    public CompletableFuture<Receipt> propose(Proposing proposing) {
      throw new AssertionError("nothing is proposed");
    }

    @Override
    public CompletableFuture<Rounds.Reply> status(RoundId id) {
      return CompletableFuture.completedFuture(
          kind.equals("away")
              ? new Unavailable("nobody answers")
              : new Known(
                  new RoundStatus(
                      id,
                      "ended",
                      0,
                      Optional.of(
                          new RoundStatus.Ended(
                              kind, Optional.empty(), Optional.empty(), Optional.empty(), "note"))),
                  Optional.of(subject)));
    }

    @Override
    public CompletableFuture<Rounds.Reply> ended(RoundId id, long atMostMs) {
      return status(id);
    }

    @Override
    public Optional<Known> noted(RoundMark.Claim claim) {
      return Optional.empty();
    }
  }
}
