package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http2.Http2Error;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The floods of the G rows; what they cost stands in docs/performance.md. */
@ExtendWith(LeakCheck.class)
class H2FloodTest {
  private static final int FRAMES = 30_000;

  /** The n-th piece of a flood. */
  @FunctionalInterface
  private interface Piece {
    byte[] of(int n);
  }

  private static byte[] join(byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }

  private static byte[] headers(int stream, boolean end, String... fields) {
    return H2RawClient.bytes(
        H2RawClient.HEADERS,
        H2RawClient.END_HEADERS | (end ? H2RawClient.END_STREAM : 0),
        stream,
        H2RawClient.block(fields));
  }

  private static byte[] reset(int stream) {
    return H2RawClient.bytes(H2RawClient.RST_STREAM, 0, stream, H2RawClient.number(8));
  }

  /** Holds what asks for /hold, answers the rest. */
  private static TestRelay relay(List<String> cuts) throws IOException {
    return TestRelay.answering(
        TestRelay.LIMITS,
        TestRelay.PATIENT,
        (exchange, request) -> {
          if (request.target().equals("/hold")) {
            request.body().release();
          } else {
            TestRelay.echo(exchange, request);
          }
        },
        cuts::add);
  }

  /** Sends until the connection is cut; it must be, with this error, and others must not care. */
  private static void isCut(String reason, Http2Error error, byte[] first, Piece piece)
      throws IOException {
    List<String> cuts = new CopyOnWriteArrayList<>();
    try (TestRelay relay = relay(cuts);
        H2RawClient attacker = H2RawClient.connect(relay.port());
        H2RawClient polite = H2RawClient.connect(relay.port())) {
      CompletableFuture<Void> sender =
          CompletableFuture.runAsync(() -> {
            try {
              attacker.raw(first);
              for (int i = 0; i < FRAMES; i++) {
                attacker.raw(piece.of(i));
              }
            } catch (IOException e) {
              // The connection is cut, which is what the reader below looks for.
              assertThat(attacker.socket()).isNotNull();
            }
          });
      Optional<H2RawClient.Frame> goAway = Optional.empty();
      Optional<H2RawClient.Frame> next = attacker.next();
      while (next.isPresent()) {
        if (next.get().type() == H2RawClient.GOAWAY) {
          goAway = next;
        }
        next = attacker.next();
      }
      attacker.socket().close();
      sender.orTimeout(10, TimeUnit.SECONDS).join();
      assertThat(goAway).isPresent();
      assertThat(goAway.get().error()).isEqualTo(error);
      assertThat(cuts).containsExactly(reason);
      polite.get(1, "/ok");
      assertThat(polite.reply(1).body()).isEqualTo("/ok 0");
    }
  }

  private static void isCut(String reason, byte[] first, Piece piece) throws IOException {
    isCut(reason, Http2Error.ENHANCE_YOUR_CALM, first, piece);
  }

  @Test
  void G1_rapidReset() throws IOException {
    isCut(
        "reset",
        new byte[0],
        n -> {
          int stream = 2 * n + 1;
          return join(headers(stream, true, H2RawClient.request("GET", "/hold")), reset(stream));
        });
  }

  @Test
  void G2_resetsThatWeAreMadeToSend() throws IOException {
    isCut(
        "reset",
        new byte[0],
        n -> {
          int stream = 2 * n + 1;
          return join(
              headers(stream, true, H2RawClient.request("GET", "/hold")),
              H2RawClient.bytes(H2RawClient.WINDOW_UPDATE, 0, stream, H2RawClient.number(0)));
        });
  }

  @Test
  void G2_malformedRequests() throws IOException {
    isCut("reset", new byte[0], n -> headers(2 * n + 1, true, "x", "y"));
  }

  @Test
  void G3_emptyContinuations() throws IOException {
    isCut(
        "enhance_your_calm",
        H2RawClient.bytes(
            H2RawClient.HEADERS, 0, 1, H2RawClient.block(H2RawClient.request("GET", "/x"))),
        _ -> H2RawClient.bytes(H2RawClient.CONTINUATION, 0, 1, new byte[0]));
  }

  @Test
  void G4_endlessContinuations() throws IOException {
    isCut(
        "protocol_error",
        Http2Error.PROTOCOL_ERROR,
        H2RawClient.bytes(
            H2RawClient.HEADERS, 0, 1, H2RawClient.block(H2RawClient.request("GET", "/x"))),
        n ->
            H2RawClient.bytes(
                H2RawClient.CONTINUATION, 0, 1, H2RawClient.block("x" + n, "y".repeat(3000))));
  }

  @Test
  void G5_pings() throws IOException {
    isCut("ping", new byte[0], _ -> H2RawClient.bytes(H2RawClient.PING, 0, 0, new byte[8]));
  }

  @Test
  void G6_settings() throws IOException {
    isCut(
        "settings",
        new byte[0],
        n -> H2RawClient.bytes(H2RawClient.SETTINGS, 0, 0, H2RawClient.setting(4, 1000 + n % 2)));
  }

