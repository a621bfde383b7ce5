package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.Wire;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.metadata.VerdictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A2A over HTTP+JSON: which requests are read, how they are refused and asked again; webhooks. */
class A2aRestTest {
  private static final byte[] NOTHING = {};
  private static final String SEND =
      "{\"message\":{\"messageId\":\"m\",\"%s\":[{\"text\":\"q\"}]}}";

  private static RequestHead head(String method, String target, String version) {
    return new RequestHead(
        method,
        target,
        Wire.fields(
            version.isEmpty()
                ? Map.of("content-type", "application/a2a+json")
                : Map.of("content-type", "application/a2a+json", "a2a-version", version)));
  }

  private static Reading<RequestView> reading(String method, String target, byte[] body) {
    return Wire.CODECS.read("auto", JsonPointers.NONE, head(method, target, ""), body);
  }

  private static RequestView send(String target, String parts) {
    return Wire.readable(reading("POST", target, Wire.bytes(SEND.formatted(parts))));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/tasks/t-1,a2a-1.0,t-1",
    "GET,/v1/tasks/t-1,a2a-0.3,t-1",
    "GET,/tenant/a/tasks/t-1?historyLength=2,a2a-1.0,t-1",
    "GET,/tasks/a%2Fb,a2a-1.0,a/b",
    "POST,/tasks/t-1:cancel,a2a-1.0,t-1",
    "POST,/tasks/t-1%3Acancel,a2a-1.0,t-1",
    "POST,/v1/tasks/t-1:subscribe,a2a-0.3,t-1",
    "GET,/tasks/t-1:subscribe,a2a-1.0,t-1",
    "GET,/tasks,a2a-1.0,",
    "GET,/x/v1/tasks?pageSize=5,a2a-0.3,",
    "POST,/tasks/t-1/pushNotificationConfigs,a2a-1.0,t-1",
    "GET,/tasks/t-1/pushNotificationConfigs,a2a-1.0,t-1",
    "GET,/tasks/t-1/pushNotificationConfigs/c,a2a-1.0,t-1",
    "DELETE,/v1/tasks/t-1/pushNotificationConfigs/c,a2a-0.3,t-1",
    "GET,/extendedAgentCard,a2a-1.0,",
    "GET,/v1/card,a2a-0.3,"
  })
  void callsWithoutAMessage_areToldByPathAndMethod(
      String method, String target, String protocol, String taskId) {
    RequestView request = Wire.readable(reading(method, target, NOTHING));
    assertThat(request.protocol().name()).isEqualTo(protocol);
    assertThat(request.message()).isEmpty();
    assertThat(request.correlation().taskId().orElse("")).isEqualTo(taskId == null ? "" : taskId);
    assertThat(request.repair(Wire.answer(request, NOTHING), "i", "m")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/message:send",
    "PUT,/message:send",
    "POST,/Message:Send",
    "POST,/message:resend",
    "POST,/tasks/t",
    "DELETE,/tasks/t",
    "POST,/tasks",
    "POST,/tasks/t:delete",
    "GET,/tasks/",
    "PATCH,/tasks/t/pushNotificationConfigs/c",
    "GET,/v2/card"
  })
  void whatIsNoCall_isNotTakenForOne(String method, String target) {
    assertThat(reading(method, target, NOTHING)).isInstanceOf(Reading.Unjudged.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GetTask", "message/send"})
  void jsonRpc_isReadAsSuch_evenBehindAPathOfRest(String method) {
    byte[] body =
        Wire.bytes(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
                + method
                + "\",\"params\":{\"message\":{\"parts\":[{\"text\":\"q\"}]}}}");
    Refusal refusal =
        Wire.readable(reading("POST", "/message:send", body))
            .refuse(Wire.notice(Notice.Kind.UNJUDGED));
    assertThat(new String(refusal.body(), StandardCharsets.UTF_8)).contains("\"jsonrpc\"");
  }

  @ParameterizedTest
  @CsvSource({
    "[],BAD_MESSAGE",
    "{},BAD_MESSAGE",
    "{\"message\":7},BAD_MESSAGE",
    "{\"Message\":{\"parts\":[]}},BAD_MESSAGE",
    "{\"message\":{\"parts\":[]}},BAD_MESSAGE",
    "{,BAD_JSON",
    "{\"a\":1}{},BAD_JSON"
  })
  void brokenMessages_areRefused(String body, WireFault fault) {
    assertThat(Wire.fault(reading("POST", "/message:send", Wire.bytes(body)))).isEqualTo(fault);
  }

  @Test
  void version_isToldByTheField_beforeThePath() {
    byte[] body = Wire.bytes(SEND.formatted("parts"));
    RequestView current =
        Wire.readable(
            Wire.CODECS.read(
                "a2a", JsonPointers.NONE, head("POST", "/v1/message:send", "1.0"), body));
    assertThat(current.protocol().name()).isEqualTo("a2a-1.0");
    RequestView old =
        Wire.readable(
            Wire.CODECS.read("a2a", JsonPointers.NONE, head("POST", "/message:send", "0.3"), body));
    assertThat(old.protocol().name()).isEqualTo("a2a-0.3");
  }

  @ParameterizedTest
  @CsvSource({
    "/message:send,parts,application/a2a+json",
    "/v1/message:send,content,application/json"
  })
  void held_isAWorkingTask_withStatus200(String target, String parts, String type) {
    Refusal refusal = send(target, parts).refuse(Wire.notice(Notice.Kind.YIELD));
    assertThat(refusal.status()).isEqualTo(200);
    assertThat(refusal.contentType()).isEqualTo(type);
    JsonNode task = Wire.tree(refusal.body()).get("task");
    assertThat(task.at("/status/state").stringValue()).isEqualTo("TASK_STATE_WORKING");
    assertThat(task.at("/status/message/role").stringValue()).isEqualTo("ROLE_AGENT");
    assertThat(task.at("/status/message/" + parts + "/0/text").stringValue()).contains("rv-1");
    assertThat(Wire.answer(send(target, parts), refusal.body()).message()).isPresent();
    RequestView read =
        Wire.readable(reading("GET", target.replace("message:send", "tasks/t"), NOTHING));
    JsonNode bare = Wire.tree(read.refuse(Wire.notice(Notice.Kind.YIELD)).body());
    assertThat(bare.get("id").stringValue()).isEqualTo("t");
  }

  @ParameterizedTest
  @EnumSource(
      value = Notice.Kind.class,
      names = {"YIELD", "REJECTED", "WITHDRAWN", "RELEASED"},
      mode = EnumSource.Mode.EXCLUDE)
  void otherRefusals_areErrorsOfTheBinding_withAStatus(Notice.Kind kind) {
    Notice notice = Wire.notice(kind);
    Refusal current = send("/message:send", "parts").refuse(notice);
    assertThat(current.status()).isEqualTo(notice.httpStatus());
    JsonNode error = Wire.tree(current.body()).get("error");
    assertThat(error.get("code").intValue()).isEqualTo(current.status());
    assertThat(error.get("status").stringValue()).matches("[A-Z_]+");
    assertThat(error.at("/details/0/@type").stringValue()).endsWith("google.rpc.ErrorInfo");
    JsonNode old = Wire.tree(send("/v1/message:send", "content").refuse(notice).body());
    assertThat(old.get("code").intValue()).isNegative();
    assertThat(old.get("message").stringValue()).isEqualTo(notice.detail());
    Refusal list =
        Wire.readable(reading("GET", "/tasks", NOTHING)).refuse(Wire.notice(Notice.Kind.YIELD));
    assertThat(list.status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({"/message:send,parts,true", "/v1/message:send,content,false"})
  void repair_asksAgainInTheSameContext_withAFreshMessage(
      String target, String parts, boolean namesTask) {
    RequestView request = send(target, parts);
    ResponseView rejected =
        Wire.answer(
            request,
            Wire.bytes(
                "{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"},"
                    + "\"artifacts\":[{\"parts\":[{\"text\":\"bad\"}]}]}}"));
    JsonNode message =
        Wire.tree(request.repair(rejected, "again", "m2").orElseThrow()).get("message");
    assertThat(message.get("messageId").stringValue()).isEqualTo("m2");
    assertThat(message.get("contextId").stringValue()).isEqualTo("c");
    // A server of v0.3 reads the protobuf form, which has no such field, and refuses it.
    assertThat(message.has("referenceTaskIds")).isEqualTo(namesTask);
    assertThat(message.at("/referenceTaskIds/0").asString("t")).isEqualTo("t");
    assertThat(message.at("/" + parts + "/1").toString()).isEqualTo("{\"text\":\"again\"}");
  }

  @Test
  void errorsOfAnyShape_areErrors() {
    RequestView request = send("/message:send", "parts");
    ResponseHead failed =
        new ResponseHead(500, Wire.fields(Map.of("content-type", "application/problem+json")));
    byte[] small = Wire.bytes("{\"title\":\"sorry\",\"task\":{\"artifacts\":[]}}");
    assertThat(Wire.readable(request.readResponse(failed, small)).unread())
        .containsExactly("error_text");
    byte[] large = Wire.bytes("{\"title\":\"" + "word ".repeat(200) + "\"}");
    ResponseView much = Wire.readable(request.readResponse(failed, large));
    assertThat(much.message()).isEmpty();
    assertThat(much.failure().orElseThrow().bytes()).isEqualTo(large.length);
    byte[] typed =
        Wire.bytes("{\"error\":{\"code\":404,\"status\":\"NOT_FOUND\",\"message\":\"gone\"}}");
    AgentError gone = Wire.readable(request.readResponse(failed, typed)).failure().orElseThrow();
    assertThat(gone.number()).isEqualTo(404);
    assertThat(gone.code()).isEqualTo("NOT_FOUND");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"task\":{\"id\":\"t\",\"status\":{\"message\":{\"parts\":[{\"text\":\"pushed\"}]}}}}",
        "{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"message\":{\"parts\":[{\"kind\":\"text\",\"text\":\"pushed\"}]}}}",
        "{\"statusUpdate\":{\"taskId\":\"t\",\"status\":{\"message\":{\"parts\":[{\"text\":\"pushed\"}]}}}}",
        "{\"kind\":\"status-update\",\"taskId\":\"t\",\"status\":{\"message\":{\"parts\":[{\"text\":\"pushed\"}]}}}",
        "{\"artifactUpdate\":{\"taskId\":\"t\",\"artifact\":{\"parts\":[{\"text\":\"pushed\"}]}}}",
        "{\"kind\":\"artifact-update\",\"taskId\":\"t\",\"artifact\":{\"parts\":[{\"text\":\"pushed\"}]}}",
        "{\"message\":{\"taskId\":\"t\",\"parts\":[{\"text\":\"pushed\"}]}}",
        "{\"message\":{\"taskId\":\"t\",\"content\":[{\"text\":\"pushed\"}]}}",
        "{\"kind\":\"message\",\"taskId\":\"t\",\"parts\":[{\"text\":\"pushed\"}]}"
      })
  void pushNotifications_areWhatTheirSenderSays(String body) {
    RequestView push = Wire.readable(reading("POST", "/hook", Wire.bytes(body)));
    assertThat(push.message().orElseThrow().answer().toString()).isEqualTo("pushed");
    assertThat(push.correlation().taskId()).contains("t");
    byte[] annotated = Splicer.applyToBytes(Wire.bytes(body), push.annotate(Wire.verdict()));
    assertThat(new String(annotated, StandardCharsets.UTF_8)).contains(VerdictJson.URI);
    RequestView again = Wire.readable(reading("POST", "/hook", annotated));
    assertThat(again.forgedVerdicts()).isPositive();
    assertThat(Wire.withoutEmpty(Wire.tree(Splicer.applyToBytes(annotated, again.strip()))))
        .isEqualTo(Wire.withoutEmpty(Wire.tree(body)));
    assertThat(push.refuse(Wire.notice(Notice.Kind.YIELD)).contentType())
        .isEqualTo("application/problem+json");
  }

  @Test
  void nobodyWaitsForAnswersOfWebhooks_butForTheirErrors() {
    RequestView push =
        Wire.readable(
            reading(
                "POST", "/hook", Wire.bytes("{\"message\":{\"parts\":[{\"text\":\"pushed\"}]}}")));
    byte[] much = Wire.bytes("word ".repeat(200));
    assertThat(Wire.answer(push, NOTHING).unread()).isEmpty();
    for (String type : List.of("text/plain", "text/html", "application/json")) {
      assertThat(Wire.readable(push.readResponse(Wire.reply(type), much)))
          .isInstanceOf(ResponseView.Unawaited.class);
    }
    assertThat(Wire.answer(push, Wire.bytes("{\"ok\":true}")).message()).isEmpty();
    for (String body : List.of("word ".repeat(200), "{\"error\": \"no such hook\"}")) {
      ResponseView failed =
          Wire.readable(
              push.readResponse(
                  new ResponseHead(404, _ -> Optional.of("text/plain")), Wire.bytes(body)));
      assertThat(failed.unread()).containsExactly("error_text");
      assertThat(failed.failure().orElseThrow().bytes()).isEqualTo(body.length());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"message\":\"hi\"}",
        "{\"message\":{\"text\":\"hi\"}}",
        "{\"task\":{\"name\":\"x\"}}",
        "{\"kind\":\"message\"}",
        "[{\"message\":{\"parts\":[]}}]"
      })
  void otherJson_isNoPushNotification(String body) {
    assertThat(Wire.unjudged(reading("POST", "/hook", Wire.bytes(body)))).isEqualTo("shape");
  }
}
