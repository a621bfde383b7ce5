package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.TaskCall;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.metadata.VerdictJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Refusals in the caller's protocol, and requests that ask again. */
class A2aRefusalTest {
  private static final byte[] BROKEN = "{".getBytes(StandardCharsets.UTF_8);

  private static RequestView request(String sample) {
    return Wire.a2a(Wire.recorded(sample + ".req"));
  }

  private static JsonNode body(Refusal refusal) {
    assertThat(JsonScanner.scan(refusal.body(), JsonScanner.Limits.DEFAULT))
        .isInstanceOf(JsonScanner.Scanned.class);
    return Wire.tree(refusal.body());
  }

  @ParameterizedTest
  @CsvSource({
    "a2a-v1.0-grounded-task,/result/task,TASK_STATE_WORKING,ROLE_AGENT",
    "a2a-v0.3-grounded-task,/result,working,agent"
  })
  void held_isAWorkingTaskOfTheSidecar_inTheConversationOfTheAnswer(
      String sample, String path, String state, String role) {
    RequestView request = request(sample);
    ResponseView rejected = Wire.answer(request, Wire.recorded(sample + ".res"));
    Refusal refusal = request.refuse(Wire.notice(Notice.Kind.YIELD), rejected);
    assertThat(refusal.status()).isEqualTo(200);
    JsonNode task = body(refusal).at(path);
    assertThat(task.get("id").stringValue()).isEqualTo("parlance-task-rv-1");
    assertThat(task.get("contextId").stringValue())
        .isEqualTo(rejected.correlation().contextId().orElseThrow());
    assertThat(task.at("/status/state").stringValue()).isEqualTo(state);
    assertThat(task.at("/status/message/role").stringValue()).isEqualTo(role);
    assertThat(task.at("/status/message/parts/0/text").stringValue()).contains("rv-1");
    assertThat(task.get("metadata").get(VerdictJson.URI))
        .isEqualTo(Wire.tree(VerdictJson.of(Wire.verdict())));
    assertThat(task.has("artifacts")).isFalse();
    boolean old = sample.contains("v0.3");
    assertThat(task.has("kind")).isEqualTo(old);
    assertThat(task.at("/status/message").has("kind")).isEqualTo(old);
    // Our own refusal is itself a message that our codec reads.
    assertThat(Wire.answer(request, refusal.body()).message()).isPresent();
  }

  @Test
  void held_withoutAnAnswer_getsIdsFromTheDecision_andTaskReadsKeepTheirs() {
    JsonNode sent = body(request("a2a-v1.0-message").refuse(Wire.notice(Notice.Kind.YIELD)));
    assertThat(sent.at("/result/task/id").stringValue()).isEqualTo("parlance-task-rv-1");
    JsonNode read =
        body(request("a2a-v1.0-error-task-not-found").refuse(Wire.notice(Notice.Kind.YIELD)));
    assertThat(read.at("/result/id").stringValue()).isEqualTo("nope");
    assertThat(read.at("/result/status/state").stringValue()).isEqualTo("TASK_STATE_WORKING");
    JsonNode old =
        body(request("a2a-v0.3-error-task-not-found").refuse(Wire.notice(Notice.Kind.YIELD)));
    assertThat(old.at("/result/kind").stringValue()).isEqualTo("task");
  }

  @ParameterizedTest
  @CsvSource({
    "YIELD,TASK_STATE_WORKING",
    "REJECTED,TASK_STATE_REJECTED",
    "WITHDRAWN,TASK_STATE_CANCELED",
    "RELEASED,TASK_STATE_INPUT_REQUIRED"
  })
  void theTaskShowsHowTheHeldMessageStands(Notice.Kind kind, String state) {
    JsonNode task = body(request("a2a-v1.0-message").refuse(Wire.notice(kind)));
    assertThat(task.at("/result/task/status/state").stringValue()).isEqualTo(state);
  }

