package dev.parlance.relay.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
@SuppressWarnings("StringConcatToTextBlock") // A text block cannot show CRLF.
class HeadReaderTest {
  private static final HttpMessageLimits LIMITS = new HttpMessageLimits(200, 400, 1000, 100, 10);
  private static final int ROUNDS = 20_000;

  private static final List<String> FIRST_LINES =
      List.of("POST /a2a HTTP/1.1", "GET /x HTTP/1.0", "HTTP/1.1 200 OK", "HTTP/1.0 404 Not here");

  private static final List<String> FIELDS =
      List.of(
          "Host: a:80",
          "Content-Length: 12",
          "content-length:0",
          "Transfer-Encoding: chunked",
          "Connection: close, X",
          "X-Empty:",
          "X-Blank: \t a b \t",
          "x_under: 1",
          "Date: Sun, 06 Nov 1994 08:49:37 GMT",
          "X-Long: " + "v".repeat(150));

  /** What became of some bytes: a fault, or a head, or neither yet. */
  private record Outcome(
      Optional<HeadFault> fault,
      boolean started,
      boolean ended,
      String first,
      long contentLength,
      boolean chunked,
      List<Map.Entry<String, String>> fields,
      int left) {}

  private static byte[] someHead(Random random) {
    StringBuilder text = new StringBuilder("\r\n".repeat(random.nextInt(10) == 0 ? 2 : 0));
    text.append(FIRST_LINES.get(random.nextInt(FIRST_LINES.size()))).append("\r\n");
    for (int i = random.nextInt(7); i > 0; i--) {
      text.append(FIELDS.get(random.nextInt(FIELDS.size()))).append("\r\n");
    }
    text.append("\r\nbody");
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    String strange = "\r\n \t:_\0\u007f\u00e9;A1";
    for (int i = random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) strange.charAt(random.nextInt(strange.length()));
    }
    return bytes;
  }

  /**
   * @param cuts where the bytes are cut into pieces, in order
   */
  private static Outcome read(HeadReader reader, byte[] bytes, int[] cuts) {
    ByteBuf in = Unpooled.buffer(bytes.length);
    try {
      Optional<HeadFault> fault = Optional.empty();
      int from = 0;
      for (int i = 0; i <= cuts.length && fault.isEmpty() && !reader.ended(); i++) {
        int to = i == cuts.length ? bytes.length : cuts[i];
        in.writeBytes(bytes, from, to - from);
        from = to;
        fault = reader.read(in);
      }
      boolean whole = fault.isEmpty() && reader.ended();
      return new Outcome(
          fault,
          reader.started(),
          whole,
          whole ? reader.method() + " " + reader.target() + reader.status() + reader.http10() : "",
          reader.contentLength(),
          reader.chunked(),
          whole ? reader.fields().entries() : List.of(),
          whole ? bytes.length - from + in.readableBytes() : 0);
    } finally {
      in.release();
    }
  }

  @ParameterizedTest
  @EnumSource
  void plainLines_haveTheOutcomeOfTheThoroughLook_howeverTheyAreCut(HeadReader.Kind kind) {
    Random random = new Random(20261);
    int whole = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = someHead(random);
      int[] cuts = random.ints(random.nextInt(4), 0, bytes.length).sorted().toArray();
      Outcome thorough = read(new HeadReader(kind, LIMITS, false), bytes, cuts);
      Outcome plain = read(new HeadReader(kind, LIMITS, true), bytes, cuts);
      assertThat(plain).as("round %d: %s", round, text(bytes)).isEqualTo(thorough);
      Outcome uncut = read(new HeadReader(kind, LIMITS, true), bytes, new int[0]);
      if (!isTooLong(plain)) {
        // A line over the limit is refused before its end has come, whatever that may hold.
        assertThat(plain).as("round %d, cut: %s", round, text(bytes)).isEqualTo(uncut);
      }
      whole += thorough.ended() ? 1 : 0;
      refused += thorough.fault().isPresent() ? 1 : 0;
    }
    assertThat(whole).isGreaterThan(ROUNDS / 20);
    assertThat(refused).isGreaterThan(ROUNDS / 20);
  }

  private static boolean isTooLong(Outcome outcome) {
    return outcome.fault().filter(fault -> fault.status() != 400).isPresent();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void headsBehindOneAnother_areReadApart() {
    HeadReader reader = new HeadReader(HeadReader.Kind.REQUEST, LIMITS);
    ByteBuf in =
        Unpooled.copiedBuffer(
            "POST /1 HTTP/1.1\r\nA: 1\r\nContent-Length: 3\r\n\r\n"
                + "PUT /2 HTTP/1.0\r\nB:2\r\n\r\n",
            StandardCharsets.US_ASCII);
    try {
      assertThat(reader.read(in)).isEmpty();
      HeaderFields first = reader.fields();
      assertThat(reader.contentLength()).isEqualTo(3);
      reader.reset();
      assertThat(reader.read(in)).isEmpty();
      assertThat(reader.target()).isEqualTo("/2");
      assertThat(reader.contentLength()).isEqualTo(-1);
      assertThat(reader.http10()).isTrue();
      assertThat(reader.fields().get("b")).isEqualTo("2");
      assertThat(first.get("a")).isEqualTo("1");
      assertThat(in.isReadable()).isFalse();
    } finally {
      in.release();
    }
  }

  @Test
  void limits_holdToTheByte() {
    String fits = "GET /" + "a".repeat(200 - "GET / HTTP/1.1".length()) + " HTTP/1.1\r\n";
    String fields = "X: " + "v".repeat(397) + "\r\n";
    assertThat(codes(fits + fields + "\r\n")).isEmpty();
    assertThat(codes(fits.replace("/a", "/aa"))).containsExactly("request_line_too_long");
    assertThat(codes(fits + fields.replace("vv", "vvv"))).containsExactly("headers_too_large");
    assertThat(codes(fits + fields + "Y:")).containsExactly("headers_too_large");
    assertThat(codes("P".repeat(203))).containsExactly("request_line_too_long");
  }

  private static List<String> codes(String head) {
    List<String> codes = new ArrayList<>();
    byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
    for (boolean plain : new boolean[] {true, false}) {
      Outcome outcome =
          read(new HeadReader(HeadReader.Kind.REQUEST, LIMITS, plain), bytes, new int[0]);
      outcome.fault().map(HeadFault::code).ifPresent(codes::add);
    }
    return codes.stream().distinct().toList();
  }

  @Test
  void valueOverOneByte_isNeverHalfOfItself() {
    HeaderFields fields = new HeaderFields();
    // The low bytes of these are CR and LF.
    fields.set("x", "a\u010d\u010ab");
    assertThat(fields.get("x")).isEqualTo("a??b");
  }
}
