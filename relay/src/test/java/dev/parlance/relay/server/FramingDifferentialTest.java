package dev.parlance.relay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.net.MinimumRate;
import dev.parlance.relay.net.RequestMemory;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the intake lets through, another reader of HTTP/1.1 reads in the same way: where requests
 * begin and end, and what they say. It may refuse more than the other, never read otherwise.
 */
@Tag("differential")
@ExtendWith(LeakCheck.class)
@SuppressWarnings("StringConcatToTextBlock") // A text block cannot show CRLF.
class FramingDifferentialTest {
  private static final int ROUNDS = 30_000;
  private static final HttpMessageLimits LIMITS =
      new HttpMessageLimits(4096, 8192, 100_000, 100, 10);

  private static final List<String> FIELDS =
      List.of(
          "Content-Type: application/json",
          "X-Empty:",
          "X-Blank: \t a b \t",
          "Connection: keep-alive",
          "Accept: a",
          "Accept: b",
          "Expect: 100-continue",
          "Trailer: X-T",
          "TE: trailers");

  /** Bytes that framing turns on. */
  private static final String STRANGE = "\r\n \t:,;\"\0\u000b\u007f\u00e90aAfF5-+x_/?#";

  /** A request as one of the readers sees it. */
  private record Seen(String method, String target, String host, String body) {}

  /**
   * What the other reader makes of some bytes.
   *
   * @param refused true if it came to something that it does not take
   */
  private record Reading(List<Seen> seen, boolean refused) {}

  private static String request(Random random, int number) {
    String body = "{\"n\":" + number + ",\"t\":\"" + "x".repeat(random.nextInt(40)) + "\"}";
    List<String> fields = new ArrayList<>(List.of("Host: a:" + (80 + number)));
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.add(FIELDS.get(random.nextInt(FIELDS.size())));
    }
    StringBuilder framed = new StringBuilder();
    switch (random.nextInt(4)) {
      case 0 -> {
        fields.add("Transfer-Encoding: chunked");
        int at = 0;
        while (at < body.length()) {
          int to = Math.min(body.length(), at + 1 + random.nextInt(20));
          framed.append(random.nextBoolean() ? "0" : "").append(Integer.toHexString(to - at));
          framed.append(random.nextInt(5) == 0 ? ";a=\"b\"" : "").append("\r\n");
          framed.append(body, at, to).append("\r\n");
          at = to;
        }
        framed.append("0\r\n").append(random.nextInt(4) == 0 ? "X-T: 1\r\n" : "").append("\r\n");
      }
      case 1 -> framed.append("");
      default -> {
        fields.add("Content-Length: " + body.length());
        framed.append(body);
      }
    }
    Collections.shuffle(fields, random);
    String method = framed.isEmpty() ? "GET" : "POST";
    return method
        + " /r"
        + number
        + " HTTP/1.1\r\n"
        + String.join("\r\n", fields)
        + "\r\n\r\n"
        + framed;
  }

  private static byte[] someBytes(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      text.append(request(random, i));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(text.length());
      char strange = STRANGE.charAt(random.nextInt(STRANGE.length()));
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, strange);
        case 1 -> text.deleteCharAt(at);
        case 2 -> text.setCharAt(at, strange);
        default -> {
          // a piece twice: repeated fields, lengths, line ends
          int to = Math.min(text.length(), at + 1 + random.nextInt(30));
          text.insert(at, text.substring(at, to));
        }
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static List<Seen> ours(byte[] bytes, Random random) {
    RequestReader intake =
        new RequestReader(
            UnpooledByteBufAllocator.DEFAULT,
            LIMITS,
            new MinimumRate(Timeouts.DEFAULT),
            new RequestMemory(1 << 20),
            new RequestMemory(1 << 20));
    List<Seen> seen = new ArrayList<>();
    int at = 0;
    try {
      while (true) {
        switch (intake.next()) {
          case RequestReader.Step.More _ -> {
            if (at == bytes.length) {
              return seen;
            }
            int to = Math.min(bytes.length, at + 1 + random.nextInt(bytes.length));
            intake.add(Unpooled.copiedBuffer(bytes, at, to - at));
            at = to;
          }
          case RequestReader.Step.Begun _ -> {}
          case RequestReader.Step.Whole(WholeRequest request) -> {
            seen.add(
                new Seen(
                    request.method().name(),
                    request.target(),
                    request.authority(),
                    request.body().toString(StandardCharsets.ISO_8859_1)));
            request.body().release();
            intake.letGo();
          }
          case RequestReader.Step.Full _,
              RequestReader.Step.Connect _,
              RequestReader.Step.Passage _,
              RequestReader.Step.Refused _ -> {
            return seen;
          }
        }
      }
    } finally {
      intake.discardRest();
    }
  }

  /** What Netty's own decoder makes of the same bytes, up to the first that it does not take. */
  private static Reading theirs(byte[] bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
    List<Seen> seen = new ArrayList<>();
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
    Optional<HttpRequest> head = Optional.empty();
    StringBuilder body = new StringBuilder();
    boolean understood = true;
    while (channel.readInbound() instanceof HttpObject part) {
      understood &= part.decoderResult().isSuccess();
      if (part instanceof HttpRequest request) {
        head = Optional.of(request);
        body.setLength(0);
      }
      if (part instanceof HttpContent content) {
        body.append(content.content().toString(StandardCharsets.ISO_8859_1));
        content.release();
      }
      if (understood && part instanceof LastHttpContent && head.isPresent()) {
        seen.add(seen(head.get(), body.toString()));
      }
    }
    channel.finishAndReleaseAll();
    return new Reading(seen, !understood);
  }

  private static Seen seen(HttpRequest request, String body) {
    String host = request.headers().get(HttpHeaderNames.HOST, "");
    return new Seen(request.method().name(), request.uri(), host, body);
  }

  @Test
  void whatIsLetThroughIsReadAlikeByAnotherReader() {
    Random random = new Random(20_261_122);
    int whole = 0;
    int cut = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = someBytes(random);
      List<Seen> ours = ours(bytes, random);
      if (!ours.isEmpty()) {
        Reading theirs = theirs(bytes);
        // Where it refuses (some extensions of chunks), it reads nothing otherwise.
        int common = theirs.refused() ? Math.min(ours.size(), theirs.seen().size()) : ours.size();
        assertThat(theirs.seen())
            .as(() -> new String(bytes, StandardCharsets.ISO_8859_1))
            .startsWith(ours.subList(0, common).toArray(Seen[]::new));
      }
      whole += ours.size() == 3 ? 1 : 0;
      cut += ours.size() < 3 ? 1 : 0;
    }
    assertThat(whole).isGreaterThan(ROUNDS / 10);
    assertThat(cut).isGreaterThan(ROUNDS / 10);
  }
}
