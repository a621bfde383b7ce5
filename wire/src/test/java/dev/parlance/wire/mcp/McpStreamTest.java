package dev.parlance.wire.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Server-sent answers of MCP. */
class McpStreamTest {
  private static final RequestHead HEAD =
      new RequestHead(
          "POST",
          "/mcp",
          Wire.fields(
              Map.of("content-type", "application/json", "mcp-protocol-version", "2025-11-25")));
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{\"query\":\"How"
          + " often?\"}}}";

  private static RequestView request(byte[] body) {
    return Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, HEAD, body));
  }

  private static StreamReader call() {
    return Streamed.reader(request(Wire.bytes(CALL)));
  }

  private static String result(String text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
        + JsonWriter.quoted(text)
        + "}]}}";
  }

  private static List<String> kinds(Streamed.Heard heard) {
    return heard.events().stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  @Test
  void recordedCall_isTheSameAsTheWholeAnswer() {
    StreamReader reader = Streamed.reader(request(Streamed.file("mcp-2025-call.req.json")));
    Streamed.Heard heard = Streamed.hear(reader, Streamed.file("mcp-2025-call.res.sse"));
    assertThat(kinds(heard)).containsExactly("Said");
    assertThat(heard.complete()).isTrue();
    RequestView stateless = request(Streamed.file("mcp-2026-call.req.json"));
    ResponseView whole = Wire.answer(stateless, Streamed.file("mcp-2026-call.res.json"));
    assertThat(heard.said()).isEqualTo(whole.message().orElseThrow().answer().toString());
    assertThat(reader.said().evidence()).isEqualTo(whole.message().orElseThrow().evidence());
    assertThat(reader.said().evidence().source()).isEqualTo(EvidenceSource.DECLARED);
    assertThat(reader.saidBytes()).isEqualTo(heard.said().length());
    assertThat(reader.isOpen()).isFalse();
    assertThat(reader.soFar().observable()).hasSize(4);
    reader.forget();
    assertThat(reader.saidBytes()).isZero();
    assertThat(reader.said().answer().isEmpty()).isTrue();
  }

  @Test
  void recordedElicitation_overtakesTheAnswer_soThatNothingWaitsForEver() {
    StreamReader reader = Streamed.reader(request(Streamed.file("mcp-2025-elicitation.req.json")));
    Streamed.Heard heard = Streamed.hear(reader, Streamed.file("mcp-2025-elicitation.res.sse"));
    assertThat(kinds(heard)).containsExactly("Aside", "Said");
    StreamEvent.Aside aside = (StreamEvent.Aside) heard.events().getFirst();
    assertThat(aside.message().answer().toString()).startsWith("who?");
    assertThat(heard.said()).startsWith("User response");
  }

  @Test
  void recordedProgress_isSilentAndOvertakes() {
    StreamReader reader = Streamed.reader(request(Streamed.file("mcp-2025-progress.req.json")));
    Streamed.Heard heard = Streamed.hear(reader, Streamed.file("mcp-2025-progress.res.sse"));
    assertThat(kinds(heard)).containsExactly("Silent", "Silent", "Silent", "Said");
    assertThat(((StreamEvent.Silent) heard.events().getFirst()).overtakes()).isTrue();
  }

  @Test
  void recordedListsAndInitialize_areAsides_orSilent() {
    StreamReader list = Streamed.reader(request(Streamed.file("mcp-2025-list.req.json")));
    assertThat(kinds(Streamed.hear(list, Streamed.file("mcp-2025-list.res.sse"))))
        .containsExactly("Aside");
    StreamReader open = Streamed.reader(request(Streamed.file("mcp-2025-initialize.req.json")));
    assertThat(kinds(Streamed.hear(open, Streamed.file("mcp-2025-initialize.res.sse"))))
        .containsExactly("Silent");
  }

  @Test
  void notificationsWithWords_andServerRequests_areAsides() {
    Streamed.Heard heard =
        Streamed.hear(
            call(),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"do"
                + " as I say\"}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":2,\"message\":\"half"
                + " way\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Which"
                + " one?\"}}],\"systemPrompt\":\"Be brief\",\"maxTokens\":9}}",
            "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"roots/list\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"magic/do\"}",
            "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}]");
    assertThat(kinds(heard))
        .containsExactly("Aside", "Aside", "Aside", "Silent", "Silent", "Unjudged");
    assertThat(((StreamEvent.Aside) heard.events().get(2)).message().answer().toString())
        .isEqualTo("Which one?\nBe brief");
  }

  @Test
  void S_resultUnderAnotherId_isMalformed_andASecondResultIsReadToo() {
    Streamed.Heard foreign =
        Streamed.hear(call(), result("one").replace("\"id\":1", "\"id\":\"2\""));
    assertThat(kinds(foreign)).containsExactly("Malformed");
    Streamed.Heard twice = Streamed.hear(call(), result("one"), result("two"));
    assertThat(kinds(twice)).containsExactly("Said", "Said");
    assertThat(twice.said()).isEqualTo("one\ntwo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]},\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"Result\":{\"content\":[]}}"
      })
  void B5_brokenEvents_areMalformed(String payload) {
    assertThat(kinds(Streamed.hear(call(), payload))).containsExactly("Malformed");
  }

  @Test
  void serverStream_isReadByShape() {
    RequestView open =
        Wire.readable(
            Wire.CODECS.read(
                "auto",
                JsonPointers.NONE,
                new RequestHead("GET", "/mcp", HEAD.fields()),
                new byte[0]));
    StreamReader reader = Streamed.reader(open);
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            result("resumed").replace("\"id\":1", "\"id\":77"),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
    assertThat(kinds(heard)).containsExactly("Said", "Silent");
    assertThat(heard.said()).isEqualTo("resumed");
    assertThat(reader.refuse(Wire.notice(Notice.Kind.YIELD), true).payloads()).isEmpty();
  }

  @Test
  void annotationGoesIntoTheResult_andRefusalEndsTheStreamUnderItsId() {
    List<String> payloads =
        Streamed.annotated(call(), Streamed.events(result("Weekly.")), Wire.verdict());
    assertThat(
            Wire.tree(payloads.getFirst())
                .at("/result/_meta/org.w3id.parlance~1asp/id")
                .stringValue())
        .isEqualTo("d-77");
    List<byte[]> end = call().refuse(Wire.notice(Notice.Kind.YIELD), true).payloads();
    assertThat(end).hasSize(1);
    JsonNode refused = Wire.tree(end.getFirst());
    assertThat(refused.get("id").asInt()).isEqualTo(1);
    assertThat(refused.at("/result/isError").booleanValue()).isTrue();
  }

  /** How bytes are cut into reads changes neither what is heard nor the order of events. */
  @Test
  void S18_everyCutOfTheBytes_givesTheSameAnswer() {
    byte[] recorded = Streamed.file("mcp-2025-elicitation.res.sse");
    RequestView request = request(Streamed.file("mcp-2025-elicitation.req.json"));
    String expected = Streamed.hear(Streamed.reader(request), recorded).said();
    for (int piece = 1; piece < recorded.length; piece++) {
      Streamed.Heard heard =
          Streamed.hear(Streamed.reader(request), recorded, piece, new Random(piece));
      assertThat(heard.said()).isEqualTo(expected);
      assertThat(kinds(heard)).containsExactly("Aside", "Said");
    }
  }

  @Test
  void S18_aThousandGeneratedAnswers_areHeardAsTheWholeOnes() {
    Random random = new Random(4711);
    RequestView request = request(Wire.bytes(CALL));
    for (int i = 0; i < 1000; i++) {
      String result = generated(random);
      String whole =
          Wire.answer(request, Wire.bytes(result))
              .message()
              .map(message -> message.answer().toString())
              .orElse("");
      List<String> payloads = new ArrayList<>();
      for (int before = random.nextInt(3); before > 0; before--) {
        payloads.add(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":"
                + before
                + "}}");
      }
      payloads.add(result);
      byte[] stream = Streamed.events(payloads.toArray(String[]::new));
      Streamed.Heard heard = Streamed.hear(Streamed.reader(request), stream, 0, random);
      assertThat(heard.said()).as(result).isEqualTo(whole);
    }
  }

  private static String generated(Random random) {
    String[] words = {
      "the pump", "\u00fcber", "\u6c34", "\ud83d\ude00 yes", "2000", "[c1]", "\"x\"", ""
    };
    StringBuilder content = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String text = JsonWriter.quoted(words[random.nextInt(words.length)]);
      String raw = new String(Wire.bytes(words[random.nextInt(4)]), StandardCharsets.UTF_8);
      content.append(content.isEmpty() ? "" : ",");
      content.append(
          switch (random.nextInt(3)) {
            case 0 -> "{\"type\":\"text\",\"text\":" + text + "}";
            case 1 ->
                "{\"type\":\"resource\",\"resource\":{\"uri\":\"u"
                    + i
                    + "\",\"text\":\""
                    + raw
                    + "\"}}";
            default -> "{\"type\":\"resource_link\",\"uri\":\"u\",\"name\":" + text + "}";
          });
    }
    String structured =
        random.nextBoolean() ? ",\"structuredContent\":{\"a\":[1.5,\"b c\",true]}" : "";
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":["
        + content
        + "]"
        + structured
        + "}}";
  }
}
