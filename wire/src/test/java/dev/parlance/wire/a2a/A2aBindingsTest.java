package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.proto.ProtoType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** S18: the same content is judged alike, whichever binding brings it. */
class A2aBindingsTest {
  private static final int ROUNDS = 400;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ResponseHead EVENTS = Wire.reply("text/event-stream");

  enum Service {
    CURRENT(GrpcWire.CURRENT, "SubscribeToTask"),
    OLD(GrpcWire.OLD, "TaskSubscription");

    private final String path;
    private final String subscribe;

    Service(String path, String subscribe) {
      this.path = path;
      this.subscribe = subscribe;
    }

    ProtoSchema schema() {
      return this == CURRENT ? ProtoSchema.V1_0 : ProtoSchema.V0_3;
    }

    RequestView ask(String method, ProtoType type, ObjectNode params) {
      return GrpcWire.asked(path + method, GrpcWire.encode(type, params));
    }

    Reading<RequestView> read(String method, ProtoType type, ObjectNode params) {
      return GrpcWire.read(path + method, GrpcWire.encode(type, params));
    }
  }

  private static Reading<RequestView> jsonRpc(String method, ObjectNode params) {
    ObjectNode call = JSON.objectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    call.set("params", params);
    return Wire.read("a2a", Wire.bytes(call.toString()));
  }

  private static Reading<RequestView> rest(ObjectNode params) {
    RequestHead head =
        new RequestHead(
            "POST",
            "/message:send",
            Wire.fields(Map.of("content-type", "application/json", "a2a-version", "1.0")));
    return Wire.CODECS.read("auto", JsonPointers.NONE, head, Wire.bytes(params.toString()));
  }

  private static byte[] result(ObjectNode result) {
    ObjectNode reply = JSON.objectNode().put("jsonrpc", "2.0").put("id", 1);
    reply.set("result", result);
    return Wire.bytes(reply.toString());
  }

