package dev.parlance.wire.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Streamed chat completions and responses. */
class OpenAiStreamTest {
  private static final RequestHead CHAT =
      Wire.head("POST", "/v1/chat/completions", "application/json");
  private static final RequestHead RESPONSES =
      Wire.head("POST", "/v1/responses", "application/json");

  private static RequestView request(RequestHead head, String body) {
    return Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, head, Wire.bytes(body)));
  }

  private static RequestView chat(int choices) {
    return request(
        CHAT,
        "{\"model\":\"m\",\"stream\":true,\"n\":"
            + choices
            + ",\"messages\":[{\"role\":\"system\",\"content\":\"[c1] Every 2000"
            + " hours.\"},{\"role\":\"user\",\"content\":\"When?\"}]}");
  }

  private static RequestView responses() {
    return request(
        RESPONSES,
        "{\"model\":\"m\",\"stream\":true,\"instructions\":\"[c1] Every 2000"
            + " hours.\",\"input\":\"When?\"}");
  }

  private static String delta(String delta, String reason) {
    return chunk(0, delta, reason);
  }

  private static String chunk(int index, String delta, String reason) {
    return "{\"id\":\"c9\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":"
        + index
        + ",\"delta\":"
        + delta
        + ",\"finish_reason\":"
        + reason
        + "}]}";
  }

  private static List<String> kinds(Streamed.Heard heard) {
    return heard.events().stream()
        .map(event ->
            event instanceof StreamEvent.Said said && said.complete()
                ? "Complete"
                : event.getClass().getSimpleName())
        .toList();
  }

  @Test
  void recordedChat_isHeardAsTheWholeCompletion() {
    RequestView request =
        Wire.readable(
            Wire.CODECS.read(
                "auto", JsonPointers.NONE, CHAT, Streamed.file("openai-chat-stream.req.json")));
    StreamReader reader = Streamed.reader(request);
    Streamed.Heard heard = Streamed.hear(reader, Streamed.file("openai-chat-stream.res.sse"));
    assertThat(kinds(heard)).containsExactly("Said", "Said", "Silent");
    assertThat(heard.said()).isEqualTo("Every 2000 hours [c1].");
    assertThat(reader.said().question().toString())
        .isEqualTo("When must the impeller be replaced?");
    assertThat(reader.said().evidence().isPresent()).isTrue();
    assertThat(reader.isOpen()).isFalse();
    assertThat(reader.soFar().correlation().messageId()).contains("c1");
  }

  @Test
  void chat_isCompleteAtTheReasonToEnd_andUsageSaysNothing() {
    StreamReader reader = Streamed.reader(chat(1));
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            delta("{\"role\":\"assistant\",\"content\":\"\"}", "null"),
            delta("{\"content\":\"Every \"}", "null"),
            delta("{\"content\":\"day.\"}", "null"),
            delta("{}", "\"stop\""),
            "{\"id\":\"c9\",\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{\"total_tokens\":9}}",
            "[DONE]");
    assertThat(kinds(heard))
        .containsExactly("Said", "Said", "Said", "Complete", "Silent", "Silent");
    assertThat(heard.said()).isEqualTo("Every day.");
    assertThat(reader.saidBytes()).isEqualTo(10);
    reader.forget();
    assertThat(reader.saidBytes()).isZero();
  }

  @Test
  void chat_withSeveralChoices_isCompleteWhenAllOfThemAre() {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(chat(2)),
            chunk(1, "{\"content\":\"two\"}", "null"),
            chunk(0, "{\"content\":\"one\"}", "\"stop\""),
            chunk(1, "{\"content\":\"!\"}", "\"stop\""));
    assertThat(kinds(heard)).containsExactly("Said", "Said", "Complete");
    assertThat(heard.said()).isEqualTo("one\ntwo!");
  }

  @Test
  void chat_thatOnlyCallsTools_answersNothing_andIsReadAllTheSame() {
    StreamReader reader = Streamed.reader(chat(1));
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            delta(
                "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"t1\",\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"arguments\":\"\"}}]}",
                "null"),
            delta(
                "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"q\\\":\\\"pump"
                    + " \"}}]}",
                "null"),
            delta(
                "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"manual\\\"}\"}}]}",
                "null"),
            delta("{}", "\"tool_calls\""));
    assertThat(heard.complete()).isTrue();
    assertThat(heard.said()).isEqualTo("{\"q\":\"pump manual\"}");
    assertThat(reader.soFar().answersQuestion()).isFalse();
    assertThat(reader.said().evidence().isPresent()).isFalse();
    Streamed.Heard wordless =
        Streamed.hear(
            Streamed.reader(chat(1)),
            delta(
                "{\"tool_calls\":[{\"index\":0,\"id\":\"t1\",\"function\":{\"name\":\"f\"}}]}",
                "\"tool_calls\""));
    assertThat(wordless.reader().soFar().message()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"content":"ok","refusal":"do as I say"}
          {"content":"ok","reasoning_content":"do as I say"}
          {"content":"ok","reasoning":{"summary":["do as I say"]}}
          {"content":"ok","audio":{"id":"a","transcript":"do as I say"}}
          {"content":"ok","name":"do as I say"}
          {"content":"ok","role":"do as I say"}
          {"content":"ok","_meta":{"x":"do as I say"}}
          {"content":"ok","do as I say":1}
          {"content":[{"type":"text","text":"do as I say"}]}
          {"content":[{"type":"output","words":"do as I say"}]}
          {"content":{"text":"do as I say"}}
          {"content":["do as I say"]}
          """)
  void S_wordsInUnusualPlacesOfAMessage_areRead_streamedAndWhole(String message) {
    Streamed.Heard heard = Streamed.hear(Streamed.reader(chat(1)), delta(message, "\"stop\""));
    String whole = "{\"id\":\"c9\",\"choices\":[{\"index\":0,\"message\":" + message + "}]}";
    String read =
        Wire.answer(chat(1), Wire.bytes(whole)).message().orElseThrow().answer().toString();
    assertThat(heard.said()).contains("do as I say");
    assertThat(read).isEqualTo(heard.said());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"content":"ok","tool_calls":[{"function":{"name":"f","arguments":"do as I say"}}]}
          {"content":"ok","function_call":{"name":"f","arguments":"do as I say"}}
          {"content":"ok","annotations":[{"type":"url_citation","url_citation":{"title":"do as I say"}}]}
          {"content":[{"type":"text","text":"ok","annotations":[{"title":"do as I say"}]}]}
          """)
  void S_callsOfToolsAndCitations_areReadBesideTheAnswer(String message) {
    Streamed.Heard heard = Streamed.hear(Streamed.reader(chat(1)), delta(message, "\"stop\""));
    assertThat(heard.said()).isEqualTo("ok");
    assertThat(heard.reader().soFar().beside().toString()).contains("do as I say");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"choices":[{"index":0,"text":"do as I say"}]}
          {"choices":[{"index":0,"delta":{},"finish_reason":"do as I say"}]}
          {"choices":[{"index":0,"delta":{},"note":"do as I say"}]}
          {"choices":[{"index":0,"message":{"content":"do as I say"}}]}
          {"choices":[{"index":0,"delta":"do as I say"}]}
          {"choices":"do as I say"}
          {"choices":[],"note":"do as I say"}
          {"choices":[],"model":"do as I say"}
          """)
  void S_wordsBesideTheDelta_areRead(String chunk) {
    assertThat(Streamed.hear(Streamed.reader(chat(1)), chunk).said()).contains("do as I say");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"detail":"Model is overloaded"}                                    | Failed
          {"detail":[{"loc":["body"],"msg":"field required"}]}                | Failed
          {"status":503,"detail":"Model is overloaded"}                       | Failed
          {"object":"error","message":"no"}                                   | Failed
          {"detail":"Model is fine","choices":[{"index":0,"delta":{}}]}       | Said
          {"detail":"Model is fine","object":"chat.completion.chunk"}         | Said
          {"note":"Model is fine"}                                            | Said
          """)
  void errorOfAFramework_inAStream_isAnError_andNoWordsOfTheAnswer(String event, String what) {
    StreamReader reader = Streamed.reader(chat(1));
    Streamed.Heard heard =
        Streamed.hear(reader, delta("{\"content\":\"Every day.\"}", "null"), event);
    assertThat(kinds(heard)).containsExactly("Said", what);
    if (what.equals("Failed")) {
      assertThat(heard.said()).isEqualTo("Every day.");
      assertThat(reader.isOpen()).isFalse();
    }
  }

  @Test
  void unreadParts_errorsAndBrokenChunks_areToldApart() {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(chat(1)),
            "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"logprobs\":{\"content\":[{\"token\":\"a\",\"top_logprobs\":[{\"token\":\"b\"}]}]}}]}",
            "{\"error\":{\"message\":\"overloaded\",\"code\":503}}",
            "{\"choices\":[{\"index\":0,\"delta\":{\"Content\":\"x\"}}]}",
            "[\"x\"]",
            "{\"x");
    assertThat(heard.events().getFirst()).isInstanceOf(StreamEvent.Said.class);
    assertThat(((StreamEvent.Said) heard.events().getFirst()).unread())
        .containsExactly("binary_part");
    StreamEvent.Failed failed = (StreamEvent.Failed) heard.events().get(1);
    assertThat(failed.error().code()).isEqualTo("503");
    assertThat(failed.says()).isFalse();
    assertThat(kinds(heard).subList(2, 5)).containsExactly("Malformed", "Unjudged", "Malformed");
  }

  @Test
  void chat_verdictGoesIntoTheLastChunk_andRefusalIsAValidEnd() {
    byte[] stream =
        Streamed.events(
            delta("{\"content\":\"Every day.\"}", "null"),
            delta("{}", "\"stop\"").replace("\"choices\"", "\"asp\":{},\"choices\""),
            "[DONE]");
    List<String> payloads = new ArrayList<>();
    StreamReader reader = Streamed.reader(chat(1));
    reader.framing().feed(io.netty.buffer.Unpooled.wrappedBuffer(stream));
    for (int i = 0; i < 3; i++) {
      Frame frame = reader.framing().next().orElseThrow();
      if (reader.read(frame) instanceof StreamEvent.Said said) {
        payloads.add(
            new String(
                frame.edited(
                    said.complete() ? said.edits().annotate(Wire.verdict()) : said.edits().strip()),
                java.nio.charset.StandardCharsets.UTF_8));
      }
    }
    assertThat(Wire.tree(payloads.getLast().substring(6)).at("/asp/id").stringValue())
        .isEqualTo("d-77");

    Streamed.Heard cut =
        Streamed.hear(Streamed.reader(chat(1)), delta("{\"content\":\"Every\"}", "null"));
    List<byte[]> end = cut.reader().refuse(Wire.notice(Notice.Kind.YIELD), true).payloads();
    JsonNode last = Wire.tree(end.getFirst());
    assertThat(last.get("id").stringValue()).isEqualTo("c9");
    assertThat(last.at("/object").stringValue()).isEqualTo("chat.completion.chunk");
    assertThat(last.at("/choices/0/finish_reason").stringValue()).isEqualTo("content_filter");
    assertThat(last.at("/choices/0/delta/content").stringValue()).contains("rv-1");
    assertThat(new String(end.get(1), java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("[DONE]");
    Refusal whole = chat(1).refuse(Wire.notice(Notice.Kind.YIELD));
    assertThat(whole.contentType()).isEqualTo("text/event-stream");
    assertThat(new String(whole.body(), java.nio.charset.StandardCharsets.US_ASCII))
        .endsWith("data: [DONE]\n\n");
  }

  @Test
  void aRefusal_hasEveryChoiceThatWasAskedFor() {
    Notice held = Wire.notice(Notice.Kind.YIELD);
    assertThat(choices(Streamed.reader(chat(2)), false, held)).containsExactly(0, 1);
    StreamReader begun = Streamed.reader(chat(2));
    Streamed.hear(begun, delta("{\"content\":\"Every\"}", "null"), delta("{}", "\"stop\""));
    assertThat(choices(begun, true, held)).containsExactly(1);
    assertThat(choices(begun, false, held)).containsExactly(0, 1);
    RequestView whole =
        request(
            Wire.head("POST", "/v1/chat/completions", "application/json"),
            "{\"model\":\"m\",\"n\":2,\"messages\":[{\"role\":\"user\",\"content\":\"When?\"}]}");
    JsonNode answer = Wire.tree(whole.refuse(held).body());
    assertThat(answer.path("choices")).hasSize(2);
    assertThat(answer.at("/choices/1/finish_reason").asString("")).isEqualTo("content_filter");
    assertThat(answer.at("/choices/1/index").asInt(-1)).isEqualTo(1);
  }

  private static List<Integer> choices(StreamReader reader, boolean isBegun, Notice notice) {
    return Wire.tree(reader.refuse(notice, isBegun).payloads().getFirst())
        .path("choices")
        .valueStream()
        .map(choice -> choice.path("index").asInt(-1))
        .toList();
  }

  @Test
  void olderCompletions_areHeardToo() {
    RequestView request =
        request(
            Wire.head("POST", "/v1/completions", "application/json"),
            "{\"model\":\"m\",\"prompt\":\"When?\",\"stream\":true}");
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(request),
            "{\"choices\":[{\"index\":0,\"text\":\"Every \",\"finish_reason\":null}]}",
            "{\"choices\":[{\"index\":0,\"text\":\"day.\",\"finish_reason\":\"stop\"}]}",
            "[DONE]");
    assertThat(heard.said()).isEqualTo("Every day.");
    assertThat(heard.complete()).isTrue();
    ResponseView whole =
        Wire.answer(request, Wire.bytes("{\"choices\":[{\"index\":0,\"text\":\"Every day.\"}]}"));
    assertThat(whole.message().orElseThrow().answer().toString()).isEqualTo("Every day.");
    JsonNode end =
        Wire.tree(
            heard.reader().refuse(Wire.notice(Notice.Kind.YIELD), true).payloads().getFirst());
    assertThat(end.get("object").stringValue()).isEqualTo("text_completion");
  }

  @Test
  void responses_repeatedTextIsHeardOnce_andAChangedOneTwice() {
    StreamReader reader = Streamed.reader(responses());
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            "{\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"status\":\"in_progress\",\"output\":[]}}",
            "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"m1\",\"role\":\"assistant\",\"content\":[]}}",
            "{\"type\":\"response.output_text.delta\",\"item_id\":\"m1\",\"output_index\":0,\"content_index\":0,\"delta\":\"Every"
                + " \",\"logprobs\":[],\"obfuscation\":\"xYz\"}",
            "{\"type\":\"response.output_text.delta\",\"item_id\":\"m1\",\"output_index\":0,\"content_index\":0,\"delta\":\"day.\"}",
            "{\"type\":\"response.output_text.done\",\"output_index\":0,\"content_index\":0,\"text\":\"Every"
                + " day.\"}",
            "{\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"status\":\"completed\",\"instructions\":\"[c1]"
                + " Every 2000"
                + " hours.\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Every"
                + " day.\",\"annotations\":[]}]}]}}");
    assertThat(kinds(heard)).containsExactly("Said", "Said", "Said", "Said", "Said", "Complete");
    assertThat(heard.said()).isEqualTo("Every day.");
    assertThat(reader.soFar().beside().isEmpty()).isTrue();
    assertThat(reader.soFar().correlation().messageId()).contains("r1");
    assertThat(reader.isOpen()).isFalse();

    Streamed.Heard changed =
        Streamed.hear(
            Streamed.reader(responses()),
            "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"Every"
                + " day.\"}",
            "{\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Never"
                + " mind.\"}]}]}}");
    assertThat(changed.said()).isEqualTo("Every day.\nNever mind.");
  }

  @Test
  void responses_forgetting_doesNotMakeTheRepetitionNew() {
    StreamReader reader = Streamed.reader(responses());
    Streamed.hear(
        reader,
        "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"Every"
            + " day.\"}");
    reader.forget();
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            "{\"type\":\"response.output_text.done\",\"output_index\":0,\"content_index\":0,\"text\":\"Every"
                + " day. Really.\"}");
    assertThat(heard.said()).isEqualTo("Every day. Really.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type":"response.refusal.delta","output_index":0,"content_index":0,"delta":"do as I say"}
          {"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"do as I say"}
          {"type":"response.reasoning_text.done","output_index":0,"content_index":0,"text":"do as I say"}
          {"type":"response.content_part.added","output_index":0,"content_index":0,"part":{"type":"output_text","text":"do as I say"}}
          {"type":"response.output_item.added","output_index":0,"item":{"type":"novel","words":"do as I say"}}
          {"type":"response.novel.delta","delta":"do as I say"}
          {"type":"response.novel.delta","delta":{"x":"do as I say"}}
          {"type":"response.novel","note":"do as I say"}
          {"type":"do as I say"}
          {"delta":"do as I say"}
          {"type":"response.completed","response":{"output":[{"type":"message","content":"do as I say"}]}}
          {"type":"response.completed","response":{"output":[{"content":[{"type":"x","words":"do as I say"}]}]}}
          {"type":"response.completed","response":{"output":"do as I say"}}
          {"type":"response.completed","response":{"output":[],"output_text":"do as I say"}}
          {"type":"response.completed","response":"do as I say"}
          {"type":"response.function_call_arguments.delta","output_index":0,"delta":"do as I say"}
          {"type":"response.output_text.annotation.added","output_index":0,"content_index":0,"annotation":{"title":"do as I say"}}
          """)
  void S_wordsInUnusualEvents_areRead(String event) {
    assertThat(Streamed.hear(Streamed.reader(responses()), event).said()).contains("do as I say");
  }

  @Test
  void responses_verdictGoesIntoTheResponse_andRefusalIsAnIncompleteOne() {
    String end =
        "{\"type\":\"response.completed\",\"asp\":1,\"response\":{\"id\":\"r1\",\"asp\":2,\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Yes.\"}]}]}}";
    List<String> payloads =
        Streamed.annotated(Streamed.reader(responses()), Streamed.events(end), Wire.verdict());
    JsonNode annotated = Wire.tree(payloads.getFirst());
    assertThat(annotated.at("/response/asp/id").stringValue()).isEqualTo("d-77");
    assertThat(annotated.has("asp")).isFalse();
    List<byte[]> refused =
        Streamed.reader(responses()).refuse(Wire.notice(Notice.Kind.YIELD), true).payloads();
    assertThat(Wire.tree(refused.getFirst()).get("type").stringValue())
        .isEqualTo("response.created");
    JsonNode last = Wire.tree(refused.get(1));
    assertThat(last.get("type").stringValue()).isEqualTo("response.incomplete");
    assertThat(last.at("/response/incomplete_details/reason").stringValue())
        .isEqualTo("content_filter");
    assertThat(last.at("/response/output/0/content/0/text").stringValue()).contains("rv-1");
  }

  // ---- an answer that readers put together in several ways ----

  private static String said(String type, String members) {
    return "{\"type\":\"response." + type + "\"," + members + "}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"index":0,"message":{"content":"not "}}
          {"index":0,"text":"not "}
          {"index":0,"delta":{"refusal":"not "}}
          {"index":0,"delta":{},"message":{"content":[{"text":"not "}]}}
          """)
  void S32_piecesOfAnotherMember_doNotGoIntoTheAnswer(String choice) {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(chat(1)),
            delta("{\"content\":\"must \"}", "null"),
            "{\"choices\":[" + choice + "]}",
            delta("{\"content\":\"be done\"}", "null"));
    assertThat(heard.said()).contains("must be done").contains("not ");
  }

  @Test
  void S32_partsOfPieces_areReadInTheirOrder() {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(chat(1)),
            delta("{\"content\":\"must \"}", "null"),
            delta("{\"content\":[{\"type\":\"text\",\"text\":\"not \"},\"ever \"]}", "null"),
            delta("{\"content\":[{\"type\":\"text\",\"text\":\"be \"}]}", "null"),
            delta("{\"content\":\"done\"}", "null"));
    assertThat(heard.said()).isEqualTo("must not ever be done");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1
          1e0
          -1
          1000000
          "1"
          """)
  void S32_choicesInTurn_whereOneWasAskedFor_areMalformed(String index) {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(chat(1)),
            delta("{\"content\":\"must \"}", "null"),
            "{\"choices\":[{\"index\":" + index + ",\"delta\":{\"content\":\"not \"}}]}",
            delta("{\"content\":\"be done\"}", "null"));
    assertThat(kinds(heard)).contains("Malformed");
  }

  @Test
  void S32_responsesInTurn_areMalformed() {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(responses()),
            said("output_text.delta", "\"output_index\":0,\"delta\":\"must \""),
            said("output_text.delta", "\"output_index\":1,\"delta\":\"not \""),
            said("output_text.delta", "\"output_index\":0,\"delta\":\"be done\""));
    assertThat(kinds(heard)).containsExactly("Said", "Said", "Malformed");
  }

  @Test
  void S32_wholeTextThatGoesOn_isReadBesideThePieces() {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(responses()),
            said(
                "output_text.delta",
                "\"output_index\":0,\"delta\":\"must \",\"text\":\"must not \""),
            said("output_text.delta", "\"output_index\":0,\"delta\":\"be done\""));
    assertThat(heard.said()).isEqualTo("must be done\nmust not ");

    Streamed.Heard begun =
        Streamed.hear(
            Streamed.reader(responses()),
            said(
                    "content_part.added",
                    "\"part\":{\"type\":\"output_text\",\"text\":\"Nobody says that \"}")
                .replace("\"part\"", "\"output_index\":0,\"part\""),
            said("output_text.delta", "\"output_index\":0,\"delta\":\"it must be done\""));
    assertThat(begun.said()).startsWith("Nobody says that it must be done");
    assertThat(begun.reader().saidBytes()).isEqualTo(17 + 2 * 15);
  }

  @ParameterizedTest
  @CsvSource({
    "response.output_text.delta, response.function_call_arguments.delta",
    "response.output_text.delta, ''",
    "response.completed, response.created",
  })
  void S32_eventByAnotherNameThanItsType_isMalformed(String name, String type) {
    byte[] stream =
        Wire.bytes(
            "event: " + name + "\ndata: {\"type\":\"" + type + "\",\"delta\":\"do as I say\"}\n\n");
    assertThat(kinds(Streamed.hear(Streamed.reader(responses()), stream)))
        .containsExactly("Malformed");
  }

  @Test
  void S32_piecesWithNamesAndWithout_areMalformed() {
    String must = said("output_text.delta", "\"output_index\":0,\"delta\":\"must \"");
    String not = said("output_text.delta", "\"output_index\":0,\"delta\":\"not \"");
    byte[] stream =
        Wire.bytes(
            "event: response.output_text.delta\ndata: " + must + "\n\ndata: " + not + "\n\n");
    assertThat(kinds(Streamed.hear(Streamed.reader(responses()), stream)))
        .containsExactly("Said", "Malformed");
  }

  @Test
  void S21_wordsWhereASoundBelongs_areRead() {
    Streamed.Heard heard =
        Streamed.hear(
            Streamed.reader(responses()), said("audio.delta", "\"delta\":\"do as I say\""));
    assertThat(heard.said()).isEqualTo("do as I say");
  }

  // ---- any cut gives the same answer ----

  @Test
  void S18_everyCutOfTheBytes_givesTheSameAnswer() {
    byte[] recorded = Streamed.file("openai-chat-stream.res.sse");
    for (int piece = 1; piece < recorded.length; piece++) {
      Streamed.Heard heard =
          Streamed.hear(Streamed.reader(chat(1)), recorded, piece, new Random(piece));
      assertThat(heard.said()).isEqualTo("Every 2000 hours [c1].");
    }
  }

  @Test
  void S18_aThousandGeneratedChats_areHeardAsTheWholeOnes() {
    Random random = new Random(20261122);
    for (int i = 0; i < 1000; i++) {
      int choices = 1 + random.nextInt(3);
      List<Deque<String>> chunks = new ArrayList<>();
      StringBuilder whole = new StringBuilder();
      for (int index = 0; index < choices; index++) {
        String content = words(random);
        String reasoning = random.nextInt(3) == 0 ? words(random) : "";
        String arguments = random.nextInt(3) == 0 ? words(random) : "";
        Deque<String> own = new ArrayDeque<>();
        for (String piece : pieces(reasoning, random)) {
          own.add(chunk(index, "{\"reasoning_content\":" + JsonWriter.quoted(piece) + "}", "null"));
        }
        for (String piece : pieces(content, random)) {
          own.add(chunk(index, "{\"content\":" + JsonWriter.quoted(piece) + "}", "null"));
        }
        for (String piece : pieces(arguments, random)) {
          own.add(
              chunk(
                  index,
                  "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
                      + JsonWriter.quoted(piece)
                      + "}}]}",
                  "null"));
        }
        own.add(chunk(index, "{}", "\"stop\""));
        chunks.add(own);
        whole
            .append(whole.isEmpty() ? "" : ",")
            .append("{\"index\":" + index + ",\"message\":{\"role\":\"assistant\",\"content\":")
            .append(JsonWriter.quoted(content))
            .append(",\"reasoning_content\":" + JsonWriter.quoted(reasoning))
            .append(",\"tool_calls\":[{\"function\":{\"arguments\":")
            .append(JsonWriter.quoted(arguments))
            .append("}}]}}");
      }
      List<String> payloads = new ArrayList<>();
      while (!chunks.isEmpty()) {
        Deque<String> next = chunks.get(random.nextInt(chunks.size()));
        payloads.add(next.removeFirst());
        chunks.removeIf(Deque::isEmpty);
      }
      payloads.add("[DONE]");
      RequestView request = chat(choices);
      ResponseView unstreamed =
          Wire.answer(request, Wire.bytes("{\"id\":\"c9\",\"choices\":[" + whole + "]}"));
      check(request, payloads, unstreamed, random);
    }
  }

  @Test
  void S18_aThousandGeneratedResponses_areHeardAsTheWholeOnes() {
    Random random = new Random(4242);
    for (int i = 0; i < 1000; i++) {
      List<String> payloads = new ArrayList<>();
      StringBuilder output = new StringBuilder();
      payloads.add("{\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"output\":[]}}");
      int items = 1 + random.nextInt(3);
      for (int index = 0; index < items; index++) {
        String text = words(random);
        String quoted = JsonWriter.quoted(text);
        boolean call = random.nextInt(3) == 0;
        String item =
            call
                ? "{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":" + quoted + "}"
                : "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":"
                    + quoted
                    + ",\"annotations\":[]}]}";
        String name = call ? "response.function_call_arguments" : "response.output_text";
        String at = "\",\"output_index\":" + index + ",\"content_index\":0,";
        for (String piece : pieces(text, random)) {
          payloads.add(
              "{\"type\":\""
                  + name
                  + ".delta"
                  + at
                  + "\"delta\":"
                  + JsonWriter.quoted(piece)
                  + "}");
        }
        if (random.nextBoolean()) {
          payloads.add(
              "{\"type\":\""
                  + name
                  + ".done"
                  + at
                  + (call ? "\"arguments\":" : "\"text\":")
                  + quoted
                  + "}");
        }
        if (random.nextBoolean()) {
          payloads.add("{\"type\":\"response.output_item.done" + at + "\"item\":" + item + "}");
        }
        output.append(output.isEmpty() ? "" : ",").append(item);
      }
      String response = "{\"id\":\"r1\",\"status\":\"completed\",\"output\":[" + output + "]}";
      payloads.add("{\"type\":\"response.completed\",\"response\":" + response + "}");
      RequestView request = responses();
      check(request, payloads, Wire.answer(request, Wire.bytes(response)), random);
    }
  }

  private static void check(
      RequestView request, List<String> payloads, ResponseView whole, Random random) {
    byte[] stream = Streamed.events(payloads.toArray(String[]::new));
    Streamed.Heard heard = Streamed.hear(Streamed.reader(request), stream, 0, random);
    ResponseView streamed = heard.reader().soFar();
    assertThat(streamed.message()).as(payloads.toString()).isEqualTo(whole.message());
    assertThat(streamed.beside()).isEqualTo(whole.beside());
    assertThat(streamed.answersQuestion()).isEqualTo(whole.answersQuestion());
    assertThat(heard.reader().isOpen()).isFalse();
  }

  private static final String[] WORDS = {
    "the pump ", "\u00fcber", "\u6c34", "\ud83d\ude00 yes", "2000", "[c1]", "\"x\"", "\n", "no "
  };

  private static String words(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)]);
    }
    return text.toString();
  }

  /** The text in pieces, never through a surrogate pair. */
  private static List<String> pieces(String text, Random random) {
    List<String> pieces = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int to = Math.min(text.length(), at + 1 + random.nextInt(6));
      if (Character.isLowSurrogate(text.charAt(Math.min(to, text.length() - 1)))
          && to < text.length()) {
        to++;
      }
      pieces.add(text.substring(at, to));
      at = to;
    }
    return pieces;
  }
}
