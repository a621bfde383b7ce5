package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.metadata.VerdictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Exchanges that the official SDKs had over JSON-RPC and HTTP+JSON, in both generations, unary,
 * streamed and pushed, as they were recorded: each is read whole, and a verdict changes nothing but
 * itself.
 */
class A2aExchangesTest {
  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres [c1].";
  private static final String PARTS =
      """
      n\u00e4ive \u2603 \u65e5\u672c\u8a9e "quoted" \\ back@slash \0nul
      1
      2.5
      0
      1e+21
      true
      </script>
      answer\
      """
          .replace('@', '\u2028');

  /** What each kind of exchange says, in the judged text. */
  private static final Map<String, String> SAID =
      Map.ofEntries(
          Map.entry("message", "echo: hello"),
          Map.entry("grounded-message", FACT),
          Map.entry("grounded-task", FACT + "\nanswer"),
          Map.entry("grounded-adk", FACT),
          Map.entry("grounded-beeai", FACT),
          Map.entry("input-required", "Which pump model?"),
          Map.entry("rejected", "not my area"),
          Map.entry("parts", PARTS),
          Map.entry("list-tasks", "You said: x\nanswer"),
          Map.entry("list-tasks-2", "You said: x\nx\nanswer"),
          Map.entry("stream", FACT + "\nanswer\nlooking it up"),
          Map.entry("cancel-stream", "tick 0 tick 1 tick 2 \nanswer"),
          Map.entry("cancel-stream-2", "tick 0 tick 1 tick 2 \nslow\nanswer"),
          Map.entry("extension", "echo: x"),
          Map.entry("push-delivery", ""),
          Map.entry("push-delivery-1", ""),
          Map.entry("push-delivery-2", ""),
          Map.entry("error-task-not-found", ""),
          Map.entry("error-version", ""));

  /** One recorded exchange. */
  record Exchange(String name, JsonNode line) {
    String text(String member) {
      return line.get(member).stringValue();
    }

    RequestHead head() {
      Map<String, String> fields =
          text("version").isEmpty()
              ? Map.of("content-type", text("type"))
              : Map.of("content-type", text("type"), "a2a-version", text("version"));
      return new RequestHead(text("method"), text("target"), Wire.fields(fields));
    }

    ResponseHead replyHead() {
      return new ResponseHead(
          line.get("status").intValue(), Wire.fields(Map.of("content-type", text("replyType"))));
    }

    byte[] request() {
      return Wire.bytes(text("request"));
    }

    byte[] reply() {
      return Wire.bytes(text("reply"));
    }

    boolean isStreamed() {
      return text("replyType").equals("text/event-stream");
    }

    /** Its kind, without version and binding. */
    String kind() {
      return name.replaceFirst("^v[0-9.]+-(jsonrpc-|rest-)?", "");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Exchange> recorded() {
    return new String(Streamed.file("a2a-exchanges.jsonl"), StandardCharsets.UTF_8)
        .lines()
        .map(Wire::tree)
        .map(line -> new Exchange(line.get("name").stringValue(), line));
  }

  static Stream<Exchange> readable() {
    return recorded()
        .filter(one -> !List.of("error-method", "error-parse").contains(one.kind()))
        .filter(one -> !one.name().startsWith("card"));
  }

  static Stream<Exchange> whole() {
    return readable().filter(one -> !one.isStreamed());
  }

  static Stream<Exchange> streamed() {
    return readable().filter(Exchange::isStreamed);
  }

  private static RequestView view(Exchange one) {
    return Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, one.head(), one.request()));
  }

  @ParameterizedTest
  @MethodSource("readable")
  void everyRequest_isReadByItsOwnCodec_underItsVersion(Exchange one) {
    RequestView request = view(one);
    assertThat(request.protocol().name()).isEqualTo("a2a-" + one.name().substring(1, 4));
    assertThat(request.unread()).isEmpty();
    assertThat(request.forgedVerdicts()).isZero();
    boolean asks = one.text("request").contains("\"text\"");
    assertThat(request.message().isPresent()).isEqualTo(asks);
    assertThat(Wire.CODECS.read("a2a", JsonPointers.NONE, one.head(), one.request()))
        .isInstanceOf(Reading.Readable.class);
  }