  private static ObjectNode question() {
    ObjectNode params = JSON.objectNode();
    params.set("message", new A2aContent(77).message("ROLE_USER"));
    return params;
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void S18_requests_areReadAlike(Service service) {
    for (int seed = 0; seed < ROUNDS; seed++) {
      ObjectNode params = JSON.objectNode();
      params.set("message", new A2aContent(seed).message("ROLE_USER"));
      Reading<RequestView> json = jsonRpc("SendMessage", params);
      Reading<RequestView> grpc =
          service.read("SendMessage", service.schema().sendRequest(), params);
      Reading<RequestView> rest = rest(params);
      if (json instanceof Reading.Readable<RequestView>(RequestView expected)) {
        for (RequestView view : List.of(Wire.readable(grpc), Wire.readable(rest))) {
          assertThat(view.message()).as("seed %d", seed).isEqualTo(expected.message());
          assertThat(view.question()).isEqualTo(expected.question());
          assertThat(view.unread()).isEqualTo(expected.unread());
          assertThat(view.correlation()).isEqualTo(expected.correlation());
          assertThat(view.forgedVerdicts()).isEqualTo(expected.forgedVerdicts());
          assertThat(view.round()).as("seed %d", seed).isEqualTo(expected.round());
          assertThat(view.cutRounds()).as("seed %d", seed).isEqualTo(expected.cutRounds());
        }
      } else {
        assertThat(grpc).isEqualTo(json);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void S18_answers_areReadAlike(Service service) {
    RequestView jsonAsked = Wire.readable(jsonRpc("SendMessage", question()));
    RequestView restAsked = Wire.readable(rest(question()));
    RequestView grpcAsked = service.ask("SendMessage", service.schema().sendRequest(), question());
    int read = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      ObjectNode answer = new A2aContent(seed).answer();
      byte[] body = GrpcFraming.framed(GrpcWire.encode(service.schema().event(), answer));
      Reading<ResponseView> json = jsonAsked.readResponse(Wire.OK_JSON, result(answer));
      Reading<ResponseView> grpc = grpcAsked.readResponse(GrpcWire.ok(), body);
      Reading<ResponseView> rest =
          restAsked.readResponse(Wire.OK_JSON, Wire.bytes(answer.toString()));
      if (json instanceof Reading.Readable<ResponseView>(ResponseView expected)) {
        read++;
        ResponseView view = Wire.readable(grpc);
        assertAlike(seed, view, expected);
        assertAlike(seed, Wire.readable(rest), expected);
        assertThat(view.forgedVerdicts()).isEqualTo(expected.forgedVerdicts());
        assertThat(view.round()).as("seed %d", seed).isEqualTo(expected.round());
        assertThat(view.cutRounds()).as("seed %d", seed).isEqualTo(expected.cutRounds());
        byte[] annotated = Splicer.applyToBytes(body, view.annotate(Wire.verdict()));
        ResponseView again = Wire.readable(grpcAsked.readResponse(GrpcWire.ok(), annotated));
        assertAlike(seed, again, expected);
        byte[] stripped = Splicer.applyToBytes(annotated, again.strip());
        ResponseView bare = Wire.readable(grpcAsked.readResponse(GrpcWire.ok(), stripped));
        assertThat(bare.forgedVerdicts()).isZero();
        assertThat(bare.cutRounds()).isZero();
        assertThat(bare.round()).isEqualTo(expected.round());
      } else {
        assertThat(grpc).as("seed %d", seed).isEqualTo(json);
      }
    }
    assertThat(read).isGreaterThan(ROUNDS / 2);
  }

  private static void assertAlike(int seed, ResponseView view, ResponseView expected) {
    assertThat(view.message()).as("seed %d", seed).isEqualTo(expected.message());
    assertThat(view.unread()).as("seed %d", seed).isEqualTo(expected.unread());
    assertThat(view.correlation()).isEqualTo(expected.correlation());
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void S18_taskReadsAndLists_areReadAlike(Service service) {
    ObjectNode id = JSON.objectNode().put("id", "task-1");
    RequestView jsonGet = Wire.readable(jsonRpc("GetTask", id));
    RequestView grpcGet = service.ask("GetTask", service.schema().taskRequest(), id);
    RequestView jsonList = Wire.readable(jsonRpc("ListTasks", JSON.objectNode()));
    RequestView grpcList =
        service.ask("ListTasks", service.schema().listRequest(), JSON.objectNode());
    for (int seed = 0; seed < ROUNDS / 4; seed++) {
      A2aContent content = new A2aContent(seed);
      ObjectNode task = content.task();
      compare(
          seed,
          jsonGet.readResponse(Wire.OK_JSON, result(task)),
          grpcGet.readResponse(
              GrpcWire.ok(), GrpcFraming.framed(GrpcWire.encode(service.schema().task(), task))));
      ObjectNode list = JSON.objectNode();
      list.putArray("tasks").add(task).add(content.task());
      list.put("nextPageToken", "p2").put("pageSize", 2).put("totalSize", 9);
      compare(
          seed,
          jsonList.readResponse(Wire.OK_JSON, result(list)),
          grpcList.readResponse(
              GrpcWire.ok(), GrpcFraming.framed(GrpcWire.encode(service.schema().list(), list))));
    }
  }

  private static void compare(int seed, Reading<ResponseView> json, Reading<ResponseView> grpc) {
    if (json instanceof Reading.Readable<ResponseView>(ResponseView expected)) {
      assertAlike(seed, Wire.readable(grpc), expected);
    } else {
      assertThat(grpc).isEqualTo(json);
    }
  }

  /** What the gate sees of an event, without its edits. */
  private static String shape(StreamEvent event) {
    return switch (event) {
      case StreamEvent.Silent(boolean overtakes, Annotatable edits) ->
          "silent " + overtakes + " " + edits.forgedVerdicts();
      case StreamEvent.Said(boolean complete, List<String> unread, Annotatable edits) ->
          "said " + complete + " " + unread + " " + edits.forgedVerdicts();
      case StreamEvent.Aside(var message, Annotatable _) -> "aside " + message;
      case StreamEvent.Failed(var error, boolean _, Annotatable _) -> "failed " + error.number();
      case StreamEvent.Unjudged(String what) -> "unjudged " + what;
      case StreamEvent.Foreign(String what) -> "foreign " + what;
      case StreamEvent.Malformed(WireFault fault, String _) -> "malformed " + fault;
    };
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void S18_streams_areHeardAlike(Service service) {
    RequestView jsonAsked = Wire.readable(jsonRpc("SendStreamingMessage", question()));
    RequestView grpcAsked =
        service.ask("SendStreamingMessage", service.schema().sendRequest(), question());
    Random random = new Random(1);
    for (int seed = 0; seed < ROUNDS; seed++) {
      List<ObjectNode> events = new A2aContent(seed).events();
      StreamReader json = jsonAsked.readStream(EVENTS).orElseThrow();
      StreamReader grpc = grpcAsked.readStream(GrpcWire.ok()).orElseThrow();
      List<byte[]> sse = new ArrayList<>();
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (ObjectNode event : events) {
        sse.add(json.framing().frame(result(event)));
        frames.writeBytes(GrpcFraming.framed(GrpcWire.encode(service.schema().event(), event)));
      }
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      sse.forEach(lines::writeBytes);
      Streamed.Heard expected = Streamed.hear(json, lines.toByteArray());
      Streamed.Heard heard = Streamed.hear(grpc, frames.toByteArray(), 1 + seed % 97, random);
      assertThat(heard.events().stream().map(A2aBindingsTest::shape))
          .as("seed %d", seed)
          .isEqualTo(expected.events().stream().map(A2aBindingsTest::shape).toList());
      assertThat(grpc.said()).isEqualTo(json.said());
      assertThat(grpc.saidBytes()).isEqualTo(json.saidBytes());
      assertThat(grpc.isOpen()).isEqualTo(json.isOpen());
      assertThat(grpc.soFar().correlation()).isEqualTo(json.soFar().correlation());
      assertThat(grpc.soFar().message()).isEqualTo(json.soFar().message());
    }
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void S18_subscriptions_areHeardAsStreams(Service service) {
    ObjectNode id = JSON.objectNode().put("id", "tasks/task-1");
    RequestView asked = service.ask(service.subscribe, service.schema().taskRequest(), id);
    assertThat(asked.correlation().taskId()).contains("task-1");
    Optional<StreamReader> reader = asked.readStream(GrpcWire.ok());
    assertThat(reader).isPresent();
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (ObjectNode event : new A2aContent(5).events()) {
      frames.writeBytes(GrpcFraming.framed(GrpcWire.encode(service.schema().event(), event)));
    }
    Streamed.Heard heard = Streamed.hear(reader.get(), frames.toByteArray());
    assertThat(heard.said()).isNotEmpty();
    assertThat(heard.complete()).isTrue();
  }
}
