package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.VerdictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Streams of A2A: what each event is to the gate, when an answer is complete, how it is ended. */
class A2aStreamTest {
  private static final String WORKING = "{\"state\":\"TASK_STATE_WORKING\"}";

  private static RequestView call(String method) {
    String params =
        method.contains("ubscribe")
            ? "{\"id\":\"t\"}"
            : "{\"message\":{\"contextId\":\"c\",\"parts\":[{\"text\":\"q\"}]}}";
    return Wire.a2a(
        Wire.bytes(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\""
                + method
                + "\",\"params\":"
                + params
                + "}"));
  }

  private static RequestView rest(String target, String parts) {
    return Wire.readable(
        Wire.CODECS.read(
            "a2a",
            JsonPointers.NONE,
            Wire.head("POST", target, "application/json"),
            Wire.bytes("{\"message\":{\"" + parts + "\":[{\"text\":\"q\"}]}}")));
  }

  private static StreamReader reader() {
    return Streamed.reader(call("SendStreamingMessage"));
  }

  private static String event(String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + result + "}";
  }

  private static String status(String state, String text) {
    String message = text.isEmpty() ? "" : ",\"message\":{\"parts\":[{\"text\":\"" + text + "\"}]}";
    return event(
        "{\"statusUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_"
            + state
            + "\""
            + message
            + "}}}");
  }

  private static String chunk(String id, String text, String flags) {
    return event(
        "{\"artifactUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"artifact\":{\"artifactId\":\""
            + id
            + "\",\"parts\":[{\"text\":\""
            + text
            + "\"}]}"
            + flags
            + "}}");
  }

  private static StreamEvent only(String payload) {
    return Streamed.hear(reader(), payload).events().getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SendStreamingMessage", "SubscribeToTask", "message/stream", "tasks/resubscribe"})
  void streamingMethods_areReadAsStreams_whereTheAnswerIsOne(String method) {
    RequestView request = call(method);
    assertThat(request.readStream(Streamed.EVENTS)).isPresent();
    assertThat(request.readStream(Wire.OK_JSON)).isEmpty();
    assertThat(request.readStream(Wire.reply("text/event-stream; charset=latin1"))).isEmpty();
    assertThat(request.message().isPresent()).isEqualTo(!method.contains("ubscribe"));
  }

  @Test
  void methodsWithoutAStream_haveNone() {
    assertThat(
            Wire.a2a(Wire.bytes("{\"jsonrpc\":\"2.0\",\"method\":\"GetTask\"}"))
                .readStream(Streamed.EVENTS))
        .isEmpty();
  }

  @Test
  void chunksOfOneArtifact_areOneText_completeWithTheLastChunk() {
    Streamed.Heard heard =
        Streamed.hear(
            reader(),
            event("{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":" + WORKING + "}}"),
            chunk("a", "The pump ", ""),
            chunk("a", "runs", ",\"append\":true"),
            chunk("b", "Other", ",\"lastChunk\":true"),
            chunk("a", ".", ",\"append\":true,\"lastChunk\":true"),
            status("COMPLETED", ""));
    assertThat(heard.said()).isEqualTo("The pump runs.\nOther");
    assertThat(heard.events().get(0)).isInstanceOf(StreamEvent.Silent.class);
    assertThat(complete(heard)).containsExactly(false, false, false, true);
    assertThat(heard.events().get(5)).isInstanceOf(StreamEvent.Silent.class);
  }

  private static List<Boolean> complete(Streamed.Heard heard) {
    return heard.events().stream()
        .filter(StreamEvent.Said.class::isInstance)
        .map(event -> ((StreamEvent.Said) event).complete())
        .toList();
  }

