package dev.parlance.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class GrpcFramingTest {
  private static final int MOST = 100_000;

  public static byte[] frame(int flag, byte[] message) {
    byte[] framed = GrpcFraming.framed(message);
    framed[0] = (byte) flag;
    return framed;
  }

  public static byte[] gzip(byte[] message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... pieces) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      out.writeBytes(piece);
    }
    return out.toByteArray();
  }

  private static GrpcFraming framing(String encoding) {
    return new GrpcFraming(Optional.of(encoding).filter(name -> !name.isEmpty()), MOST);
  }

  private static List<byte[]> drain(GrpcFraming framing) {
    List<byte[]> messages = new ArrayList<>();
    for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
      messages.add(next.get().payload().orElseThrow());
    }
    return messages;
  }

  private static WireFault faultOf(String encoding, byte[] stream) {
    GrpcFraming framing = framing(encoding);
    ByteBuf bytes = Unpooled.wrappedBuffer(stream);
    Optional<StreamFraming.Fault> fault = framing.feed(bytes).or(framing::end);
    assertThat(bytes.readerIndex()).isZero();
    assertThat(fault).isPresent();
    assertThat(fault.get().detail()).hasSizeBetween(1, 200);
    return fault.get().fault();
  }

  @Test
  void everyCut_givesTheSameMessages() {
    byte[] first = Wire.bytes("first message");
    byte[] large = Wire.bytes("large ".repeat(700));
    byte[] stream =
        concat(frame(0, first), frame(0, new byte[0]), frame(1, gzip(large)), frame(0, first));
    List<byte[]> expected = List.of(first, new byte[0], large, first);
    for (int cut = 0; cut <= stream.length; cut++) {
      GrpcFraming framing = framing("gzip");
      List<byte[]> messages = new ArrayList<>();
      assertThat(framing.feed(Unpooled.wrappedBuffer(stream, 0, cut))).isEmpty();
      messages.addAll(drain(framing));
      assertThat(framing.feed(Unpooled.wrappedBuffer(stream, cut, stream.length - cut))).isEmpty();
      messages.addAll(drain(framing));
      assertThat(framing.end()).isEmpty();
      assertThat(messages.toArray(byte[][]::new)).isDeepEqualTo(expected.toArray(byte[][]::new));
    }
  }

  @Test
  void randomReads_giveTheSameMessages() {
    Random random = new Random(4);
    for (int round = 0; round < 200; round++) {
      List<byte[]> expected = new ArrayList<>();
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      for (int i = random.nextInt(8); i >= 0; i--) {
        byte[] message = new byte[random.nextInt(3000)];
        Arrays.fill(message, (byte) random.nextInt());
        expected.add(message);
        stream.writeBytes(random.nextBoolean() ? frame(0, message) : frame(1, gzip(message)));
      }
      byte[] bytes = stream.toByteArray();
      GrpcFraming framing = framing("gzip");
      List<byte[]> messages = new ArrayList<>();
      int at = 0;
      while (at < bytes.length) {
        int piece = Math.min(bytes.length - at, 1 + random.nextInt(1 + round * 4));
        assertThat(framing.feed(Unpooled.wrappedBuffer(bytes, at, piece))).isEmpty();
        messages.addAll(drain(framing));
        at += piece;
      }
      assertThat(framing.end()).isEmpty();
      assertThat(messages.toArray(byte[][]::new)).isDeepEqualTo(expected.toArray(byte[][]::new));
    }
  }

  @Test
  void framesKeepTheBytesThatWereSent() {
    byte[] sent = frame(1, gzip(Wire.bytes("said")));
    GrpcFraming framing = framing("gzip");
    assertThat(framing.feed(Unpooled.wrappedBuffer(sent))).isEmpty();
    Frame frame = framing.next().orElseThrow();
    assertThat(frame.bytes()).isEqualTo(sent);
    assertThat(frame.name()).isEmpty();
    assertThat(frame.edited(List.of())).isEqualTo(sent);
    assertThat(frame.edited(List.of(new Edit(0, 2, Wire.bytes("p")))))
        .isEqualTo(frame(0, Wire.bytes("pid")));
    assertThat(framing.frame(Wire.bytes("x"))).isEqualTo(new byte[] {0, 0, 0, 0, 1, 'x'});
    assertThat(framing.heartbeat()).isEmpty();
  }

  @Test
  void G16_messageOverTheLimit_isRefusedAtItsPrefix() {
    assertThat(faultOf("", new byte[] {0, 0, 1, (byte) 0x86, (byte) 0xa1}))
        .isEqualTo(WireFault.BODY_TOO_LARGE);
    assertThat(faultOf("", new byte[] {0, -1, -1, -1, -1})).isEqualTo(WireFault.BODY_TOO_LARGE);
    assertThat(faultOf("", new byte[] {0, -128, 0, 0, 0})).isEqualTo(WireFault.BODY_TOO_LARGE);
  }

  @Test
  void G16_largestMessage_passes() {
    GrpcFraming framing = framing("");
    assertThat(framing.feed(Unpooled.wrappedBuffer(frame(0, new byte[MOST])))).isEmpty();
    assertThat(drain(framing)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "IDENTITY"})
  void G16_compressedFlagWithoutEncoding_isRefused(String encoding) {
    assertThat(faultOf(encoding, frame(1, gzip(Wire.bytes("x"))))).isEqualTo(WireFault.BAD_FRAME);
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "snappy", "gzip, gzip", "gzip,identity", "x-gzip"})
  void B3_otherEncodings_areRefused(String encoding) {
    assertThat(faultOf(encoding, frame(1, gzip(Wire.bytes("x"))))).isEqualTo(WireFault.BAD_CODING);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 0x80, 0x81, 0xff})
  void otherFlags_areRefused(int flag) {
    assertThat(faultOf("gzip", frame(flag, gzip(Wire.bytes("x"))))).isEqualTo(WireFault.BAD_FRAME);
  }

  @Test
  void B3_bombsAndBrokenGzip_areRefused() {
    assertThat(faultOf("gzip", frame(1, gzip(new byte[MOST + 1]))))
        .isEqualTo(WireFault.INFLATION_LIMIT);
    byte[] member = gzip(Wire.bytes("x"));
    assertThat(faultOf("gzip", frame(1, concat(member, Wire.bytes("x")))))
        .isEqualTo(WireFault.BAD_CODING);
    assertThat(faultOf("gzip", frame(1, Wire.bytes("not gzip")))).isEqualTo(WireFault.BAD_CODING);
    assertThat(faultOf("gzip", frame(1, new byte[0]))).isEqualTo(WireFault.BAD_CODING);
  }

  @Test
  void B3_bombsOfManySmallFramesInOneRead_areRefused() {
    byte[] bomb = frame(1, gzip(new byte[60_000]));
    byte[][] bombs = new byte[40][];
    Arrays.fill(bombs, bomb);
    assertThat(faultOf("gzip", concat(bombs))).isEqualTo(WireFault.INFLATION_LIMIT);
  }

  @Test
  void G16_truncatedFrame_isIncompleteAtTheEnd() {
    byte[] whole = frame(0, Wire.bytes("said"));
    for (int length = 1; length < whole.length; length++) {
      assertThat(faultOf("", Arrays.copyOf(whole, length))).isEqualTo(WireFault.INCOMPLETE);
    }
  }

  @Test
  void G16_tenThousandTinyMessages_areAllThere() {
    byte[] tiny = frame(0, new byte[] {1});
    byte[][] many = new byte[10_000][];
    Arrays.fill(many, tiny);
    GrpcFraming framing = framing("");
    assertThat(framing.feed(Unpooled.wrappedBuffer(concat(many)))).isEmpty();
    assertThat(drain(framing)).hasSize(10_000);
    assertThat(framing.end()).isEmpty();
  }

  @Test
  void afterAFault_nothingMoreIsTaken() {
    GrpcFraming framing = framing("");
    assertThat(framing.feed(Unpooled.wrappedBuffer(frame(7, new byte[1])))).isPresent();
    assertThat(framing.feed(Unpooled.wrappedBuffer(frame(0, new byte[1])))).isPresent();
    assertThat(framing.next()).isEmpty();
    assertThat(framing.end()).isPresent();
  }

  private static GrpcFraming.Body unary(String encoding, byte[] body) {
    return GrpcFraming.unary(body, Wire.fields(Map.of("grpc-encoding", encoding)), MOST);
  }

  private static WireFault unaryFault(String encoding, byte[] body) {
    return unary(encoding, body) instanceof GrpcFraming.Body.Refused(StreamFraming.Fault fault)
        ? fault.fault()
        : throwRead();
  }

  private static WireFault throwRead() {
    throw new AssertionError("expected a fault");
  }

  @Test
  void unaryBody_isOneMessageOrNone() {
    byte[] said = Wire.bytes("said");
    assertThat(unary("", new byte[0])).isEqualTo(new GrpcFraming.Body.None());
    assertThat(unary("", frame(0, said)))
        .isInstanceOfSatisfying(
            GrpcFraming.Body.One.class, one -> assertThat(one.frame().message()).isEqualTo(said));
    assertThat(unary("gzip", frame(1, gzip(said))))
        .isInstanceOfSatisfying(
            GrpcFraming.Body.One.class,
            one -> {
              assertThat(one.compressed()).isTrue();
              assertThat(one.frame().message()).isEqualTo(said);
            });
  }

  @Test
  void G16_unaryBodyThatIsNotOneMessage_isRefused() {
    byte[] one = frame(0, Wire.bytes("said"));
    assertThat(unaryFault("", concat(one, one))).isEqualTo(WireFault.BAD_FRAME);
    assertThat(unaryFault("", concat(one, new byte[1]))).isEqualTo(WireFault.BAD_FRAME);
    assertThat(unaryFault("", Arrays.copyOf(one, 3))).isEqualTo(WireFault.INCOMPLETE);
    assertThat(unaryFault("", Arrays.copyOf(one, 6))).isEqualTo(WireFault.INCOMPLETE);
    assertThat(unaryFault("", frame(1, gzip(one)))).isEqualTo(WireFault.BAD_FRAME);
    assertThat(unaryFault("br", frame(1, gzip(one)))).isEqualTo(WireFault.BAD_CODING);
    assertThat(unaryFault("", new byte[] {0, 127, 0, 0, 0})).isEqualTo(WireFault.BODY_TOO_LARGE);
  }
}
