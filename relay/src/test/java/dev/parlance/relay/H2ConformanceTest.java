package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http2.Http2Error;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases of RFC 9113, one line each in {@code relay/rfc9113.txt}, where their form is explained. */
@ExtendWith(LeakCheck.class)
class H2ConformanceTest {
  private static final String GET = ":method=GET,:scheme=http,:path=/bad,:authority=a";
  private static final String POST = ":method=POST,:scheme=http,:path=/bad,:authority=a";
  private static final HttpMessageLimits LIMITS =
      new HttpMessageLimits(1024, 2048, 100_000, 100, 4096, 4096, 3, 1_000_000);

  private static TestRelay relay;

  @BeforeAll
  static void start() throws IOException {
    relay =
        TestRelay.answering(
            LIMITS,
            TestRelay.PATIENT,
            (exchange, request) -> {
              if (request.target().equals("/hold")) {
                request.body().release();
              } else {
                TestRelay.echo(exchange, request);
              }
            });
  }

  @AfterAll
  static void stop() {
    relay.close();
  }

  static Stream<Arguments> cases() throws IOException {
    try (InputStream in = H2ConformanceTest.class.getResourceAsStream("/relay/rfc9113.txt")) {
      List<Arguments> cases = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), UTF_8).split("\n", -1)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] parts = line.split(" \\| ", -1);
          cases.add(Arguments.of(parts[0].strip(), parts[1].strip(), parts[2].strip()));
        }
      }
      return cases.stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void caseOfTheTable(String name, String doings, String end) throws IOException {
    boolean silent = doings.startsWith("silent");
    try (H2RawClient client =
        silent ? H2RawClient.silent(relay.port()) : H2RawClient.connect(relay.port())) {
      if (silent) {
        client.raw(H2RawClient.PREFACE.getBytes(US_ASCII));
      }
      for (String doing : doings.split(";", -1)) {
        act(client, doing.strip().split(" ", 4));
      }
      verify(client, end.split(" ", -1));
    }
    assertThat(relay.seen).as(name).extracting(TestRelay.Seen::target).doesNotContain("/bad");
  }

  private static void act(H2RawClient client, String[] doing) throws IOException {
    switch (doing[0]) {
      case "silent" -> {}
      case "get" -> client.get(Integer.parseInt(doing[1]), doing[2]);
      case "post" ->
          client.headers(Integer.parseInt(doing[1]), false, H2RawClient.request("POST", doing[2]));
      case "headers" -> fields(client, H2RawClient.HEADERS, doing);
      case "block" -> fields(client, H2RawClient.CONTINUATION, doing);
      case "data" ->
          client.frame(
              H2RawClient.DATA, flags(doing[2]), Integer.parseInt(doing[1]), bytes(doing[3]));
      case "frame" -> {
        String[] rest = doing[3].split(" ", 2);
        client.frame(
            Integer.parseInt(doing[1]),
            Integer.parseInt(doing[2]),
            Integer.parseInt(rest[0]),
            rest.length < 2 ? new byte[0] : hex(rest[1]));
      }
      case "raw" -> client.raw(hex(String.join("", doing).substring(3)));
      case "reply" -> assertThat(client.reply(Integer.parseInt(doing[1])).status()).isEqualTo(200);
      default -> throw new IllegalArgumentException("no such doing: " + doing[0]);
    }
  }

  private static void fields(H2RawClient client, int type, String[] doing) throws IOException {
    String text = doing[3].replaceFirst("^G(?=,|$)", GET).replaceFirst("^P(?=,|$)", POST);
    List<String> fields = new ArrayList<>();
    for (String field : text.split(",", -1)) {
      int at = field.indexOf('=', field.startsWith("=") ? 0 : 1);
      fields.add(new String(bytes(field.substring(0, at)), ISO_8859_1));
      String value = field.substring(at + 1);
      fields.add(
          value.startsWith("@")
              ? "v".repeat(Integer.parseInt(value.substring(1)))
              : new String(bytes(value), ISO_8859_1));
    }
    client.frame(
        type,
        flags(doing[2]),
        Integer.parseInt(doing[1]),
        H2RawClient.block(fields.toArray(String[]::new)));
  }

  private static int flags(String letters) {
    return (letters.contains("e") ? H2RawClient.END_STREAM : 0)
        | (letters.contains("h") ? H2RawClient.END_HEADERS : 0);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private static byte[] bytes(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\x", i)) {
        out.write(Integer.parseInt(text, i + 2, i + 4, 16));
        i += 3;
      } else {
        out.write(text.charAt(i));
      }
    }
    return out.toByteArray();
  }

  private static void verify(H2RawClient client, String[] end) throws IOException {
    switch (end[0]) {
      case "rst" -> {
        int stream = Integer.parseInt(end[1]);
        H2RawClient.Frame frame =
            client.await(f ->
                f.type() == H2RawClient.GOAWAY
                    || (f.type() == H2RawClient.RST_STREAM && f.stream() == stream));
        assertThat(frame.type()).as("RST_STREAM").isEqualTo(H2RawClient.RST_STREAM);
        assertThat(frame.error()).isEqualTo(Http2Error.valueOf(end[2]));
        if (stream == 7) {
          // The streams that were let in are as many as there may be.
          client.reset(1, Http2Error.CANCEL);
        }
        goesOn(client);
      }
      case "goaway" -> {
        H2RawClient.Frame frame = client.await(f -> f.type() == H2RawClient.GOAWAY);
        assertThat(frame.error()).isEqualTo(Http2Error.valueOf(end[1]));
        Optional<H2RawClient.Frame> next = client.next();
        while (next.isPresent()) {
          next = client.next();
        }
      }
      case "status" -> {
        assertThat(client.reply(Integer.parseInt(end[1])).status())
            .isEqualTo(Integer.parseInt(end[2]));
        goesOn(client);
      }
      case "ok" -> {
        H2RawClient.Reply reply = client.reply(Integer.parseInt(end[1]));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.reset()).isEmpty();
      }
      case "pong" -> {
        H2RawClient.Frame pong = client.await(f -> f.type() == H2RawClient.PING);
        assertThat(pong.flags()).isEqualTo(H2RawClient.ACK);
        assertThat(pong.payload()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
      }
      case "ack" -> {
        client.await(f -> f.type() == H2RawClient.SETTINGS && f.flags() == H2RawClient.ACK);
        client.await(f -> f.type() == H2RawClient.SETTINGS && f.flags() == H2RawClient.ACK);
      }
      default -> throw new IllegalArgumentException("no such end: " + end[0]);
    }
  }

  /** A fault of one stream is none of the connection. */
  private static void goesOn(H2RawClient client) throws IOException {
    client.get(101, "/after");
    assertThat(client.reply(101).body()).isEqualTo("/after 0");
  }
}
