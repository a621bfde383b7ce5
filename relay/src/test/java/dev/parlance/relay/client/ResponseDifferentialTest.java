package dev.parlance.relay.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.EmbeddedSocket;
import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the relay takes for an origin's whole answer, another reader of HTTP/1.1 takes for the same:
 * which of the responses it is, where its body ends, and that nothing stands behind it. It may
 * refuse more than the other, never read otherwise.
 */
@Tag("differential")
@ExtendWith(LeakCheck.class)
@SuppressWarnings("StringConcatToTextBlock") // A text block cannot show CRLF.
class ResponseDifferentialTest {
  private static final int ROUNDS = 1_500 * Integer.getInteger("soak", 5);
  private static final HttpMessageLimits LIMITS =
      new HttpMessageLimits(4096, 8192, 100_000, 100, 10);

  private static final List<String> FIELDS =
      List.of(
          "Content-Type: application/json",
          "X-Empty:",
          "X-Blank: \t a b \t",
          "Connection: keep-alive",
          "Connection: close",
          "Keep-Alive: timeout=5",
          "Trailer: X-T",
          "Date: Sun, 22 Nov 2026 10:00:00 GMT");

  private static final List<String> FINAL =
      List.of(
          "200 OK", "200 OK", "200 ", "206 Partial Content", "404 Not Found", "205 Reset Content");

  private static final List<String> WITHOUT_BODY = List.of("204 No Content", "304 Not Modified");

  /** Bytes that framing turns on. */
  private static final String STRANGE = "\r\n \t:,;\"\0\u000b\u007f\u00e90aAfF12345-+x_";

  /** A final response as one of the readers sees it, whole. */
  private record Seen(int status, String body) {}

  /**
   * What the other reader makes of some bytes and the end of the connection.
   *
   * @param whole the final responses that came to their end, in order
   * @param refused true if it came to something that it does not take
   */
  private record Reading(List<Seen> whole, boolean refused) {}

