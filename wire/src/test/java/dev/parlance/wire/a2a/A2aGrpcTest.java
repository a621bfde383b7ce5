package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TaskListing;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcFramingTest;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.proto.ProtoWriter;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class A2aGrpcTest {
  private static final String SAID =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres [c1].";

  private static String service(String version) {
    return version.equals("v1.0") ? GrpcWire.CURRENT : GrpcWire.OLD;
  }

  private static RequestView recordedRequest(String version) {
    return GrpcWire.asked(
        service(version) + "SendMessage",
        GrpcWire.recorded("a2a-" + version + "-message.req").getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void recordedRequest_isRead(String version) {
    RequestView request = recordedRequest(version);
    assertThat(request.protocol().name()).isEqualTo("a2a-" + version.substring(1));
    // Keys of answers that are held are made of it: they outlive an upgrade.
    assertThat(request.identity().getFirst()).hasToString("grpc a2a-" + version.substring(1));
    assertThat(request.message().orElseThrow().answer()).hasToString("grounded: confident");
    assertThat(request.question()).hasToString("grounded: confident");
    assertThat(request.unread()).isEmpty();
    assertThat(request.forgedVerdicts()).isZero();
    assertThat(request.correlation().messageId()).isPresent();
    assertThat(request.correlation().taskId()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void recordedAnswer_isReadWithItsEvidence(String version) {
    ResponseView answer =
        Wire.readable(
            recordedRequest(version)
                .readResponse(GrpcWire.ok(), GrpcWire.framed("a2a-" + version + "-message.res")));
    AgentMessage said = answer.message().orElseThrow();
    assertThat(said.answer()).hasToString(SAID);
    assertThat(said.evidence().source()).isEqualTo(EvidenceSource.DECLARED);
    assertThat(said.evidence().chunks()).hasSize(3);
    assertThat(said.evidence().citations()).containsExactly("c1");
    assertThat(said.evidence().confidence()).hasValue(0.93);
    assertThat(answer.unread()).isEmpty();
    assertThat(answer.correlation().contextId()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void verdict_isSplicedIn_andEveryOtherByteStays(String version)
      throws InvalidProtocolBufferException {
    RequestView request = recordedRequest(version);
    byte[] body = GrpcWire.framed("a2a-" + version + "-message.res");
    ResponseView answer = Wire.readable(request.readResponse(GrpcWire.ok(), body));
    byte[] annotated = Splicer.applyToBytes(body, answer.annotate(Wire.verdict()));

    ResponseView again = Wire.readable(request.readResponse(GrpcWire.ok(), annotated));
    assertThat(again.message()).isEqualTo(answer.message());
    assertThat(again.forgedVerdicts()).isEqualTo(1);
    UnknownFieldSet message = parse(parse(unframed(annotated)), 2);
    UnknownFieldSet before = parse(parse(unframed(body)), 2);
    for (int number : new int[] {1, 2, 4, 5}) {
      assertThat(message.getField(number)).isEqualTo(before.getField(number));
    }
    Struct metadata = Struct.parseFrom(message.getField(6).getLengthDelimitedList().getFirst());
    assertThat(metadata.getFieldsMap()).containsOnlyKeys(EvidenceReader.URI, VerdictJson.URI);
    assertThat(
            metadata
                .getFieldsOrThrow(VerdictJson.URI)
                .getStructValue()
                .getFieldsOrThrow("route")
                .getStringValue())
        .isEqualTo("warn");
    assertThat(message.getField(7).getLengthDelimitedList())
        .extracting(uri -> uri.toStringUtf8())
        .containsExactly(EvidenceReader.URI, VerdictJson.URI);
    assertThat(Splicer.applyToBytes(annotated, again.strip())).isEqualTo(body);
  }

  private static UnknownFieldSet parse(byte[] message) throws InvalidProtocolBufferException {
    return UnknownFieldSet.parseFrom(message);
  }

  private static UnknownFieldSet parse(UnknownFieldSet outer, int number)
      throws InvalidProtocolBufferException {
    return UnknownFieldSet.parseFrom(outer.getField(number).getLengthDelimitedList().getFirst());
  }

  private static byte[] unframed(byte[] body) {
    assertThat(GrpcFraming.framed(Arrays.copyOfRange(body, 5, body.length))).isEqualTo(body);
    return Arrays.copyOfRange(body, 5, body.length);
  }

  @Test
  void S1_verdictThatTheAgentWrote_isCountedAndReplaced() {
    RequestView request = recordedRequest("v1.0");
    byte[] body = GrpcWire.framed("a2a-v1.0-message.res");
    ResponseView answer = Wire.readable(request.readResponse(GrpcWire.ok(), body));
    byte[] forged = Splicer.applyToBytes(body, answer.annotate(Wire.verdict()));
    ResponseView view = Wire.readable(request.readResponse(GrpcWire.ok(), forged));
    byte[] replaced = Splicer.applyToBytes(forged, view.annotate(Wire.verdict()));
    assertThat(replaced).isEqualTo(forged);
    assertThat(
            Wire.readable(
                    request.readResponse(GrpcWire.ok(), Splicer.applyToBytes(forged, view.strip())))
                .forgedVerdicts())
        .isZero();
  }

  @Test
  void compressedAnswer_isJudged_andKeepsItsBytesUnlessEdited() {
    RequestView request = recordedRequest("v1.0");
    byte[] plain = GrpcWire.recorded("a2a-v1.0-message.res").getFirst();
    byte[] body = GrpcFramingTest.frame(1, GrpcFramingTest.gzip(plain));
    ResponseHead head =
        new ResponseHead(
            200, Wire.fields(Map.of("content-type", "application/grpc", "grpc-encoding", "gzip")));
    ResponseView answer = Wire.readable(request.readResponse(head, body));
    assertThat(answer.message().orElseThrow().answer()).hasToString(SAID);
    assertThat(answer.strip()).isEmpty();
    byte[] annotated = Splicer.applyToBytes(body, answer.annotate(Wire.verdict()));
    assertThat(annotated[0]).isZero();
    assertThat(Wire.readable(request.readResponse(head, annotated)).message())
        .isEqualTo(answer.message());
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void repair_asksAgainUnderAFreshId(String version) {
    RequestView request = recordedRequest(version);
    ResponseView rejected =
        Wire.readable(
            request.readResponse(
                GrpcWire.ok(), GrpcWire.framed("a2a-" + version + "-message.res")));
    byte[] repaired = request.repair(rejected, "Cite [c1].", "fresh-1").orElseThrow();
    RequestView again = GrpcWire.asked(service(version) + "SendMessage", unframed(repaired));
    assertThat(again.correlation().messageId()).contains("fresh-1");
    assertThat(again.correlation().contextId()).isEqualTo(rejected.correlation().contextId());
    assertThat(again.message().orElseThrow().answer())
        .hasToString("grounded: confident\nCite [c1].");
  }

  @Test
  void repairAfterATask_namesItAndLeavesItUnlessItIsOpen() throws InvalidProtocolBufferException {
    byte[] part = new ProtoWriter().string(1, "Why?").toBytes();
    byte[] message =
        new ProtoWriter().string(3, "old-task").string(1, "m-1").bytes(5, part).toBytes();
    RequestView request =
        GrpcWire.asked(
            GrpcWire.CURRENT + "SendMessage", new ProtoWriter().bytes(2, message).toBytes());
    for (int state : new int[] {3, 6}) {
      ProtoWriter status = new ProtoWriter().number(1, state);
      ProtoWriter artifact =
          new ProtoWriter().string(1, "a").message(4, new ProtoWriter().string(1, "Because."));
      ProtoWriter task =
          new ProtoWriter()
              .string(1, "task-9")
              .string(2, "ctx-9")
              .message(3, status)
              .message(4, artifact);
      byte[] body = GrpcFraming.framed(new ProtoWriter().message(1, task).toBytes());
      ResponseView rejected = Wire.readable(request.readResponse(GrpcWire.ok(), body));
      byte[] repaired = request.repair(rejected, "Say more.", "m-2").orElseThrow();
      UnknownFieldSet again = parse(parse(unframed(repaired)), 2);
      assertThat(again.getField(1).getLengthDelimitedList()).hasSize(1);
      assertThat(again.getField(2).getLengthDelimitedList().getFirst().toStringUtf8())
          .isEqualTo("ctx-9");
      assertThat(again.getField(8).getLengthDelimitedList().getFirst().toStringUtf8())
          .isEqualTo("task-9");
      assertThat(again.getField(3).getLengthDelimitedList()).hasSize(state == 6 ? 1 : 0);
      assertThat(again.getField(5).getLengthDelimitedList()).hasSize(2);
    }
  }

  @Test
  void heldAnswer_becomesAWorkingTask() throws InvalidProtocolBufferException {
    RequestView request = recordedRequest("v1.0");
    ResponseView held =
        Wire.readable(request.readResponse(GrpcWire.ok(), GrpcWire.framed("a2a-v1.0-message.res")));
    Refusal refusal = request.refuse(Wire.notice(Notice.Kind.YIELD), held);
    assertThat(refusal.status()).isEqualTo(200);
    assertThat(refusal.contentType()).isEqualTo("application/grpc");
    assertThat(refusal.trailers()).containsExactlyEntriesOf(Map.of("grpc-status", "0"));
    UnknownFieldSet task = parse(parse(unframed(refusal.body())), 1);
    assertThat(task.getField(2).getLengthDelimitedList().getFirst().toStringUtf8())
        .isEqualTo(held.correlation().contextId().orElseThrow());
    assertThat(parse(task, 3).getField(1).getVarintList()).containsExactly(2L);
    Struct metadata = Struct.parseFrom(task.getField(6).getLengthDelimitedList().getFirst());
    assertThat(metadata.getFieldsMap())
        .containsKeys(VerdictJson.URI, VerdictJson.URI + "/review", VerdictJson.URI + "/code");
    ResponseView read = Wire.readable(request.readResponse(GrpcWire.ok(), refusal.body()));
    assertThat(read.message().orElseThrow().answer().toString())
        .contains("Grounding is too low.")
        .contains("rv-1");
  }

  @Test
  void aReleasedAnswer_completesTheTask_withItsPartsAsTheyWere()
      throws InvalidProtocolBufferException {
    byte[] held = GrpcWire.framed("a2a-v1.0-message.res");
    RequestView request = GrpcWire.asked("GetTask");
    for (String protocol : List.of(request.protocol().name(), "openai-chat")) {
      Refusal reply =
          request
              .complete(
                  new HeldAnswer(
                      protocol, held, Utf8Span.of("The text."), Wire.notice(Notice.Kind.RELEASED)))
              .orElseThrow();
      UnknownFieldSet task = parse(unframed(reply.body()));
      assertThat(parse(task, 3).getField(1).getVarintList()).containsExactly(3L);
      UnknownFieldSet artifact = parse(task, 4);
      if (protocol.startsWith("a2a")) {
        assertThat(artifact.getField(4)).isEqualTo(parse(parse(unframed(held)), 2).getField(5));
      } else {
        assertThat(
                parse(artifact, 4).getField(1).getLengthDelimitedList().getFirst().toStringUtf8())
            .isEqualTo("The text.");
      }
      assertThat(Wire.readable(request.readResponse(GrpcWire.ok(), reply.body())).message())
          .isPresent();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GetTask,1",
    "CancelTask,1",
    "SendMessage,1",
    "SendStreamingMessage,1",
    "SubscribeToTask,1",
    "ListTasks,0",
    "GetExtendedAgentCard,0",
    "GetTaskPushNotificationConfig,0"
  })
  void heldAnswer_isATaskWhereTheMethodAnswersWithOne(String method, int tasks) {
    Refusal refusal = GrpcWire.asked(method).refuse(Wire.notice(Notice.Kind.YIELD));
    assertThat(refusal.body().length > 0 ? 1 : 0).isEqualTo(tasks);
    assertThat(refusal.trailers()).containsEntry("grpc-status", tasks == 1 ? "0" : "9");
  }

  @Test
  void ListTasks_asksForFewer_andShowsWhatIsHeldInFrontOfThem() throws Exception {
    byte[] asked =
        new ProtoWriter()
            .string(2, "ctx-1")
            .number(3, 2)
            .number(4, 10)
            .message(7, new ProtoWriter().number(1, 1_700_000_000))
            .toBytes();
    TaskListing listing =
        GrpcWire.asked(GrpcWire.CURRENT + "ListTasks", asked).taskListing().orElseThrow();
    HeldAnswer held =
        new HeldAnswer(
            "a2a-1.0",
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"messageId\":\"m\",\"role\":"
                    + "\"ROLE_AGENT\",\"contextId\":\"ctx-1\",\"parts\":[{\"text\":\"no\"}]}}}"),
            Utf8Span.of("no"),
            Wire.notice(Notice.Kind.YIELD));
    assertThat(listing.asksFor(held, 1_800_000_000_000L)).isTrue();
    assertThat(listing.asksFor(held, 1_600_000_000_000L)).isFalse();

    UnknownFieldSet smaller =
        UnknownFieldSet.parseFrom(unframed(listing.smaller(3).orElseThrow().body().orElseThrow()));
    assertThat(smaller.getField(4).getVarintList()).endsWith(7L);
    assertThat(smaller.getField(2).getLengthDelimitedList()).hasSize(1);

    byte[] own =
        new ProtoWriter()
            .message(1, new ProtoWriter().string(1, "t-1").string(2, "ctx-1"))
            .number(3, 7)
            .number(4, 20)
            .toBytes();
    byte[] answer = listing.with(List.of(held), GrpcFraming.framed(own)).orElseThrow();
    UnknownFieldSet list = UnknownFieldSet.parseFrom(unframed(answer));
    List<ByteString> tasks = list.getField(1).getLengthDelimitedList();
    assertThat(tasks).hasSize(2);
    UnknownFieldSet first = UnknownFieldSet.parseFrom(tasks.getFirst());
    assertThat(first.getField(1).getLengthDelimitedList().getFirst().toStringUtf8())
        .startsWith("parlance-task-");
    assertThat(first.getField(2).getLengthDelimitedList().getFirst().toStringUtf8())
        .isEqualTo("ctx-1");
    assertThat(
            UnknownFieldSet.parseFrom(first.getField(3).getLengthDelimitedList().getFirst())
                .getField(1)
                .getVarintList())
        .containsExactly(2L);
    assertThat(tasks.getLast().toStringUtf8()).contains("t-1");
    assertThat(list.getField(3).getVarintList()).endsWith(10L);
    assertThat(list.getField(4).getVarintList()).endsWith(21L);
    ResponseView read =
        ((Reading.Readable<ResponseView>)
                GrpcWire.asked(GrpcWire.CURRENT + "ListTasks", asked)
                    .readResponse(GrpcWire.ok(), answer))
            .view();
    assertThat(read.message()).as("nothing to judge for a sidecar further on").isEmpty();
    assertThat(read.unread()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "REGENERATE,10",
    "UNJUDGED,9",
    "MALFORMED,3",
    "QUEUE_REFUSED,8",
    "UPSTREAM,14",
    "ROUND_REFUSED,9",
    "UNAVAILABLE,14"
  })
  void otherRefusals_areAStatusWithDetails(Notice.Kind kind, String code)
      throws InvalidProtocolBufferException {
    Refusal refusal = recordedRequest("v1.0").refuse(Wire.notice(kind));
    assertThat(refusal.status()).isEqualTo(200);
    assertThat(refusal.body()).isEmpty();
    assertThat(refusal.trailers())
        .containsEntry("grpc-status", code)
        .containsEntry("grpc-message", "Grounding is too low.");
    String details = refusal.trailers().get("grpc-status-details-bin");
    assertThat(details).doesNotContain("=");
    com.google.rpc.Status status =
        com.google.rpc.Status.parseFrom(java.util.Base64.getDecoder().decode(details));
    assertThat(status.getCode()).isEqualTo(Integer.parseInt(code));
    com.google.rpc.ErrorInfo info = status.getDetails(0).unpack(com.google.rpc.ErrorInfo.class);
    assertThat(info.getDomain()).isEqualTo("parlance.dev");
    assertThat(info.getMetadataMap()).containsEntry("route", "warn").containsKey("code");
  }

  @ParameterizedTest
  @CsvSource({
    "body_too_large,8", "inflation_limit,8", "protobuf_limit,8", "json_limit,8", "bad_coding,12",
    "bad_frame,13", "incomplete,13", "bad_protobuf,3", "bad_encoding,3", "duplicate_key,3",
    "headers_too_large,3"
  })
  void G16_faults_haveTheirStatus(String fault, String code) {
    Notice notice =
        new Notice(
            Notice.Kind.MALFORMED,
            fault,
            "caf\u00e9 at 100 %",
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Refusal refusal =
        Wire.CODECS.refuseUnread(
            "auto", GrpcWire.head(GrpcWire.CURRENT + "SendMessage"), PlainBody.none(), notice);
    assertThat(refusal.trailers())
        .containsEntry("grpc-status", code)
        .containsEntry("grpc-message", "caf%C3%A9 at 100 %25");
  }

  @Test
  void unknownMethods_areUnimplemented() {
    for (String path :
        List.of(
            GrpcWire.CURRENT + "SendMessage?x=1",
            GrpcWire.CURRENT + "SendMessage/",
            "/v2.A2AService/SendMessage",
            "/LF.a2a.v1.A2AService/SendMessage")) {
      assertThat(Wire.unjudged(GrpcWire.read(path, new byte[0]))).isEqualTo("method");
      Refusal refusal =
          Wire.CODECS.refuseUnread(
              "auto", GrpcWire.head(path), PlainBody.none(), Wire.notice(Notice.Kind.UNJUDGED));
      assertThat(refusal.trailers()).containsEntry("grpc-status", "12");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/grpc-web", "application/grpc-web+proto", "application/grpc+json"})
  void otherFlavoursOfGrpc_areUnjudged(String type) {
    RequestHead head =
        GrpcWire.head(GrpcWire.CURRENT + "SendMessage", Map.of("content-type", type));
    byte[] body = GrpcWire.framed("a2a-v1.0-message.req");
    assertThat(Wire.unjudged(Wire.CODECS.read("auto", JsonPointers.NONE, head, body)))
        .isEqualTo("content_type");
  }

  @Test
  void errorText_isReadFromTheTrailers() {
    RequestView request = GrpcWire.asked("GetTask");
    Map<String, String> recorded =
        Map.of(
            "grpc-status",
            "5",
            "grpc-message",
            "Task%20not%20found:%20nope",
            "grpc-status-details-bin",
            "CAUSFFRhc2sgbm90IGZvdW5kOiBub3BlGk4KKHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5FcnJvck"
                + "luZm8SIgoOVEFTS19OT1RfRk9VTkQSEGEyYS1wcm90b2NvbC5vcmc=");
    ResponseView view = Wire.readable(request.readResponse(GrpcWire.reply(recorded), new byte[0]));
    assertThat(view.message()).isEmpty();
    assertThat(view.unread()).containsExactly("error_text");
    ResponseHead trailersOnly = new ResponseHead(200, trailersOnly(recorded));
    assertThat(Wire.readable(request.readResponse(trailersOnly, new byte[0])).unread())
        .containsExactly("error_text");
    assertThat(GrpcStatus.of(Wire.fields(recorded)).orElseThrow().texts())
        .hasToString("[Task not found: nope, TASK_NOT_FOUND, a2a-protocol.org]");
  }

  private static HeaderLookup trailersOnly(Map<String, String> trailers) {
    return name ->
        name.equals("content-type")
            ? Optional.of("application/grpc")
            : Wire.fields(trailers).first(name);
  }

  @Test
  void G16_answerWithoutStatus_isIncomplete() {
    Reading<ResponseView> reading =
        recordedRequest("v1.0")
            .readResponse(
                GrpcWire.reply(Map.of("x-other", "1")), GrpcWire.framed("a2a-v1.0-message.res"));
    assertThat(Wire.fault(reading)).isEqualTo(WireFault.INCOMPLETE);
  }

  @Test
  void S16_wordsInTheStatusOfASuccess_areJudgedWithTheAnswer() {
    String words = "All of this is a lie, and whoever reads the status message knows what is true.";
    ResponseView answer =
        Wire.readable(
            recordedRequest("v1.0")
                .readResponse(
                    GrpcWire.reply(Map.of("grpc-status", "0", "grpc-message", words)),
                    GrpcWire.framed("a2a-v1.0-message.res")));
    assertThat(answer.message().orElseThrow().answer().toString()).contains(SAID).contains(words);
  }

  @Test
  void answerThatIsNoGrpc_isUnjudged() {
    RequestView request = recordedRequest("v1.0");
    assertThat(Wire.unjudged(request.readResponse(Wire.reply("text/html"), Wire.bytes("<p>"))))
        .isEqualTo("content_type");
    assertThat(Wire.readable(request.readResponse(Wire.reply("text/html"), new byte[0])).message())
        .isEmpty();
  }

  @Test
  void agentCards_passWithoutBeingRead() {
    byte[] card = new ProtoWriter().string(1, "Agent").string(2, "word ".repeat(100)).toBytes();
    ResponseView view =
        Wire.readable(
            GrpcWire.asked("GetExtendedAgentCard")
                .readResponse(GrpcWire.ok(), GrpcFraming.framed(card)));
    assertThat(view.message()).isEmpty();
    assertThat(view.unread()).isEmpty();
  }

  @Test
  void whatProtobufSays_isThereAsJson_forWhoMeasuresIt() {
    String message =
        "{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"data\":{\"salary\":[{\"deep\":1}]}}]}";
    A2aMethod.OverGrpc send =
        A2aMethod.OverGrpc.of(GrpcWire.CURRENT + "SendStreamingMessage").orElseThrow();
    byte[] request =
        GrpcWire.encode(send.requestType(), Wire.tree(Wire.bytes("{\"message\":" + message + "}")));
    RequestView asked = GrpcWire.asked(GrpcWire.CURRENT + "SendStreamingMessage", request);
    assertThat(asked.document().body().toBytes())
        .asString()
        .contains("\"parts\":[{\"data\":{\"salary\":[{\"deep\":1}]}}]");
    byte[] event =
        GrpcWire.encode(send.answerType(), Wire.tree(Wire.bytes("{\"message\":" + message + "}")));
    StreamReader reader = asked.readStream(GrpcWire.ok()).orElseThrow();
    assertThat(reader.framing().feed(Unpooled.wrappedBuffer(GrpcFraming.framed(event)))).isEmpty();
    Frame frame = reader.framing().next().orElseThrow();
    assertThat(reader.asJson(frame).body().toBytes()).asString().contains("\"salary\"");
    RequestView whole = GrpcWire.asked(GrpcWire.CURRENT + "SendMessage", request);
    ResponseView answer =
        Wire.readable(whole.readResponse(GrpcWire.ok(), PlainBody.of(GrpcFraming.framed(event))));
    assertThat(answer.document().body().toBytes()).asString().contains("\"salary\"");
  }

  @Test
  void numbersAreWrittenAsJavaScriptWritesThem() {
    Map<Double, String> expected =
        Map.of(
            5.0,
            "5",
            -0.0,
            "0",
            0.1,
            "0.1",
            1e21,
            "1e+21",
            1.5e300,
            "1.5e+300",
            1e-7,
            "1e-7",
            -2.5e-9,
            "-2.5e-9",
            123456789012345680000.0,
            "123456789012345680000",
            Double.NaN,
            "\"NaN\"");
    expected.forEach((value, text) -> assertThat(ProtoJson.number(value)).isEqualTo(text));
  }
}
