package dev.parlance.wire.a2a;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcFramingTest;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recorded messages with bytes changed, put in and taken out, against the fuzz targets' checks. */
@Tag("fuzz")
class GrpcMutationTest {
  private static final int ROUNDS = 1500;

  private final GrpcFuzzTest targets = new GrpcFuzzTest();
  private final Random random = new Random(20261122);

  private byte[] mutated(byte[] original) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> {
          int to = Math.min(bytes.length, at + 1 + random.nextInt(6));
          bytes = spliced(bytes, at, to - at, new byte[0]);
        }
        default -> {
          int from = random.nextInt(bytes.length);
          int to = Math.min(bytes.length, from + 1 + random.nextInt(30));
          bytes = spliced(bytes, at, 0, Arrays.copyOfRange(bytes, from, to));
        }
      }
      if (bytes.length == 0) {
        return original.clone();
      }
    }
    return bytes;
  }

  private static byte[] spliced(byte[] bytes, int at, int removed, byte[] inserted) {
    return Splicer.applyToBytes(bytes, List.of(new Edit(at, removed, inserted)));
  }

  @Test
  void B11_mutatedMessages_areReadWholeOrRefused() throws InvalidProtocolBufferException {
    for (String version : List.of("v1.0", "v0.3")) {
      byte[] request = GrpcWire.recorded("a2a-" + version + "-message.req").getFirst();
      List<byte[]> answers = GrpcWire.recorded("a2a-" + version + "-stream.res");
      byte[] answer = GrpcWire.recorded("a2a-" + version + "-message.res").getFirst();
      for (int round = 0; round < ROUNDS; round++) {
        targets.requests(mutated(request));
        targets.scanner(mutated(answer));
        byte[] other = round % 2 == 0 ? answer : answers.get(round % answers.size());
        targets.answers(GrpcFraming.framed(mutated(other)));
        targets.status(mutated(answer));
      }
    }
  }

  @Test
  void G16_mutatedStreams_areCutAlikeHoweverTheyAreRead() {
    byte[] stream = new byte[0];
    for (byte[] message : GrpcWire.recorded("a2a-v1.0-stream.res")) {
      byte[] frame =
          random.nextBoolean()
              ? GrpcFraming.framed(message)
              : GrpcFramingTest.frame(1, GrpcFramingTest.gzip(message));
      stream = spliced(stream, stream.length, 0, frame);
    }
    for (int round = 0; round < ROUNDS / 5; round++) {
      targets.framing(mutated(stream));
    }
  }
}
