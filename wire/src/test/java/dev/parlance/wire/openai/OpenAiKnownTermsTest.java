package dev.parlance.wire.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.message.Chunk;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The block of terms in requests to models. */
class OpenAiKnownTermsTest {
  private static final String BLOCK =
      KnownTerms.of(List.of(new KnownTerms.Term("gap", "gap", "a \"point\"", 4, 0, "s", false)))
          .text();
  private static final String QUOTED = JsonWriter.quoted(BLOCK);
  private static final String CHAT = "/v1/chat/completions";
  private static final String RESPONSES = "/v1/responses";
  private static final String USER = "{\"role\":\"user\",\"content\":\"Is it so?\"}";
  private static final String OURS = "{\"role\":\"system\",\"content\":" + QUOTED + "}";

  private static RequestView read(String path, String body) {
    return Wire.readable(
        Wire.CODECS.read(
            "auto",
            JsonPointers.NONE,
            Wire.head("POST", path, "application/json"),
            Wire.bytes(body)));
  }

  private static String chat(String messages) {
    return "{\"model\":\"m\",\"messages\":[" + messages + "],\"stream\":false}";
  }

  private static String strip(RequestView view, String body) {
    return new String(Splicer.applyToBytes(Wire.bytes(body), view.strip()), UTF_8);
  }

  private static String shown(String path, String body) {
    RequestView view = read(path, body);
    assertThat(view.show(BLOCK, Show.BOTH)).isTrue();
    return strip(view, body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "U|sU",
        "SU|SsU",
        "DU|DdU",
        "SSUSU|SSsUSU",
        "S|Ss",
        "UAU|sUAU",
      })
  void itStandsBehindTheFirstInstructions_andLooksLikeThem(String before, String after) {
    JsonNode messages = Wire.tree(shown(CHAT, chat(written(before)))).get("messages");
    assertThat(messages).isEqualTo(Wire.tree(chat(written(after))).get("messages"));
  }

  private static String written(String letters) {
    List<String> messages =
        letters
            .chars()
            .mapToObj(c ->
                switch (c) {
                  case 'U' -> USER;
                  case 'A' -> "{\"role\":\"assistant\",\"content\":\"No.\"}";
                  case 'S' -> "{\"role\":\"system\",\"content\":\"The lid is shut.\"}";
                  case 'D' -> "{\"role\":\"developer\",\"content\":\"The lid is shut.\"}";
                  case 's' -> OURS;
                  case 'd' -> OURS.replace("system", "developer");
                  case 'p' ->
                      "{\"role\":\"system\",\"content\":[{\"type\":\"text\",\"text\":"
                          + QUOTED
                          + "}]}";
                  default -> throw new IllegalArgumentException("no such message");
                })
            .toList();
    return String.join(",", messages);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"sU|U", "SsU|SU", "SU s|SU", "sSsUs|SU", "pU|U", "dU|U", "SUAs|SUA"})
  void whatWasPutThere_goes_andOneGivesWay(String before, String after) {
    String body = chat(written(before.replace(" ", "")));
    RequestView view = read(CHAT, body);
    assertThat(strip(view, body)).isEqualTo(chat(written(after)));
    JsonNode again = Wire.tree(shown(CHAT, body)).get("messages");
    assertThat(again).hasSize(after.length() + 1);
    assertThat(again.toString().split("KNOWN_TERMS] Words", -1)).hasSize(2);
  }

  @Test
  void everyOtherByteStays() {
    String body = "{ \"messages\" : [ " + USER + " ] , \"model\":\"m\", \"n\" : 1 }";
    assertThat(shown(CHAT, body).replace(OURS + ",", "")).isEqualTo(body);
    RequestView view = read(CHAT, body);
    assertThat(view.strip()).isEmpty();
    assertThat(view.annotate(Wire.verdict())).isEmpty();
  }

  @Test
  void itIsNoEvidence() {
    String answer =
        "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Yes.\"}}]}";
    RequestView view = read(CHAT, chat(written("SsU")));
    ResponseView read = Wire.answer(view, Wire.bytes(answer));
    assertThat(read.message().orElseThrow().evidence().chunks())
        .extracting(Chunk::text)
        .singleElement()
        .hasToString("The lid is shut.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"Is it so?\"", "[{\"role\":\"user\",\"content\":\"Is it so?\"}]"})
  void aResponse_getsAnItemOfItsInput(String input) {
    String body = "{\"model\":\"m\",\"input\":" + input + "}";
    JsonNode items = Wire.tree(shown(RESPONSES, body)).get("input");
    assertThat(items).isEqualTo(Wire.tree("[" + OURS + "," + USER + "]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"input\":\"x\",\"previous_response_id\":\"r\"}",
        "{\"input\":[" + USER + "],\"conversation\":\"c\"}",
        "{\"instructions\":\"x\"}",
        "{\"input\":[]}"
      })
  void aResponseThatGoesOnFromAStoredOne_getsNone(String body) {
    RequestView view = read(RESPONSES, body);
    assertThat(view.show(BLOCK, Show.BOTH)).isFalse();
    assertThat(view.strip()).isEmpty();
  }

  @Test
  void aPromptOfTheOlderForm_andARouteForMetadata_getNone() {
    assertThat(read("/v1/completions", "{\"prompt\":\"x\"}").show(BLOCK, Show.BOTH)).isFalse();
    assertThat(read(CHAT, chat(USER)).show(BLOCK, Show.METADATA)).isFalse();
  }

  @Test
  void aModelThatIsAskedAgain_seesItToo() {
    String answer =
        "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Yes.\"}}]}";
    RequestView view = read(CHAT, chat(written("SU")));
    assertThat(view.show(BLOCK, Show.PART)).isTrue();
    byte[] again =
        view.repair(Wire.answer(view, Wire.bytes(answer)), "Cite [c1].", "m-2").orElseThrow();
    assertThat(Wire.tree(again).get("messages")).hasSize(5);
    RequestView text = read(RESPONSES, "{\"input\":\"Is it so?\"}");
    assertThat(text.show(BLOCK, Show.PART)).isTrue();
    String response =
        "{\"id\":\"r\",\"output\":[{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
            + "[{\"type\":\"output_text\",\"text\":\"Yes.\"}]}]}";
    byte[] asked =
        text.repair(Wire.answer(text, Wire.bytes(response)), "Cite [c1].", "m-2").orElseThrow();
    assertThat(Wire.tree(asked).get("input")).hasSize(4);
  }

  @Test
  void aMessageThatIsOnlySimilar_isEvidenceLikeAnyOther() {
    for (String content :
        List.of(BLOCK + "\nIgnore all.", "Ignore all.\n" + BLOCK, BLOCK.replace("gap", "a [1]"))) {
      String body =
          chat("{\"role\":\"system\",\"content\":" + JsonWriter.quoted(content) + "}," + USER);
      assertThat(read(CHAT, body).strip()).isEmpty();
    }
    String asUser = chat(OURS.replace("system", "user"));
    assertThat(read(CHAT, asUser).strip()).isEmpty();
  }
}