  @Test
  void anArtifactWithoutALastChunk_isCompleteWhenItsTaskEndsOrWaits() {
    for (String state :
        new String[] {
          "COMPLETED", "FAILED", "CANCELED", "REJECTED", "INPUT_REQUIRED", "AUTH_REQUIRED"
        }) {
      Streamed.Heard heard = Streamed.hear(reader(), chunk("a", "x", ""), status(state, ""));
      assertThat(complete(heard)).containsExactly(false, true);
      assertThat(heard.reader().isOpen()).isFalse();
    }
    Streamed.Heard heard = Streamed.hear(reader(), chunk("a", "x", ""), status("WORKING", ""));
    assertThat(complete(heard)).containsExactly(false);
    assertThat(heard.reader().isOpen()).isTrue();
  }

  @Test
  void reportsOfATaskThatWorks_areJudgedWithWhatTheyLeadTo() {
    Streamed.Heard heard =
        Streamed.hear(
            reader(),
            status("WORKING", "looking"),
            status("WORKING", "found it"),
            chunk("a", "x", ",\"lastChunk\":true"),
            status("COMPLETED", "done"));
    assertThat(complete(heard)).containsExactly(false, false, true, true);
    assertThat(heard.said()).isEqualTo("x\ndone\nlooking\nfound it");
  }

  @Test
  void anArtifactThatIsReplaced_keepsItsPlace_andWhatWasShownIsJudgedToo() {
    Streamed.Heard heard =
        Streamed.hear(
            reader(),
            chunk("a", "wrong", ""),
            chunk("b", "second", ",\"lastChunk\":true"),
            chunk("a", "right", ",\"lastChunk\":true"));
    assertThat(heard.said()).isEqualTo("right\nsecond\nwrong");
    Streamed.Heard grown =
        Streamed.hear(
            reader(),
            chunk("a", "The", ""),
            chunk("a", "The pump", ""),
            chunk("a", "The pump runs", ""));
    assertThat(grown.said()).isEqualTo("The pump runs");
  }

  @Test
  void aMessage_isCompleteByItself() {
    Streamed.Heard heard =
        Streamed.hear(
            reader(), event("{\"message\":{\"messageId\":\"m\",\"parts\":[{\"text\":\"hi\"}]}}"));
    assertThat(complete(heard)).containsExactly(true);
    assertThat(heard.reader().soFar().correlation().messageId()).contains("m");
  }

