package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.metadata.VerdictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Bodies that the official SDKs exchanged, read as they were recorded. */
class A2aSamplesTest {
  private static final String IMPELLER =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres [c1].";

  private static RequestView request(String version, String sample) {
    return Wire.a2a(Wire.recorded("a2a-" + version + "-" + sample + ".req"));
  }

  private static ResponseView response(String version, String sample) {
    return Wire.answer(
        request(version, sample), Wire.recorded("a2a-" + version + "-" + sample + ".res"));
  }

  private static AgentMessage said(ResponseView view) {
    return view.message().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void message_isReadBothWays(String version) {
    RequestView request = request(version, "message");
    assertThat(request.protocol().name()).isEqualTo("a2a-" + version.substring(1));
    AgentMessage asked = request.message().orElseThrow();
    assertThat(asked.answer().toString()).isEqualTo("message: hello");
    assertThat(asked.question().isEmpty()).isTrue();
    assertThat(asked.evidence()).isEqualTo(Evidence.NONE);
    assertThat(request.correlation().messageId()).isPresent();
    assertThat(request.correlation().contextId()).isEmpty();

    ResponseView response = response(version, "message");
    assertThat(said(response).answer().toString()).isEqualTo("echo: hello");
    assertThat(said(response).question().toString()).isEqualTo("message: hello");
    assertThat(said(response).evidence().source()).isEqualTo(EvidenceSource.NONE);
    assertThat(response.correlation().contextId()).isPresent();
    assertThat(response.correlation().messageId()).isPresent();
    assertThat(response.correlation().taskId()).isEmpty();
    assertThat(response.unread()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "v1.0,grounded-message,true", "v0.3,grounded-message,true",
    "v1.0,grounded-task,false", "v0.3,grounded-task,false"
  })
  void declaredEvidence_isRead_butTheAnswerersOwnQuestionIsNot(
      String version, String sample, boolean confident) {
    ResponseView response = response(version, sample);
    Evidence evidence = said(response).evidence();
    assertThat(said(response).answer().toString())
        .isEqualTo(confident ? IMPELLER : IMPELLER + "\nanswer");
    assertThat(said(response).question().toString()).startsWith("grounded");
    assertThat(evidence.source()).isEqualTo(EvidenceSource.DECLARED);
    assertThat(evidence.chunks()).extracting(Chunk::id).containsExactly("c1", "c2", "c3");
    assertThat(evidence.chunks().get(2).text().toString()).startsWith("Warranty claims lapse");
    assertThat(evidence.citations()).containsExactly("c1");
    assertThat(evidence.confidence())
        .isEqualTo(confident ? OptionalDouble.of(0.93) : OptionalDouble.empty());
    assertThat(response.correlation().taskId().isPresent()).isNotEqualTo(confident);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void adkGroundingMetadata_isACarrier_withItsChunksCitedById(String version) {
    Evidence evidence = said(response(version, "grounded-adk")).evidence();
    assertThat(evidence.source()).isEqualTo(EvidenceSource.CARRIER);
    assertThat(evidence.chunks())
        .extracting(Chunk::id)
        .containsExactly("manual://pump/4.2", "manual://pump/4.3", "manual://pump/7.1");
    assertThat(evidence.citations()).containsExactly("manual://pump/4.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void agentStackCitations_areACarrier(String version) {
    Evidence evidence = said(response(version, "grounded-beeai")).evidence();
    assertThat(evidence.source()).isEqualTo(EvidenceSource.CARRIER);
    assertThat(evidence.chunks()).extracting(Chunk::id).containsExactly("manual://pump/4.2");
    assertThat(evidence.chunks().getFirst().text().toString()).startsWith("The impeller must");
    assertThat(evidence.citations()).containsExactly("manual://pump/4.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void B10_mixedParts_textAndDataAreJudged_filesAreNamedUnread(String version) {
    ResponseView response = response(version, "parts");
    String text =
        Wire.tree(Wire.recorded("a2a-" + version + "-parts.res"))
            .findValue("artifacts")
            .at("/0/parts/0/text")
            .stringValue();
    assertThat(said(response).answer().toString())
        .isEqualTo(text + "\n1\n2.5\n0\n1e+21\ntrue\n</script>\nanswer");
    assertThat(response.unread()).containsExactly("binary_part");
  }

  @ParameterizedTest
  @CsvSource({
    "v1.0,input-required,Which pump model?", "v0.3,input-required,Which pump model?",
    "v1.0,rejected,not my area", "v0.3,rejected,not my area"
  })
  void statusText_isTheAnswer_whereThereIsNoArtifact(String version, String sample, String text) {
    ResponseView response = response(version, sample);
    assertThat(said(response).answer().toString()).isEqualTo(text);
    assertThat(response.unread()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void protocolError_carriesNoMessage_andGetTaskNoText(String version) {
    RequestView request = request(version, "error-task-not-found");
    assertThat(request.message()).isEmpty();
    assertThat(request.correlation().taskId()).contains("nope");
    assertThat(request.annotate(Wire.verdict())).isEmpty();
    assertThat(response(version, "error-task-not-found").message()).isEmpty();
  }

  @Test
  void javaSdkMessage_withItsOtherMemberOrder_isRead() {
    RequestView request = request("v0.3", "java-message");
    assertThat(request.message().orElseThrow().answer().toString())
        .isEqualTo("message: h\u00e9llo \u2603");
    assertThat(said(response("v0.3", "java-message")).answer().toString())
        .isEqualTo("echo: h\u00e9llo \u2603");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a2a-card-v0.3.res", "a2a-card-v1.0-signed.res"})
  void agentCard_passesUnedited(String card) {
    RequestHead head = Wire.head("GET", "/agents/x/.well-known/agent-card.json?a=b", "");
    RequestView request =
        Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, head, new byte[0]));
    ResponseView response = Wire.answer(request, Wire.recorded(card));
    assertThat(response.message()).isEmpty();
    assertThat(response.annotate(Wire.verdict())).isEmpty();
    assertThat(Wire.unjudged(request.readResponse(Wire.reply("text/html"), Wire.bytes("<p>"))))
        .isEqualTo("content_type");
  }

  /** Puts the verdict where the edits should put it, by Jackson. */
  private static void addVerdict(JsonNode target, boolean extended) {
    ObjectNode object = (ObjectNode) target;
    ObjectNode metadata =
        object.get("metadata") instanceof ObjectNode old ? old : object.putObject("metadata");
    metadata.set(VerdictJson.URI, Wire.tree(VerdictJson.of(Wire.verdict())));
    if (extended) {
      ArrayNode extensions =
          object.get("extensions") instanceof ArrayNode old ? old : object.putArray("extensions");
      boolean listed =
          extensions.valueStream().anyMatch(entry -> entry.asString().equals(VerdictJson.URI));
      if (!listed) {
        extensions.add(VerdictJson.URI);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v1.0,message,/result/message,",
    "v0.3,message,/result,",
    "v1.0,grounded-message,/result/message,",
    "v0.3,grounded-message,/result,",
    "v1.0,grounded-adk,/result/message,",
    "v0.3,grounded-adk,/result,",
    "v1.0,grounded-beeai,/result/message,",
    "v0.3,grounded-beeai,/result,",
    "v1.0,grounded-task,/result/task/artifacts/0,/result/task",
    "v0.3,grounded-task,/result/artifacts/0,/result",
    "v1.0,parts,/result/task/artifacts/0,/result/task",
    "v0.3,parts,/result/artifacts/0,/result",
    "v1.0,input-required,/result/task/status/message,/result/task",
    "v0.3,rejected,/result/status/message,/result",
    "v0.3,java-message,/result,"
  })
  void annotate_addsTheVerdictAndNothingElse_andStripTakesItOut(
      String version, String sample, String spoken, String task) {
    byte[] original = Wire.recorded("a2a-" + version + "-" + sample + ".res");
    ResponseView response = response(version, sample);
    assertThat(response.forgedVerdicts()).isZero();
    assertThat(response.strip()).isEmpty();
    byte[] annotated = Splicer.applyToBytes(original, response.annotate(Wire.verdict()));

    JsonNode expected = Wire.tree(original);
    addVerdict(expected.at(spoken), true);
    if (task != null) {
      addVerdict(expected.at(task), false);
    }
    assertThat(Wire.tree(annotated)).isEqualTo(expected);

    ResponseView again = Wire.answer(request(version, sample), annotated);
    assertThat(again.forgedVerdicts()).isEqualTo(task == null ? 1 : 2);
    assertThat(again.message()).isEqualTo(response.message());
    byte[] stripped = Splicer.applyToBytes(annotated, again.strip());
    assertThat(Wire.withoutEmpty(Wire.tree(stripped)))
        .isEqualTo(Wire.withoutEmpty(Wire.tree(original)));
    byte[] replaced = Splicer.applyToBytes(annotated, again.annotate(Wire.verdict()));
    assertThat(new String(replaced, StandardCharsets.UTF_8))
        .isEqualTo(new String(annotated, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a2a-v1.0-message",
        "a2a-v0.3-message",
        "a2a-v1.0-extension",
        "a2a-v0.3-java-message"
      })
  void annotate_worksOnRequestsToo(String sample) {
    byte[] original = Wire.recorded(sample + ".req");
    RequestView request = Wire.a2a(original);
    byte[] annotated = Splicer.applyToBytes(original, request.annotate(Wire.verdict()));
    JsonNode expected = Wire.tree(original);
    addVerdict(expected.at("/params/message"), true);
    assertThat(Wire.tree(annotated)).isEqualTo(expected);
    RequestView again = Wire.a2a(annotated);
    assertThat(again.forgedVerdicts()).isEqualTo(1);
    byte[] stripped = Splicer.applyToBytes(annotated, again.strip());
    assertThat(Wire.withoutEmpty(Wire.tree(stripped)))
        .isEqualTo(Wire.withoutEmpty(Wire.tree(original)));
  }

  @Test
  void verdictNumbers_readBackAsTheSameDouble() {
    JsonNode verdict = Wire.tree(VerdictJson.of(Wire.verdict()));
    assertThat(verdict.get("c").doubleValue()).isEqualTo(0.1 + 0.2);
    assertThat(verdict.get("g").doubleValue()).isEqualTo(1.0e-5);
    assertThat(verdict.get("flow").stringValue()).isEqualTo("flow-\u00e9\"");
    assertThat(verdict.at("/budget/max").intValue()).isEqualTo(2);
    assertThat(VerdictJson.of(Wire.verdict())).isASCII();
    assertThat(verdict.path("core"))
        .isEqualTo(
            Wire.tree(
                """
                {"domain":"license","peer":"bob","state":"stale",
                 "cores":["alice+bob/license@3","alice+carol/license@7"],"ageMs":12,
                 "checked":6,"certified":4,"unknown":1,"revoked":1,"offending":[
                  {"term":"\u8457 \u4f5c","status":"refused","use":"work"},
                  {"term":"patent","status":"revoked"}]}
                """));
    VerdictHeader unmeasured =
        new VerdictHeader(
            "d",
            "warn",
            List.of("no_evidence"),
            VerdictHeader.Measured.NOTHING,
            new VerdictHeader.Attempt("f", 1, 0, 2),
            new VerdictHeader.Basis("none", "parlance", "observe", "n"),
            Optional.empty(),
            Optional.empty());
    assertThat(Wire.tree(VerdictJson.of(unmeasured)).propertyNames())
        .containsExactly(
            "route",
            "reasons",
            "regime",
            "attempt",
            "budget",
            "flow",
            "evidence",
            "profile",
            "mode",
            "node",
            "id");
  }
}
