package dev.parlance.relay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.InterceptionPolicy;
import dev.parlance.relay.net.OriginalDestination;
import dev.parlance.relay.server.OpaqueTunnel.FirstByte;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel's answer, and the first byte that decides. */
class RedirectedBytesTest {
  @Test
  void sockaddr_isReadInNetworkOrder_whereverTheBufferBegins() {
    byte[] v4 = {9, 2, 0, 0x1f, (byte) 0x90, 10, 96, 0, (byte) 200, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(OriginalDestination.read(ByteBuffer.wrap(v4).position(1), false))
        .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("10.96.0.200"), 8080));
    byte[] v6 = new byte[28];
    v6[2] = (byte) 0xff;
    v6[3] = (byte) 0xfe;
    v6[8] = (byte) 0xfd;
    v6[23] = 7;
    assertThat(OriginalDestination.read(ByteBuffer.wrap(v6), true))
        .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("fd00::7"), 65_534));
  }

  /** What some server may take for HTTP is never anything else, whatever it turns out to be. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1",
        "get",
        "\r\nPOST",
        "\nPOST",
        " POST",
        "\tPOST",
        "PRI * HTTP/2.0",
        "SSH-2.0-x",
        "*1\r\n",
        "{}",
        "\u000bGET",
        "\fGET",
        "~"
      })
  void visibleCharactersAndWhiteSpace_goToTheStrictReader(String first) {
    Looked looked = look(Unpooled.copiedBuffer(first, StandardCharsets.US_ASCII));
    assertThat(looked.otherwise()).isEmpty();
    assertThat(looked.passed()).isEqualTo(first.length());
  }

  @Test
  void everyOtherByte_isSomethingElse_andTlsIsToldApart() {
    for (int first = 0; first < 256; first++) {
      if (FirstByte.mayBeHttp(first)) {
        continue;
      }
      Looked looked = look(Unpooled.wrappedBuffer(new byte[] {(byte) first, 3, 1}));
      assertThat(looked.otherwise())
          .as("%d", first)
          .containsExactly(
              first == 22 ? InterceptionPolicy.Form.TLS : InterceptionPolicy.Form.OTHER);
      assertThat(looked.passed()).isZero();
    }
    assertThat(FirstByte.mayBeHttp(22)).isFalse();
    assertThat(FirstByte.mayBeHttp(0)).isFalse();
    assertThat(FirstByte.mayBeHttp(0x7f)).isFalse();
    assertThat(FirstByte.mayBeHttp(0x80)).isFalse();
  }

  private record Looked(List<InterceptionPolicy.Form> otherwise, int passed) {}

  private static Looked look(ByteBuf bytes) {
    List<InterceptionPolicy.Form> otherwise = new ArrayList<>();
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new FirstByte((form, first) -> {
              otherwise.add(form);
              first.release();
            }));
    channel.writeInbound(Unpooled.EMPTY_BUFFER);
    channel.writeInbound(bytes);
    int passed = 0;
    for (ByteBuf read = channel.readInbound(); read != null; read = channel.readInbound()) {
      passed += read.readableBytes();
      read.release();
    }
    assertThat(channel.finish()).isFalse();
    return new Looked(List.copyOf(otherwise), passed);
  }
}
