package dev.parlance.wire.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonPointers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Which calls of the OpenAI protocols are read, and responses that are whole. */
class OpenAiCallsTest {
  private static final RequestHead RESPONSES =
      Wire.head("POST", "/v1/responses", "application/json");

  private static RequestView responses(String body) {
    return Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, RESPONSES, Wire.bytes(body)));
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/v1/chat/completions,CHAT",
    "POST,/openai/deployments/x/chat/completions,CHAT",
    "POST,/v1/completions,COMPLETIONS",
    "POST,/v1/responses,RESPONSES",
    "POST,/openai/responses,RESPONSES",
    "GET,/v1/responses/r1,RESPONSE_READ",
    "POST,/v1/responses/r1/cancel,RESPONSE_CANCELLED",
    "GET,/v1/chat/completions/c1,CHAT_READ",
    "GET,/v1/responses/,",
    "GET,/v1/responses/r1/input_items,",
    "POST,/responses,",
    "DELETE,/v1/responses/r1,",
    "POST,/v1/embeddings,",
    "GET,/v1/models,"
  })
  void callsAreToldByMethodAndPath(String method, String path, String call) {
    assertThat(
            OpenAiCall.of(new RequestHead(method, path + "?x=1", HeaderLookup.NONE))
                .map(Enum::name))
        .isEqualTo(java.util.Optional.ofNullable(call));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        // the same words, cut within a character, others that might have been said, other words
        "Every"
            + " day.|{\"content\":[{\"token\":\"Every\",\"logprob\":-1,\"top_logprobs\":[]},{\"token\":\""
            + " day.\"}]}|Every day.|",
        "\u00e9t\u00e9|{\"content\":[{\"token\":\"\\\\xc3\",\"bytes\":[195]},{\"token\":\"\\\\xa9\",\"bytes\":[169]},{\"token\":\"t\u00e9\",\"bytes\":[116,195,169]}]}|\u00e9t\u00e9|",
        "Yes|{\"content\":[{\"token\":\"Yes\",\"top_logprobs\":[{\"token\":\"No\"}]}]}|Yes|binary_part",
        "Yes|{\"content\":[{\"token\":\"The pump is red\"}]}|#Yes\nThe pump is red#|",
        "Yes|{\"content\":[{\"token\":\"Yes\",\"bytes\":[78,111,116]}]}|#Yes\nYesNot#|",
        "Yes|{\"content\":[],\"refusal\":[{\"token\":\"The pump is red\"}]}|#Yes\n"
            + "The pump is red#|",
        "Yes|{\"tokens\":[\"Yes\"],\"token_logprobs\":[-1],\"text_offset\":[0]}|Yes|",
        "Yes|{\"tokens\":[\"Yes\"],\"top_logprobs\":[{\"The pump is red\":-1}]}|Yes|binary_part",
      })
  void logprobs_areTheAnswerOnceMore_andWhatDiffersIsJudged(
      String said, String logprobs, String judged, String unread) {
    RequestView chat =
        Wire.readable(
            Wire.CODECS.read(
                "auto",
                JsonPointers.NONE,
                Wire.head("POST", "/v1/chat/completions", "application/json"),
                Wire.bytes("{\"messages\":[{\"role\":\"user\",\"content\":\"When?\"}]}")));
    ResponseView view =
        Wire.answer(
            chat,
            Wire.bytes(
                "{\"choices\":[{\"message\":{\"content\":\"%s\"},\"logprobs\":%s}]}"
                    .formatted(said, logprobs)));
    assertThat(view.message().orElseThrow().answer().toString())
        .isEqualTo(judged.replace("\\n", "\n"));
    assertThat(view.unread()).isEqualTo(unread == null ? List.of() : List.of(unread));
  }

  @Test
  void promptOfACompletion_isAQuestion_andOnlyWhatIsMarkedIsEvidence() {
    for (String prompt : List.of("When is the impeller replaced?", "[c1] Every 2000 hours.")) {
      RequestView request =
          Wire.readable(
              Wire.CODECS.read(
                  "auto",
                  JsonPointers.NONE,
                  Wire.head("POST", "/v1/completions", "application/json"),
                  Wire.bytes("{\"prompt\":\"" + prompt + "\"}")));
      assertThat(request.question().toString()).isEqualTo(prompt);
      ResponseView view =
          Wire.answer(request, Wire.bytes("{\"choices\":[{\"text\":\"Every 2000 hours.\"}]}"));
      assertThat(view.message().orElseThrow().evidence().chunks())
          .hasSize(prompt.startsWith("[") ? 1 : 0);
    }
  }

  @Test
  void response_isReadWithItsEvidenceAndCalls() {
    RequestView request =
        responses(
            "{\"model\":\"m\",\"instructions\":\"[c1] Every 2000"
                + " hours.\",\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"When?\"}]},{\"type\":\"function_call_output\",\"call_id\":\"t1\",\"output\":\"Manual,"
                + " page 4\"}]}");
    assertThat(request.question().toString()).isEqualTo("When?");
    byte[] body =
        Wire.bytes(
            "{\"id\":\"r1\",\"object\":\"response\",\"status\":\"completed\",\"error\":null,\"instructions\":\"[c1]"
                + " Every 2000"
                + " hours.\",\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Think"
                + " twice\"}],\"encrypted_content\":\""
                + "gAAA".repeat(60)
                + "\"},{\"type\":\"file_search_call\",\"queries\":[\"impeller"
                + " hours\"],\"results\":[{\"file_id\":\"f1\",\"text\":\"Replace it every 2000"
                + " hours.\"}]},{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Every"
                + " 2000 hours"
                + " [f1].\",\"annotations\":[{\"type\":\"file_citation\",\"file_id\":\"f1\",\"filename\":\"the"
                + " manual.pdf\"}]}]}]}");
    ResponseView view = Wire.answer(request, body);
    AgentMessage message = view.message().orElseThrow();
    assertThat(message.answer().toString()).isEqualTo("Every 2000 hours [f1].\nThink twice");
    assertThat(message.evidence().chunks()).extracting(Chunk::id).containsExactly("c1", "t1", "f1");
    assertThat(message.evidence().citations()).containsExactly("f1");
    assertThat(view.beside().toString())
        .contains("impeller hours", "Replace it every 2000 hours.", "the manual.pdf")
        .doesNotContain("[c1]");
    assertThat(view.unread()).isEmpty();
    JsonNode annotated = Wire.tree(Splicer.applyToBytes(body, view.annotate(Wire.verdict())));
    assertThat(annotated.at("/asp/id").stringValue()).isEqualTo("d-77");
  }

  @Test
  void response_picturesAreUnread_andShapesNobodyKnowsUnjudged() {
    RequestView request = responses("{\"model\":\"m\",\"input\":\"Draw.\"}");
    String picture = "iVBO".repeat(100);
    assertThat(
            Wire.answer(
                    request,
                    Wire.bytes(
                        "{\"output\":[{\"type\":\"image_generation_call\",\"result\":\""
                            + picture
                            + "\"}]}"))
                .unread())
        .containsExactly("binary_part");
    assertThat(Wire.unjudged(request.readResponse(Wire.OK_JSON, Wire.bytes("{\"output\":7}"))))
        .isEqualTo("shape");
    assertThat(Wire.fault(request.readResponse(Wire.OK_JSON, Wire.bytes("{\"Output\":[]}"))))
        .isEqualTo(WireFault.BAD_MESSAGE);
    assertThat(Wire.answer(request, Wire.bytes("{\"error\":{\"message\":\"too fast\"}}")).unread())
        .containsExactly("error_text");
    ResponseView failed =
        Wire.answer(
            request,
            Wire.bytes(
                "{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Well\"}]}],"
                    + "\"error\":{\"code\":\"server_error\",\"message\":\""
                    + "word ".repeat(120)
                    + "\"}}"));
    assertThat(failed.message().orElseThrow().answer()).hasToString("Well");
    assertThat(failed.failure().orElseThrow().code()).isEqualTo("server_error");
    assertThat(failed.failure().orElseThrow().bytes()).isGreaterThan(600);
  }

  @Test
  void storedResponse_isReadWithoutAQuestion() {
    RequestView request =
        Wire.readable(
            Wire.CODECS.read(
                "auto",
                JsonPointers.NONE,
                new RequestHead("GET", "/v1/responses/r1", HeaderLookup.NONE),
                new byte[0]));
    ResponseView view =
        Wire.answer(
            request,
            Wire.bytes(
                "{\"id\":\"r1\",\"instructions\":\"Be kind to"
                    + " them\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Yes.\"}]}]}"));
    assertThat(view.message().orElseThrow().answer().toString()).isEqualTo("Yes.");
    assertThat(view.message().orElseThrow().evidence().isPresent()).isFalse();
    assertThat(view.beside().toString()).isEqualTo("Be kind to them");
    assertThat(request.repair(view, "x", "y")).isEmpty();
  }

  @Test
  void repairOfAResponse_addsTheDraftAndTheInstruction() {
    String answer =
        "{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"draft\"}]}]}";
    RequestView text = responses("{\"model\":\"m\",\"input\":\"When \\u00e9?\"}");
    byte[] repaired =
        text.repair(Wire.answer(text, Wire.bytes(answer)), "Cite.", "-").orElseThrow();
    assertThat(new String(repaired, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"model\":\"m\",\"input\":[{\"role\":\"user\",\"content\":\"When"
                + " \\u00e9?\"},{\"role\":\"assistant\",\"content\":\"draft\"},{\"role\":\"user\",\"content\":\"Cite.\"}]}");
    RequestView items = responses("{\"input\":[{\"role\":\"user\",\"content\":\"When?\"}]}");
    JsonNode again =
        Wire.tree(items.repair(Wire.answer(items, Wire.bytes(answer)), "Cite.", "-").orElseThrow());
    assertThat(again.get("input").size()).isEqualTo(3);
    JsonNode held =
        Wire.tree(
            text.refuse(Wire.notice(Notice.Kind.YIELD), Wire.answer(text, Wire.bytes(answer)))
                .body());
    assertThat(held.get("status").stringValue()).isEqualTo("incomplete");
    assertThat(held.get("object").stringValue()).isEqualTo("response");
  }
}