  @Test
  void G7_emptyData() throws IOException {
    isCut(
        "empty_data",
        headers(1, false, H2RawClient.request("POST", "/x")),
        _ -> H2RawClient.bytes(H2RawClient.DATA, 0, 1, new byte[0]));
  }

  @Test
  void G7_dataOfOneByte() throws IOException {
    isCut(
        "small_data",
        headers(1, false, H2RawClient.request("POST", "/x")),
        _ -> H2RawClient.bytes(H2RawClient.DATA, 0, 1, new byte[1]));
  }

  @Test
  void G8_windowUpdates() throws IOException {
    isCut(
        "window_update",
        new byte[0],
        _ -> H2RawClient.bytes(H2RawClient.WINDOW_UPDATE, 0, 0, H2RawClient.number(1)));
  }

  @Test
  void G8_windowUpdatesOfAStreamThatEnded() throws IOException {
    isCut(
        "window_update",
        headers(1, true, H2RawClient.request("GET", "/x")),
        _ -> H2RawClient.bytes(H2RawClient.WINDOW_UPDATE, 0, 1, H2RawClient.number(1)));
  }

  @Test
  void G9_priorities() throws IOException {
    isCut(
        "priority",
        new byte[0],
        n ->
            H2RawClient.bytes(
                H2RawClient.PRIORITY, 0, 2 * (n % 1000) + 1, new byte[] {0, 0, 0, 0, 16}));
  }

  @Test
  void unknownFrames() throws IOException {
    isCut("unknown_frame", new byte[0], _ -> H2RawClient.bytes(99, 0, 0, new byte[1]));
  }

  @Test
  void pingAcks() throws IOException {
    isCut(
        "ping",
        new byte[0],
        _ -> H2RawClient.bytes(H2RawClient.PING, H2RawClient.ACK, 0, new byte[8]));
  }

  @Test
  void G10_endlessRefusals() throws IOException {
    isCut(
        "refused",
        new byte[0],
        n -> headers(2 * n + 1, false, H2RawClient.request("POST", "/hold")));
  }

  @Test
  void G11_hpackBomb() throws IOException {
    byte[] stored = H2RawClient.block("x", "y".repeat(1000));
    stored[0] = 0x40;
    byte[] repeated = new byte[1000];
    Arrays.fill(repeated, (byte) 0xbe);
    List<String> cuts = new CopyOnWriteArrayList<>();
    try (TestRelay relay = relay(cuts);
        H2RawClient client = H2RawClient.connect(relay.port())) {
      client.frame(
          H2RawClient.HEADERS,
          H2RawClient.END_HEADERS | H2RawClient.END_STREAM,
          1,
          join(H2RawClient.block(H2RawClient.request("GET", "/x")), stored, repeated));
      assertThat(client.reply(1).status()).isEqualTo(431);
      client.get(3, "/ok");
      assertThat(client.reply(3).body()).isEqualTo("/ok 0");
      assertThat(cuts).isEmpty();
    }
  }

  @Test
  void G10_politeBurst_isRefusedInPart_andSurvives() throws IOException {
    List<String> cuts = new CopyOnWriteArrayList<>();
    try (TestRelay relay = relay(cuts);
        H2RawClient client = H2RawClient.connect(relay.port())) {
      for (int i = 0; i < 400; i++) {
        client.headers(2 * i + 1, false, H2RawClient.request("POST", "/hold"));
      }
      for (int i = 0; i < 400; i++) {
        client.data(2 * i + 1, true, "a body of more than thirty-two bytes of text");
      }
      List<Integer> refused = new ArrayList<>();
      while (refused.size() < 300) {
        H2RawClient.Frame frame = client.await(f -> f.type() == H2RawClient.RST_STREAM);
        assertThat(frame.error()).isEqualTo(Http2Error.REFUSED_STREAM);
        refused.add(frame.stream());
      }
      assertThat(refused.getFirst()).isEqualTo(201);
      client.reset(1, Http2Error.CANCEL);
      client.get(801, "/ok");
      assertThat(client.reply(801).body()).isEqualTo("/ok 0");
      assertThat(cuts).isEmpty();
    }
  }

  @Test
  void politeClient_thatMovesItsWindowsOften_isNeverCut() throws IOException {
    List<String> cuts = new CopyOnWriteArrayList<>();
    try (TestRelay relay =
            TestRelay.answering(
                TestRelay.LIMITS,
                TestRelay.PATIENT,
                (exchange, request) -> {
                  request.body().release();
                  exchange.respond(TestRelay.text(200, "x".repeat(60_000)), false);
                },
                cuts::add);
        H2RawClient client = H2RawClient.connect(relay.port())) {
      for (int i = 0; i < 600; i++) {
        client.ping();
        client.get(2 * i + 1, "/x");
        assertThat(client.reply(2 * i + 1).body()).hasSize(60_000);
      }
      assertThat(cuts).isEmpty();
    }
  }
}
