package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.proto.ProtoWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is left of statements on rounds in drawn content, by another parser that knows the rule in
 * one line: a claim or a proposal stays in an object that speaks for the whole message.
 */
class RoundCutsTest {
  private static final int DRAWS = 200 * Integer.getInteger("soak", 5);
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final Pattern SPEAKER =
      Pattern.compile(
          "/params/message"
              + "|/result/(message|task|artifactUpdate/artifact)"
              + "|/result/task/artifacts/\\d+"
              + "|/result/(task|statusUpdate)/status/message");

  private static byte[] request(ObjectNode message) {
    ObjectNode call = JSON.objectNode().put("jsonrpc", "2.0").put("id", 1);
    call.put("method", "SendMessage").putObject("params").set("message", message);
    return Wire.bytes(call.toString());
  }

  private static byte[] result(JsonNode result) {
    ObjectNode reply = JSON.objectNode().put("jsonrpc", "2.0").put("id", 1);
    reply.set("result", result);
    return Wire.bytes(reply.toString());
  }

  /** The body as it has to be without verdicts and unchecked statements. */
  private static int clean(JsonNode node, String path) {
    int cut = 0;
    if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        cut += clean(array.get(i), path + "/" + i);
      }
    } else if (node instanceof ObjectNode object) {
      for (String name : List.copyOf(object.propertyNames())) {
        if (name.equals("metadata")) {
          cut += cleanMetadata(object, path);
        } else if (!name.equals("data")) {
          cut += clean(object.get(name), path + "/" + name);
        }
      }
    }
    return cut;
  }

  private static int cleanMetadata(ObjectNode object, String path) {
    ObjectNode metadata = (ObjectNode) object.get("metadata");
    if (metadata.has(VerdictJson.URI)) {
      metadata.remove(VerdictJson.URI);
      forget(object, VerdictJson.URI);
    }
    boolean speaks = SPEAKER.matcher(path).matches();
    if (!metadata.has(RoundMark.URI) || (speaks && !saysNothing(metadata.get(RoundMark.URI)))) {
      return 0;
    }
    metadata.remove(RoundMark.URI);
    forget(object, RoundMark.URI);
    return 1;
  }

  private static boolean saysNothing(JsonNode statement) {
    return statement.isNull()
        || (statement.isObject()
            && !statement.hasNonNull("verdict")
            && !statement.hasNonNull("outcome"));
  }

  private static void forget(ObjectNode object, String uri) {
    if (object.get("extensions") instanceof ArrayNode extensions) {
      for (int i = 0; i < extensions.size(); i++) {
        if (extensions.get(i).stringValue().equals(uri)) {
          extensions.remove(i);
          return;
        }
      }
    }
  }

  @Test
  void ofRequestsAndAnswers_exactlyThatIsCut() {
    RequestView asked = Wire.a2a(request(new A2aContent(-1).message("ROLE_USER")));
    int cuts = 0;
    int kept = 0;
    for (int seed = 0; seed < DRAWS; seed++) {
      byte[] question = request(new A2aContent(seed).message("ROLE_USER"));
      byte[] answer = result(new A2aContent(seed).answer());
      Reading<? extends Annotatable> heard = Wire.read("a2a", question);
      Reading<? extends Annotatable> said = asked.readResponse(Wire.OK_JSON, answer);
      for (byte[] body : List.of(question, answer)) {
        Reading<? extends Annotatable> reading = Arrays.equals(body, question) ? heard : said;
        if (!(reading instanceof Reading.Readable<? extends Annotatable> readable)) {
          continue;
        }
        Annotatable view = readable.view();
        JsonNode expected = Wire.tree(body);
        int expectedCuts = clean(expected, "");
        assertThat(view.cutRounds()).as("seed %d", seed).isEqualTo(expectedCuts);
        byte[] stripped = Splicer.applyToBytes(body, view.strip());
        assertThat(Wire.tree(stripped)).as("seed %d", seed).isEqualTo(expected);
        JsonNode annotated = Wire.tree(Splicer.applyToBytes(body, view.annotate(Wire.verdict())));
        clean(annotated, "");
        assertThat(Wire.withoutEmpty(annotated))
            .as("seed %d", seed)
            .isEqualTo(Wire.withoutEmpty(expected));
        cuts += expectedCuts;
        kept += expected.toString().contains(RoundMark.URI) ? 1 : 0;
      }
    }
    assertThat(cuts).isGreaterThan(DRAWS / 10);
    assertThat(kept).isGreaterThan(DRAWS / 10);
  }

  // ---- protobuf ----

  private static ObjectNode spoken(String statement) {
    ObjectNode message = JSON.objectNode().put("messageId", "m").put("role", "ROLE_AGENT");
    message.putArray("parts").addObject().put("text", "It is.");
    if (!statement.isEmpty()) {
      message.putObject("metadata").put("a", 1).set(RoundMark.URI, Wire.tree(statement));
    }
    return message;
  }

  private static byte[] unframed(byte[] body) {
    return Arrays.copyOfRange(body, GrpcFraming.PREFIX_BYTES, body.length);
  }

  /** HeaderLookup of the message in an answer, by number. */
  private static UnknownFieldSet message(byte[] body) throws InvalidProtocolBufferException {
    UnknownFieldSet event = UnknownFieldSet.parseFrom(unframed(body));
    return UnknownFieldSet.parseFrom(event.getField(2).getLengthDelimitedList().getFirst());
  }

  @Test
  void inProtobuf_aClaimStaysByteForByte_andTheVerdictStandsBesideIt()
      throws InvalidProtocolBufferException {
    ObjectNode answer = JSON.objectNode();
    answer.set(
        "message",
        spoken("{\"round\":\"r\",\"epoch\":2,\"outcome\":{\"kind\":\"abort\",\"verdict\":null}}"));
    byte[] body = GrpcFraming.framed(GrpcWire.encode(ProtoSchema.V1_0.event(), answer));
    RequestView asked = GrpcWire.asked("SendMessage");
    ResponseView view = Wire.readable(asked.readResponse(GrpcWire.ok(), body));
    assertThat(view.round())
        .isEqualTo(
            new RoundMark.Claim(
                new RoundId("r", 2),
                "abort",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    assertThat(view.strip()).isEmpty();
    byte[] annotated = Splicer.applyToBytes(body, view.annotate(Wire.verdict()));
    UnknownFieldSet before = message(body);
    UnknownFieldSet after = message(annotated);
    for (int number : new int[] {1, 4, 5}) {
      assertThat(after.getField(number)).isEqualTo(before.getField(number));
    }
    byte[] struct = after.getField(6).getLengthDelimitedList().getFirst().toByteArray();
    byte[] old = before.getField(6).getLengthDelimitedList().getFirst().toByteArray();
    assertThat(struct).startsWith(old);
    assertThat(Wire.readable(asked.readResponse(GrpcWire.ok(), annotated)).round())
        .isEqualTo(view.round());
  }

  @Test
  void inProtobuf_aCutLeavesTheBytesOfABodyThatNeverHadIt() {
    ObjectNode answer = JSON.objectNode();
    ObjectNode task = answer.putObject("task").put("id", "t");
    task.putArray("artifacts")
        .addObject()
        .put("artifactId", "a")
        .putArray("parts")
        .addObject()
        .put("text", "It is so.");
    ArrayNode history = task.putArray("history");
    history.add(spoken("{\"round\":\"r\",\"outcome\":{\"kind\":\"semantic_commit\"}}"));
    byte[] body = GrpcFraming.framed(GrpcWire.encode(ProtoSchema.V1_0.event(), answer));
    ((ObjectNode) history.get(0).get("metadata")).remove(RoundMark.URI);
    byte[] clean = GrpcFraming.framed(GrpcWire.encode(ProtoSchema.V1_0.event(), answer));
    RequestView asked = GrpcWire.asked("SendMessage");
    ResponseView view = Wire.readable(asked.readResponse(GrpcWire.ok(), body));
    assertThat(view.round()).isEqualTo(RoundMark.NONE);
    assertThat(view.cutRounds()).isEqualTo(1);
    assertThat(Splicer.applyToBytes(body, view.strip())).isEqualTo(clean);
  }

  @Test
  void inProtobuf_aStatementTwiceInOneStruct_isMalformed() {
    byte[] one = ProtoWriter.struct(Wire.bytes("{\"round\":\"r\",\"verdict\":\"A\"}"));
    byte[] other = ProtoWriter.struct(Wire.bytes("{\"round\":\"r\",\"verdict\":\"B\"}"));
    ProtoWriter metadata = new ProtoWriter();
    for (byte[] struct : List.of(one, other)) {
      metadata.message(
          1,
          new ProtoWriter()
              .string(1, RoundMark.URI)
              .message(2, new ProtoWriter().bytes(5, struct)));
    }
    ProtoWriter message =
        new ProtoWriter()
            .string(1, "m")
            .message(5, new ProtoWriter().string(1, "Is it so?"))
            .message(6, metadata);
    Reading<RequestView> reading =
        GrpcWire.read(
            GrpcWire.CURRENT + "SendMessage", new ProtoWriter().message(2, message).toBytes());
    assertThat(Wire.fault(reading)).isEqualTo(WireFault.DUPLICATE_KEY);
  }

  @Test
  void inProtobuf_theStatusOfTheRoundIsWrittenOnce_andReadAtTheNextHop() {
    RoundStatus ended =
        new RoundStatus(
            new RoundId("r", 1),
            "expired",
            0,
            Optional.of(
                new RoundStatus.Ended(
                    "abort",
                    Optional.of("INSUFFICIENT_DELIVERY"),
                    Optional.empty(),
                    Optional.empty(),
                    "parlance-outcome-1\n{}\n\n\u2014 c AQID\n")));
    ObjectNode answer = JSON.objectNode();
    ObjectNode task = answer.putObject("task").put("id", "t");
    ObjectNode artifact = task.putArray("artifacts").addObject().put("artifactId", "a");
    artifact.putArray("parts").addObject().put("text", "It is so.");
    artifact
        .putObject("metadata")
        .set(RoundMark.URI, Wire.tree("{\"round\":\"r\",\"verdict\":\"YES\"}"));
    byte[] body = GrpcFraming.framed(GrpcWire.encode(ProtoSchema.V1_0.event(), answer));
    RequestView asked = GrpcWire.asked("SendMessage");
    ResponseView view = Wire.readable(asked.readResponse(GrpcWire.ok(), body));
    assertThat(view.round()).isInstanceOf(RoundMark.Proposal.class);
    byte[] annotated = Splicer.applyToBytes(body, view.annotate(Wire.verdict().withRound(ended)));
    ResponseView next = Wire.readable(asked.readResponse(GrpcWire.ok(), annotated));
    assertThat(next.round())
        .isEqualTo(
            new RoundMark.Claim(
                ended.id(),
                "abort",
                Optional.of("INSUFFICIENT_DELIVERY"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(ended.ended().orElseThrow().note())));
    String text = new String(annotated, StandardCharsets.ISO_8859_1);
    assertThat(text.split(Pattern.quote(RoundMark.URI), -1)).hasSize(2);
  }
}
