package dev.parlance.wire.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.json.JsonPointers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a request to a model is material, and what is the question. */
class OpenAiMaterialTest {
  private static final RequestHead CHAT =
      Wire.head("POST", "/v1/chat/completions", "application/json");

  /** Content of the user's message, what is asked, and the chunks as {@code id=text}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "[{'type':'grounding_source','text':'Every 2000 hours.'},{'type':'query','text':'When?'}] ~"
            + " When? ~ =Every 2000 hours.",
        "[{'type':'grounding_source','id':'m1','text':'A.'},{'type':'text','text':'When?'}] ~ When?"
            + " ~ m1=A.",
        "[{'type':'text','text':'A.','qualifiers':['grounding_source']},{'type':'text','text':'When?','qualifiers':['query','guard_content']}]"
            + " ~ When? ~ =A.",
        "[{'guardContent':{'text':{'text':'A.','qualifiers':['grounding_source']}}},"
            + "{'guardContent':{'text':{'text':'When?','qualifiers':['query']}}}] ~ When? ~ =A.",
        "[{'type':'guard_content','guard_content':{'text':'A.','qualifiers':['grounding_source']}},{'type':'text','text':'When?'}]"
            + " ~ When? ~ =A.",
        "[{'type':'text','text':'Be brief.'},{'type':'query','text':'When?'}] ~ When? ~ ``",
        "'When?' ~ When? ~ ``",
        "'<context>A.</context>\\nWhen?' ~ When? ~ =A.",
        "'<documents><document id=\\\"c1\\\">A.</document><document"
            + " id=\\\"c2\\\">B.</document></documents> When?' ~ When? ~ c1=A. c2=B.",
        "'<documents>\\n<document"
            + " index=\\\"1\\\">\\n<source>m.pdf</source>\\n<document_content>A.</document_content>\\n</document>\\n</documents>\\nWhen?'"
            + " ~ When? ~ 1=A.",
        "'<documents><document><source>m.pdf</source><document_content>A.</document_content></document></documents>When?'"
            + " ~ When? ~ m.pdf=A.",
        "'When? <sources>\\n[c1] A.\\n[c2] B.\\n</sources>' ~ When? ~ c1=A. c2=B.",
        "'<context>A. When?' ~ <context>A. When? ~ ``",
        "'Is a < b and <b>bold</b>?' ~ Is a < b and <b>bold</b>? ~ ``",
      })
  void materialOfTheUser_isEvidence(String content, String question, String chunks) {
    String body =
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":"
            + content.strip().replace('\'', '"')
            + "}]}";
    RequestView request = request(body);
    assertThat(request.question().toString().strip()).isEqualTo(question.strip());
    assertThat(told(evidence(request))).isEqualTo(chunks == null ? "" : chunks.strip());
  }

  @Test
  void markedMaterialOfTheSystem_isEvidence_andTheRestInstruction() {
    String system = "You sell pumps since 1990. <context>Every 2000 hours.</context> Be brief.";
    RequestView request =
        request(
            "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\""
                + system
                + "\"},{\"role\":\"user\",\"content\":\"When?\"}]}");
    assertThat(told(evidence(request))).isEqualTo("=Every 2000 hours.");
  }

  @Test
  void sameIdWithAnotherText_getsAnIdOfItsOwn_andTheSameTextIsOneChunk() {
    RequestView request =
        request(
            "{\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"t\",\"content\":\"A.\"},{\"role\":\"tool\",\"tool_call_id\":\"t\","
                + "\"content\":\"B.\"},{\"role\":\"tool\",\"tool_call_id\":\"t\",\"content\":\"A.\"},{\"role\":\"tool\","
                + "\"tool_call_id\":\"t\",\"content\":\"C.\"},{\"role\":\"user\",\"content\":\"When?\"}]}");
    assertThat(told(evidence(request))).isEqualTo("t=A. t#2=B. t#3=C.");
  }

  @Test
  void S45_chunksBeyondTheBound_areCounted() {
    String tools =
        java.util.stream.IntStream.range(0, Evidence.MAX_CHUNKS + 5)
            .mapToObj(
                i -> "{\"role\":\"tool\",\"tool_call_id\":\"t" + i + "\",\"content\":\"A.\"},")
            .collect(Collectors.joining());
    Evidence evidence =
        evidence(
            request("{\"messages\":[" + tools + "{\"role\":\"user\",\"content\":\"When?\"}]}"));
    assertThat(evidence.chunks()).hasSize(Evidence.MAX_CHUNKS);
    assertThat(evidence.cut()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<context>",
        "</context>",
        "<documents><doc>",
        "<documents></doc>",
        "[a]\n",
        "[a",
        "<doc></doc>",
        "\n",
        "<"
      })
  void longPrompts_takeLinearTime(String piece) {
    for (String text :
        List.of(
            piece.repeat(200_000), "<documents>" + piece.repeat(200_000) + "</documents></doc>")) {
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(20), () -> new MarkedMaterial(Utf8Span.of(text), true), piece);
    }
  }

  private static RequestView request(String body) {
    return Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, CHAT, Wire.bytes(body)));
  }

  private static Evidence evidence(RequestView request) {
    return Wire.answer(
            request,
            Wire.bytes(
                "{\"id\":\"r\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\",\"content\":\"Every"
                    + " 2000 hours.\"}}]}"))
        .message()
        .orElseThrow()
        .evidence();
  }

  private static String told(Evidence evidence) {
    return evidence.chunks().stream()
        .map(OpenAiMaterialTest::told)
        .collect(Collectors.joining(" "));
  }

  private static String told(Chunk chunk) {
    return chunk.id() + "=" + chunk.text().toString().strip();
  }
}