  @ParameterizedTest
  @CsvSource({
    "GetTask,READ,'\"id\":\"parlance-task-r-1\"'",
    "CancelTask,CANCEL,'\"id\":\"parlance-task-r-1\"'",
    "SubscribeToTask,FOLLOW,'\"id\":\"parlance-task-r-1\"'",
    "CreateTaskPushNotificationConfig,NOTIFY,'\"taskId\":\"parlance-task-r-1\",\"id\":\"p\"'",
    "tasks/get,READ,'\"id\":\"parlance-task-r-1\"'",
    "tasks/cancel,CANCEL,'\"id\":\"parlance-task-r-1\"'",
    "tasks/resubscribe,FOLLOW,'\"id\":\"parlance-task-r-1\"'",
    "tasks/pushNotificationConfig/get,NOTIFY,'\"id\":\"parlance-task-r-1\"'"
  })
  void requestsAboutATaskOfTheSidecar_areKnown(String method, TaskCall.Verb verb, String ids) {
    RequestView request =
        Wire.a2a(
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}"
                    .formatted(method, ids)));
    TaskCall call = request.taskCall().orElseThrow();
    assertThat(call.verb()).isEqualTo(verb);
    assertThat(call.reviewId()).contains("r-1");
  }

  @ParameterizedTest
  @CsvSource({
    "a2a-v1.0-grounded-task,GetTask,/result,TASK_STATE_COMPLETED",
    "a2a-v1.0-message,GetTask,/result,TASK_STATE_COMPLETED",
    "a2a-v0.3-grounded-task,tasks/get,/result,completed",
    "a2a-v0.3-java-message,tasks/get,/result,completed"
  })
  void aReleasedAnswer_completesTheTask_withItsPartsAsTheyWere(
      String sample, String method, String path, String state) {
    byte[] held = Wire.recorded(sample + ".res");
    RequestView request =
        Wire.a2a(
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{\"id\":\"parlance-task-rv-1\"}}"
                    .formatted(method)));
    for (String protocol : new String[] {request.protocol().name(), "openai-chat"}) {
      HeldAnswer answer =
          new HeldAnswer(
              protocol, held, Utf8Span.of("The text."), Wire.notice(Notice.Kind.RELEASED));
      JsonNode reply = body(request.complete(answer).orElseThrow());
      assertThat(reply.get("id").intValue()).isEqualTo(7);
      JsonNode task = reply.at(path);
      assertThat(task.get("id").stringValue()).isEqualTo("parlance-task-rv-1");
      assertThat(task.at("/status/state").stringValue()).isEqualTo(state);
      JsonNode parts = task.at("/artifacts/0/parts");
      if (protocol.startsWith("a2a")) {
        JsonNode before = Wire.tree(held).path("result");
        JsonNode message = before.has("message") ? before.path("message") : before;
        JsonNode whole = before.has("task") ? before.path("task") : before;
        assertThat(parts)
            .isEqualTo(
                whole.has("artifacts") ? whole.at("/artifacts/0/parts") : message.path("parts"));
      } else {
        assertThat(parts.get(0).get("text").stringValue()).isEqualTo("The text.");
      }
      assertThat(Wire.answer(request, Wire.bytes(reply.toString())).message()).isPresent();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "REGENERATE,-32080",
    "UNJUDGED,-32081",
    "QUEUE_REFUSED,-32082",
    "UPSTREAM,-32083",
    "UNAVAILABLE,-32084",
    "ROUND_REFUSED,-32086",
    "MALFORMED,-32700"
  })
  void otherRefusals_areJsonRpcErrors(Notice.Kind kind, int code) {
    Refusal refusal = request("a2a-v0.3-java-message").refuse(Wire.notice(kind));
    assertThat(refusal.status()).isEqualTo(200);
    JsonNode json = body(refusal);
    assertThat(json.get("id"))
        .isEqualTo(Wire.tree(Wire.recorded("a2a-v0.3-java-message.req")).get("id"));
    assertThat(json.at("/error/code").intValue()).isEqualTo(code);
    assertThat(json.at("/error/data/0/@type").stringValue())
        .isEqualTo("type.googleapis.com/google.rpc.ErrorInfo");
    assertThat(json.at("/error/data/0/reason").stringValue())
        .isEqualTo(kind == Notice.Kind.MALFORMED ? "BAD_JSON" : "G_LOW");
    json.at("/error/data/0/metadata").forEach(value -> assertThat(value.isString()).isTrue());
    assertThat(json.at("/error/data/1/value/verdict"))
        .isEqualTo(Wire.tree(VerdictJson.of(Wire.verdict())));
    assertThat(json.at("/error/data/1/value/repair").stringValue()).isEqualTo("Cite [c1].");
    assertThat(json.at("/error/data/1/value/remaining").intValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"a2a", "auto"})
  void wholeRequestsThatNobodyCanJudge_getTheirIdBack_andHttp200(String codec) {
    byte[] stream =
        "{\"jsonrpc\":\"2.0\",\"id\":\"s-1\",\"method\":\"SendStreamingMessage\",\"params\":{}}"
            .getBytes(StandardCharsets.UTF_8);
    Refusal refusal =
        Wire.CODECS.refuseUnread(
            codec, Wire.POST_JSON, PlainBody.of(stream), Wire.notice(Notice.Kind.UNJUDGED));
    assertThat(refusal.status()).isEqualTo(200);
    assertThat(body(refusal).get("id").stringValue()).isEqualTo("s-1");
    assertThat(body(refusal).at("/error/code").intValue()).isEqualTo(-32081);
  }

  @ParameterizedTest
  @EnumSource(Notice.Kind.class)
  void brokenRequests_getAnErrorWithoutId_inTheProtocolThatTheirHeadLetsExpect(Notice.Kind kind) {
    Refusal a2a =
        Wire.CODECS.refuseUnread("a2a", Wire.POST_JSON, PlainBody.of(BROKEN), Wire.notice(kind));
    assertThat(body(a2a).get("id").isNull()).isTrue();
    assertThat(a2a.status())
        .isEqualTo(kind == Notice.Kind.MALFORMED ? 200 : Wire.notice(kind).httpStatus());
    Refusal plain =
        Wire.CODECS.refuseUnread("auto", Wire.POST_JSON, PlainBody.of(BROKEN), Wire.notice(kind));
    assertThat(plain.contentType()).isEqualTo("application/problem+json");
    assertThat(body(plain).get("status").intValue()).isEqualTo(plain.status());
    assertThat(body(plain).get("type").stringValue()).startsWith("urn:parlance:problem:");
    RequestHead chat = Wire.head("POST", "/v1/chat/completions", "application/json");
    assertThat(
            body(Wire.CODECS.refuseUnread("auto", chat, PlainBody.of(BROKEN), Wire.notice(kind)))
                .has("error"))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"a2a-v1.0-grounded-task", "a2a-v0.3-grounded-task"})
  void repair_asksAgainInTheSameContext_andNamesTheFinishedTaskOnlyAsReference(String sample) {
    RequestView request = request(sample);
    ResponseView rejected = Wire.answer(request, Wire.recorded(sample + ".res"));
    byte[] repaired = request.repair(rejected, "Cite \"c1\".\n", "fresh").orElseThrow();
    JsonNode before = Wire.tree(Wire.recorded(sample + ".req"));
    JsonNode after = Wire.tree(repaired);
    JsonNode message = after.at("/params/message");
    assertThat(after.get("id")).isEqualTo(before.get("id"));
    assertThat(message.get("messageId").stringValue()).isEqualTo("fresh");
    assertThat(message.get("contextId").stringValue())
        .isEqualTo(rejected.correlation().contextId().orElseThrow());
    assertThat(message.at("/referenceTaskIds/0").stringValue())
        .isEqualTo(rejected.correlation().taskId().orElseThrow());
    assertThat(message.has("taskId")).isFalse();
    assertThat(message.get("parts").size()).isEqualTo(2);
    assertThat(message.at("/parts/0")).isEqualTo(before.at("/params/message/parts/0"));
    assertThat(message.at("/parts/1/text").stringValue()).isEqualTo("Cite \"c1\".\n");
    assertThat(message.at("/parts/1").has("kind")).isEqualTo(sample.contains("v0.3"));
    assertThat(after.at("/params/configuration")).isEqualTo(before.at("/params/configuration"));
    assertThat(Wire.a2a(repaired).message()).isPresent();
  }

  @Test
  void repair_leavesAFinishedTask_keepsAnOpenOne_andDropsForgedVerdicts() {
    String forged = "\"metadata\":{\"k\":1,\"" + VerdictJson.URI + "\":{}}";
    for (String taskFirst : new String[] {"\"taskId\":\"old\",", ""}) {
      String taskLast = taskFirst.isEmpty() ? ",\"taskId\":\"old\"" : "";
      byte[] body =
          Wire.bytes(
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{"
                  + taskFirst
                  + "\"referenceTaskIds\":[\"r\"],\"parts\":[{\"kind\":\"text\",\"text\":\"q\"}],"
                  + forged
                  + taskLast
                  + "}}}");
      RequestView request = Wire.a2a(body);
      JsonNode finished = repaired(request, "completed");
      assertThat(finished.has("taskId")).isFalse();
      assertThat(finished.get("referenceTaskIds").toString()).isEqualTo("[\"r\",\"t\"]");
      assertThat(finished.get("metadata").toString()).isEqualTo("{\"k\":1}");
      assertThat(repaired(request, "input-required").get("taskId").stringValue()).isEqualTo("old");
    }
  }

  private static JsonNode repaired(RequestView request, String state) {
    ResponseView rejected =
        Wire.answer(
            request,
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"result\":{\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\""
                    + state
                    + "\",\"message\":{\"parts\":[{\"kind\":\"text\",\"text\":\"x\"}]}}}}"));
    return Wire.tree(request.repair(rejected, "again", "m2").orElseThrow()).at("/params/message");
  }

  @Test
  void repair_ofAMessageAnswer_keepsNoReference_andTaskReadsAreNotRepeated() {
    RequestView request = request("a2a-v1.0-message");
    ResponseView rejected = Wire.answer(request, Wire.recorded("a2a-v1.0-message.res"));
    JsonNode message =
        Wire.tree(request.repair(rejected, "again", "m2").orElseThrow()).at("/params/message");
    assertThat(message.has("referenceTaskIds")).isFalse();
    assertThat(message.has("contextId")).isTrue();
    assertThat(request("a2a-v1.0-error-task-not-found").repair(rejected, "again", "m2"))
        .isEqualTo(Optional.empty());
  }
}
