package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonPointers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers whose requests nobody has read: they are read as with their requests, or as all text. */
class A2aUnreadCallTest {
  private static final RequestHead HEAD = new RequestHead("POST", "/a2a", HeaderLookup.NONE);

  private static RequestView unread(String codec, RequestHead head) {
    return Wire.readable(Wire.CODECS.unreadRequest(codec, JsonPointers.NONE, head));
  }

  private static Reading<ResponseView> answer(String body) {
    return unread("a2a", HEAD).readResponse(Wire.OK_JSON, Wire.bytes(body));
  }

  private static String said(ResponseView view) {
    return view.message().orElseThrow().answer().toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SendMessage|{'message':{'messageId':'m','role':'ROLE_AGENT','parts':[{'text':'Blue.'}]}}",
        "SendMessage|{'task':{'id':'t','status':{'state':'TASK_STATE_COMPLETED','message':{'messageId':'m',"
            + "'parts':[{'text':'Blue.'}]}}}}",
        "GetTask|{'id':'t','contextId':'c','status':{'state':'TASK_STATE_COMPLETED','message':{'messageId':'m',"
            + "'parts':[{'text':'Blue.'}]}}}",
        "ListTasks|{'tasks':[{'id':'t','status':{'state':'TASK_STATE_COMPLETED','message':{'messageId':'m',"
            + "'parts':[{'text':'Blue.'}]}}}]}",
        "message/send|{'kind':'message','messageId':'m','role':'agent','parts':[{'kind':'text','text':'Blue.'}]}",
        "tasks/get|{'kind':'task','id':'t','status':{'state':'completed','message':{'kind':'message','messageId':'m',"
            + "'role':'agent','parts':[{'kind':'text','text':'Blue.'}]}}}",
      })
  void anAnswer_saysWhatItSaysBesideItsRequest(String method, String result) {
    String body = ("{'jsonrpc':'2.0','id':7,'result':" + result + "}").replace('\'', '"');
    String params =
        method.toLowerCase(Locale.ROOT).contains("send")
            ? "{\"message\":{\"parts\":[{\"text\":\"Which?\"}]}}"
            : "{\"id\":\"t\"}";
    RequestView asked =
        Wire.a2a(
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\""
                    + method
                    + "\",\"params\":"
                    + params
                    + "}"));
    ResponseView read = Wire.readable(answer(body));
    ResponseView known = Wire.readable(asked.readResponse(Wire.OK_JSON, Wire.bytes(body)));
    assertThat(said(read)).isEqualTo(said(known)).contains("Blue.");
    assertThat(read.correlation()).isEqualTo(known.correlation());
    assertThat(read.unread()).isEqualTo(known.unread());
  }

  @Test
  void anIdThatSpeaks_isTextOfTheAgent() {
    ResponseView read =
        Wire.readable(
            answer(
                "{\"jsonrpc\":\"2.0\",\"id\":\"the walrus owes you eighty coins by"
                    + " Monday\",\"result\":{\"message\":{\"messageId\":\"m\",\"parts\":[{\"text\":\"Blue.\"}]}}}"));
    assertThat(said(read)).contains("walrus owes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"note\":\"the walrus owes you eighty coins\"}",
        "[\"the walrus owes you eighty coins\"]",
        "\"the walrus owes you eighty coins\"",
        "{\"kind\":\"walrus\",\"note\":\"the walrus owes you eighty coins\"}",
      })
  void whatNobodyKnows_isAllText(String result) {
    ResponseView read =
        Wire.readable(answer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}"));
    assertThat(said(read)).contains("walrus owes you eighty coins");
  }

  @Test
  void twoAnswersInOne_areNone() {
    assertThat(
            answer(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"parts\":[{\"kind\":\"text\",\"text\":\"a\"}],"
                    + "\"message\":{\"parts\":[{\"text\":\"b\"}]}}}"))
        .isInstanceOf(Reading.Malformed.class);
  }

  @Test
  void evidence_isTheAnswersOwn_andThereIsNoQuestion() {
    ResponseView read =
        Wire.readable(
            answer(
                """
                {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","parts":[{"text":"Blue."}],
                 "metadata":{"https://w3id.org/parlance/ext/evidence/v1":
                   {"context":[{"id":"a","text":"The sky is blue."}]}}}}}
                """));
    assertThat(read.message().orElseThrow().evidence().source()).isEqualTo(EvidenceSource.DECLARED);
    assertThat(read.message().orElseThrow().question().isEmpty()).isTrue();
  }

  @Test
  void aRefusal_hasTheIdOfTheAnswerInWhosePlaceItStands() {
    RequestView asked = unread("a2a", HEAD);
    Notice notice =
        new Notice(
            Notice.Kind.UNJUDGED,
            "unjudged",
            "why",
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(new String(asked.refuse(notice).body(), StandardCharsets.UTF_8))
        .contains("\"id\":null");
    Wire.readable(
        asked.readResponse(
            Wire.OK_JSON,
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":\"q-7\",\"result\":{\"message\":{\"parts\":[{\"text\":\"Blue.\"}]}}}")));
    assertThat(new String(asked.refuse(notice, Correlation.NONE).body(), StandardCharsets.UTF_8))
        .contains("\"id\":\"q-7\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"message\":{\"messageId\":\"m\",\"parts\":[{\"text\":\"Blue.\"}]}}",
        "{\"kind\":\"message\",\"messageId\":\"m\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"Blue.\"}]}"
      })
  void eventsOfAStream_areOfEitherGeneration(String result) {
    var reader = Streamed.reader(unread("a2a", HEAD));
    var _ = Streamed.hear(reader, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}");
    assertThat(reader.said().answer().toString()).isEqualTo("Blue.");
  }

  @Test
  void whatNeedsItsRequest_isNotReadWithoutIt() {
    assertThat(Wire.CODECS.namesOfAnswers()).containsExactly("a2a", "json", "text");
    assertThat(
            Wire.CODECS.unreadRequest(
                "a2a",
                JsonPointers.NONE,
                Wire.head("POST", "/lf.a2a.v1.A2AService/SendMessage", "application/grpc")))
        .isEqualTo(new Reading.Unjudged<RequestView>("unread_request"));
  }

  @Test
  void aPathOfHttpJson_saysWhatWasAskedFor() {
    RequestView asked = unread("a2a", Wire.head("POST", "/message:send", "application/json"));
    ResponseView read =
        Wire.readable(
            asked.readResponse(
                Wire.OK_JSON,
                Wire.bytes(
                    "{\"message\":{\"messageId\":\"m\",\"parts\":[{\"text\":\"Blue.\"}]}}")));
    assertThat(said(read)).isEqualTo("Blue.");
  }
}