  @ParameterizedTest
  @MethodSource("whole")
  void everyWholeAnswer_saysWhatItsAgentWrote_andTakesAVerdict(Exchange one) {
    ResponseView answer = Wire.readable(view(one).readResponse(one.replyHead(), one.reply()));
    String said = answer.message().map(AgentMessage::answer).map(Object::toString).orElse("");
    assertThat(said).isEqualTo(SAID.get(one.kind()));
    assertThat(answer.unread())
        .isEqualTo(
            one.kind().equals("parts")
                ? List.of("binary_part")
                : one.kind().startsWith("error") ? List.of("error_text") : List.of());
    if (one.kind().startsWith("grounded")) {
      assertThat(answer.message().orElseThrow().evidence().source())
          .isNotEqualTo(EvidenceSource.NONE);
    }
    List<Edit> edits = answer.annotate(Wire.verdict());
    assertThat(edits.isEmpty()).isEqualTo(said.isEmpty());
    assertThat(edits).allMatch(edit -> edit.removed() == 0);
    byte[] annotated = Splicer.applyToBytes(one.reply(), edits);
    if (one.reply().length > 0) {
      assertStripped(one, annotated);
    }
  }

  private static void assertStripped(Exchange one, byte[] annotated) {
    ResponseView again = Wire.readable(view(one).readResponse(one.replyHead(), annotated));
    byte[] stripped = Splicer.applyToBytes(annotated, again.strip());
    assertThat(Wire.withoutEmpty(Wire.tree(stripped)))
        .isEqualTo(Wire.withoutEmpty(Wire.tree(one.reply())));
  }

  @ParameterizedTest
  @MethodSource("streamed")
  void everyStream_saysTheSameAsItsWholeAnswer_andTakesAVerdict(Exchange one) {
    RequestView request = view(one);
    StreamReader reader = request.readStream(one.replyHead()).orElseThrow();
    Streamed.Heard heard = Streamed.hear(reader, one.reply());
    assertThat(heard.said()).isEqualTo(SAID.get(one.kind()));
    assertThat(heard.reader().isOpen()).isFalse();
    assertThat(heard.complete()).isTrue();
    assertThat(heard.events()).noneMatch(event -> event instanceof StreamEvent.Unjudged);
    assertThat(heard.events().getFirst()).isInstanceOf(StreamEvent.Silent.class);
    assertThat(heard.reader().soFar().correlation().taskId()).isPresent();
    if (one.kind().equals("stream")) {
      assertThat(reader.said().evidence().source()).isEqualTo(EvidenceSource.DECLARED);
    }

    StreamReader another = request.readStream(one.replyHead()).orElseThrow();
    List<String> payloads = Streamed.annotated(another, one.reply(), Wire.verdict());
    assertThat(payloads).anyMatch(payload -> payload.contains(VerdictJson.URI));
    assertThat(payloads).allMatch(payload -> Wire.tree(payload).isObject());
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void everyExchange_isRefusedInItsOwnProtocol(Exchange one) {
    if (one.request().length == 0 || one.kind().startsWith("push")) {
      return;
    }
    Reading<RequestView> reading =
        Wire.CODECS.read("auto", JsonPointers.NONE, one.head(), one.request());
    Notice notice = Wire.notice(Notice.Kind.UNJUDGED);
    Refusal refusal =
        reading instanceof Reading.Readable<RequestView>(RequestView found)
            ? found.refuse(notice)
            : Wire.CODECS.refuseUnread("auto", one.head(), PlainBody.of(one.request()), notice);
    String body = new String(refusal.body(), StandardCharsets.UTF_8);
    String payload = body.startsWith("data: ") ? body.substring(6).strip() : body;
    JsonNode json = Wire.tree(payload);
    if (one.isStreamed()) {
      assertThat(refusal.contentType()).isEqualTo("text/event-stream");
    }
    if (one.name().contains("jsonrpc")) {
      assertThat(json.get("jsonrpc").stringValue()).isEqualTo("2.0");
      assertThat(json.has("error")).isTrue();
      assertThat(refusal.status()).isEqualTo(one.kind().equals("error-parse") ? 415 : 200);
    } else if (one.isStreamed()) {
      assertThat(json.at("/task/status/state").stringValue()).isEqualTo("TASK_STATE_FAILED");
    } else {
      assertThat(refusal.status()).isEqualTo(415);
      Optional<JsonNode> error = Optional.ofNullable(json.get("error"));
      assertThat(error.orElse(json).has("code")).isTrue();
    }
  }
}