  @Test
  void oldEvents_areToldByKind_andFinalClosesWhatIsOpen() {
    StreamReader reader = Streamed.reader(call("message/stream"));
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            event("{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"submitted\"}}"),
            event(
                "{\"kind\":\"artifact-update\",\"taskId\":\"t\",\"artifact\":{\"artifactId\":\"a\","
                    + "\"parts\":[{\"kind\":\"text\",\"text\":\"x\"}]},\"append\":false,\"lastChunk\":false}"),
            event(
                "{\"kind\":\"status-update\",\"taskId\":\"t\",\"status\":{\"state\":\"unknown\"},"
                    + "\"final\":true}"));
    assertThat(complete(heard)).containsExactly(false, true);
    assertThat(heard.said()).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{\"message\":{\"parts\":[]}}}|BAD_MESSAGE",
        "{\"jsonrpc\":\"2.0\",\"id\":\"7.5\",\"result\":{\"message\":{\"parts\":[]}}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{\"message\":{\"parts\":[]},\"task\":{\"id\":\"t\"}}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{\"statusUpdate\":{},\"artifactUpdate\":{}}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{\"artifactUpdate\":{\"artifact\":{\"parts\":[]},\"append\":\"true\"}}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{\"artifactUpdate\":{\"artifact\":{\"Parts\":[]}}}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{\"artifactUpdate\":{\"artifact\":7}}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{},\"error\":{}}|BAD_MESSAGE",
        "{\"id\":7,\"result\":{\"Message\":{}}}|BAD_MESSAGE",
        "{\"id\":7,\"id\":7,\"result\":{}}|DUPLICATE_KEY",
        "{\"id\":7}{}|BAD_JSON"
      })
  void B5_B7_B10_eventsThatCouldBeReadTwoWays_areMalformed(String payload, WireFault fault) {
    StreamEvent event = only(payload);
    assertThat(event).isInstanceOf(StreamEvent.Malformed.class);
    assertThat(((StreamEvent.Malformed) event).fault()).isEqualTo(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":7,\"result\":{}}|shape",
        "{\"id\":7,\"result\":{\"note\":\"x\"}}|shape",
        "{\"id\":7,\"result\":\"x\"}|shape",
        "{\"id\":7}|shape",
        "[{\"id\":7,\"result\":{}}]|batch",
        "\"text\"|shape"
      })
  void B10_eventsOfNoShapeThatWeKnow_areUnjudged(String payload, String what) {
    assertThat(only(payload)).isEqualTo(new StreamEvent.Unjudged(what));
  }

  @Test
  void W04_eventsByAnotherName_areForeign_pingsSayNothing() {
    byte[] stream =
        Wire.bytes(
            "event: pump\ndata: {\"speed\":1}\n\nevent: pump\ndata: fast\n\n"
                + "event: pump\ndata: {\"id\":7,\"result\":{\"speed\":1}}\n\n");
    assertThat(Streamed.hear(reader(), stream).events())
        .containsExactly(
            new StreamEvent.Foreign("event_name"),
            new StreamEvent.Foreign("event_name"),
            new StreamEvent.Foreign("event_name"));
    byte[] pings = Wire.bytes("event: ping\ndata: {}\n\ndata: [DONE]\n\n");
    assertThat(Streamed.hear(reader(), pings).events()).containsOnly(StreamEvent.Silent.NOTHING);
  }

  /** Clients of A2A read the data of every event: the name costs neither the answer nor a look. */
  @Test
  void eventsOfA2a_areReadUnderAnyName() {
    byte[] stream =
        Wire.bytes(
            "event: status-update\ndata: "
                + status("COMPLETED", "x")
                + "\n\nevent: trouble\ndata: "
                + "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32000,\"message\":\"no\"}}"
                + "\n\n");
    Streamed.Heard heard = Streamed.hear(reader(), stream);
    assertThat(heard.events().get(0)).isInstanceOf(StreamEvent.Said.class);
    assertThat(heard.events().get(1)).isInstanceOf(StreamEvent.Failed.class);
    assertThat(heard.said()).isEqualTo("x");
  }

  @Test
  void aNamedEventThatBreaksOffInTheMiddle_endsTheStream_forItsWordsHaveBeenRead() {
    byte[] stream =
        Wire.bytes(
            "event: pump\n"
                + "data:"
                + " {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"artifactUpdate\":{\"taskId\":\"t\",\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"text\":\"x\"},{\"text\":1}]}}}}\n\n");
    assertThat(Streamed.hear(reader(), stream).events().getFirst())
        .isInstanceOf(StreamEvent.Malformed.class);
  }

  @Test
  void errors_endTheAnswer_andAddNothingToIt() {
    String error = "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32000,\"message\":\"@\"}}";
    Streamed.Heard little = Streamed.hear(reader(), error.replace("@", "sorry"));
    assertThat(((StreamEvent.Failed) little.events().getFirst()).error().number())
        .isEqualTo(-32000);
    Streamed.Heard after =
        Streamed.hear(reader(), chunk("a", "x", ""), error.replace("@", "word ".repeat(900)));
    assertThat(((StreamEvent.Failed) after.events().get(1)).error().bytes()).isGreaterThan(4500);
    assertThat(after.said()).isEqualTo("x");
  }

  @Test
  void evidenceOfAnyEvent_servesTheWholeAnswer() {
    String evidence =
        "\"metadata\":{\""
            + EvidenceReader.URI
            + "\":{\"context\":[{\"id\":\"c1\",\"text\":\"x\"}]}}";
    String last =
        event(
            "{\"artifactUpdate\":{\"taskId\":\"t\",\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"text\":\"y\"}],"
                + evidence
                + "},\"lastChunk\":true}}");
    Streamed.Heard heard = Streamed.hear(reader(), chunk("a", "x", ""), last, last);
    assertThat(heard.reader().said().evidence().source()).isEqualTo(EvidenceSource.DECLARED);
    assertThat(heard.reader().said().evidence().chunks()).hasSize(1);
    assertThat(heard.reader().said().question().toString()).isEqualTo("q");
  }

  @Test
  void verdicts_goWhereClientsLook_andForgedOnesAreTakenOut() {
    String forged = "\"metadata\":{\"" + VerdictJson.URI + "\":{}}";
    String last = chunk("a", "x", ",\"lastChunk\":true," + forged);
    JsonNode annotated = Wire.tree(edited(last, true));
    assertThat(annotated.at("/result/artifactUpdate/artifact/metadata").has(VerdictJson.URI))
        .isTrue();
    assertThat(annotated.at("/result/artifactUpdate/artifact/extensions/0").stringValue())
        .isEqualTo(VerdictJson.URI);
    assertThat(annotated.at("/result/artifactUpdate/metadata").isEmpty()).isTrue();
    JsonNode ended = Wire.tree(edited(status("COMPLETED", "x"), true));
    assertThat(ended.at("/result/statusUpdate/metadata").has(VerdictJson.URI)).isTrue();
    String silent =
        event("{\"statusUpdate\":{\"taskId\":\"t\",\"status\":" + WORKING + "," + forged + "}}");
    StreamEvent.Silent event = (StreamEvent.Silent) only(silent);
    assertThat(event.edits().forgedVerdicts()).isEqualTo(1);
    assertThat(edited(silent, false)).doesNotContain(VerdictJson.URI);
  }

  private static String edited(String payload, boolean verdict) {
    Annotatable edits =
        switch (only(payload)) {
          case StreamEvent.Said said -> said.edits();
          case StreamEvent.Silent silent -> silent.edits();
          case StreamEvent other -> throw new AssertionError(other);
        };
    return new String(
        Splicer.applyToBytes(
            Wire.bytes(payload), verdict ? edits.annotate(Wire.verdict()) : edits.strip()),
        StandardCharsets.UTF_8);
  }

  @Test
  void forgetting_keepsIdsOpenUnitsAndEvidence_andMemoryStaysFlat() {
    StreamReader reader = reader();
    for (int i = 0; i < 2000; i++) {
      Streamed.hear(reader, chunk("a", "some text that goes on " + i + " ", ",\"append\":true"));
      if (reader.saidBytes() > 1000) {
        reader.forget();
        assertThat(reader.saidBytes()).isZero();
        assertThat(reader.isOpen()).isTrue();
      }
    }
    assertThat(reader.saidBytes()).isLessThan(1100);
    assertThat(reader.soFar().correlation().taskId()).contains("t");
  }

  @Test
  void G15_artifactsWithoutEnd_areBounded() {
    StreamReader reader = reader();
    StreamEvent last = new StreamEvent.Unjudged("");
    for (int i = 0;
        i <= A2aTranscript.MAX_ARTIFACTS && !(last instanceof StreamEvent.Malformed);
        i++) {
      last = Streamed.hear(reader, chunk("a" + i, "", "")).events().getLast();
      if (i % 1000 == 0) {
        reader.forget();
      }
    }
    assertThat(last).isInstanceOf(StreamEvent.Malformed.class);
  }

  @ParameterizedTest
  @CsvSource({"SendStreamingMessage,TASK_STATE_WORKING,ROLE_AGENT", "message/stream,working,agent"})
  void held_endsTheStreamWithAWorkingTask_underItsIdsWhereItHasThem(
      String method, String state, String role) {
    boolean old = method.contains("/");
    Notice notice = Wire.notice(Notice.Kind.YIELD);
    StreamReader fresh = Streamed.reader(call(method));
    JsonNode first = result(fresh.refuse(notice, true));
    JsonNode task = old ? first : first.get("task");
    assertThat(task.get("id").stringValue()).isEqualTo("parlance-task-rv-1");
    assertThat(task.at("/status/state").stringValue()).isEqualTo(state);

    StreamReader begun = Streamed.reader(call(method));
    String known = "\"id\":\"t\",\"contextId\":\"k\",\"status\":{\"state\":\"working\"}";
    Streamed.hear(
        begun, event(old ? "{\"kind\":\"task\"," + known + "}" : "{\"task\":{" + known + "}}"));
    JsonNode end = result(begun.refuse(notice, true));
    JsonNode update = old ? end : end.get("statusUpdate");
    assertThat(update.get("taskId").stringValue()).isEqualTo("t");
    assertThat(update.get("contextId").stringValue()).isEqualTo("k");
    assertThat(update.at("/status/state").stringValue()).isEqualTo(state);
    assertThat(update.at("/status/message/role").stringValue()).isEqualTo(role);
    assertThat(update.at("/status/message/parts/0/text").stringValue()).contains("rv-1");
    assertThat(update.get("metadata").has(VerdictJson.URI)).isTrue();
    assertThat(update.has("final")).isEqualTo(old);
    // Our own end is an event that our own reader takes for an end.
    Streamed.Heard heard =
        Streamed.hear(
            begun,
            new String(begun.refuse(notice, true).payloads().getFirst(), StandardCharsets.UTF_8));
    assertThat(heard.said()).contains("rv-1");
  }

  private static JsonNode result(StreamReader.Ending refusal) {
    assertThat(refusal.trailers()).isEqualTo(Map.of());
    assertThat(refusal.payloads()).hasSize(1);
    JsonNode json = Wire.tree(refusal.payloads().getFirst());
    assertThat(json.get("id").intValue()).isEqualTo(7);
    return json.get("result");
  }

  @ParameterizedTest
  @EnumSource(
      value = Notice.Kind.class,
      names = {"YIELD", "REJECTED", "WITHDRAWN", "RELEASED", "UPSTREAM", "AGENT_ERROR"},
      mode = EnumSource.Mode.EXCLUDE)
  void otherEnds_withoutATask_areErrorsOverJsonRpc_andFailedTasksOverRest(Notice.Kind kind) {
    Notice notice = Wire.notice(kind);
    JsonNode error = Wire.tree(reader().refuse(notice, true).payloads().getFirst());
    assertThat(error.at("/error/code").intValue()).isNegative();
    StreamReader rest = Streamed.reader(rest("/message:stream", "parts"));
    JsonNode failed = Wire.tree(rest.refuse(notice, true).payloads().getFirst());
    assertThat(failed.at("/task/status/state").stringValue()).isEqualTo("TASK_STATE_FAILED");
    Refusal atOnce = call("SendStreamingMessage").refuse(notice);
    assertThat(atOnce.contentType()).isEqualTo("text/event-stream");
    assertThat(new String(atOnce.body(), StandardCharsets.UTF_8))
        .startsWith("data: {")
        .endsWith("\n\n");
  }

  @ParameterizedTest
  @CsvSource({
    "SendStreamingMessage,/result,TASK_STATE_FAILED",
    "message/stream,/result,failed",
    "/message:stream,'',TASK_STATE_FAILED",
    "/v1/message:stream,'',TASK_STATE_FAILED"
  })
  void aStreamOfATask_endsWithItsFailure_whateverStandsAgainstIt(
      String called, String envelope, String state) {
    boolean isRest = called.startsWith("/");
    boolean isOld = called.equals("message/stream");
    for (Notice.Kind kind : Notice.Kind.values()) {
      Notice notice = Wire.notice(kind);
      if (kind.isReview() || A2aCall.isFailure(notice)) {
        continue;
      }
      StreamReader reader =
          Streamed.reader(
              isRest ? rest(called, called.startsWith("/v1") ? "content" : "parts") : call(called));
      String task = "\"id\":\"t\",\"contextId\":\"k\",\"status\":{\"state\":\"%s\"}";
      String working = task.formatted(isOld ? "working" : "TASK_STATE_WORKING");
      String first = isOld ? "{\"kind\":\"task\"," + working + "}" : "{\"task\":{" + working + "}}";
      Streamed.hear(reader, isRest ? first : event(first));

      JsonNode whole =
          Wire.tree(reader.refuse(notice, /* isBegun= */ false).payloads().getFirst()).at(envelope);
      JsonNode last =
          Wire.tree(reader.refuse(notice, /* isBegun= */ true).payloads().getFirst()).at(envelope);

      JsonNode begun = isOld ? whole : whole.path("task");
      JsonNode update = isOld ? last : last.path("statusUpdate");
      assertThat(begun.path("id").asString("")).isEqualTo("t");
      assertThat(update.path("taskId").asString("")).isEqualTo("t");
      for (JsonNode end : List.of(begun, update)) {
        assertThat(end.at("/status/state").asString("")).isEqualTo(state);
        assertThat(end.at("/status/message").toString()).contains(notice.detail());
        assertThat(end.at("/metadata").toString()).contains("\"" + notice.code() + "\"");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Notice.Kind.class,
      names = {"UPSTREAM", "AGENT_ERROR"})
  void failedCalls_areErrorsOverJsonRpc_andNoWordOfTheTaskOverRest(Notice.Kind kind) {
    Notice notice = Wire.notice(kind);
    JsonNode error = Wire.tree(reader().refuse(notice, true).payloads().getFirst());
    assertThat(error.at("/error/code").intValue()).isNegative();
    RequestView asked = rest("/message:stream", "parts");
    StreamReader stream = Streamed.reader(asked);
    StreamReader.Ending end = stream.refuse(notice, true);
    byte[] event = stream.framing().frame(end.name(), end.payloads().getFirst());
    assertThat(new String(event, StandardCharsets.UTF_8)).startsWith("event: error\ndata: {");
    assertThat(Wire.tree(end.payloads().getFirst()).at("/error/message").stringValue())
        .isNotEmpty();
    assertThat(Streamed.hear(Streamed.reader(asked), event).events())
        .singleElement()
        .isInstanceOf(StreamEvent.Failed.class);
    Refusal atOnce = asked.refuse(notice);
    assertThat(atOnce.status()).isEqualTo(502);
    assertThat(Wire.tree(atOnce.body()).at("/error/message").stringValue()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"/message:stream,parts", "/v1/message:stream,content"})
  void restEvents_areBare(String target, String parts) {
    StreamReader reader = Streamed.reader(rest(target, parts));
    Streamed.Heard heard =
        Streamed.hear(
            reader,
            "{\"task\":{\"id\":\"t\",\"status\":" + WORKING + "}}",
            "{\"artifactUpdate\":{\"taskId\":\"t\",\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"text\":\"x\"}]}}}",
            "{\"statusUpdate\":{\"taskId\":\"t\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\",\"message\":{\""
                + parts
                + "\":[{\"text\":\"y\"}]}}}}");
    assertThat(heard.said()).isEqualTo("x\ny");
    JsonNode end =
        Wire.tree(reader.refuse(Wire.notice(Notice.Kind.YIELD), true).payloads().getFirst());
    assertThat(end.at("/statusUpdate/status/message").has(parts)).isTrue();
    assertThat(end.at("/statusUpdate").has("final")).isEqualTo(parts.equals("content"));
    Streamed.Heard failed =
        Streamed.hear(
            Streamed.reader(rest(target, parts)),
            "{\"error\":{\"code\":500,\"message\":\"x\"}}",
            "{\"code\":-32000,\"message\":\"x\"}");
    assertThat(failed.events()).allMatch(StreamEvent.Failed.class::isInstance);
  }
}