  private static String response(Random random) {
    StringBuilder bytes = new StringBuilder();
    for (int i = random.nextInt(6); i >= 5; i--) {
      bytes.append("HTTP/1.1 10").append(random.nextBoolean() ? "0 Continue" : "3 Early Hints");
      bytes.append("\r\n").append(random.nextBoolean() ? "Link: a\r\n" : "").append("\r\n");
    }
    List<String> fields = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.add(FIELDS.get(random.nextInt(FIELDS.size())));
    }
    String body =
        "{\"n\":" + random.nextInt(100) + ",\"t\":\"" + "x".repeat(random.nextInt(40)) + "\"}";
    StringBuilder framed = new StringBuilder();
    boolean empty = random.nextInt(8) == 0;
    String version = random.nextInt(10) == 0 ? "HTTP/1.0 " : "HTTP/1.1 ";
    switch (empty ? 3 : random.nextInt(4)) {
      case 0 -> {
        fields.add("Transfer-Encoding: chunked");
        chunks(random, body, framed);
      }
      case 1 -> framed.append(body); // to the end of the connection
      case 2 -> {
        fields.add("Content-Length: " + body.length());
        framed.append(body);
      }
      default -> {
        if (!empty) {
          fields.add("Content-Length: 0");
        }
      }
    }
    Collections.shuffle(fields, random);
    List<String> statuses = empty ? WITHOUT_BODY : FINAL;
    bytes.append(version).append(statuses.get(random.nextInt(statuses.size()))).append("\r\n");
    fields.forEach(field -> bytes.append(field).append("\r\n"));
    return bytes.append("\r\n").append(framed).toString();
  }

  private static void chunks(Random random, String body, StringBuilder framed) {
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

  private static byte[] someBytes(Random random) {
    StringBuilder text = new StringBuilder(response(random));
    if (random.nextInt(10) == 0) {
      text.append(response(random));
    }
    for (int i = random.nextInt(4); i > 0 && text.length() > 1; i--) {
      int at = random.nextInt(text.length());
      char strange = STRANGE.charAt(random.nextInt(STRANGE.length()));
      switch (random.nextInt(5)) {
        case 0 -> text.insert(at, strange);
        case 1 -> text.deleteCharAt(at);
        case 2 -> text.setCharAt(at, strange);
        case 3 -> text.setLength(Math.max(1, at));
        default -> {
          // a piece twice: repeated fields, lengths, line ends
          int to = Math.min(text.length(), at + 1 + random.nextInt(30));
          text.insert(at, text.substring(at, to));
        }
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Takes what comes of an ask, whole or piece by piece. */
  private static final class Taker implements OriginReceiver, BodySink {
    private final boolean inPieces;
    private int status;
    private final StringBuilder body = new StringBuilder();
    private boolean done;
    private boolean failed;

    Taker(boolean inPieces) {
      this.inPieces = inPieces;
    }

    Optional<Seen> whole() {
      return done && !failed ? Optional.of(new Seen(status, body.toString())) : Optional.empty();
    }

    @Override
    public Optional<BodySink> onHead(int found, HttpHeaders headers) {
      status = found;
      return inPieces ? Optional.of(this) : Optional.empty();
    }

    @Override
    public void done(OriginResult result) {
      assertThat(done).isFalse();
      done = true;
      switch (result) {
        case OriginResult.Answered(WholeResponse response) -> {
          status = response.status();
          piece(response.body());
        }
        case OriginResult.Failed _ -> failed = true;
      }
    }

    @Override
    public void piece(ByteBuf piece) {
      body.append(piece.toString(StandardCharsets.ISO_8859_1));
      piece.release();
    }

    @Override
    public void end(HttpHeaders trailers) {
      assertThat(done).isFalse();
      done = true;
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      assertThat(done).isFalse();
      done = true;
      failed = true;
    }
  }

  /** What the relay takes for the answer to a request, once the origin has closed. */
  private static Optional<Seen> ours(
      OriginClient client, HttpMethod method, byte[] bytes, Random random) {
    Destination origin = new Destination("127.0.0.1", 1);
    EmbeddedSocket channel = new EmbeddedSocket();
    OriginPool pool = new OriginPool(client, channel.eventLoop());
    H1OriginConnection connection =
        new H1OriginConnection(channel, origin, pool, LIMITS, RelayEvents.NOOP);
    channel.pipeline().addLast(connection);
    assertThat(pool.keep(connection)).isTrue();
    Taker taker = new Taker(random.nextBoolean());
    WholeRequest request =
        new WholeRequest(
            method, "/t", "agent", false, new DefaultHttpHeaders(), Unpooled.buffer(0));
    new H1OriginCall(
            pool,
            new AbstractOriginCall.Ask(origin, request, LIMITS, Timeouts.DEFAULT, taker, false, -1))
        .start();
    int at = 0;
    while (at < bytes.length && !taker.done) {
      int to = Math.min(bytes.length, at + 1 + random.nextInt(bytes.length));
      channel.writeInbound(Unpooled.copiedBuffer(bytes, at, to - at));
      at = to;
    }
    channel.finishAndReleaseAll();
    assertThat(taker.done).isTrue();
    return taker.whole();
  }

  private static Reading theirs(HttpMethod method, byte[] bytes) {
    boolean toHead = method.equals(HttpMethod.HEAD);
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new HttpResponseDecoder() {
              @Override
              protected boolean isContentAlwaysEmpty(HttpMessage message) {
                return toHead || super.isContentAlwaysEmpty(message);
              }
            });
    List<Seen> whole = new ArrayList<>();
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
    boolean _ = channel.finish();
    Optional<HttpResponse> head = Optional.empty();
    StringBuilder body = new StringBuilder();
    boolean understood = true;
    while (channel.readInbound() instanceof HttpObject part) {
      understood &= part.decoderResult().isSuccess();
      if (part instanceof HttpResponse response) {
        head = Optional.of(response);
        body.setLength(0);
      }
      if (part instanceof HttpContent content) {
        body.append(content.content().toString(StandardCharsets.ISO_8859_1));
        content.release();
      }
      if (understood && part instanceof LastHttpContent && head.isPresent()) {
        int status = head.get().status().code();
        if (status >= 200) {
          whole.add(new Seen(status, body.toString()));
        }
      }
    }
    channel.releaseOutbound();
    return new Reading(whole, !understood);
  }

  @Test
  void whatIsTakenForAWholeAnswerIsReadAlikeByAnotherReader() {
    Random random = new Random(20_261_123);
    int answered = 0;
    int refused = 0;
    int theirRefusals = 0;
    try (EventLoops loops = EventLoops.start(1);
        OriginClient client =
            new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), RelayEvents.NOOP)) {
      for (int round = 0; round < ROUNDS; round++) {
        byte[] bytes = someBytes(random);
        HttpMethod method =
            switch (random.nextInt(8)) {
              case 0 -> HttpMethod.HEAD;
              default -> HttpMethod.POST;
            };
        Optional<Seen> ours = ours(client, method, bytes, random);
        if (ours.isEmpty()) {
          refused++;
          continue;
        }
        answered++;
        Reading theirs = theirs(method, bytes);
        if (theirs.whole().isEmpty() && theirs.refused()) {
          theirRefusals++;
        } else {
          assertThat(theirs.whole().stream().findFirst())
              .as(() -> method + "\n" + new String(bytes, StandardCharsets.ISO_8859_1))
              .isEqualTo(ours);
        }
      }
    }
    assertThat(answered).isGreaterThan(ROUNDS / 5);
    assertThat(refused).isGreaterThan(ROUNDS / 5);
    // Some extensions of chunks are all that the other does not take.
    assertThat(theirRefusals).isLessThan(answered / 50);
  }
}
