package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoScanner;
import dev.parlance.wire.proto.ProtoStrings;
import dev.parlance.wire.proto.ProtoType;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/**
 * Fuzz targets for gRPC. A plain test run replays the seeds beside this class; {@code
 * JAZZER_FUZZ=1} searches.
 */
@Tag("fuzz")
class GrpcFuzzTest {
  private static final ResponseHead GZIP =
      new ResponseHead(
          200, Wire.fields(Map.of("content-type", "application/grpc", "grpc-encoding", "gzip")));

  @FuzzTest(maxDuration = "2m")
  void framing(byte[] stream) {
    List<String> whole = events(stream, Math.max(1, stream.length));
    for (int piece : new int[] {1, 3, 7}) {
      assertThat(events(stream, piece)).isEqualTo(whole);
    }
  }

  /** What came out, and how it ended. */
  private static List<String> events(byte[] stream, int piece) {
    GrpcFraming framing = new GrpcFraming(Optional.of("gzip"), 1 << 16);
    List<String> events = new ArrayList<>();
    Optional<StreamFraming.Fault> fault = Optional.empty();
    for (int at = 0; at < stream.length && fault.isEmpty(); at += piece) {
      int length = Math.min(piece, stream.length - at);
      fault = framing.feed(Unpooled.wrappedBuffer(stream, at, length));
      for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
        events.add(Arrays.toString(next.get().payload().orElseThrow()));
      }
    }
    fault.or(framing::end).ifPresent(end -> events.add(end.fault().code()));
    return events;
  }

  @FuzzTest(maxDuration = "2m")
  void scanner(byte[] body) throws InvalidProtocolBufferException {
    for (ProtoSchema schema : List.of(ProtoSchema.V1_0, ProtoSchema.V0_3)) {
      for (ProtoType type : List.of(schema.event(), schema.sendRequest(), schema.task())) {
        if (ProtoScanner.scan(body, type, 10_000)
            instanceof ProtoScanner.Scanned(ProtoMessage message, List<?> beside)) {
          inside(message, 0, body.length);
          // What we accept, protobuf's own parser accepts too.
          assertThat(UnknownFieldSet.parseFrom(body)).isNotNull();
          assertThat(beside.size()).isLessThanOrEqualTo(body.length);
        }
      }
    }
  }

  private static void inside(ProtoMessage message, int from, int to) {
    assertThat(message.start()).isBetween(from, to);
    assertThat(message.end()).isBetween(message.start(), to);
    int before = message.start();
    for (ProtoMessage.Field field : message.fields()) {
      assertThat(field.tagStart()).isGreaterThanOrEqualTo(before);
      assertThat(field.end()).isBetween(field.start(), message.end());
      before = field.end();
      field.message().ifPresent(nested -> inside(nested, field.start(), field.end()));
    }
  }

  @FuzzTest(maxDuration = "2m")
  void requests(byte[] body) {
    for (String path : List.of(GrpcWire.CURRENT + "SendMessage", GrpcWire.OLD + "SendMessage")) {
      if (GrpcWire.read(path, body) instanceof Reading.Readable<RequestView>(RequestView view)) {
        byte[] framed = GrpcFraming.framed(body);
        byte[] annotated = Splicer.applyToBytes(framed, view.annotate(Wire.verdict()));
        RequestView again = read(path, annotated);
        assertThat(again.message()).isEqualTo(view.message());
        assertThat(again.round()).isEqualTo(view.round());
        assertThat(again.cutRounds()).isZero();
        byte[] stripped = Splicer.applyToBytes(annotated, again.strip());
        assertThat(read(path, stripped).forgedVerdicts()).isZero();
      }
    }
  }

  private static RequestView read(String path, byte[] framed) {
    return Wire.readable(Wire.CODECS.read("auto", JsonPointers.NONE, GrpcWire.head(path), framed));
  }

  @FuzzTest(maxDuration = "2m")
  void answers(byte[] body) {
    for (String method : List.of("SendMessage", "GetTask", "ListTasks")) {
      RequestView asked = GrpcWire.asked(method);
      if (asked.readResponse(GZIP, body)
          instanceof Reading.Readable<ResponseView>(ResponseView view)) {
        byte[] annotated = Splicer.applyToBytes(body, view.annotate(Wire.verdict()));
        ResponseView again = Wire.readable(asked.readResponse(GZIP, annotated));
        assertThat(again.message()).isEqualTo(view.message());
        assertThat(again.round()).isEqualTo(view.round());
        assertThat(again.cutRounds()).isZero();
        asked
            .repair(view, "again", "m2")
            .ifPresent(repaired ->
                assertThat(read(GrpcWire.CURRENT + "SendMessage", repaired).message()).isPresent());
      }
    }
  }

  @FuzzTest(maxDuration = "2m")
  void status(byte[] body) {
    List<String> texts = new ArrayList<>();
    new ProtoStrings(body).collect(texts);
    assertThat(texts.stream().mapToInt(String::length).sum()).isLessThanOrEqualTo(body.length);
  }
}
