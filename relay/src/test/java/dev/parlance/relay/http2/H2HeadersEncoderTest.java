package dev.parlance.relay.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Header blocks as Netty's decoder, which knows nothing of how they were written, reads them. */
class H2HeadersEncoderTest {
  private static final long SEED = 20_261_122;
  private static final List<String> NAMES =
      List.of(
          ":method",
          ":path",
          ":scheme",
          ":status",
          ":authority",
          "accept-charset",
          "content-length",
          "date",
          "www-authenticate",
          "authorization",
          "cookie",
          "x-a2a-task",
          "asp-signal",
          "x");
  private static final List<String> VALUES =
      List.of("GET", "POST", "PUT", "/", "/a2a", "http", "https", "200", "204", "404", "500", "99");

  @Test
  void decoderReadsWhatWasWritten() throws Exception {
    Random random = new Random(SEED);
    H2HeadersEncoder encoder = new H2HeadersEncoder();
    DefaultHttp2HeadersDecoder decoder = decoder();
    for (int block = 0; block < 2000; block++) {
      H2Fields fields = new H2Fields();
      List<String> expected = new ArrayList<>();
      int count = random.nextInt(30);
      for (int i = 0; i < count; i++) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String value =
            random.nextBoolean()
                ? VALUES.get(random.nextInt(VALUES.size()))
                : text(random, random.nextInt(10) == 0 ? 20_000 : 300);
        fields.add(name, value);
        expected.add(name + "=" + value);
      }
      assertThat(decoded(decoder, encoded(encoder, fields))).isEqualTo(expected);
    }
  }

  private static DefaultHttp2HeadersDecoder decoder() {
    return new DefaultHttp2HeadersDecoder(false, 1 << 20) {
      @Override
      protected Http2Headers newHeaders() {
        return new H2Fields();
      }
    };
  }

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(most);
    for (int i = 0; i < length; i++) {
      text.append((char) (random.nextInt(8) == 0 ? 0x80 + random.nextInt(128) : 0x21 + i % 90));
    }
    return text.toString();
  }

  private static ByteBuf encoded(H2HeadersEncoder encoder, Http2Headers fields)
      throws Http2Exception {
    ByteBuf block = Unpooled.buffer();
    encoder.encodeHeaders(1, fields, block);
    return block;
  }

  private static List<String> decoded(DefaultHttp2HeadersDecoder decoder, ByteBuf block)
      throws Http2Exception {
    List<String> fields = new ArrayList<>();
    for (Map.Entry<CharSequence, CharSequence> field : decoder.decodeHeaders(1, block)) {
      fields.add(field.getKey() + "=" + field.getValue());
    }
    block.release();
    return fields;
  }

  @Test
  void firstBlockSaysThatThereIsNoDynamicTable() throws Exception {
    H2HeadersEncoder encoder = new H2HeadersEncoder();
    H2Fields fields = new H2Fields();
    fields.add(":status", "200");

    assertThat(bytes(encoded(encoder, fields))).containsExactly(0x20, 0x88);
    encoder.maxHeaderTableSize(0);
    assertThat(bytes(encoded(encoder, fields))).containsExactly(0x88);
  }

  @Test
  void secretsAreMarkedForWhoeverPassesTheBlockOn() throws Exception {
    H2HeadersEncoder encoder = new H2HeadersEncoder();
    encoded(encoder, new H2Fields()).release();
    H2Fields fields = new H2Fields();
    fields.add("authorization", "b");
    fields.add("vary", "b");

    assertThat(bytes(encoded(encoder, fields)))
        .containsExactly(0x1f, 23 - 15, 1, (int) 'b', 0x0f, 59 - 15, 1, (int) 'b');
  }

  @Test
  void headersOfAnyMakeAreWritten() throws Exception {
    Http2Headers headers = new DefaultHttp2Headers().status("418").add("x-y", "z");
    DefaultHttp2HeadersDecoder decoder = decoder();

    assertThat(decoded(decoder, encoded(new H2HeadersEncoder(), headers)))
        .containsExactly(":status=418", "x-y=z");
  }

  @Test
  void blockOverThePeersLimitIsRefusedAndTheNextOneReads() throws Exception {
    H2HeadersEncoder encoder = new H2HeadersEncoder();
    encoder.maxHeaderListSize(100);
    H2Fields large = new H2Fields();
    large.add("x", "y".repeat(68));

    assertThatThrownBy(() -> encoded(encoder, large)).isInstanceOf(Http2Exception.class);
    H2Fields allowed = new H2Fields();
    allowed.add("x", "y".repeat(67));
    assertThat(decoded(decoder(), encoded(encoder, allowed))).hasSize(1);
  }

  private static List<Integer> bytes(ByteBuf block) {
    List<Integer> bytes = new ArrayList<>();
    while (block.isReadable()) {
      bytes.add((int) block.readUnsignedByte());
    }
    block.release();
    return bytes;
  }
}
