package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Digests of one thread share a SHA-256; here each is held against one of its own. */
class DigestsTest {
  private final Random random = new Random(11);

  @Test
  void digestsThatAreMadeOneAfterTheOther_areThoseOfTheirParts() {
    for (int i = 0; i < 500; i++) {
      List<byte[]> parts = parts();
      assertThat(begun(parts).hex()).isEqualTo(expected(parts));
    }
  }

  @Test
  void digestsThatAreMadeAtTheSameTime_doNotMix() {
    for (int i = 0; i < 200; i++) {
      List<byte[]> first = parts();
      List<byte[]> second = parts();
      byte[] body = bytes(300);
      Digests one = begun(first.subList(0, 1));
      Digests other = begun(second);
      assertThat(Digests.sha256(body)).isEqualTo(plain(body));
      first.subList(1, first.size()).forEach(part -> one.add(Utf8Span.of(part)));
      assertThat(one.hex()).isEqualTo(expected(first));
      assertThat(other.hex()).isEqualTo(expected(second));
    }
  }

  @Test
  void digestThatIsThrownAway_leavesNothingInTheNext() {
    for (int i = 0; i < 100; i++) {
      Digests _ = begun(parts());
      List<byte[]> parts = parts();
      assertThat(begun(parts).hex()).isEqualTo(expected(parts));
    }
  }

  /** The first part is the purpose. */
  private static Digests begun(List<byte[]> parts) {
    Digests digests = Digests.of(new String(parts.getFirst(), StandardCharsets.US_ASCII));
    parts.subList(1, parts.size()).forEach(part -> digests.add(Utf8Span.of(part)));
    return digests;
  }

  private List<byte[]> parts() {
    List<byte[]> parts = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      parts.add(bytes(random.nextInt(200)));
    }
    return parts;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(26));
    }
    return bytes;
  }

  private static String expected(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
      all.writeBytes(part);
    }
    return plain(all.toByteArray()).substring(0, 32);
  }

  private static String plain(byte[] bytes) {
    return HexFormat.of().formatHex(Digests.sha256().digest(bytes));
  }
}
