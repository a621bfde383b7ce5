package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.proto.ProtoWriter;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class A2aGrpcStreamTest {
  private static final String ANSWER =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres [c1].";
  private static final String SAID = ANSWER + "\nanswer\nlooking it up";

  private static RequestView asked(String version) {
    String service = version.equals("v1.0") ? GrpcWire.CURRENT : GrpcWire.OLD;
    return GrpcWire.asked(
        service + "SendStreamingMessage",
        GrpcWire.recorded("a2a-" + version + "-stream.req").getFirst());
  }

  private static StreamReader reader(RequestView asked) {
    return asked.readStream(GrpcWire.ok()).orElseThrow();
  }

  private static byte[] recorded(String version) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    GrpcWire.recorded("a2a-" + version + "-stream.res")
        .forEach(message -> out.writeBytes(GrpcFraming.framed(message)));
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void recordedStream_saysWhatTheTaskSays(String version) {
    Streamed.Heard heard = Streamed.hear(reader(asked(version)), recorded(version));
    assertThat(heard.said()).isEqualTo(SAID);
    assertThat(heard.reader().said().evidence().source()).isEqualTo(EvidenceSource.DECLARED);
    assertThat(heard.reader().said().evidence().chunks()).hasSize(3);
    assertThat(heard.reader().isOpen()).isFalse();
    assertThat(heard.complete()).isTrue();
    assertThat(heard.events().getFirst()).isInstanceOf(StreamEvent.Silent.class);
    assertThat(heard.reader().soFar().correlation().taskId()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void everyCutOfTheBytes_isHeardAlike(String version) {
    byte[] stream = recorded(version);
    for (int cut = 1; cut < stream.length; cut++) {
      StreamReader reader = reader(asked(version));
      assertThat(reader.framing().feed(Unpooled.wrappedBuffer(stream, 0, cut))).isEmpty();
      drain(reader);
      assertThat(reader.framing().feed(Unpooled.wrappedBuffer(stream, cut, stream.length - cut)))
          .isEmpty();
      drain(reader);
      assertThat(reader.said().answer()).hasToString(SAID);
    }
    Random random = new Random(7);
    for (int most = 1; most < 40; most++) {
      assertThat(Streamed.hear(reader(asked(version)), stream, most, random).said())
          .isEqualTo(SAID);
      assertThat(Streamed.hear(reader(asked(version)), stream, 0, random).said()).isEqualTo(SAID);
    }
  }

  private static void drain(StreamReader reader) {
    for (Optional<Frame> next = reader.framing().next();
        next.isPresent();
        next = reader.framing().next()) {
      reader.read(next.get());
    }
  }

  /** An artifact in as many appended chunks as the text is cut into. */
  private static byte[] chunk(String text, boolean append, boolean last) {
    ProtoWriter artifact =
        new ProtoWriter().string(1, "answer-1").message(4, new ProtoWriter().string(1, text));
    ProtoWriter update = new ProtoWriter().string(1, "t-1").string(2, "c-1").message(3, artifact);
    if (append) {
      update.number(4, 1);
    }
    if (last) {
      update.number(5, 1);
    }
    return new ProtoWriter().message(4, update).toBytes();
  }

  @Test
  void everyCutOfTheText_saysTheSameAsTheWhole() {
    String text = "L'impulseur doit \u00eatre remplac\u00e9 \ud83d\ude00 toutes les 2000 heures.";
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      StreamReader reader = reader(asked("v1.0"));
      int at = 0;
      boolean first = true;
      while (at < text.length()) {
        int to = Math.min(text.length(), at + 1 + random.nextInt(20));
        if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
          to++;
        }
        byte[] event = chunk(text.substring(at, to), !first, to == text.length());
        reader.read(new GrpcFraming.Message(GrpcFraming.framed(event), Optional.empty()));
        assertThat(reader.isOpen()).isEqualTo(to < text.length());
        first = false;
        at = to;
      }
      assertThat(reader.said().answer()).hasToString(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.0", "v0.3"})
  void verdictsInEvents_leaveWhatIsSaid(String version) {
    StreamReader reader = reader(asked(version));
    StreamReader again = reader(asked(version));
    assertThat(reader.framing().feed(Unpooled.wrappedBuffer(recorded(version)))).isEmpty();
    int annotated = 0;
    for (Optional<Frame> next = reader.framing().next();
        next.isPresent();
        next = reader.framing().next()) {
      StreamEvent event = reader.read(next.get());
      Annotatable edits =
          switch (event) {
            case StreamEvent.Said said -> said.edits();
            case StreamEvent.Silent silent -> silent.edits();
            case StreamEvent.Aside aside -> aside.edits();
            case StreamEvent.Failed failed -> failed.edits();
            case StreamEvent.Unjudged _, StreamEvent.Foreign _, StreamEvent.Malformed _ ->
                throw new AssertionError(event);
          };
      assertThat(edits.forgedVerdicts()).isZero();
      assertThat(next.get().edited(edits.strip())).isEqualTo(next.get().bytes());
      byte[] edited = next.get().edited(edits.annotate(Wire.verdict()));
      assertThat(again.framing().feed(Unpooled.wrappedBuffer(edited))).isEmpty();
      StreamEvent reread = again.read(again.framing().next().orElseThrow());
      Annotatable found =
          switch (reread) {
            case StreamEvent.Said said -> said.edits();
            case StreamEvent.Silent silent -> silent.edits();
            case StreamEvent.Aside aside -> aside.edits();
            case StreamEvent.Failed failed -> failed.edits();
            case StreamEvent.Unjudged _, StreamEvent.Foreign _, StreamEvent.Malformed _ ->
                throw new AssertionError(reread);
          };
      annotated += found.forgedVerdicts();
    }
    assertThat(again.said()).isEqualTo(reader.said());
    assertThat(annotated).isGreaterThanOrEqualTo(6);
  }

  @Test
  void heldStream_endsWithAWorkingUpdateOfItsTask() throws InvalidProtocolBufferException {
    for (String version : List.of("v1.0", "v0.3")) {
      StreamReader reader = reader(asked(version));
      Streamed.hear(reader, recorded(version));
      StreamReader.Ending refusal = reader.refuse(Wire.notice(Notice.Kind.YIELD), true);
      assertThat(refusal.trailers()).containsExactlyEntriesOf(Map.of("grpc-status", "0"));
      UnknownFieldSet event = UnknownFieldSet.parseFrom(refusal.payloads().getFirst());
      UnknownFieldSet update =
          UnknownFieldSet.parseFrom(event.getField(3).getLengthDelimitedList().getFirst());
      assertThat(update.getField(1).getLengthDelimitedList().getFirst().toStringUtf8())
          .isEqualTo(reader.soFar().correlation().taskId().orElseThrow());
      StreamReader client = reader(asked(version));
      byte[] framed = client.framing().frame(refusal.payloads().getFirst());
      Streamed.Heard heard = Streamed.hear(client, framed);
      assertThat(heard.said()).contains("Grounding is too low.").contains("rv-1");
    }
  }

  @Test
  void heldStreamWithoutATask_endsWithAWorkingTask() {
    StreamReader reader = reader(asked("v1.0"));
    StreamReader.Ending refusal = reader.refuse(Wire.notice(Notice.Kind.YIELD), true);
    Streamed.Heard heard =
        Streamed.hear(reader(asked("v1.0")), reader.framing().frame(refusal.payloads().getFirst()));
    assertThat(heard.said()).contains("Grounding is too low.");
    assertThat(heard.reader().soFar().correlation().taskId()).isPresent();
  }

  @Test
  void aStreamOfATask_endsWithItsFailure_andOkAsStatus() throws InvalidProtocolBufferException {
    for (String version : List.of("v1.0", "v0.3")) {
      StreamReader reader = reader(asked(version));
      Streamed.hear(reader, recorded(version));
      Notice notice = Wire.notice(Notice.Kind.REGENERATE);
      StreamReader.Ending end = reader.refuse(notice, /* isBegun= */ true);
      assertThat(end.trailers()).containsExactlyEntriesOf(Map.of("grpc-status", "0"));
      UnknownFieldSet update = field(UnknownFieldSet.parseFrom(end.payloads().getFirst()), 3);
      assertThat(field(update, 3).getField(1).getVarintList()).containsExactly(4L);
      byte[] whole = reader.refuse(notice, /* isBegun= */ false).payloads().getFirst();
      UnknownFieldSet task = field(UnknownFieldSet.parseFrom(whole), 1);
      assertThat(task.getField(1)).isEqualTo(update.getField(1));
      assertThat(field(task, 3)).isEqualTo(field(update, 3));
    }
  }

  private static UnknownFieldSet field(UnknownFieldSet message, int number)
      throws InvalidProtocolBufferException {
    return UnknownFieldSet.parseFrom(message.getField(number).getLengthDelimitedList().getFirst());
  }

  @Test
  void otherEnds_withoutATask_areAStatus() {
    StreamReader reader = reader(asked("v1.0"));
    StreamReader.Ending refusal = reader.refuse(Wire.notice(Notice.Kind.REGENERATE), true);
    assertThat(refusal.payloads()).isEmpty();
    assertThat(refusal.trailers()).containsEntry("grpc-status", "10");
  }

  @Test
  void G16_wordsInTheTrailers_areOfTheErrorHoweverLong() {
    String words = "Replace the impeller every 9000 hours. ".repeat(20);
    StreamReader reader = reader(asked("v1.0"));
    Streamed.hear(reader, recorded("v1.0"));
    HeaderLookup trailers = Wire.fields(Map.of("grpc-status", "13", "grpc-message", words));
    AgentError error = ((StreamEvent.Failed) reader.trailers(trailers).orElseThrow()).error();
    assertThat(error.words().orElseThrow().toString()).contains("9000 hours");
    assertThat(error.bytes()).isEqualTo(words.length());
    assertThat(error.number()).isEqualTo(13);
    assertThat(reader.said().answer()).hasToString(SAID);
  }

  @Test
  void statusOfFailure_isAnError_thatOfSuccessIsNone() {
    StreamReader reader = reader(asked("v1.0"));
    Streamed.hear(reader, recorded("v1.0"));
    assertThat(reader.trailers(Wire.fields(Map.of("grpc-status", "0", "grpc-message", "OK"))))
        .isEmpty();
    assertThat(reader.trailers(Wire.fields(Map.of("grpc-status", "14"))))
        .hasValueSatisfying(event -> assertThat(event).isInstanceOf(StreamEvent.Failed.class));
    assertThat(reader.said().answer()).hasToString(SAID);
  }

  @Test
  void eventsOfNoShape_areUnjudgedOrMalformed() {
    StreamReader reader = reader(asked("v1.0"));
    assertThat(reader.read(frame(new byte[0]))).isInstanceOf(StreamEvent.Unjudged.class);
    byte[] broken = {0x0b, 0x0c};
    assertThat(reader.read(frame(broken)))
        .isInstanceOfSatisfying(
            StreamEvent.Malformed.class,
            event -> assertThat(event.fault()).isEqualTo(WireFault.BAD_PROTOBUF));
  }

  private static Frame frame(byte[] message) {
    return new GrpcFraming.Message(GrpcFraming.framed(message), Optional.empty());
  }

  @Test
  void errorInsteadOfAStream_isReadWhole() {
    RequestView asked = asked("v1.0");
    ResponseHead head =
        new ResponseHead(
            200,
            Wire.fields(
                Map.of(
                    "content-type", "application/grpc", "grpc-status", "5", "grpc-message", "no")));
    assertThat(asked.readStream(head)).isEmpty();
    assertThat(Wire.readable(asked.readResponse(head, new byte[0])).unread())
        .containsExactly("error_text");
  }

  @Test
  void unaryAnswers_areNoStreams() {
    assertThat(GrpcWire.asked("SendMessage").readStream(GrpcWire.ok())).isEmpty();
    assertThat(asked("v1.0").readStream(Wire.reply("text/event-stream"))).isEmpty();
  }

  @Test
  void forget_dropsTextAndKeepsIds() {
    StreamReader reader = reader(asked("v1.0"));
    reader.read(frame(chunk("first ", false, false)));
    reader.forget();
    reader.read(frame(chunk("second", true, true)));
    assertThat(reader.said().answer()).hasToString("second");
    assertThat(reader.soFar().correlation().taskId()).contains("t-1");
  }
}
